"""How the product did on the crawl, held against the truth. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from sameish.demo.crawl import Crawl, DemoCapture
from sameish.demo.truth import Category
from sameish.judging.verdict import changes
from sameish.models import Change, Page, Verdict, VerdictKind
from sameish.stateless import extract
from sameish.stores.values import NEEDLESS

Answer: TypeAlias = tuple[Page, Verdict]

_SAME_PAGE = (Category.NOISE, Category.TRACKING, Category.REDESIGN)
_SET_ASIDE = (Category.WALL, Category.ERROR)


@dataclass(frozen=True, slots=True)
class Score:
    """How many captures there were of a sort, and how many were answered right."""

    captures: int
    right: int

    @property
    def wrong(self) -> int:
        """How many were answered wrong."""
        return self.captures - self.right


@dataclass(frozen=True, slots=True)
class Variation:
    """What was done to pages, and how that was answered."""

    category: Category
    what: str
    captures: int
    right: int
    wrong: int


@dataclass(frozen=True, slots=True)
class Mistake:
    """A capture that was answered wrong; `.answered` is None where the capture was not read at all.

    `.changes`: the sentences that make the difference from the capture it was compared with.
    """

    url: str
    fetched_at: datetime
    category: Category
    what: str
    expected: tuple[VerdictKind, ...]
    answered: VerdictKind | None
    reason: str
    match: str | None
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The sums that a user asks for, a row for each variation, and every mistake.

    `.articles`: captures answered `new`, and how many of them are. `.duplicates`, `.edits`, `.noise` (noise, tracking and
    redesign), `.set_aside` (walls and errors): captures of the sort, and how many were answered right. `.bytes`: of the
    bodies as they came over the wire; `.needless_bytes`: of those answered `unchanged` or `duplicate`;
    `.truly_needless_bytes`: of those that should have been.
    """

    captures: int
    right: int
    articles: Score
    duplicates: Score
    edits: Score
    noise: Score
    set_aside: Score
    bytes: int
    needless_bytes: int
    truly_needless_bytes: int
    variations: tuple[Variation, ...]
    mistakes: tuple[Mistake, ...]


def score(crawl: Crawl, answers: Iterable[Answer]) -> Report:
    """Hold answers against the truth.

    Args:
        crawl: knows the right answers.
        answers: pages of the crawl, as read from its archive, with the verdicts on them; told apart by their times.
    """
    known = {(page.url, page.fetched_at): (page, verdict) for page, verdict in answers}
    given = [known.get((capture.url, capture.fetched_at)) for capture in crawl.captures]
    judged = [(one, None if answer is None else answer[1]) for one, answer in zip(crawl.captures, given, strict=True)]
    wrong = [(one, answer) for (one, verdict), answer in zip(judged, given, strict=True) if not _is_right(one, verdict)]
    pages = {place: page for place, (page, _) in known.items()}
    return Report(
        captures=len(judged),
        right=sum(_is_right(capture, verdict) for capture, verdict in judged),
        articles=_score([pair for pair in judged if pair[1] and pair[1].kind is VerdictKind.NEW], Category),
        duplicates=_score(judged, (Category.DUPLICATE,)),
        edits=_score(judged, (Category.EDIT,)),
        noise=_score(judged, _SAME_PAGE),
        set_aside=_score(judged, _SET_ASIDE),
        bytes=sum(len(capture.body) for capture, _ in judged),
        needless_bytes=sum(len(one.body) for one, verdict in judged if verdict and verdict.kind in NEEDLESS),
        truly_needless_bytes=sum(len(one.body) for one, _ in judged if one.expected.kinds <= set(NEEDLESS)),
        variations=variations(judged),
        mistakes=tuple(_mistake(capture, answer, pages) for capture, answer in wrong),
    )


_Pages: TypeAlias = Mapping[tuple[str | None, datetime | None], Page]
_Judged: TypeAlias = Sequence[tuple[DemoCapture, Verdict | None]]


def _is_right(capture: DemoCapture, verdict: Verdict | None) -> bool:
    return verdict is not None and verdict.kind in capture.expected.kinds


def _score(judged: _Judged, categories: Iterable[Category]) -> Score:
    wanted = frozenset(categories)
    of_sort = [pair for pair in judged if pair[0].expected.category in wanted]
    return Score(len(of_sort), sum(_is_right(*pair) for pair in of_sort))


def variations(judged: _Judged) -> tuple[Variation, ...]:
    """Return a row for each thing that was done to pages, by category, in the order of the crawl."""
    rows: dict[tuple[Category, str], list[bool]] = {}
    for capture, verdict in judged:
        rows.setdefault((capture.expected.category, capture.expected.what), []).append(_is_right(capture, verdict))
    order = list(Category)
    return tuple(
        Variation(category, what, len(marks), sum(marks), len(marks) - sum(marks))
        for (category, what), marks in sorted(rows.items(), key=lambda row: order.index(row[0][0]))
    )


def by_category(report: Report) -> Mapping[Category, Score]:
    """Return the scores of the categories."""
    return {
        category: Score(sum(row.captures for row in rows), sum(row.right for row in rows))
        for category in Category
        if (rows := [row for row in report.variations if row.category is category])
    }


def _mistake(capture: DemoCapture, answer: Answer | None, pages: _Pages) -> Mistake:
    expected = capture.expected
    verdict = None if answer is None else answer[1]
    return Mistake(
        url=capture.url,
        fetched_at=capture.fetched_at,
        category=expected.category,
        what=expected.what,
        expected=tuple(sorted(expected.kinds)),
        answered=None if verdict is None else verdict.kind,
        reason="not read from the archive" if verdict is None else verdict.reason,
        match=None if verdict is None or verdict.match is None else verdict.match.url,
        changes=() if answer is None else _changes(*answer, pages),
    )


def _changes(page: Page, verdict: Verdict, pages: _Pages) -> tuple[Change, ...]:
    if verdict.changes or verdict.match is None:
        return verdict.changes
    other = pages.get((verdict.match.url, verdict.match.fetched_at))
    return () if other is None else changes(extract(other).sentences, extract(page).sentences)

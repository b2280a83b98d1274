"""What the crawls cost and what they found, counted at the servers and held against what there was. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from sameish.demo.live.contents import Content, Edition
from sameish.demo.live.findings import Findings
from sameish.demo.live.honesty import Honesty
from sameish.demo.live.paper import Paper
from sameish.demo.live.rounds import Crawled, Round, Run, Way
from sameish.settings import Ledger

PRICES = Ledger(price_per_gb=5.0, price_per_1000_requests=1.0)
"""Prices of a usual proxy, for those who have set none of their own."""
_Version: TypeAlias = tuple[str, str, str]
"""Host, plain address and wording."""


@dataclass(frozen=True, slots=True)
class Found:
    """How many were found of how many."""

    found: int
    of: int


@dataclass(frozen=True, slots=True)
class Missed:
    """A content whose present version a crawler did not get.

    `.is_lost`: it never got any version. `.is_hidden`: its host says 304 although the content changed.
    """

    host: str
    address: str
    is_lost: bool
    is_hidden: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One crawl.

    `.requests`, `.bytes`: that the servers were asked for and sent, heads included. `.contents`, `.edits`, `.new`: of all that
    there were by then, those whose present version the crawler has, from this crawl or an earlier one. `.missed`: the others.
    """

    round: str
    way: Way
    requests: int
    bytes: int
    money: float
    contents: Found
    edits: Found
    new: Found
    missed: tuple[Missed, ...]

    @property
    def lost(self) -> int:
        """How many contents the crawler never got, in no version."""
        return sum(one.is_lost for one in self.missed)


@dataclass(frozen=True, slots=True)
class Sums:
    """All crawls of one way together."""

    requests: int
    bytes: int
    money: float


@dataclass(frozen=True, slots=True)
class Report:
    """A row for each crawl, sums, what was found out, and `.faults`: what sameish missed and should not have.

    A content that a lying host hides is no fault until the last crawl.
    """

    prices: Ledger
    rows: tuple[Row, ...]
    sums: Mapping[Way, Sums]
    findings: tuple[Findings, ...]
    faults: tuple[Missed, ...]


def report_of(run: Run, ledger: Ledger) -> Report:
    """Hold all crawls against what there was.

    Args:
        run: the crawls.
        ledger: prices; those of a usual proxy stand for prices of 0.
    """
    prices = ledger if ledger.price_per_gb or ledger.price_per_1000_requests else PRICES
    versions = _versions(run)
    had: dict[Way, set[_Version]] = {way: set() for way in Way}
    rows: list[Row] = []
    for crawled in run.crawls:
        had[crawled.way] |= {versions[digest] for digest in crawled.kept if digest in versions}
        rows.append(_row(run, crawled, had[crawled.way], prices))
    sums = {way: _sums(row for row in rows if row.way is way) for way in Way}
    return Report(prices, tuple(rows), sums, run.findings, tuple(_faults(rows)))


def _versions(run: Run) -> dict[str, _Version]:
    """Return which version of which content each page was that a server sent, by its digest."""
    return {
        hit.digest: (host, hit.content.address, hit.content.wording(crawled.round.edition))
        for crawled in run.crawls
        for host, hits in crawled.hits.items()
        for hit in hits
        if hit.content is not None and hit.digest
    }


def _row(run: Run, crawled: Crawled, had: set[_Version], prices: Ledger) -> Row:
    hits = [hit for hits in crawled.hits.values() for hit in hits]
    size = sum(hit.sent for hit in hits)
    there = list(_there(run, crawled.round.edition))
    later = there if crawled.round.edition else []
    return Row(
        round=crawled.round.name,
        way=crawled.way,
        requests=len(hits),
        bytes=size,
        money=len(hits) / 1000 * prices.price_per_1000_requests + size / 1e9 * prices.price_per_gb,
        contents=_found(there, had, crawled.round),
        edits=_found([one for one in later if one[1].is_edited], had, crawled.round),
        new=_found([one for one in later if one[1].is_new], had, crawled.round),
        missed=tuple(_missed(there, had, crawled.round)),
    )


_There: TypeAlias = tuple[Paper, Content]


def _there(run: Run, edition: Edition) -> Iterator[_There]:
    """Yield all contents that there are in an edition."""
    for paper in run.papers:
        yield from ((paper, content) for content in paper.contents.values() if content.editions[edition] is not None)


def _version(one: _There, edition: Edition) -> _Version:
    paper, content = one
    return paper.name, content.address, content.wording(edition)


def _found(some: list[_There], had: set[_Version], at: Round) -> Found:
    return Found(sum(_version(one, at.edition) in had for one in some), len(some))


def _missed(there: list[_There], had: set[_Version], at: Round) -> Iterator[Missed]:
    known = {(host, address) for host, address, _ in had}
    for paper, content in there:
        if _version((paper, content), at.edition) not in had:
            is_lost = (paper.name, content.address) not in known
            hidden = paper.honesty is Honesty.FROZEN and at.edition > 0
            yield Missed(paper.name, content.address, is_lost, hidden)


def _sums(rows: Iterable[Row]) -> Sums:
    some = list(rows)
    return Sums(sum(row.requests for row in some), sum(row.bytes for row in some), sum(row.money for row in some))


def _faults(rows: list[Row]) -> Iterator[Missed]:
    spared = [row for row in rows if row.way is Way.WITH]
    for row in spared:
        yield from (one for one in row.missed if row is spared[-1] or not one.is_hidden)

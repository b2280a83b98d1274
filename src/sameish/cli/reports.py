"""The report of the demo in words."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from sameish.cli.output import bold, grey, kind, number_of, one_line, say, share_of, size_of, style, table
from sameish.demo.report import Mistake, Report, Score, Variation, by_category
from sameish.demo.truth import Category

_LABELS = {
    Category.NEW: "first seen",
    Category.NOISE: "ads, menus, counters and other noise moved",
    Category.TRACKING: "tracking parameters in the URL",
    Category.EDIT: "edited, with all noise moved",
    Category.REDESIGN: "the whole site redesigned",
    Category.DUPLICATE: "print, AMP, mobile and other twins",
    Category.LIST: "front pages and lists",
    Category.REVISIT: "304 and identical bytes",
    Category.WALL: "teasers, logins, challenges",
    Category.ERROR: "missing, gone, failed, empty",
}
_CHANGES, _CHARACTERS = 2, 100  # of the sentences that made a mistake, so many are shown, and so much of each


def print_report(report: Report, seconds: float, *, details: bool) -> None:
    """Print what a user wants to see."""
    rate = f"{report.captures / seconds:,.0f} a second" if seconds else "at once"
    say(f"{number_of(report.captures, 'capture')} of an invented newspaper in {seconds:.1f} s, {rate}")
    say()
    table(("", "", ""), _figures(report), right=(1,))
    say()
    if details:
        table(("what was done to the page", "captures", "right", "wrong"), _details(report), right=(1, 2, 3))
    else:
        rows = [_row(_LABELS[category], score) for category, score in by_category(report).items()]
        table(("what was done to the pages", "captures", "right", "wrong"), rows, right=(1, 2, 3))
    say()
    print_mistakes(report.mistakes)


def _figures(report: Report) -> list[tuple[str, str, str]]:
    needless = f"{share_of(report.needless_bytes, report.bytes)}"
    truly = (
        f"of the {size_of(report.bytes)} on the wire; in truth {share_of(report.truly_needless_bytes, report.bytes)}"
    )
    return [
        (
            "distinct articles and pages",
            f"{report.articles.captures:,}",
            f"answered new, {report.articles.right:,} of them rightly",
        ),
        ("duplicates recognised", *_of(report.duplicates)),
        ("edits noticed", *_of(report.edits)),
        ("noise ignored", *_of(report.noise)),
        ("walls and errors set aside", *_of(report.set_aside)),
        ("bytes that were needless", needless, truly),
        ("right answers", share_of(report.right, report.captures), f"{report.right:,} of {report.captures:,}"),
    ]


def _of(score: Score) -> tuple[str, str]:
    return f"{score.right:,}", f"of {score.captures:,}"


def _row(label: str, score: Score | Variation) -> tuple[str, str, str, str]:
    return label, f"{score.captures:,}", f"{score.right:,}", style(f"{score.wrong:,}", "red" if score.wrong else None)


def _details(report: Report) -> list[tuple[str, str, str, str]]:
    rows: list[tuple[str, str, str, str]] = []
    for category, score in by_category(report).items():
        rows.append(_row(bold(_LABELS[category]), score))
        rows += [_row(f"  {one.what}", one) for one in report.variations if one.category is category]
    return rows


def print_mistakes(mistakes: tuple[Mistake, ...]) -> None:
    """Print every mistake under what was done: URL, what was expected, what was answered, and why."""
    if not mistakes:
        say("No mistakes.")
        return
    say(bold(number_of(len(mistakes), "mistake")))
    for what, group in groupby(sorted(mistakes, key=_order), key=lambda one: one.what):
        say(what)
        for one in group:
            _print_mistake(one)


def _order(one: Mistake) -> tuple[int, str]:
    return list(Category).index(one.category), one.what


def _print_mistake(one: Mistake) -> None:
    say(f"  {one_line(one.url)}  {grey(f'{one.fetched_at:%Y-%m-%d %H:%M}')}")
    match = f" = {one_line(one.match)}" if one.match and one.match != one.url else ""
    answered = kind(one.answered) if one.answered else "nothing"
    say(f"    expected {_either(one.expected)}, answered {answered}  {grey(f'({one_line(one.reason)}{match})')}")
    for change in one.changes[:_CHANGES]:
        say(grey(f"    {'-' if change.kind == 'removed' else '+'} {one_line(change.text)[:_CHARACTERS]}"))
    if len(one.changes) > _CHANGES:
        say(grey(f"    ... {number_of(len(one.changes) - _CHANGES, 'sentence')} more"))


def _either(kinds: Iterable[str]) -> str:
    return " or ".join(kind(name) for name in kinds)

"""Verdicts and their sums in words."""

from __future__ import annotations

from collections.abc import Mapping

from sameish.cli.output import grey, kind, number_of, one_line, say, share_of, size_of, table
from sameish.cli.tally import NEEDLESS, Tally
from sameish.models import Page, Verdict, VerdictKind
from sameish.stores.base import StoreTotals

_WIDTH = max(len(name) for name in VerdictKind)
_MEANINGS = {
    VerdictKind.NEW: "articles not seen before",
    VerdictKind.UPDATED: "known URLs with other words",
    VerdictKind.UNCHANGED: "known URLs with the same words",
    VerdictKind.DUPLICATE: "other URLs with the same words",
    VerdictKind.NEAR_DUPLICATE: "other URLs with nearly the same words",
    VerdictKind.UNDETERMINED: "set aside",
}


def print_verdict(page: Page, verdict: Verdict) -> None:
    """Print the line of a page: verdict, URL, the URL that it matches, reason."""
    parts = [kind(verdict.kind, _WIDTH), one_line(page.url or "(no URL)")]
    if verdict.match is not None and verdict.match.url != page.url:
        parts.append(f"= {one_line(verdict.match.url)}")
    say("  ".join((*parts, grey(f"({_why(verdict)})"))))


def _why(verdict: Verdict) -> str:
    reason = one_line(verdict.reason)
    if not verdict.changes:
        return reason
    removed = sum(change.kind == "removed" for change in verdict.changes)
    return f"{reason}; sentences: {removed} removed, {len(verdict.changes) - removed} added"


def print_summary(tally: Tally) -> None:
    """Print what a scan counted."""
    rate = f", {tally.captures / tally.seconds:,.0f} a second" if tally.seconds else ""
    captures = number_of(tally.captures, "capture")
    say(f"{captures} in {tally.seconds:.1f} s{rate}; {size_of(tally.bytes)}")
    if tally.captures:
        print_kinds(tally.by_verdict, tally.bytes_by_verdict, _details(tally))
    if tally.skipped:
        say(f"Skipped: {tally.skipped.total():,}, named above")
        for reason, count in tally.skipped.most_common(10):
            say(f"  {count:,} x {one_line(reason)}")


def _details(tally: Tally) -> str:
    return ", ".join(f"{count:,} x {one_line(reason)}" for reason, count in tally.undetermined.most_common())


def print_kinds(counts: Mapping[str, int], sizes: Mapping[str, int], undetermined: str = "") -> None:
    """Print a row for each verdict, and how many bytes were needless."""
    rows = [
        (
            f"  {kind(name)}",
            f"{counts.get(name, 0):,}",
            size_of(sizes.get(name, 0)) if counts.get(name) else "",
            (undetermined if name is VerdictKind.UNDETERMINED else "") or meaning,
        )
        for name, meaning in _MEANINGS.items()
    ]
    table(("", "", "", ""), rows, right=(1, 2))
    needless, whole = sum(sizes.get(name, 0) for name in NEEDLESS), sum(sizes.values())
    say(f"Needless: {size_of(needless)} of {size_of(whole)} ({share_of(needless, whole)}) were unchanged or duplicate")


def print_totals(target: str, totals: StoreTotals) -> None:
    """Print how much is in a store."""
    sums = (
        number_of(totals.captures, "capture"),
        f"of {number_of(totals.pages, 'page')}",
        f"on {number_of(totals.sites, 'site')},",
        number_of(totals.contents, "distinct content"),
    )
    say(f"Store: {one_line(target)}: {' '.join(sums)}")

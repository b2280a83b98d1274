"""Verdicts and their sums in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from sameish.cli.output import grey, kind, number_of, one_line, say, share_of, size_of, table
from sameish.cli.tally import Tally
from sameish.models import Page, Verdict, VerdictKind
from sameish.stores.base import StoreTotals
from sameish.stores.targets import shown
from sameish.stores.values import NEEDLESS

_WIDTH = max(len(name) for name in VerdictKind)
_REASONS = 10
_MEANINGS = {
    VerdictKind.NEW: "articles not seen before",
    VerdictKind.UPDATED: "known URLs with other words",
    VerdictKind.UNCHANGED: "known URLs with the same words",
    VerdictKind.DUPLICATE: "other URLs with the same words",
    VerdictKind.NEAR_DUPLICATE: "other URLs with nearly the same words",
    VerdictKind.UNDETERMINED: "errors, walls and empty pages, set aside",
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
        print_kinds(tally.by_verdict, tally.bytes_by_verdict, tally.bytes_stored_already)
    if tally.stored_already:
        say(f"Stored already: {number_of(tally.stored_already, 'capture')}, read once more and not counted as needless")
    _print_reasons("Set aside", tally.undetermined)
    _print_reasons("Skipped", tally.skipped)


def _print_reasons(title: str, reasons: Counter[str]) -> None:
    if reasons:
        say(f"{title}: {reasons.total():,}")
    for reason, count in reasons.most_common(_REASONS):
        say(f"  {count:,} x {one_line(reason)}")
    if len(reasons) > _REASONS:
        say(f"  ... {number_of(len(reasons) - _REASONS, 'reason')} more")


def print_kinds(counts: Mapping[str, int], sizes: Mapping[str, int], known: int = 0) -> None:
    """Print a row for each verdict, and how many bytes were needless; `known` bytes of them were no fetch."""
    rows = [
        (
            f"  {kind(name)}",
            f"{counts.get(name, 0):,}",
            size_of(sizes.get(name, 0)) if counts.get(name) else "",
            meaning,
        )
        for name, meaning in _MEANINGS.items()
    ]
    table(("", "", "", ""), rows, right=(1, 2))
    needless, whole = sum(sizes.get(name, 0) for name in NEEDLESS) - known, sum(sizes.values())
    say(f"Needless: {size_of(needless)} of {size_of(whole)} ({share_of(needless, whole)}) were unchanged or duplicate")


def print_totals(target: str, totals: StoreTotals) -> None:
    """Print how much is in a store."""
    sums = (
        number_of(totals.captures, "capture"),
        f"of {number_of(totals.pages, 'page')}",
        f"on {number_of(totals.sites, 'site')},",
        number_of(totals.contents, "distinct content"),
    )
    say(f"Store: {one_line(shown(target))}: {' '.join(sums)}")

"""Chosen thresholds in words."""

from __future__ import annotations

from sameish.cli.output import number_of, say, table
from sameish.evaluation.fitting import Fit
from sameish.judging.calibrate import Calibration

_COLUMNS = (
    "", "one article", "two articles", "near_similarity", "near_bits", "torn apart", "thrown together", "mean error",
)  # fmt: skip


def print_fit(found: Fit) -> None:
    """Print a row for all sites and one for each that was fitted: pairs, thresholds and errors, before and after."""
    rows = [_row("all sites", found.everywhere), *(_row(site, one) for site, one in found.sites.items())]
    table(_COLUMNS, rows, right=(1, 2))
    if found.skipped:
        say(f"Too few pairs of their own: {number_of(found.skipped, 'site')}")
    say(f"Errors: with the present thresholds -> with ones chosen without {_held_out(found)}.")


def _held_out(found: Fit) -> str:
    if not found.everywhere.by_site:
        return "the pairs that are judged (of few sites, so they say little about others)"
    return (
        "the sites that are judged (rows of one site: without the pairs)"
        if found.sites
        else "the sites that are judged"
    )


def _row(name: str, one: Calibration) -> tuple[str, ...]:
    before, held_out = one.error_before, one.error_held_out
    return (
        name,
        f"{one.together:,}",
        f"{one.apart:,}",
        _moved(f"{one.before.near_similarity:g}", f"{one.after.near_similarity:g}"),
        _moved(f"{one.before.near_bits}", f"{one.after.near_bits}"),
        *(
            f"{100 * left:.1f}% -> {100 * right:.1f}%"
            for left, right in (
                (before.torn, held_out.torn),
                (before.thrown, held_out.thrown),
                (before.mean, held_out.mean),
            )
        ),
    )


def _moved(before: str, after: str) -> str:
    return before if before == after else f"{before} -> {after}"

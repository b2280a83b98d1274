"""A comparison, and what stands behind it, in words."""

from __future__ import annotations

from sameish.cli.output import bold, kind, number_of, one_line, say
from sameish.models import Comparison, Extract


def print_comparison(comparison: Comparison) -> None:
    """Print what a comparison says."""
    bits = "none" if comparison.distance is None else f"{comparison.distance} of 64 bits"
    for name, value in (
        ("kind", kind(comparison.kind)),
        ("distance", bits),
        ("similarity", f"{comparison.similarity:.1%}"),
        ("confidence", f"{comparison.confidence:.0%}"),
        ("reason", one_line(comparison.reason)),
    ):
        say(f"{name:<10}  {value}")


def print_page(label: str, path: str, found: Extract, words: int) -> None:
    """Print how a page was read."""
    say(bold(f"{label}  {one_line(path)}"))
    for name, value in (
        ("title", found.title),
        ("state", f"{found.state} ({found.reason or number_of(words, 'word')})"),
        ("encoding", f"{found.encoding} ({found.encoding_source})" if found.encoding else ""),
        ("language", found.language or ""),
    ):
        if value:
            say(f"   {name:<8}  {one_line(value)}")

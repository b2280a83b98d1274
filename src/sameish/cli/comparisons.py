"""A comparison, and what stands behind it, in words."""

from __future__ import annotations

from collections.abc import Iterable

from sameish.cli.differences import Line, common_runs
from sameish.cli.output import bold, grey, kind, number_of, one_line, say, style
from sameish.models import Comparison, Extract, IgnoredNoise

_SIGNS = {"removed": ("-", "red"), "added": ("+", "green")}


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
    removed = ", ".join(f"{rule} {count:,}" for rule, count in sorted(found.removed.items()))
    for name, value in (
        ("title", found.title),
        ("state", f"{found.state} ({found.reason or number_of(words, 'word')})"),
        ("encoding", f"{found.encoding} ({found.encoding_source})" if found.encoding else ""),
        ("language", found.language or ""),
        ("removed", removed),
    ):
        if value:
            say(f"   {name:<8}  {one_line(value)}")


def print_differences(lines: Iterable[Line], *, everything: bool) -> None:
    """Print sentences as a diff; common ones as their number, unless everything is wanted."""
    for kind_of, texts in common_runs(lines):
        if kind_of == "common" and not everything:
            say(grey(f"  ... {number_of(len(texts), 'sentence')} in common"))
            continue
        sign, colour = _SIGNS.get(kind_of, (" ", None))
        for text in texts:
            say(style(f"{sign} {one_line(text)}", fg=colour))


def print_noise(first: Iterable[IgnoredNoise], second: Iterable[IgnoredNoise]) -> None:
    """Print what was ignored, with the pattern that recognised it."""
    in_first, in_second = (dict.fromkeys((one.text, one.pattern) for one in noise) for noise in (first, second))
    for text, pattern in {**in_first, **in_second}:
        only = (
            "" if (text, pattern) in in_first and (text, pattern) in in_second else _only((text, pattern) in in_first)
        )
        say(grey(f"~ {one_line(text)}  [{pattern}]{only}"))


def _only(in_first: bool) -> str:
    return f" only in {'A' if in_first else 'B'}"

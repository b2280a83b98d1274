"""What doubled votes of one part of a page do to simhashes: those of one article should be near, those of others far."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import sameish
from benchmarks.ablation import Variant, every_option
from benchmarks.labelled import Library, Pair
from benchmarks.measuring import print_table
from sameish import SameishError
from sameish.settings import DEFAULT, Settings, load

_SAME_ARTICLE: Final = ("same", "minor")
_NEAR, _WITHIN = DEFAULT.judging.near_bits, DEFAULT.lookup.within
VARIANTS: tuple[Variant, ...] = (
    ("all weigh the same", {}),
    *every_option("weights", 2),
    ("title and headings = 2", {"weights": {"title": 2, "headings": 2}}),
)


def run(library: Library) -> None:
    """Print a row for each variant."""
    head = ("", "one article, bits", f"over {_NEAR} bits", "another page, bits", f"within {_WITHIN} bits")
    rows = [_row(name, library.pairs, simhashes(library, load(given, environment={}))) for name, given in VARIANTS]
    print_table([head, *rows])


def simhashes(library: Library, settings: Settings) -> dict[str, int]:
    """Return the simhash of every page that has one, by its name.

    Raises:
        PairsError: a page cannot be read from its file.
    """
    found = {name: _simhash(library, name, settings) for name in library.names}
    return {name: value for name, value in found.items() if value is not None}


def _simhash(library: Library, name: str, settings: Settings) -> int | None:
    page = library.page(name)
    try:
        return sameish.fingerprint(page, "text", settings).simhash
    except SameishError:
        return None  # what cannot be read has no simhash; its pairs are left out


def _row(name: str, pairs: Sequence[Pair], hashes: Mapping[str, int]) -> tuple[str, ...]:
    near = distances((pair for pair in pairs if pair.kind in _SAME_ARTICLE), hashes)
    far = distances((pair for pair in pairs if pair.kind == "different"), hashes)
    over, within = [distance > _NEAR for distance in near], [distance <= _WITHIN for distance in far]
    return (name, _mean(near), _percent(over), _mean(far), _percent(within))


def distances(pairs: Iterable[Pair], hashes: Mapping[str, int]) -> list[int]:
    """Return the Hamming distance of each pair whose pages both have a simhash."""
    return [sameish.hamming_distance(hashes[one.a], hashes[one.b]) for one in pairs if {one.a, one.b} <= hashes.keys()]


def _mean(values: Sequence[int]) -> str:
    return f"{statistics.fmean(values):.2f}" if values else "-"


def _percent(hits: Sequence[bool]) -> str:
    return f"{100 * statistics.fmean(hits):.1f} %" if hits else "-"

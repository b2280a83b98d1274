"""Which buckets of which bands of a hash hold every hash at most k bits away. Pure arithmetic.

A 64-bit hash is cut into disjoint bands of bits; what it has in a band is its band key. Looking in each band i at every key
that differs from the query's in at most a_i bits finds all hashes within k bits if and only if sum(a_i + 1) >= k + 1: k
errors cannot exceed every a_i at once. A band that needs no look has a_i = -1. (Norouzi, Punjani, Fleet: "Fast search in
Hamming space with multi-index hashing", 2012.)
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate, combinations
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

BITS = 64
PROBED = 12
"""Up to this distance bands are looked up; beyond, they would name most of all buckets, and all hashes are scanned."""

_SMALL, _MIDDLE, _LARGE = (13, 13, 13, 13, 12), (16, 16, 16, 16), (22, 21, 21)
# Rows from which on, measured. Few rows do not pay for many buckets; of very many the fourth band costs 8 bytes each, and its
# buckets of 16 bits get long. At 4e6 rows four bands are twice as fast within 3 bits, three are within 8.
_MIDDLE_FROM, _LARGE_FROM = 1 << 17, 4_000_000

Widths: TypeAlias = tuple[int, ...]
"""Bits of each band, lowest bits first, descending, 64 together."""


class Probes(NamedTuple):
    """Where to look, as steps for a loop and as arrays for many at once.

    A bucket's number is that of the first bucket of its band plus the band key.

    `.steps`: (shift, mask, number): the bucket is `(hash >> shift & mask) ^ number`. `.numbers`: the last of each,
    `.bands`: the index of its band; both of the length of `.steps`.
    """

    steps: tuple[tuple[int, int, int], ...]
    numbers: NDArray[np.intp]
    bands: NDArray[np.intp]


def widths_for(rows: int) -> Widths:
    """Return how to cut hashes so that look-ups among so many are fast."""
    return _SMALL if rows < _MIDDLE_FROM else _MIDDLE if rows < _LARGE_FROM else _LARGE


def shifts(widths: Widths) -> tuple[int, ...]:
    """Return how far below each band begins, in bits."""
    return tuple(accumulate(widths[:-1], initial=0))


def firsts(widths: Widths) -> tuple[int, ...]:
    """Return the number of each band's first bucket, and that of all buckets.

    Each is a multiple of how many keys its band has (as widths descend), so that adding a key is the same as XOR.
    """
    return tuple(accumulate((1 << width for width in widths), initial=0))


def radii(bands: int, within: int) -> tuple[int, ...]:
    """Return how many bits may differ in each band so that nothing within the distance is lost, at the least cost."""
    each, more = divmod(within + 1, bands)
    return tuple(each if band < more else each - 1 for band in range(bands))


@lru_cache(maxsize=64)
def probes(widths: Widths, within: int) -> Probes:
    """Return where to look for everything within a distance, 0..`PROBED`."""
    steps, bands = [], []
    places = zip(widths, shifts(widths), firsts(widths), radii(len(widths), within), strict=False)
    for band, (width, shift, first, radius) in enumerate(places):
        flipped = [first | bits for bits in _up_to(radius, width)]
        steps += [(shift, (1 << width) - 1, number) for number in flipped]
        bands += [band] * len(flipped)
    return Probes(tuple(steps), np.array([step[2] for step in steps], np.intp), np.array(bands, np.intp))


def _up_to(radius: int, width: int) -> list[int]:
    """Return all numbers of a width with at most so many bits set, fewest first; none for a negative radius."""
    return [sum(1 << bit for bit in bits) for count in range(radius + 1) for bits in combinations(range(width), count)]


def keys(widths: Widths, hashes: NDArray[np.uint64]) -> NDArray[np.intp]:
    """Return the band keys (columns) of each hash (rows)."""
    columns = [
        hashes >> np.uint64(shift) & np.uint64((1 << width) - 1)
        for shift, width in zip(shifts(widths), widths, strict=True)
    ]
    return np.stack(columns, axis=-1).astype(np.intp)

"""Looking at every hash: exact at every distance, and fastest where there are few."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Hashes: TypeAlias = NDArray[np.uint64]
Numbers: TypeAlias = NDArray[np.int64]
Rows: TypeAlias = NDArray[np.intp]
Found: TypeAlias = tuple[Rows, Numbers]
"""Row numbers and, in parallel, Hamming distances."""

CHUNK = 32_768
"""Rows a step: temporaries stay in the cache; one step over everything page-faults on large arrays."""

NOTHING: Found = (np.empty(0, np.intp), np.empty(0, np.int64))


def scan(hashes: Hashes, simhash: int, within: int) -> Found:
    """Return the rows within a distance, 0..64, in ascending order, and their distances."""
    query = np.uint64(simhash)  # unsigned like the hashes: on int64 `bitwise_count` counts |x|
    found = [_in_chunk(hashes[start : start + CHUNK], query, within, start) for start in range(0, len(hashes), CHUNK)]
    return joined(found)


def _in_chunk(chunk: Hashes, query: np.uint64, within: int, start: int) -> Found:
    distances = np.bitwise_count(chunk ^ query)
    rows = (distances <= within).nonzero()[0]
    if not len(rows):
        return NOTHING
    return rows + start, distances[rows].astype(np.int64)


def joined(found: list[Found]) -> Found:
    """Return several findings as one, in their order."""
    some = [one for one in found if len(one[0])]
    if len(some) <= 1:
        return some[0] if some else NOTHING
    return np.concatenate([rows for rows, _ in some]), np.concatenate([distances for _, distances in some])

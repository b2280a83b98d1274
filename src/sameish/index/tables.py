"""Hashes by their band keys, in compressed sparse rows.

For each band there is an array of entries in the order of the keys, and where the entries of each key begin.

An entry is 64 bits: the hash folded to 32 (its halves joined by XOR) above the 32 bits of the row number. Folding brings
no two hashes farther apart, so what differs in more folded bits than are allowed is too far away: nearly all of a bucket
falls out without a look at the hashes themselves, which lie anywhere in memory.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sameish.index import bands
from sameish.index.scanning import NOTHING, Found, Hashes, Rows, joined, scan

Entries: TypeAlias = NDArray[np.uint64]

MOST_ROWS = 1 << 30
"""Entries of four bands must be counted in 32 bits."""

_HALF, _LOW = np.uint64(32), 0xFFFFFFFF
_HIGH = np.uint64(0xFFFFFFFF << 32)
_FEW = 24  # probes up to which a loop is faster than gathering by arrays
_PROBE_ROWS = 48  # rows scanned in the time that one of many probes takes
_FOUND = 48  # entries up to which a loop over them is faster than arrays
_STEP = 1 << 18  # entries or probes at a time: temporaries of 2 MB


class Tables:
    """Finds rows of `hashes` by distance. Never changes.

    Args:
        hashes: unsigned, at most `MOST_ROWS`.
        offsets: of each bucket of each band, where it begins among the entries; at the end the number of entries.
        entries: see above.
        widths: of the bands, as in `bands.widths_for`.
    """

    def __init__(self, hashes: Hashes, offsets: NDArray[np.uint32], entries: Entries, widths: bands.Widths) -> None:
        self.hashes, self.offsets, self.entries, self.widths = hashes, offsets, entries, widths
        # single elements of a memoryview are Python integers at a third of what numpy takes to make its scalars
        self._offset, self._hash = offsets.data, hashes.data

    @classmethod
    def of(cls, hashes: Hashes, widths: bands.Widths | None = None) -> Tables:
        """Build them; takes about 0.4 s of CPU for a million rows."""
        widths = widths or bands.widths_for(len(hashes))
        entries = np.empty(len(widths) * len(hashes), np.uint64)
        offsets = np.zeros(bands.firsts(widths)[-1] + 1, np.uint32)
        folded = _folded(hashes)
        places = zip(widths, bands.shifts(widths), bands.firsts(widths), strict=False)
        for band, (width, shift, first) in enumerate(places):
            begin, end = band * len(hashes), (band + 1) * len(hashes)
            keys = hashes >> np.uint64(shift) & np.uint64((1 << width) - 1)
            counts = np.bincount(keys.view(np.int64), minlength=1 << width)
            offsets[first + 1 : first + 1 + len(counts)] = begin + np.cumsum(counts)
            _fill(entries[begin:end], keys, width, folded)
        return cls(hashes, offsets, entries, widths)

    def near(self, simhash: int, within: int) -> Found:
        """Return the rows within a distance, 0..64, in any order, each once, and their distances."""
        if within > bands.PROBED:
            return scan(self.hashes, simhash, within)
        probes = bands.probes(self.widths, within)
        if len(probes.steps) <= _FEW:
            return self._by_loop(probes, simhash, within)
        if len(probes.steps) * _PROBE_ROWS > len(self.hashes):
            return scan(self.hashes, simhash, within)
        return self._by_arrays(probes, simhash, within)

    def _by_loop(self, probes: bands.Probes, simhash: int, within: int) -> Found:
        offset, entries, pieces = self._offset, self.entries, []
        for shift, mask, number in probes.steps:
            bucket = simhash >> shift & mask ^ number
            pieces.append(entries[offset[bucket] : offset[bucket + 1]])
        if sum(map(len, pieces)) > len(self.hashes) // 2 + _FEW:  # all alike in a band: as many entries as rows
            return scan(self.hashes, simhash, within)
        return self._verified(_passed(np.concatenate(pieces), simhash, within), simhash, within)

    def _by_arrays(self, probes: bands.Probes, simhash: int, within: int) -> Found:
        keys = np.array([simhash >> shift & _LOW for shift in bands.shifts(self.widths)], np.intp)
        keys &= _masks(self.widths)
        starts, lengths = self._spans(probes.numbers ^ keys[probes.bands])
        if lengths.sum() > len(self.hashes) // 2:
            return scan(self.hashes, simhash, within)
        entries = _passed(self.entries[_gathered(starts, lengths)], simhash, within)
        return self._verified(entries, simhash, within)

    def _spans(self, buckets: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        starts = self.offsets[buckets].astype(np.intp)
        return starts, self.offsets[buckets + 1] - starts

    def _verified(self, entries: Entries, simhash: int, within: int) -> Found:
        """Return the rows of entries that are near indeed, each once."""
        if not len(entries):
            return NOTHING
        if len(entries) > _FOUND:
            rows = np.unique(entries & np.uint64(_LOW)).astype(np.intp)
            distances = np.bitwise_count(self.hashes[rows] ^ np.uint64(simhash))
            near = distances <= within
            return rows[near], distances[near].astype(np.int64)
        hashes = self._hash
        found = {row: (hashes[row] ^ simhash).bit_count() for row in (entries & np.uint64(_LOW)).tolist()}
        close = {row: distance for row, distance in found.items() if distance <= within}
        return np.array(list(close), np.intp), np.array(list(close.values()), np.int64)

    def near_many(self, simhashes: Hashes, within: int) -> tuple[Rows, Rows, NDArray[np.int64]]:
        """Return which query found, the row and the distance, in the order of the queries, each row once a query."""
        probes = None if within > bands.PROBED else bands.probes(self.widths, within)
        if probes is None or len(probes.steps) * _PROBE_ROWS > len(self.hashes):
            return _one_by_one(self.hashes, simhashes, within, range(len(simhashes)))
        at_once = max(_STEP // len(probes.steps), 1)
        parts = [
            (start, self._near_some(probes, simhashes[start : start + at_once], within))
            for start in range(0, len(simhashes), at_once)
        ]
        return _stacked([(which + start, rows, distances) for start, (which, rows, distances) in parts])

    def _near_some(self, probes: bands.Probes, simhashes: Hashes, within: int) -> tuple[Rows, Rows, NDArray[np.int64]]:
        keys = bands.keys(self.widths, simhashes)
        starts, lengths = self._spans(probes.numbers ^ keys[:, probes.bands])
        totals = lengths.sum(axis=1)
        hot = totals > max(len(self.hashes) // 2, _STEP)
        lengths[hot] = 0
        groups = np.cumsum(np.where(hot, 0, totals)) // _STEP
        edges = [0, *(np.flatnonzero(np.diff(groups)) + 1).tolist(), len(simhashes)]
        parts = []
        for begin, end in pairwise(edges):
            which, rows, distances = self._gather(simhashes[begin:end], starts[begin:end], lengths[begin:end], within)
            parts.append((which + begin, rows, distances))
        if not hot.any():
            return _stacked(parts)
        parts.append(_one_by_one(self.hashes, simhashes, within, np.flatnonzero(hot).tolist()))
        which, rows, distances = _stacked(parts)
        order = np.argsort(which, kind="stable")
        return which[order], rows[order], distances[order]

    def _gather(
        self, simhashes: Hashes, starts: NDArray[np.intp], lengths: NDArray[np.intp], within: int
    ) -> tuple[Rows, Rows, NDArray[np.int64]]:
        entries = self.entries[_gathered(starts.ravel(), lengths.ravel())]
        which = np.repeat(np.arange(len(simhashes), dtype=np.uint64), lengths.sum(axis=1))
        far = np.bitwise_count((entries ^ _folded(simhashes)[which.view(np.int64)]) & _HIGH)
        keep = far <= within
        pairs = np.unique(which[keep] << _HALF | entries[keep] & np.uint64(_LOW))
        queries, rows = (pairs >> _HALF).astype(np.intp), (pairs & np.uint64(_LOW)).astype(np.intp)
        distances = np.bitwise_count(self.hashes[rows] ^ simhashes[queries])
        near = distances <= within
        return queries[near], rows[near], distances[near].astype(np.int64)


def _folded(hashes: Hashes) -> Hashes:
    """Return the halves of each hash joined by XOR, in the upper half."""
    folded: Hashes = (hashes ^ hashes << _HALF) & _HIGH
    return folded


def _fill(entries: Entries, keys: Hashes, width: int, folded: Hashes) -> None:
    """Write the entries of a band in the order of its keys."""
    if width <= 16:  # numpy sorts such by counting
        order = np.argsort(keys.astype(np.uint16), kind="stable").view(np.uint64)
    else:  # seven times as fast as argsort, which compares through a level of indirection
        order = np.sort(keys << _HALF | np.arange(len(keys), dtype=np.uint64)) & np.uint64(_LOW)
    np.bitwise_or(folded[order.view(np.int64)], order, out=entries)


def _passed(entries: Entries, simhash: int, within: int) -> Entries:
    """Return the entries whose folded hash is near enough, some at a time."""
    folded = np.uint64(((simhash >> 32) ^ (simhash & _LOW)) << 32)
    if len(entries) > _STEP:
        chunks = (entries[start : start + _STEP] for start in range(0, len(entries), _STEP))
        return np.concatenate([_passed(chunk, simhash, within) for chunk in chunks])
    passed: Entries = entries[np.bitwise_count((entries ^ folded) & _HIGH) <= within]
    return passed


def _gathered(starts: NDArray[np.intp], lengths: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the numbers start, start + 1, ... of every span, one span after the other."""
    ends = lengths.cumsum()
    places: NDArray[np.intp] = np.repeat(starts - (ends - lengths), lengths)
    places += np.arange(len(places))
    return places


def _masks(widths: bands.Widths) -> NDArray[np.intp]:
    return np.array([(1 << width) - 1 for width in widths], np.intp)


def _one_by_one(
    hashes: Hashes, simhashes: Hashes, within: int, which: range | list[int]
) -> tuple[Rows, Rows, NDArray[np.int64]]:
    found = [scan(hashes, int(simhashes[number]), within) for number in which]
    rows, distances = joined(found)
    return np.repeat(np.array(which, np.intp), [len(one[0]) for one in found]), rows, distances


def _stacked(
    parts: list[tuple[Rows, Rows, NDArray[np.int64]]],
) -> tuple[Rows, Rows, NDArray[np.int64]]:
    if len(parts) == 1:
        return parts[0]
    which, rows, distances = zip(*parts, strict=True) if parts else ((NOTHING[0],), (NOTHING[0],), (NOTHING[1],))
    return np.concatenate(which), np.concatenate(rows), np.concatenate(distances)

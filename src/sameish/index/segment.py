"""Rows that are indexed together, of which some may be gone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sameish.index.scanning import Found, Hashes, Numbers, Rows, scan
from sameish.index.tables import Tables

Order: TypeAlias = tuple[int, ...]
"""Which of `Columns.more` rows are sorted by, the most important first; after them by id. () = as they come."""


class Columns(NamedTuple):
    """Parallel arrays of one length: hash (unsigned) and id of each row, and whatever else callers keep of it."""

    hashes: Hashes
    ids: Numbers
    more: tuple[Numbers, ...] = ()

    def take(self, rows: NDArray[np.intp] | NDArray[np.bool_] | slice) -> Columns:
        """Return the chosen rows."""
        return Columns(self.hashes[rows], self.ids[rows], tuple(column[rows] for column in self.more))

    def sorted(self, order: Order) -> Columns:
        """Return the rows in an order."""
        if not order:
            return self
        return self.take(np.lexsort((self.ids, *(self.more[number] for number in reversed(order)))))

    @classmethod
    def joined(cls, several: Sequence[Columns]) -> Columns:
        """Return the rows of all, one after the other."""
        if len(several) == 1:
            return several[0]
        hashes, ids, more = zip(*several, strict=True)
        return cls(
            np.concatenate(hashes), np.concatenate(ids), tuple(np.concatenate(one) for one in zip(*more, strict=True))
        )


@dataclass(frozen=True, eq=False)
class Segment:
    """Never changes; what is taken out of it makes another that shares its tables.

    `.tables`: None where all hashes are scanned. `.order`: how its rows are sorted. `.gone`: which of them are no longer
    found, None: none. `.serial`: the same for a segment and what is left of it.
    """

    columns: Columns
    tables: Tables | None = None
    order: Order = ()
    gone: NDArray[np.bool_] | None = None
    live: int = 0
    serial: int = 0

    @classmethod
    def scanned(cls, columns: Columns, serial: int = 0) -> Segment:
        """Return a segment without tables."""
        return cls(columns, live=len(columns.ids), serial=serial)

    @classmethod
    def merged(cls, sources: Sequence[Segment], order: Order, serial: int) -> Segment:
        """Return the rows of several that are not gone as one segment with tables."""
        columns = Columns.joined([one.live_columns() for one in sources]).sorted(order)
        return cls(columns, Tables.of(columns.hashes), order, live=len(columns.ids), serial=serial)

    def near(self, simhash: int, within: int) -> Found:
        """Return the rows within a distance, 0..64, in any order, and their distances."""
        if self.tables is None:
            rows, distances = scan(self.columns.hashes, simhash, within)
        else:
            rows, distances = self.tables.near(simhash, within)
        if self.gone is None:
            return rows, distances
        here = ~self.gone[rows]
        return rows[here], distances[here]

    def near_many(self, simhashes: Hashes, within: int) -> tuple[Rows, Rows, Numbers]:
        """Return, in the order of the queries, the number of the query, the row, and the distance of each finding."""
        if self.tables is not None:
            which, rows, distances = self.tables.near_many(simhashes, within)
        else:
            found = [scan(self.columns.hashes, simhash, within) for simhash in simhashes.tolist()]
            which = np.repeat(np.arange(len(found)), [len(rows) for rows, _ in found])
            rows, distances = np.concatenate([one[0] for one in found]), np.concatenate([one[1] for one in found])
        here = self.here(rows)
        return which[here], rows[here], distances[here]

    def here(self, rows: Rows) -> NDArray[np.bool_]:
        """Return which of the rows are not gone."""
        return np.ones(len(rows), np.bool_) if self.gone is None else ~self.gone[rows]

    def live_columns(self) -> Columns:
        """Return the rows that are not gone."""
        return self.columns if self.gone is None else self.columns.take(~self.gone)

    def without(self, doomed: Numbers) -> Segment:
        """Return what is left without ids, which ascend; the segment itself if it holds none of them."""
        gone = _is_in(self.columns.ids, doomed)
        if self.gone is not None:
            gone |= self.gone
        live = len(gone) - int(np.count_nonzero(gone))
        return self if live == self.live else replace(self, gone=gone, live=live)

    @cached_property
    def by_time(self) -> Rows:
        """Row numbers in the order of the last column of `.columns.more`, then of ids; 8 bytes a row once it was asked for."""
        return np.lexsort((self.columns.ids, self.columns.more[-1]))

    def size_bytes(self) -> int:
        """Return what its arrays take."""
        arrays: Iterable[NDArray[np.generic]] = (self.columns.hashes, self.columns.ids, *self.columns.more)
        tables = () if self.tables is None else (self.tables.offsets, self.tables.entries)
        gone = () if self.gone is None else (self.gone,)
        return sum(one.nbytes for one in (*arrays, *tables, *gone))


def _is_in(ids: Numbers, doomed: Numbers) -> NDArray[np.bool_]:
    if len(doomed) <= 4:  # some comparisons are faster than one search
        found = np.zeros(len(ids), np.bool_)
        for one in doomed:
            found |= ids == one
        return found
    same: NDArray[np.bool_] = doomed[np.minimum(np.searchsorted(doomed, ids), len(doomed) - 1)] == ids
    return same


def next_merge(segments: Sequence[Segment], most_rows: int) -> Sequence[Segment]:
    """Return which segments, oldest first, are to become one now; none if all is well.

    Size-tiered: a segment is taken along once what came after it is as large, so every row is rewritten a number of times
    that grows with the logarithm of all rows, and there are no more segments than that. Then those without tables, and
    those of which over a quarter is gone.
    """
    total, start = 0, len(segments)
    for number in range(len(segments) - 1, -1, -1):
        live = segments[number].live
        if total + live > most_rows:
            break
        if total and live <= total:
            start = number
        total += live
    if start < len(segments):
        return segments[start:]
    return [one for one in segments if one.tables is None or one.live * 4 < len(one.columns.ids) * 3][:1]

"""The newest rows of an index, which are scanned: room to append to, while readers hold what was there before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from sameish.index.scanning import Hashes, Numbers
from sameish.index.segment import Columns, Segment

TAIL = 16_384
"""Rows that are scanned in the time of one look-up in tables, some 10 microseconds."""
_FIRST = 1024


class Tail:
    """Rows in arrays with room behind them; what is written there is in no segment that was handed out before.

    Args:
        more: how many further columns the rows have.
    """

    def __init__(self, more: int) -> None:
        self._columns, self._size = _room(_FIRST, more), 0

    def __len__(self) -> int:
        return self._size

    @property
    def columns(self) -> Columns:
        """The rows."""
        return self._columns.take(slice(self._size))

    def append(self, given: Columns) -> None:
        """Take in rows."""
        end = self._size + len(given.ids)
        if end > len(self._columns.ids):
            self._move(max(end, 2 * self._size))
        for column, values in zip(_all(self._columns), _all(given), strict=True):
            column[self._size : end] = values
        self._size = end

    def without(self, ids: Numbers) -> Self:
        """Return a tail of the rows with other ids, this one where it has none of these."""
        left = Segment.scanned(self.columns).without(ids)
        if left.live == self._size:
            return self
        other = type(self)(len(self._columns.more))
        other.append(left.live_columns())
        return other

    def _move(self, capacity: int) -> None:
        larger = _room(capacity, len(self._columns.more))
        for old, new in zip(_all(self._columns), _all(larger), strict=True):
            new[: self._size] = old[: self._size]
        self._columns = larger


def columns_of(
    hashes: Hashes | Sequence[int], ids: Numbers | Sequence[int], more: Sequence[Numbers | Sequence[int]]
) -> Columns:
    """Return rows in arrays.

    Raises:
        OverflowError: a number does not fit.
        ValueError: the columns have different lengths.
    """
    further = tuple(np.asarray(one, np.int64) for one in more)
    columns = Columns(np.asarray(hashes, np.uint64), np.asarray(ids, np.int64), further)
    if len({len(one) for one in _all(columns)}) > 1:
        raise ValueError("columns of different lengths")
    return columns


def _all(columns: Columns) -> tuple[Hashes | Numbers, ...]:
    return (columns.hashes, columns.ids, *columns.more)


def _room(capacity: int, more: int) -> Columns:
    ids, *others = (np.empty(capacity, np.int64) for _ in range(1 + more))
    return Columns(np.empty(capacity, np.uint64), ids, tuple(others))

"""All stored 64-bit hashes within a Hamming distance, exactly, by scanning an array that only grows."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.int64]

CHUNK = 32_768  # rows a step: temporaries stay in the cache; one scan over everything page-faults on large arrays
_UNSIGNED, _SIGN = 1 << 64, 1 << 63


def to_signed(value: int) -> int:
    """Return the 64-bit integer with the same bits that SQL can hold: 0xffffffffffffffff becomes -1.

    Raises:
        ValueError: the value is outside 0..2**64-1.
    """
    if not 0 <= value < _UNSIGNED:
        raise ValueError(f"{value} is no unsigned 64-bit integer")
    return value - _UNSIGNED if value >= _SIGN else value


def to_unsigned(value: int) -> int:
    """Return the inverse of `to_signed`: -1 becomes 0xffffffffffffffff.

    Raises:
        ValueError: the value is outside -2**63..2**63-1.
    """
    if not -_SIGN <= value < _SIGN:
        raise ValueError(f"{value} is no signed 64-bit integer")
    return value + _UNSIGNED if value < 0 else value


class Row(NamedTuple):
    """One hash as it is indexed: `.simhash` unsigned, `.site` any number, `.page` rises from page to page as they become known.

    `.fetched_at`: any rising measure.
    """

    id: int
    simhash: int
    site: int
    page: int
    fetched_at: int


@dataclass(frozen=True, slots=True)
class Scope:
    """Which rows a search may return; None means no limit.

    `.site`: rows of this site. `.since`: rows fetched then or later. `.other_than`: no rows of this page.
    `.recent`: of what is left, only so many of the most recently fetched (of two fetched together the higher id).
    """

    site: int | None = None
    since: int | None = None
    other_than: int | None = None
    recent: int | None = None


class _Snapshot(NamedTuple):
    """Columns of one capacity, filled up to `size`; what is below `size` never changes."""

    size: int
    ids: Numbers
    hashes: NDArray[np.uint64]
    sites: Numbers
    pages: Numbers
    times: Numbers


class HammingIndex:
    """Rows of hashes, searched by distance. Many threads may read while one writes; readers never wait."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._writing = threading.Lock()
        self._now = _empty(1024)
        self.extend(rows)

    def __len__(self) -> int:
        return self._now.size

    def add(self, row: Row) -> None:
        """Append one row, in amortised constant time."""
        self.extend((row,))

    def extend(self, rows: Iterable[Row]) -> None:
        """Append rows; a search sees all of them or none."""
        batch = rows if isinstance(rows, Sequence) else list(rows)
        if not batch:
            return
        with self._writing:
            now = _with_room(self._now, len(batch))
            end = now.size + len(batch)
            for column, values in zip(now[1:], zip(*batch, strict=True), strict=True):
                column[now.size : end] = values
            self._now = now._replace(size=end)  # one assignment publishes the rows

    def search(self, simhash: int, within: int, scope: Scope | None = None) -> tuple[Numbers, Numbers]:
        """Return the ids and distances of rows at most `within` bits away, one a page, nearest first, then lowest page.

        Of a page's rows the nearest is returned, of equally near ones that with the highest id: however often one page
        was fetched, it crowds no other out.

        Args:
            simhash: unsigned 64-bit integer.
            within: Hamming distance, 0..64, inclusive.
            scope: which rows; None means all.
        """
        now, scope = self._now, scope or Scope()
        query = np.uint64(simhash)
        if scope.recent is None:
            rows = _scan(now.hashes[: now.size], query, within)
            rows = rows[_in_scope(now, rows, scope)]
        else:
            rows = _most_recent(now, scope)
        distances = np.bitwise_count(now.hashes[rows] ^ query).astype(np.int64)
        order = np.lexsort((-now.ids[rows], now.pages[rows], distances))
        order = order[: np.count_nonzero(distances <= within)]
        order = order[_first_of_each(now.pages[rows[order]])]
        return now.ids[rows[order]], distances[order]


def _empty(capacity: int) -> _Snapshot:
    ids, sites, pages, times = (np.empty(capacity, np.int64) for _ in range(4))
    return _Snapshot(0, ids, np.empty(capacity, np.uint64), sites, pages, times)


def _with_room(now: _Snapshot, more: int) -> _Snapshot:
    """Return the snapshot itself or a copy of twice the capacity; readers keep the one they hold."""
    needed = now.size + more
    if needed <= len(now.ids):
        return now
    larger = _empty(max(needed, 2 * len(now.ids)))
    for old, new in zip(now[1:], larger[1:], strict=True):
        new[: now.size] = old[: now.size]
    return larger._replace(size=now.size)


def _scan(hashes: NDArray[np.uint64], query: np.uint64, within: int) -> Numbers:
    """Return the row numbers within the distance. The hashes are unsigned: on int64 `bitwise_count` counts |x|."""
    starts = range(0, len(hashes), CHUNK)
    hits = [
        start + np.flatnonzero(np.bitwise_count(hashes[start : start + CHUNK] ^ query) <= within) for start in starts
    ]
    return np.concatenate(hits) if hits else np.empty(0, np.int64)


def _first_of_each(pages: Numbers) -> Numbers:
    """Return, in rising order, where each number stands for the first time."""
    _, first = np.unique(pages, return_index=True)
    return np.sort(first).astype(np.int64, copy=False)


def _in_scope(now: _Snapshot, rows: Numbers | slice, scope: Scope) -> NDArray[np.bool_]:
    inside = np.ones(len(now.ids[rows]), np.bool_)
    if scope.site is not None:
        inside &= now.sites[rows] == scope.site
    if scope.since is not None:
        inside &= now.times[rows] >= scope.since
    if scope.other_than is not None:
        inside &= now.pages[rows] != scope.other_than
    return inside


def _most_recent(now: _Snapshot, scope: Scope) -> Numbers:
    rows = np.flatnonzero(_in_scope(now, slice(now.size), scope))
    excess = len(rows) - max(scope.recent or 0, 0)
    if excess <= 0:
        return rows
    return rows[np.lexsort((now.ids[rows], now.times[rows]))[excess:]]

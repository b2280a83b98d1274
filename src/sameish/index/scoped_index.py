"""Rows of pages on sites, found by distance within a scope: one row a page, without a look at what is outside."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sameish.index.hamming_index import HammingIndex
from sameish.index.postings import latest, latest_unsorted, span
from sameish.index.scanning import CHUNK, NOTHING, Found, Hashes, Numbers, Rows, scan
from sameish.index.segment import Segment

_SITE, _PAGE, _TIME = range(3)  # of `Columns.more`; the time must be the last
_ORDER = (_SITE, _TIME)


class Row(NamedTuple):
    """One hash as it is indexed: `.simhash` unsigned, `.site` any number, `.page` rises from page to page as they become known.

    `.fetched_at`: any rising measure.
    """

    id: int
    simhash: int
    site: int
    page: int
    fetched_at: int


class RowArrays(NamedTuple):
    """The same of many rows, as parallel arrays or sequences."""

    ids: Numbers | Sequence[int]
    simhashes: Hashes | Sequence[int]
    sites: Numbers | Sequence[int]
    pages: Numbers | Sequence[int]
    fetched_at: Numbers | Sequence[int]


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


class ScopedIndex:
    """Rows of hashes, searched by distance. Any number of threads may read and write; readers never wait.

    A row takes 24 bytes more than in a `HammingIndex`, for site, page and time.
    """

    def __init__(self, rows: Iterable[Row] = (), *, background: bool = True) -> None:
        given = _arrays(rows)
        self._index = HammingIndex(
            given.simhashes, given.ids, given.sites, given.pages, given.fetched_at, order=_ORDER, background=background
        )

    def __len__(self) -> int:
        return len(self._index)

    def add(self, row: Row) -> None:
        """Take in one row, in amortised constant time."""
        self.extend((row,))

    def extend(self, rows: Iterable[Row]) -> None:
        """Take in rows; a search sees all of them or none."""
        self.extend_arrays(_arrays(rows))

    def extend_arrays(self, given: RowArrays) -> None:
        """Take in rows; a search sees all of them or none.

        Raises:
            OverflowError: a number does not fit; nothing is taken in.
        """
        self._index.extend(given.simhashes, given.ids, given.sites, given.pages, given.fetched_at)

    def remove(self, ids: Numbers | Sequence[int]) -> int:
        """Take out the rows with these ids, as far as they are there; return how many were."""
        return self._index.remove(ids)

    def ids(self) -> Numbers:
        """Return the ids of all rows, in any order."""
        segments = [segment.live_columns().ids for segment in self._index.segments()]
        return np.concatenate(segments) if segments else np.empty(0, np.int64)

    def size_bytes(self) -> int:
        """Return what all arrays take."""
        return self._index.size_bytes()

    def settle(self) -> None:
        """Wait until all that is due has been merged."""
        self._index.settle()

    def search(self, simhash: int, within: int, scope: Scope | None = None) -> tuple[Numbers, Numbers]:
        """Return the ids and distances of rows at most `within` bits away, one a page, nearest first, then lowest page.

        Of a page's rows the nearest is returned, of equally near ones that with the highest id: however often one page
        was fetched, it crowds no other out.

        Args:
            simhash: unsigned 64-bit integer.
            within: Hamming distance, 0..64, inclusive.
            scope: which rows; None means all.
        """
        scope, segments = scope or Scope(), self._index.segments()
        if scope.recent is None:
            found = [_Hits.of(segment, *_near(segment, simhash, within, scope)) for segment in segments]
        else:
            recent = _Hits.joined(
                [_Hits.measured(segment, _most_recent(segment, scope), simhash) for segment in segments]
            )
            excess = max(len(recent.ids) - max(scope.recent, 0), 0)
            found = [recent.take(np.lexsort((recent.ids, recent.times))[excess:])]
        hits = _Hits.joined(found)
        hits = hits.take(hits.distances <= within)
        hits = hits.take(np.lexsort((-hits.ids, hits.pages, hits.distances)))
        first = _first_of_each(hits.pages)
        return hits.ids[first], hits.distances[first]


class _Hits(NamedTuple):
    """What may be returned, from wherever it stands."""

    ids: Numbers
    pages: Numbers
    times: Numbers
    distances: Numbers

    @classmethod
    def of(cls, segment: Segment, rows: Rows, distances: Numbers) -> _Hits:
        columns = segment.columns
        return cls(columns.ids[rows], columns.more[_PAGE][rows], columns.more[_TIME][rows], distances)

    @classmethod
    def measured(cls, segment: Segment, rows: Rows, simhash: int) -> _Hits:
        return cls.of(
            segment, rows, np.bitwise_count(segment.columns.hashes[rows] ^ np.uint64(simhash)).astype(np.int64)
        )

    @classmethod
    def joined(cls, several: Sequence[_Hits]) -> _Hits:
        some = [one for one in several if len(one.ids)]
        if len(some) == 1:
            return some[0]
        nothing = np.empty(0, np.int64)
        return cls(*map(np.concatenate, zip(*some, strict=True))) if some else cls(nothing, nothing, nothing, nothing)

    def take(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> _Hits:
        return _Hits(*(column[rows] for column in self))


def _near(segment: Segment, simhash: int, within: int, scope: Scope) -> Found:
    """Return the rows of a segment within the distance and the scope."""
    begin, end = _site_span(segment, scope)
    if begin == end:
        return NOTHING
    if (
        end - begin <= CHUNK or end - begin < len(segment.columns.ids) // 64
    ):  # at most some 30 microseconds, or little of all
        rows, distances = scan(segment.columns.hashes[begin:end], simhash, within)
        rows = rows + begin
    else:
        rows, distances = segment.near(simhash, within)
    inside = _in_scope(segment, rows, scope) & (rows >= begin) & (rows < end)
    return rows[inside], distances[inside]


def _site_span(segment: Segment, scope: Scope) -> tuple[int, int]:
    """Return a range of rows outside of which none is in the scope."""
    if scope.site is None or not segment.order:
        return 0, len(segment.columns.ids)
    return span(segment.columns.more[_SITE], segment.columns.more[_TIME], scope.site, scope.since)


def _in_scope(segment: Segment, rows: Rows, scope: Scope) -> NDArray[np.bool_]:
    inside = segment.here(rows)
    if scope.site is not None:
        inside &= segment.columns.more[_SITE][rows] == scope.site
    if scope.since is not None:
        inside &= segment.columns.more[_TIME][rows] >= scope.since
    if scope.other_than is not None:
        inside &= segment.columns.more[_PAGE][rows] != scope.other_than
    return inside


def _most_recent(segment: Segment, scope: Scope) -> Rows:
    """Return rows among which are all of the segment that are among the most recent of all segments."""
    count = max(scope.recent or 0, 0)

    def chosen(rows: Rows) -> NDArray[np.bool_]:
        return _in_scope(segment, rows, scope)

    if not segment.order:
        rows = np.arange(len(segment.columns.ids))
        return latest_unsorted(segment.columns.more[_TIME], rows[chosen(rows)], count)
    if scope.site is None:
        return latest(segment.by_time, chosen, count)
    return latest(range(*_site_span(segment, scope)), chosen, count)


def _first_of_each(pages: Numbers) -> Rows:
    """Return, in rising order, where each number stands for the first time."""
    if len(pages) <= 1:
        return np.arange(len(pages))
    _, first = np.unique(pages, return_index=True)
    return np.sort(first)


def _arrays(rows: Iterable[Row]) -> RowArrays:
    columns = tuple(zip(*rows, strict=True))
    return RowArrays(*columns) if columns else RowArrays((), (), (), (), ())

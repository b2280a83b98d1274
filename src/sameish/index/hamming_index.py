"""All stored 64-bit hashes within a Hamming distance, exactly: ids in and out, while rows come and go.

Rows stand in segments with tables (`sameish.index.tables`) and in a tail, which is scanned. Readers take one tuple of all
segments, which never change, and never wait; a writer puts another tuple in its place by one assignment. A full tail becomes
a segment; segments of like size become one, in a thread that lives as long as there is something to do.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from itertools import count
from typing import NamedTuple, Self

import numpy as np

from sameish.index import files
from sameish.index.scanning import Hashes, Numbers
from sameish.index.segment import Columns, Order, Segment, next_merge
from sameish.index.tables import MOST_ROWS
from sameish.index.tail import TAIL, Tail, columns_of


class Matches(NamedTuple):
    """What many queries found: those of query i are `.ids[.starts[i]:.starts[i + 1]]`, and so are their `.distances`."""

    starts: Numbers
    ids: Numbers
    distances: Numbers


class HammingIndex:
    """Ids by hash, searched by distance. Any number of threads may read and write.

    Args:
        hashes: unsigned 64-bit integers; their tables are built before the constructor returns.
        ids: of the hashes, signed 64-bit integers that differ.
        more: further columns of signed 64-bit integers; every call of `extend` must bring as many.
        order: see `segment.Order`.
        background: build tables in a thread of their own; else the writer that makes it necessary does it.
    """

    def __init__(
        self,
        hashes: Hashes | Sequence[int] = (),
        ids: Numbers | Sequence[int] = (),
        *more: Numbers | Sequence[int],
        order: Order = (),
        background: bool = True,
    ) -> None:
        self._writing = threading.Lock()
        self._order, self._background, self._serials = order, background, count(1)
        self._segments: tuple[Segment, ...] = ()
        self._tail = Tail(len(more))
        self._worker: threading.Thread | None = None
        self._due, self._busy, self._removed = False, False, list[Numbers]()
        self._published: tuple[Segment, ...] = ()
        given = columns_of(hashes, ids, more)
        if len(given.ids) > TAIL:
            whole = Segment.scanned(given)
            self._segments = self._published = (Segment.merged([whole], order, next(self._serials)),)
        else:
            self._append(given)

    def __len__(self) -> int:
        return sum(segment.live for segment in self._published)

    def segments(self) -> tuple[Segment, ...]:
        """Return what is there at this moment; it never changes."""
        return self._published

    def extend(
        self, hashes: Hashes | Sequence[int], ids: Numbers | Sequence[int], *more: Numbers | Sequence[int]
    ) -> None:
        """Take in rows, in amortised constant time each; a search sees all of them or none.

        Raises:
            OverflowError: a number does not fit; nothing is taken in.
        """
        given = columns_of(hashes, ids, more)
        if len(given.ids):
            with self._writing:
                self._append(given)
            if self._due:
                self._tend()

    def remove(self, ids: Numbers | Sequence[int]) -> int:
        """Take out the rows with these ids, as far as they are there; return how many were.

        Where few are gone they are marked; what is more than a quarter gone is rewritten.
        """
        doomed = np.unique(np.asarray(ids, np.int64))
        with self._writing:
            before = len(self)
            left = (segment.without(doomed) for segment in self._segments)
            self._segments = tuple(segment for segment in left if segment.live)
            self._tail = self._tail.without(doomed)
            if self._busy:
                self._removed.append(doomed)
            self._publish()
            after = len(self)
        self._tend()
        return before - after

    def search(self, simhash: int, within: int) -> tuple[Numbers, Numbers]:
        """Return the ids and distances of all rows at most `within` bits away, 0..64: nearest first, then lowest id.

        Args:
            simhash: unsigned 64-bit integer.
            within: Hamming distance, inclusive.

        Raises:
            ValueError: the distance is negative.
        """
        _check(within)
        found = []
        for segment in self._published:
            rows, distances = segment.near(simhash, within)
            if len(rows):
                found.append((segment.columns.ids[rows], distances))
        if not found:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        ids, distances = found[0] if len(found) == 1 else (np.concatenate(one) for one in zip(*found, strict=True))
        if len(ids) == 1:
            return ids, distances
        order = np.lexsort((ids, distances))
        return ids[order], distances[order]

    def search_many(self, simhashes: Hashes | Sequence[int], within: int) -> Matches:
        """Return for each of many hashes what `search` returns, with much less work for each."""
        _check(within)
        queries = np.asarray(simhashes, np.uint64)
        nothing = np.empty(0, np.int64)
        found = [(nothing, nothing, nothing)]
        for segment in self._published if len(queries) else ():
            which, rows, distances = segment.near_many(queries, within)
            found.append((which.astype(np.int64, copy=False), segment.columns.ids[rows], distances))
        which, ids, distances = (np.concatenate(column) for column in zip(*found, strict=True))
        order = np.lexsort((ids, distances, which))
        starts = np.concatenate([[0], np.cumsum(np.bincount(which, minlength=len(queries)))]).astype(np.int64)
        return Matches(starts, ids[order], distances[order])

    def size_bytes(self) -> int:
        """Return what all arrays take."""
        return sum(segment.size_bytes() for segment in self._published)

    def settle(self) -> None:
        """Wait until all that is due has been merged."""
        while (worker := self._worker) is not None and worker.is_alive():
            worker.join()

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write what is there now into a folder, which is made if need be; see `sameish.index.files`."""
        files.save(folder, self._published, len(self._tail.columns.more), self._order)

    @classmethod
    def open(cls, folder: str | os.PathLike[str], *, verify: bool = True, background: bool = True) -> Self:
        """Return what was saved in a folder, its arrays mapped into memory and not read before they are needed.

        Changes stay in memory until the next `save`.

        Args:
            folder: as given to `save`.
            verify: read everything once to compare checksums; else only sizes are.
            background: as in the constructor.

        Raises:
            IndexDamaged: a file is not what was saved; the error names it.
        """
        saved = files.open_saved(folder, verify=verify)
        index = cls(*(() for _ in range(2 + saved.more)), order=saved.order, background=background)
        index._segments = tuple(
            Segment(one.columns, one.tables, one.order, live=len(one.columns.ids), serial=next(index._serials))
            for one in saved.segments
            if one.tables is not None
        )
        index._publish()
        for one in saved.segments:
            if one.tables is None:
                index._append(one.columns)
        index._tend()
        return index

    def _append(self, given: Columns) -> None:
        if len(self._tail) + len(given.ids) > TAIL:
            self._freeze(given)
        else:
            self._tail.append(given)
        self._publish()

    def _freeze(self, given: Columns) -> None:
        """Make the tail and what does not fit into it one segment, scanned until its tables are built."""
        whole = Columns.joined([self._tail.columns, given])
        self._segments += (Segment.scanned(whole, next(self._serials)),)
        self._due = True
        self._tail = Tail(len(given.more))

    def _publish(self) -> None:
        tail = Segment.scanned(self._tail.columns)
        self._published = (*self._segments, tail) if tail.live else self._segments

    def _tend(self) -> None:
        """See to it that what is due gets merged."""
        with self._writing:
            self._due = bool(next_merge(self._segments, MOST_ROWS))
            if self._busy or not self._due:
                return
            self._busy = True
            if self._background and self._start_worker():
                return
        self._merge_all()

    def _start_worker(self) -> bool:
        # no daemon: at the end of the program it must not be caught in the middle of numpy
        self._worker = threading.Thread(target=self._merge_all, name="sameish-index")
        try:
            self._worker.start()
        except RuntimeError:  # no more threads can be had, or the program is ending
            self._worker = None
            return False
        return True

    def _merge_all(self) -> None:
        try:
            while sources := self._next_sources():
                self._replace(sources, Segment.merged(sources, self._order, next(self._serials)))
        except BaseException:
            with self._writing:
                self._busy = False
            raise

    def _next_sources(self) -> Sequence[Segment]:
        with self._writing:
            sources = next_merge(self._segments, MOST_ROWS)
            self._due = self._busy = bool(sources)
            self._removed = []
            return sources

    def _replace(self, sources: Sequence[Segment], merged: Segment) -> None:
        with self._writing:
            for doomed in self._removed:
                merged = merged.without(doomed)
            serials = {one.serial for one in sources}
            places = [number for number, one in enumerate(self._segments) if one.serial in serials]
            others = [one for one in self._segments if one.serial not in serials]
            if merged.live:
                others.insert(places[0], merged)
            self._segments = tuple(others)
            self._publish()


def _check(within: int) -> None:
    if within < 0:
        raise ValueError(f"a distance of {within} bits; it must be 0 or more")

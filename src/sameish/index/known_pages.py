"""Millions of known pages by 64-bit hash, without a string or an object for any: 28 bytes each.

Sorted arrays hold nearly all; what came since stands in a dictionary until it is merged in.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Row: TypeAlias = tuple[int, int, int, int]
"""Hash of a page, hash of its class, due time in microseconds since 1970, bytes of its body."""
_MOST_RECENT = 20_000
_LARGEST = (1 << 32) - 1


class KnownPage(NamedTuple):
    """What is known of a class of pages: when to come again, which page of it was fetched last, and how large its body is."""

    due: int
    page: int
    size: int


class KnownPages:
    """Classes of pages by hash, each with the page of it that is due last. One thread may write while others read."""

    def __init__(self, batches: Iterable[Sequence[Row]] = ()) -> None:
        """Take in rows; of a class with several pages the one due last stands for it, of equal ones the last given."""
        self._sorted = _Columns.of(batches)
        self._recent: dict[int, KnownPage | None] = {}

    def __len__(self) -> int:
        """Return the number of classes, those that are merged in only now perhaps counted twice."""
        return len(self._sorted.classes) + len(self._recent)

    def get(self, of_class: int) -> KnownPage | None:
        """Return what is known of a class, None if nothing is."""
        recent = self._recent
        return recent[of_class] if of_class in recent else self._sorted.get(of_class)

    def discard(self, of_class: int) -> None:
        """Forget a class; one that is not known is let alone."""
        if self.get(of_class) is not None:
            self._recent[of_class] = None

    def put(self, row: Row) -> None:
        """Take in a page; one that stands for its class already is replaced, another only if it is due no later."""
        page, of_class, due, size = row
        known = self.get(of_class)
        if known is None or known.page == page or due >= known.due:
            self._recent[of_class] = KnownPage(due, page, min(size, _LARGEST))
        if len(self._recent) > max(_MOST_RECENT, len(self._sorted.classes) // 8):
            self._merge()

    def _merge(self) -> None:
        merged = self._sorted.with_recent(self._recent)
        # in this order: a reader finds a page in one of the two at any moment
        self._sorted = merged
        self._recent = {}


class _Columns(NamedTuple):
    """Ascending hashes of classes and, in parallel, what is known of each. `bisect` reads arrays at the speed of C."""

    classes: array[int]
    due: array[int]
    pages: array[int]
    sizes: array[int]

    def get(self, of_class: int) -> KnownPage | None:
        place = bisect_left(self.classes, of_class)
        if place == len(self.classes) or self.classes[place] != of_class:
            return None
        return KnownPage(self.due[place], self.pages[place], self.sizes[place])

    def with_recent(self, recent: Mapping[int, KnownPage | None]) -> _Columns:
        """Return these with the recent ones in their place, without those that are forgotten."""
        given = np.fromiter(recent, np.uint64, len(recent))
        old = np.isin(np.frombuffer(self.classes, np.uint64), given, invert=True)
        kept = {of_class: one for of_class, one in recent.items() if one is not None}
        new, rows = np.fromiter(kept, np.uint64, len(kept)), list(kept.values())
        return _Columns.sorted(
            np.concatenate([np.frombuffer(self.classes, np.uint64)[old], new]),
            np.concatenate([np.frombuffer(self.due, np.int64)[old], np.array([one.due for one in rows], np.int64)]),
            np.concatenate(
                [np.frombuffer(self.pages, np.uint64)[old], np.array([one.page for one in rows], np.uint64)]
            ),
            np.concatenate(
                [np.frombuffer(self.sizes, np.uint32)[old], np.array([one.size for one in rows], np.uint32)]
            ),
        )

    @classmethod
    def of(cls, batches: Iterable[Sequence[Row]]) -> _Columns:
        parts = [_arrays(batch) for batch in batches if batch] or [_arrays([])]
        pages, classes, due, sizes = (np.concatenate(column) for column in zip(*parts, strict=True))
        return cls.sorted(classes, due, pages, sizes)

    @classmethod
    def sorted(
        cls, classes: NDArray[np.uint64], due: NDArray[np.int64], pages: NDArray[np.uint64], sizes: NDArray[np.uint32]
    ) -> _Columns:
        """Return columns in order, of each class the row that is due last."""
        order = np.lexsort((due, classes))
        ascending = classes[order]
        order = order[np.append(ascending[1:] != ascending[:-1], True)] if order.size else order
        return cls(
            array("Q", classes[order].tobytes()),
            array("q", due[order].tobytes()),
            array("Q", pages[order].tobytes()),
            array(_UINT32, sizes[order].tobytes()),
        )


_UINT32 = "I"  # 4 bytes on every platform that Python is built for


def _arrays(
    rows: Sequence[Row],
) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.int64], NDArray[np.uint32]]:
    pages, classes, due, sizes = zip(*rows, strict=True) if rows else ((), (), (), ())
    return (
        np.array(pages, np.uint64),
        np.array(classes, np.uint64),
        np.array(due, np.int64),
        np.minimum(np.array(sizes, np.int64), _LARGEST).astype(np.uint32),
    )

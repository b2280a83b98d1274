"""Which rows of a segment are of a site, which are the latest: found by bisection, as its rows are sorted by site and time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sameish.index.scanning import Numbers, Rows

Choice: TypeAlias = Callable[[Rows], NDArray[np.bool_]]
"""Which of some rows may be returned."""


def span(sites: Numbers, times: Numbers, site: int, since: int | None = None) -> tuple[int, int]:
    """Return the first row of a site, or the first not before a time, and the row after its last.

    Args:
        sites: ascending.
        times: ascending among rows of one site.
        site: whose rows.
        since: in the measure of `times`.
    """
    begin, end = (int(np.searchsorted(sites, site, side)) for side in ("left", "right"))
    if since is not None:
        begin += int(np.searchsorted(times[begin:end], since))
    return begin, end


def latest(order: Rows | range, chosen: Choice, count: int) -> Rows:
    """Return the last so many rows that are chosen, looking at few more than these where most are.

    Args:
        order: rows from the earliest to the latest; a range takes no memory.
        chosen: which rows count.
        count: how many are wanted.
    """
    found: list[Rows] = []
    end, width = len(order), 2 * count + 16
    while end and count > 0:
        begin = max(end - width, 0)
        piece = order[begin:end]
        rows = np.arange(piece.start, piece.stop) if isinstance(piece, range) else piece
        rows = rows[chosen(rows)][-count:]
        found.append(rows)
        end, width, count = begin, 4 * width, count - len(rows)
    return np.concatenate(found[::-1]) if found else np.empty(0, np.intp)


def latest_unsorted(times: Numbers, rows: Rows, count: int) -> Rows:
    """Return those of few rows that are among the last so many in time; of equally late ones all."""
    if count <= 0:
        return rows[:0]
    if len(rows) <= count:
        return rows
    of_rows = times[rows]
    earliest = np.partition(of_rows, len(rows) - count)[len(rows) - count]
    late: Rows = rows[of_rows >= earliest]
    return late

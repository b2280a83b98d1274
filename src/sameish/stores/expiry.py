"""What all stores agree on for expiry: what goes, in which order, and how the work is cut into small transactions.

A capture goes for its age if it was fetched before a time. The last good capture of a key counts as old as the key was last
seen well: a page that answers 304 ever since is known by it. A site over its budget loses first what is superseded most:
the n-th newest capture of a page goes before the (n-1)-th newest of any other, of equal ones the oldest; what is not good
counts as one place older. The last good capture of a page never goes for the budget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import NamedTuple, Protocol, TypeAlias

from sameish.stores.base import Expired, SiteCount
from sameish.stores.values import to_micros

AT_ONCE = 500
"""So many rows are deleted in one transaction: some 20 ms, for which other writers wait."""
CHOSEN = 100_000
"""So many are chosen at a time, without keeping anybody from writing; 4 MB of numbers."""

Told: TypeAlias = Callable[[Expired], object]


class Sweep(NamedTuple):
    """One kind of rows to delete.

    `.choose`: returns the numbers of at most so many that must go. `.delete`: deletes those of them that still must, in one
    transaction. `.most`: how many may go, None: all that are chosen.
    """

    choose: Callable[[int], Sequence[int]]
    delete: Callable[[Sequence[int]], Expired]
    most: int | None = None


class Work(Protocol):
    """What a store does for an expiry, each in one transaction."""

    def chosen(self, query: str, values: Mapping[str, object], limit: int) -> Sequence[int]:
        """Return what a query by that name chooses with these values, at most so many."""

    def delete(self, rows: str, before: int | None, these: Sequence[int]) -> Expired:
        """Delete those of the given `captures`, `visits` or `dropped` that still must go."""


def sweeps(
    work: Work, sites: Callable[[], Sequence[SiteCount]], before: int | None, site_budget: int | None
) -> Iterator[Sweep]:
    """Yield all that an expiry does, in its order; `sites` tells what there is of each, `before` is in microseconds."""

    def sweep(query: str, rows: str, at: int | None, values: Mapping[str, object], most: int | None = None) -> Sweep:
        return Sweep(partial(work.chosen, query, values), partial(work.delete, rows, at), most)

    if before is not None:
        yield sweep("aged", "captures", before, {"before": before})
    for site, more in () if site_budget is None else over_budget(sites(), site_budget):
        yield sweep("surplus", "captures", None, {"site": site}, more)
    if before is not None:
        yield sweep("idle_visits", "visits", before, {"before": before})
        yield sweep("old_dropped", "dropped", before, {"before": before})


def run(sweeps: Iterator[Sweep], told: Told | None) -> Expired:
    """Do sweeps one after the other, each until nothing is left of it; return the sums."""
    sums = Expired()
    for sweep in sweeps:
        for done in _transactions(sweep):
            sums += done
            if told is not None:
                told(sums)
    return sums


def _transactions(sweep: Sweep) -> Iterator[Expired]:
    left = sweep.most
    while numbers := sweep.choose(CHOSEN if left is None else min(left, CHOSEN)):
        gone = 0
        for start in range(0, len(numbers), AT_ONCE):
            done = sweep.delete(numbers[start : start + AT_ONCE])
            gone += done.rows
            yield done
        left = None if left is None else left - gone
        if not gone or left == 0:  # nothing of what was chosen had to go any more: others were here
            return


def over_budget(sites: Sequence[SiteCount], budget: int) -> Iterator[tuple[str, int]]:
    """Yield the sites that hold more captures than the budget, and how many more."""
    return ((one.site, one.captures - budget) for one in sites if one.captures > budget)


def checked(before: datetime | None, site_budget: int | None) -> int | None:
    """Return the time in microseconds, None without one.

    Raises:
        ValueError: there is neither a time nor a budget, or the budget is none.
        StoreError: the time has no zone.
    """
    if before is None and site_budget is None:
        raise ValueError("expire needs a time or a budget; nothing was deleted")
    if site_budget is not None and site_budget < 1:
        raise ValueError(f"a budget of {site_budget} captures a site is none; nothing was deleted")
    return None if before is None else to_micros(before)

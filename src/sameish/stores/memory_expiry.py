"""Which captures of a `MemoryStore` expire."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator

from sameish.models import Capture
from sameish.stores.memory_tables import Tables
from sameish.stores.values import is_good, to_micros


def aged(tables: Tables, before: int) -> Iterator[int]:
    """Yield the ids of captures that go for their age; `before` in microseconds."""
    for number, capture in tables.captures.items():
        page = tables.pages[capture.key]
        seen_since = page.seen is not None and to_micros(page.seen.last_seen) >= before
        if to_micros(capture.fetched_at) < before and not (seen_since and page.latest() == number):
            yield number


def surplus(tables: Tables, budget: int | None, gone: Container[int]) -> frozenset[int]:
    """Return the ids of captures that go for the budget of their site, where those that are gone count no more."""
    if budget is None:
        return frozenset()
    sites: dict[str, list[Capture]] = defaultdict(list)
    for number, capture in tables.captures.items():
        if number not in gone:
            sites[capture.site].append(capture)
    over = [captures for captures in sites.values() if len(captures) > budget]
    return frozenset(number for captures in over for number in _superseded(captures)[: len(captures) - budget])


def _superseded(captures: Iterable[Capture]) -> list[int]:
    """Return the ids of the captures of a site but for the last good one of each page, those first that go first."""
    seen: dict[tuple[str, bool], int] = defaultdict(int)
    places: list[tuple[int, int, int]] = []
    for capture in sorted(captures, key=lambda one: (one.fetched_at, one.id or 0), reverse=True):
        good = is_good(capture)
        seen[capture.key, good] += 1
        place = seen[capture.key, good] + 1 - good
        if place > 1:
            places.append((-place, to_micros(capture.fetched_at), capture.id or 0))
    return [number for _, _, number in sorted(places)]

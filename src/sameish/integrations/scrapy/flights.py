"""Single flight: of the requests for one page one goes, the others wait for what comes of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from scrapy import Request
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from sameish.errors import StoreError
from sameish.integrations.leases import Leases
from sameish.integrations.scrapy.health import Health
from sameish.integrations.scrapy.loop import call_later, resting

_LOOK_S = 0.25
"""How often it is looked whether requests are still under way: one may have been dropped elsewhere."""
_MOST_MISSES = 2
"""So many looks in a row must miss a request: between download and callback it is nowhere for a moment."""
_POLL_S = 0.1
_CALLBACK_S = 1.0
"""How long is waited for a callback that is running: it may itself await the request that waits."""


@dataclass(slots=True)
class _Flight:
    request: Request
    misses: int = 0
    arrived: bool = False
    waiting: list[Deferred[None]] = field(default_factory=list)


class Flights:
    """The requests that are under way, by the hash of their page's class.

    Args:
        is_under_way: tells whether a request is being downloaded or its callback is running.
        health: of the store that the leases are in.
        leases: tell other processes, None where there can be none.
    """

    def __init__(self, is_under_way: Callable[[Request], bool], health: Health, leases: Leases | None = None) -> None:
        self._is_under_way = is_under_way
        self._health = health
        self._leases = leases
        self._flights: dict[int, _Flight] = {}
        self._pages: dict[int, int] = {}
        self._looks = False

    def begin(self, page: int, request: Request) -> None:
        """Note that a request goes for a page."""
        earlier = self._flights.get(page)
        # who waits for one that takes too long, waits for the next
        self._flights[page] = _Flight(request, waiting=[] if earlier is None else earlier.waiting)
        self._pages[id(request)] = page
        self._look_later()

    def end(self, request: Request) -> None:
        """Note that something came of a request, or never will, and let those go on who wait for it."""
        page = self._pages.pop(id(request), None)
        flight = None if page is None else self._flights.get(page)
        if page is None or flight is None or flight.request is not request:
            return
        del self._flights[page]
        self._safely(lambda leases: leases.release(page))
        for waiting in flight.waiting:
            if not waiting.called:
                waiting.callback(None)

    def arrived(self, request: Request) -> None:
        """Note that the callback of a request is called: who waits for it, does not wait much longer."""
        page = self._pages.get(id(request))
        flight = None if page is None else self._flights.get(page)
        if flight is not None and flight.request is request:
            flight.arrived = True
            for waiting in flight.waiting:
                _go_on_after(_CALLBACK_S, waiting)

    async def wait(self, page: int, until: float) -> bool:
        """Wait until what is under way for a page has ended, at most until a monotonic time; return whether it has.

        Where nothing is under way it has not.
        """
        flight, seconds = self._flights.get(page), until - time.monotonic()
        if flight is None or seconds <= 0:
            return False
        waiting: Deferred[None] = Deferred()
        flight.waiting.append(waiting)
        _go_on_after(min(seconds, _CALLBACK_S) if flight.arrived else seconds, waiting)
        await maybe_deferred_to_future(waiting)
        return self._flights.get(page) is not flight

    async def wait_for_others(self, page: int, until: float) -> bool:
        """Wait until no other process fetches a page, at most until a monotonic time; return whether there can be others."""
        while not self._safely(lambda leases: leases.take(page)) and time.monotonic() < until:
            await resting(_POLL_S)
        return self._leases is not None

    def _safely(self, use: Callable[[Leases], bool | None]) -> bool:
        """Use the leases; a store that is out of order for a moment costs a request, not the crawl."""
        if self._leases is None or not self._health.is_well:
            return True
        try:
            return use(self._leases) is not False
        except StoreError as error:
            self._health.failed("other processes may fetch the same pages", error)
            return True

    def _look_later(self) -> None:
        if not self._looks and self._flights:
            self._looks = True
            call_later(_LOOK_S, self._look)

    def _look(self) -> None:
        self._looks = False
        for page, flight in list(self._flights.items()):
            flight.misses = 0 if self._is_under_way(flight.request) else flight.misses + 1
            if flight.misses >= _MOST_MISSES:
                self.end(flight.request)
            else:
                self._prolong(page)
        self._look_later()

    def _prolong(self, page: int) -> None:
        self._safely(lambda leases: leases.prolong(page))


def _go_on_after(seconds: float, waiting: Deferred[None]) -> None:
    call_later(seconds, lambda: None if waiting.called else waiting.callback(None))

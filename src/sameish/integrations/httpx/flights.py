"""Single flight: of the requests for one page one goes, the others wait for what comes of it, in threads and in event loops."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from sameish.detector import Detector
from sameish.integrations.httpx.company import Company

if TYPE_CHECKING:
    import anyio


class Flight:
    """A request that is under way, and those who wait for it."""

    def __init__(self) -> None:
        self._over = threading.Event()
        self._wakers: list[Callable[[], object]] = []
        self._lock = threading.Lock()

    def end(self) -> None:
        """Let those go on who wait."""
        with self._lock:
            self._over.set()
            wakers, self._wakers = self._wakers, []
        for wake in wakers:
            with suppress(RuntimeError):  # the loop of who waited is closed: nobody waits any more
                wake()

    def wait(self, seconds: float) -> bool:
        """Block until it is over, at most so long; return whether it is."""
        return self._over.wait(max(0.0, seconds))

    async def wait_in_loop(self, seconds: float) -> bool:
        """Do the same without blocking the event loop."""
        import anyio  # noqa: PLC0415  # comes with either library

        event = anyio.Event()
        wake = _from_any_thread(event)
        with self._lock:
            if self._over.is_set():
                return True
            self._wakers.append(wake)
        try:
            with anyio.move_on_after(max(0.0, seconds)):
                await event.wait()
        finally:
            with self._lock, suppress(ValueError):  # it is gone from the list if it was called
                self._wakers.remove(wake)
        return self._over.is_set()


def _from_any_thread(event: anyio.Event) -> Callable[[], object]:
    """Return a call that sets an event of the running loop and may be made anywhere."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        import trio  # noqa: PLC0415  # the other loop that httpx runs in: it is there, since it runs

        token = trio.lowlevel.current_trio_token()
        return lambda: token.run_sync_soon(event.set)
    return lambda: loop.call_soon_threadsafe(event.set)


class Flights:
    """The requests that are under way for a detector, by the number of their page's class.

    Args:
        company: other processes.
    """

    def __init__(self, company: Company) -> None:
        self.company = company
        self._under_way: dict[int, Flight] = {}
        self._lock = threading.Lock()

    @classmethod
    def of(cls, detector: Detector) -> Flights:
        """Return those of a detector; all its transports share them."""
        with _LOCK:
            if detector not in _FLIGHTS:
                _FLIGHTS[detector] = cls(Company(detector.store))
            return _FLIGHTS[detector]

    def join(self, page: int) -> tuple[Landing, Flight | None]:
        """Return a flight that has begun and None; or one that nobody waits for, and the one to wait for."""
        with self._lock:
            other = self._under_way.get(page)
            if other is None:
                self._under_way[page] = own = Flight()
                return Landing(self, page, own), None
        return Landing(self, page, None), other

    def end(self, page: int, flight: Flight) -> None:
        """Note that something came of a flight."""
        with self._lock:
            if self._under_way.get(page) is flight:
                del self._under_way[page]
        flight.end()


class Landing:
    """What a request has to do with a flight: to end it, if it leads it. `.leads`: others wait for it."""

    def __init__(self, flights: Flights, page: int, flight: Flight | None) -> None:
        self._flights = flights
        self._page = page
        self._flight = flight
        self._lock = threading.Lock()
        self._is_over = False
        self.leads = flight is not None
        self.is_leased = False

    def lease(self) -> bool:
        """Tell other processes that the page is being fetched; False where one of them does so. Asks the store."""
        taken = self._flights.company.take(self._page)
        with self._lock:
            self.is_leased = taken and not self._is_over
        if taken and self._is_over:  # whoever asked was cancelled meanwhile
            self.release()
        return taken

    def release(self) -> None:
        """Let other processes go on. Asks the store."""
        self._flights.company.release(self._page)

    def end(self) -> None:
        """Let those go on who wait in this process."""
        with self._lock:
            self._is_over = True
        if self.is_leased:
            self._flights.company.let_go(self._page)  # held still where a task was cancelled before it was released
        if self._flight is not None:
            self._flights.end(self._page, self._flight)


_FLIGHTS: WeakKeyDictionary[Detector, Flights] = WeakKeyDictionary()
_LOCK = threading.Lock()

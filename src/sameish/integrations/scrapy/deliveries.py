"""Responses on their way to a callback: a page is seen only when that was called and did not raise."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from scrapy import Request

from sameish.detector import Detector
from sameish.errors import SameishError
from sameish.integrations.scrapy.dropped import Droppings
from sameish.integrations.scrapy.flights import Flights
from sameish.integrations.scrapy.health import Health
from sameish.integrations.scrapy.visitors import place_of
from sameish.models import Verdict

_MOST_DELIVERED = 1_000_000
"""Pages that are known to have reached a callback in this crawl, some 100 MB; what shows an older one is answered with a copy."""


@dataclass(slots=True)
class Delivery:
    """A response on its way through the callback: remembered only if that is called and does not raise.

    `.observation`: None for a stored copy. `.visitor`: who asked for it.
    """

    page: int
    verdict: Verdict
    observation: AbstractContextManager[Verdict] | None = None
    visitor: str = ""
    entered: bool = False


class Deliveries:
    """What is on its way, and which pages have arrived in this crawl.

    Args:
        detector: remembers what was seen.
        flights: end when something came of their request.
        droppings: told of what was seen.
        health: of the detector's store.
    """

    def __init__(self, detector: Detector, flights: Flights, droppings: Droppings, health: Health) -> None:
        self._detector = detector
        self._flights = flights
        self._droppings = droppings
        self._health = health
        self._under_way: WeakKeyDictionary[Request, Delivery] = WeakKeyDictionary()
        self._delivered: dict[int, None] = {}

    def expect(self, request: Request, delivery: Delivery) -> None:
        """Note that a response goes to the callback of a request."""
        self._under_way[request] = delivery

    def of(self, request: Request) -> Delivery | None:
        """Return what is on its way to the callback of a request, if anything is."""
        return self._under_way.get(request)

    def has(self, page: int, visitor: str) -> bool:
        """Whether a page has arrived in this crawl, as a visitor sees it."""
        return place_of(page, visitor) in self._delivered

    def entered(self, request: Request | None) -> None:
        """Note that the callback of a request is called next."""
        delivery = None if request is None else self._under_way.get(request)
        if request is not None and delivery is not None:
            delivery.entered = True
            self._flights.arrived(request)

    def done(self, request: Request | None) -> None:
        """Remember a page, since its callback is done and has not raised; not where an errback was called in its place."""
        delivery = None if request is None else self._under_way.pop(request, None)
        if request is None or delivery is None:
            return
        if delivery.entered:
            self.settle(request, delivery)
        else:
            self._flights.end(request)

    def failed(self, request: Request | None) -> None:
        """Forget a page whose callback raised, or that never got there: it was not seen."""
        if request is not None:
            self._under_way.pop(request, None)
            self._flights.end(request)

    def settle(self, request: Request, delivery: Delivery, *, delivered: bool = True) -> None:
        """Remember what came of a request, and let those go on who wait for it."""
        try:
            self._remember(request, delivery)
        finally:
            self._flights.end(request)
        if delivered:
            for page in (delivery.page, self._detector.gate.class_of(request.url)):
                self._note(place_of(page, delivery.visitor))

    def _remember(self, request: Request, delivery: Delivery) -> None:
        if not self._health.is_well:
            return
        try:
            if delivery.observation is not None:
                delivery.observation.__exit__(None, None, None)
            self._droppings.arrived(request)
        except SameishError as error:
            self._health.failed(f"{request.url} is not remembered", error)

    def _note(self, place: int) -> None:
        self._delivered[place] = None
        if len(self._delivered) > _MOST_DELIVERED:
            del self._delivered[next(iter(self._delivered))]

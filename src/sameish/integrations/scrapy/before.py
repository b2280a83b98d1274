"""Before the fetch: a request is answered with a stored copy, dropped, or let go, perhaps with conditions."""

from __future__ import annotations

import time

from scrapy import Request
from scrapy.http import Response

from sameish.errors import SameishError
from sameish.gate.journal import reason_of
from sameish.integrations.scrapy.crawl import Crawl
from sameish.integrations.scrapy.deliveries import Delivery
from sameish.integrations.scrapy.dropped import drop
from sameish.integrations.scrapy.pages import is_retry, response_of, visitor_of_copy
from sameish.integrations.scrapy.stand_ins import (
    first_choice,
    is_redirected,
    is_second_try,
    is_tried,
    is_unfiltered,
    stand_in,
)
from sameish.integrations.scrapy.visitors import place_of
from sameish.models import FetchAction, FetchDecision, Verdict, VerdictKind
from sameish.stores.gate_state import StoredBody


class Before:
    """What a crawl does with requests.

    Args:
        crawl: shared with what comes after the fetch.
    """

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._gate = crawl.detector.gate
        self._options = crawl.options

    async def answer(self, request: Request) -> Response | Request | None:
        """Return a stored copy to answer a request with, a request to send in its place, or None: it is fetched.

        It is fetched, too, where the store is out of order.

        Raises:
            IgnoreRequest: it is dropped.
        """
        if is_redirected(request):
            return first_choice(request)
        if not self._crawl.health.is_well:
            return None
        try:
            return await self._answer(request)
        except SameishError as error:
            self._crawl.health.failed(f"{request.url} is fetched without a look at what is known", error)
            return None

    async def _answer(self, request: Request) -> Response | Request | None:
        until = time.monotonic() + self._crawl.detector.settings.gate.wait_s
        visitor = self._crawl.visitors.of(request)
        while await self._crawl.flights.wait(self._place(request, visitor), until):
            pass  # what came of it may have taught that the two are not the same page
        page, decision = self._gate.class_of(request.url), self._decided(request)
        if (copy := self._instead(request, decision, page, visitor)) is not None:
            return copy
        if (other := self._elsewhere(request, decision, visitor)) is not None:
            return other
        self._crawl.flights.begin(place_of(page, visitor), request)
        decision = await self._when_others_are_done(request, decision, place_of(page, visitor), until)
        if (copy := self._instead(request, decision, page, visitor)) is not None:
            return copy
        self._let_go(request, decision, visitor)
        return None

    def _decided(self, request: Request) -> FetchDecision:
        decision = self._gate.decide(request.url)
        if decision.action is not FetchAction.AUDIT or self._crawl.audits(request):
            return decision
        # that audit is made; the next one is due only many skips later, unless all are to be audited
        return self._gate.decide(request.url)

    def _place(self, request: Request, visitor: str) -> int:
        return place_of(self._gate.class_of(request.url), visitor)

    async def _when_others_are_done(
        self, request: Request, decision: FetchDecision, place: int, until: float
    ) -> FetchDecision:
        """Wait for other processes, and decide again if one of them has fetched the page.

        An audit remains one, and otherwise the decision stands: what is decided twice is counted twice, and every second
        audit and check would be lost.
        """
        known = self._gate.known.get(self._gate.class_of(request.url))
        if not await self._crawl.flights.wait_for_others(place, until):
            return decision
        self._gate.refresh()
        if decision.action is FetchAction.AUDIT or self._gate.known.get(self._gate.class_of(request.url)) == known:
            return decision
        return self._decided(request)

    def _elsewhere(self, request: Request, decision: FetchDecision, visitor: str) -> Request | None:
        """Return a request for the URL of a due page under which it can be asked for conditionally, None where there is none.

        What it stands in for is remembered as any that a rule has dropped.
        """
        if decision.action is not FetchAction.FETCH or not self._crawl.asks_conditionally:
            return None
        if request.dont_filter or is_tried(request) or self._options.duplicates == "mark":
            return None
        other = self._gate.elsewhere(request.url)
        copy = None if other is None or other.same_as is None else self._gate.copy_of(other.same_as)
        if other is None or copy is None or copy.url != other.same_as or visitor_of_copy(copy) != visitor:
            return None
        described = self._crawl.droppings.described(request, other)
        if described is None:
            return None
        self._crawl.detector.journal.dropped(request.url, other, described)
        self._crawl.count("asked_elsewhere")
        return stand_in(request, copy.url)

    def _let_go(self, request: Request, decision: FetchDecision, visitor: str) -> None:
        if decision.request_headers and self._crawl.asks_conditionally:
            copy = self._gate.copy_of(decision.same_as or request.url)
            if copy is not None and visitor_of_copy(copy) == visitor:
                self._crawl.conditions.put_on(request, decision.request_headers)
        action = FetchAction.FETCH if decision.action is FetchAction.SKIP else decision.action
        self._crawl.count(f"decision/{action}")

    def _instead(self, request: Request, decision: FetchDecision, page: int, visitor: str) -> Response | None:
        """Return the copy in place of a request that need not be sent, None where it is sent all the same."""
        if decision.action is not FetchAction.SKIP or is_retry(request) or is_second_try(request):
            return None
        if reason_of(decision.rule) == "trap":
            self._drop(request, decision)
            return None
        # a URL comes once, or Scrapy's filter would have it, but those that stand in for others
        arrived = (decision.rule is not None or is_tried(request)) and self._crawl.deliveries.has(page, visitor)
        if arrived and self._options.duplicates == "mark":
            return None
        if arrived and self._options.duplicates == "drop":
            self._drop(request, decision)
        copy = self._gate.copy_of(decision.same_as or request.url)
        if copy is not None and visitor_of_copy(copy) != visitor:
            return None
        if not arrived and self._options.not_due == "drop":
            self._drop(request, decision)
        return None if copy is None else self._copied(request, decision, copy, Delivery(
            page, Verdict(VerdictKind.UNCHANGED, reason=decision.reason), visitor=visitor
        ))  # fmt: skip

    def _copied(self, request: Request, decision: FetchDecision, copy: StoredBody, delivery: Delivery) -> Response:
        self._crawl.saved(request, decision)
        self._crawl.flights.begin(place_of(delivery.page, delivery.visitor), request)
        self._crawl.deliveries.expect(request, delivery)
        return response_of(copy, request)

    def _drop(self, request: Request, decision: FetchDecision) -> None:
        """Drop a request; return where it is not to be filtered, or could not be given back later.

        Raises:
            IgnoreRequest: it is dropped.
        """
        if is_unfiltered(request):
            return
        described = self._crawl.droppings.described(request, decision)
        if described is None:
            return
        self._crawl.saved(request, decision, described)
        same_as = f" (as {decision.same_as})" if decision.same_as else ""
        drop(request, f"{decision.reason}{same_as}")

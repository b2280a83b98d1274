"""After the fetch: a response gets its verdict, and is passed on to the callback or dropped as a duplicate."""

from __future__ import annotations

from contextlib import AbstractContextManager

from scrapy import Request
from scrapy.http import Response

from sameish.errors import SameishError, StoreUnavailable
from sameish.integrations.scrapy.crawl import Crawl
from sameish.integrations.scrapy.deliveries import Delivery
from sameish.integrations.scrapy.dropped import drop
from sameish.integrations.scrapy.loop import in_thread
from sameish.integrations.scrapy.onward import Onward, leads_on
from sameish.integrations.scrapy.pages import META, is_cached, page_of, response_of, wants_status
from sameish.integrations.scrapy.stand_ins import first_choice, is_unfiltered
from sameish.models import Capture, State, Verdict, VerdictKind
from sameish.stores.gate_state import StoredBody

_NOT_MODIFIED = 304
_SAYS_OTHER = (VerdictKind.NEW, VerdictKind.NEAR_DUPLICATE, VerdictKind.UPDATED)


class After:
    """What a crawl does with responses.

    Args:
        crawl: shared with what comes before the fetch.
    """

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._gate = crawl.detector.gate
        self._onward = Onward(self._gate)

    async def judge(self, request: Request, response: Response) -> Response | Request:
        """Return what the spider is to get for a response, with the verdict in `meta`, or a request to send in its place.

        Raises:
            IgnoreRequest: a duplicate is dropped.
        """
        copied = self._crawl.deliveries.of(request)
        if copied is not None:
            request.meta[META] = copied.verdict
            return response
        own_condition = self._crawl.conditions.were_put_on(request)
        copy = self._copy(response.url) if response.status == _NOT_MODIFIED else None
        if response.status == _NOT_MODIFIED and own_condition and copy is None:
            # the copy went while the request was under way: ask for all of it, without conditions
            self._crawl.flights.end(request)
            return request.replace(dont_filter=True)
        shown = (
            response_of(copy, request) if copy and (own_condition or not wants_status(request, response)) else response
        )
        try:
            observation, verdict = await self._observed(request, response)
        except SameishError as error:
            return self._unjudged(request, shown, error)
        first = first_choice(request)
        if first is not None and verdict.kind is VerdictKind.UNDETERMINED:
            # it is no page any more
            self._crawl.deliveries.settle(
                request, self._delivery(request, response, verdict, observation), delivered=False
            )
            return first
        if response.status == _NOT_MODIFIED and verdict.match is not None:
            self._crawl.count("bytes_saved", verdict.match.body_bytes)
        return await self._judged(request, shown, verdict, observation)

    def _copy(self, url: str) -> StoredBody | None:
        """Return the body that is stored of a page; None where there is none, or none can be had."""
        try:
            return self._gate.copy_of(url) if self._crawl.health.is_well else None
        except SameishError as error:
            self._crawl.health.failed(f"the copy of {url} cannot be had", error)
            return None

    async def _observed(self, request: Request, response: Response) -> tuple[AbstractContextManager[Verdict], Verdict]:
        if not self._crawl.health.is_well:
            raise StoreUnavailable("the store is out of order")
        # what the HTTP cache answered says nothing of how the server answers
        sent = {} if is_cached(response) else self._crawl.conditions.sent(request)
        page = page_of(request, response, self._crawl.visitors.of(request))
        observation = self._crawl.detector.observing(page, request_headers=sent)
        return observation, await in_thread(observation.__enter__)

    def _unjudged(self, request: Request, response: Response, error: SameishError) -> Response:
        """Pass a response on: who saves what is not known to be unchanged, saves this one, too."""
        if self._crawl.health.is_well:
            self._crawl.health.failed(f"{response.url} is passed on without a verdict", error)
        request.meta[META] = Verdict(VerdictKind.UNDETERMINED, reason=str(error))
        self._crawl.count(f"verdict/{VerdictKind.UNDETERMINED}")
        self._crawl.flights.end(request)
        return response

    async def _judged(
        self, request: Request, response: Response, verdict: Verdict, observation: AbstractContextManager[Verdict]
    ) -> Response:
        request.meta[META] = verdict
        self._crawl.count(f"verdict/{verdict.kind}")
        delivery = self._delivery(request, response, verdict, observation)
        if verdict.kind in _SAYS_OTHER and (referrer := request.headers.get("Referer")):
            self._onward.brought(referrer.decode("latin-1"))
        if verdict.kind is VerdictKind.UNDETERMINED:
            # it is no page: what becomes of it is for others to say
            self._crawl.deliveries.settle(request, delivery, delivered=False)
            return response
        if verdict.kind is VerdictKind.DUPLICATE and await self._is_needless(request, response, verdict):
            self._crawl.deliveries.settle(request, delivery)
            self._crawl.count("dropped/duplicate")
            drop(request, f"a duplicate of {verdict.match.url if verdict.match else 'a stored page'}")
        self._crawl.deliveries.expect(request, delivery)
        return response

    def _delivery(
        self, request: Request, response: Response, verdict: Verdict, observation: AbstractContextManager[Verdict]
    ) -> Delivery:
        return Delivery(self._gate.class_of(response.url), verdict, observation, self._crawl.visitors.of(request))

    async def _is_needless(self, request: Request, response: Response, verdict: Verdict) -> bool:
        """Whether a duplicate need not reach the callback: what it equals did so in this crawl, and it says enough to be sure."""
        match = verdict.match
        if self._crawl.options.duplicates == "mark" or is_unfiltered(request) or match is None:
            return False
        # of a page with hardly a word its links are what it is for
        if match.fingerprint.state is State.THIN:
            return False
        visitor = self._crawl.visitors.of(request)
        if not self._crawl.deliveries.has(self._gate.class_of(match.url), visitor):
            return False
        return response.status == _NOT_MODIFIED or not await self._leads_on(request, response, match)

    async def _leads_on(self, request: Request, response: Response, match: Capture) -> bool:
        """Whether a duplicate of a page leads to others; not where there is no copy of that page."""
        content = match.fingerprint.digest
        copy = self._copy(match.url) if self._onward.is_open(content) else None
        if copy is None:
            return False
        page, other = page_of(request, response), page_of(request, response_of(copy, request))
        if not await in_thread(lambda: leads_on(self._gate, page, other)):
            return False
        self._onward.followed(response.url, content)
        return True

    def redirected(self, request: Request, response: Response) -> None:
        """Let those go on who wait for a request that is redirected; what comes of it, comes of another request."""
        location = response.headers.get("Location")
        try:
            if location is not None and self._crawl.health.is_well:
                self._crawl.detector.redirected(request.url, response.urljoin(location.decode("latin-1")))
        except (SameishError, ValueError) as error:
            self._crawl.health.failed(f"the redirect of {request.url} is not remembered", error)
        finally:
            self._crawl.flights.end(request)

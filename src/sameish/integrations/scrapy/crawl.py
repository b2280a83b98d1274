"""One crawl: what the middlewares share, from the opening of the store to its closing."""

from __future__ import annotations

import logging
import time
from contextlib import AbstractContextManager
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider, IgnoreRequest
from scrapy.http import Response
from scrapy.statscollectors import StatsCollector

from sameish.errors import SameishError
from sameish.gate.journal import reason_of
from sameish.gate.ledger import lines, savings_of, since
from sameish.integrations.leases import Leases
from sameish.integrations.scrapy.conditions import Conditions
from sameish.integrations.scrapy.dropped import Droppings
from sameish.integrations.scrapy.flights import Flights
from sameish.integrations.scrapy.loop import in_thread
from sameish.integrations.scrapy.options import Options
from sameish.integrations.scrapy.pages import META, is_cached, page_of, response_of
from sameish.models import FetchAction, FetchDecision, State, Verdict, VerdictKind

_LOGGER = logging.getLogger("sameish.scrapy")
_MOST_DELIVERED = 1_000_000
"""Pages that are known to have reached a callback in this crawl, some 100 MB; what shows an older one is answered with a copy."""
_RFC2616 = "scrapy.extensions.httpcache.RFC2616Policy"


@dataclass(slots=True)
class Delivery:
    """A response on its way through the callback: remembered only if that is called and does not raise.

    No observation: a stored copy.
    """

    page: int
    observation: AbstractContextManager[Verdict] | None = None
    entered: bool = False


class Crawl:
    """What sameish knows and does in one crawl."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.options = Options.of(crawler.settings)
        self.detector = self.options.open()
        leases = Leases(self.detector.store) if self.options.is_shared else None
        self.flights = Flights(self._is_under_way, leases)
        self.conditions = Conditions()
        self.wait_s = self.detector.settings.gate.wait_s
        self._asks_conditionally = _can_ask_conditionally(crawler)
        self._deliveries: WeakKeyDictionary[Request, Delivery] = WeakKeyDictionary()
        self._verdicts: WeakKeyDictionary[Request, Verdict] = WeakKeyDictionary()
        self._ledger = self.detector.store.ledger()
        self._delivered: dict[int, None] = {}
        self._droppings: Droppings | None = None
        crawler.signals.connect(self._opened, signal=signals.spider_opened)
        crawler.signals.connect(self._idle, signal=signals.spider_idle)
        crawler.signals.connect(self._closed, signal=signals.spider_closed)

    @classmethod
    def of(cls, crawler: Crawler) -> Crawl:
        """Return the one of a crawler, made when it is asked for first."""
        if crawler not in _CRAWLS:
            _CRAWLS[crawler] = cls(crawler)
        return _CRAWLS[crawler]

    async def before(self, request: Request) -> Response | None:
        """Return a stored copy to answer a request with, or None: it is fetched.

        Raises:
            IgnoreRequest: it is dropped.
        """
        gate, until = self.detector.gate, time.monotonic() + self.wait_s
        page = gate.class_of(request.url)
        while await self.flights.wait(page, until):
            page = gate.class_of(request.url)
        decision = gate.decide(request.url)
        if (copy := self._instead(request, decision, page)) is not None:
            return copy
        self.flights.begin(page, request)
        if await self.flights.wait_for_others(page, until):
            gate.refresh()
            decision = gate.decide(request.url)
            if (copy := self._instead(request, decision, page)) is not None:
                return copy
        if decision.request_headers and self._asks_conditionally and gate.copy_of(decision.same_as or request.url):
            self.conditions.put_on(request, decision.request_headers)
        action = FetchAction.FETCH if decision.action is FetchAction.SKIP else decision.action
        self._stats.inc_value(f"sameish/decision/{action}")
        return None

    def _instead(self, request: Request, decision: FetchDecision, page: int) -> Response | None:
        """Return the copy in place of a request that need not be sent, None where it is sent all the same."""
        if decision.action is not FetchAction.SKIP or _is_retry(request):
            return None
        if reason_of(decision) == "trap":
            if not request.dont_filter:
                self._drop(request, decision)
            return None
        drops = self.options.not_due == "drop"
        if decision.rule is not None and page in self._delivered:
            if self.options.duplicates == "mark":
                return None
            drops = self.options.duplicates == "drop"
        if drops and not request.dont_filter:
            self._drop(request, decision)
        stored = self.detector.gate.copy_of(decision.same_as or request.url)
        if stored is None:
            return None
        self.detector.journal.skipped(request.url, decision, dropped=False)
        self._count(decision)
        self._verdicts[request] = Verdict(VerdictKind.UNCHANGED, reason=decision.reason)
        self.flights.begin(page, request)
        self._deliveries[request] = Delivery(page)
        return response_of(stored, request)

    def _drop(self, request: Request, decision: FetchDecision) -> None:
        """Drop a request; return where that cannot be, since it could not be given back later.

        Raises:
            IgnoreRequest: it is dropped.
        """
        if self.droppings.drop(request, decision):
            self._count(decision)
            same_as = f" (as {decision.same_as})" if decision.same_as else ""
            raise IgnoreRequest(f"sameish: {decision.reason}{same_as}")

    async def after(self, request: Request, response: Response) -> Response | Request:
        """Return what the spider is to get for a response, with the verdict in `meta`.

        Raises:
            IgnoreRequest: a duplicate is dropped.
        """
        if request in self._deliveries:
            request.meta[META] = self._verdicts.pop(request)
            return response
        was_conditional = self.conditions.were_put_on(request)
        sent = self.conditions.sent(request)
        if response.status == 304 and was_conditional and self.detector.gate.copy_of(response.url) is None:
            # the copy went while the request was under way: ask for all of it, without conditions
            self.flights.end(request)
            return request.replace(dont_filter=True)
        # what the HTTP cache answered says nothing of how the server answers
        observation = self.detector.observing(
            page_of(request, response), request_headers={} if is_cached(response) else sent
        )
        try:
            verdict = await in_thread(observation.__enter__)
        except SameishError as error:
            _LOGGER.warning("%s is passed on without a verdict: %s", response.url, error)
            self.flights.end(request)
            return response
        return self._judged(request, response, verdict, observation)

    def _judged(
        self, request: Request, response: Response, verdict: Verdict, observation: AbstractContextManager[Verdict]
    ) -> Response:
        gate = self.detector.gate
        page = gate.class_of(response.url)
        request.meta[META] = verdict
        self._stats.inc_value(f"sameish/verdict/{verdict.kind}")
        delivery = Delivery(page, observation)
        if verdict.kind is VerdictKind.UNDETERMINED:
            # it is no page: what becomes of it is for others to say
            self._end(request, delivery, delivered=False)
            return response
        if response.status == 304:
            self._stats.inc_value("sameish/bytes_saved", gate.size_of(response.url))
            stored = gate.copy_of(response.url)
            response = response if stored is None else response_of(stored, request)
        if verdict.kind is VerdictKind.DUPLICATE and self._is_needless(request, verdict):
            self._end(request, delivery)
            self._stats.inc_value("sameish/dropped/duplicate")
            raise IgnoreRequest(f"sameish: a duplicate of {verdict.match.url if verdict.match else 'a stored page'}")
        self._deliveries[request] = delivery
        return response

    def _is_needless(self, request: Request, verdict: Verdict) -> bool:
        """Whether a duplicate need not reach the callback: what it equals did so in this crawl, and it says enough to be sure."""
        if self.options.duplicates == "mark" or request.dont_filter or verdict.match is None:
            return False
        fingerprint = verdict.match.fingerprint
        # of a page with hardly a word its links are what it is for
        return fingerprint.state is not State.THIN and self.detector.gate.class_of(verdict.match.url) in self._delivered

    def entered(self, request: Request | None) -> None:
        """Note that the callback of a request is called next."""
        delivery = None if request is None else self._deliveries.get(request)
        if delivery is not None:
            delivery.entered = True

    def delivered(self, request: Request | None) -> None:
        """Remember a page, since its callback is done and has not raised; not where an errback was called in its place."""
        delivery = None if request is None else self._deliveries.pop(request, None)
        if request is None or delivery is None:
            return
        if delivery.entered:
            self._end(request, delivery)
        else:
            self.flights.end(request)

    def redirected(self, request: Request, response: Response) -> None:
        """Let those go on who wait for a request that is redirected; what comes of it, comes of another request."""
        location = response.headers.get("Location")
        try:
            if location is not None:
                self.detector.redirected(request.url, response.urljoin(location.decode("latin-1")))
        except (SameishError, ValueError) as error:
            _LOGGER.warning("the redirect of %s is not remembered: %s", request.url, error)
        finally:
            self.flights.end(request)

    def failed(self, request: Request | None) -> None:
        """Forget a page whose callback raised: it was not seen."""
        if request is not None:
            self._deliveries.pop(request, None)
            self.flights.end(request)

    def _end(self, request: Request, delivery: Delivery, *, delivered: bool = True) -> None:
        try:
            if delivery.observation is not None:
                delivery.observation.__exit__(None, None, None)
            if delivered:
                self._note_delivered(delivery.page)
                self._note_delivered(self.detector.gate.class_of(request.url))
        except SameishError as error:
            _LOGGER.warning("%s is not remembered: %s", request.url, error)
        finally:
            self.flights.end(request)

    def _note_delivered(self, page: int) -> None:
        self._delivered[page] = None
        if len(self._delivered) > _MOST_DELIVERED:
            del self._delivered[next(iter(self._delivered))]

    @property
    def droppings(self) -> Droppings:
        """What the spider did not get to send."""
        if self._droppings is None:
            spider = self.crawler.spider
            assert spider is not None  # noqa: S101  # it is open: it made the request
            self._droppings = Droppings(self.detector.gate, self.detector.journal, spider)
        return self._droppings

    @property
    def _stats(self) -> StatsCollector:
        assert self.crawler.stats is not None  # noqa: S101  # made before any middleware
        return self.crawler.stats

    def _count(self, decision: FetchDecision) -> None:
        self._stats.inc_value("sameish/requests_saved")
        self._stats.inc_value(f"sameish/requests_saved/{reason_of(decision)}")
        size = self.detector.gate.size_of(decision.same_as) if decision.same_as else 0
        self._stats.inc_value("sameish/bytes_saved", size)

    def _is_under_way(self, request: Request) -> bool:
        engine = self.crawler.engine
        assert engine is not None  # noqa: S101  # it has made the request
        slot = engine.scraper.slot
        return request in engine.downloader.active or (slot is not None and request in slot.active)

    def _opened(self, spider: Spider) -> None:
        """Fetch what rules dropped in earlier crawls that proved wrong since."""
        del spider
        self._give_back()

    def _idle(self, spider: Spider) -> None:
        """Fetch what rules dropped in this crawl that proved wrong since, before the spider ends."""
        del spider
        if self._give_back():
            raise DontCloseSpider

    def _give_back(self) -> bool:
        requests = list(self.droppings.given_back())
        engine = self.crawler.engine
        assert engine is not None  # noqa: S101  # a spider is open in an engine
        for request in requests:
            self._stats.inc_value("sameish/given_back")
            engine.crawl(request)
        return bool(requests)

    def _closed(self, spider: Spider) -> None:
        """Log what the crawl saved, and close the store. Crawls of one store at the same time tell of each other's, too."""
        del spider
        try:
            self.detector.journal.flush()
            added = since(self._ledger, self.detector.store.ledger())
            told = lines(savings_of(added, self.detector.settings.ledger))
            if told:
                _LOGGER.info("\n".join(("What was fetched, and what was saved before the fetch:", *told)))
        except SameishError as error:
            _LOGGER.warning("what was saved cannot be told: %s", error)
        finally:
            self.detector.close()
            _CRAWLS.pop(self.crawler, None)


_CRAWLS: WeakKeyDictionary[Crawler, Crawl] = WeakKeyDictionary()


def _is_retry(request: Request) -> bool:
    """Whether a request is sent again since its answer was an error: that the page is not due now was said of that answer."""
    return request.dont_filter and bool(request.meta.get("retry_times"))


def _can_ask_conditionally(crawler: Crawler) -> bool:
    """Whether a 304 gets here: a cache that keeps whatever comes would keep that as the page."""
    settings = crawler.settings
    return not settings.getbool("HTTPCACHE_ENABLED") or settings.get("HTTPCACHE_POLICY") == _RFC2616

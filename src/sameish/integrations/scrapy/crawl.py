"""One crawl: what the middlewares share, from the opening of the store to its closing."""

from __future__ import annotations

import logging
from weakref import WeakKeyDictionary

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider

from sameish.errors import SameishError
from sameish.gate.journal import reason_of
from sameish.gate.ledger import lines, savings_of, since
from sameish.integrations.leases import Leases
from sameish.integrations.scrapy.conditions import Conditions
from sameish.integrations.scrapy.crew import Crew
from sameish.integrations.scrapy.deliveries import Deliveries
from sameish.integrations.scrapy.dropped import Droppings
from sameish.integrations.scrapy.flights import Flights
from sameish.integrations.scrapy.health import Health
from sameish.integrations.scrapy.loop import call_later
from sameish.integrations.scrapy.options import Options
from sameish.integrations.scrapy.visitors import Visitors
from sameish.models import FetchDecision

_LOGGER = logging.getLogger("sameish.scrapy")
_WRITTEN_AFTER_S = 1.0
"""What was dropped is in the store so soon, in case the process is killed."""
_MUSTERED_EVERY_S = 2.0
_RFC2616 = "scrapy.extensions.httpcache.RFC2616Policy"


class Crawl:
    """What sameish knows and does in one crawl."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.options = Options.of(crawler.settings)
        self.detector = self.options.open()
        self.health = Health()
        leases = Leases(self.detector.store) if self.options.is_shared else None
        self._crew = None if leases is None else Crew(leases)
        self.flights = Flights(self._is_under_way, self.health, leases)
        self.conditions = Conditions()
        self.visitors = Visitors(crawler.settings)
        self.droppings = Droppings(self.detector.gate, self.detector.journal, crawler)
        self.deliveries = Deliveries(self.detector, self.flights, self.droppings, self.health)
        self.asks_conditionally = _can_ask_conditionally(crawler)
        self._ledger = self.detector.store.ledger()
        self._writes_soon = self._is_closed = False
        crawler.signals.connect(self._opened, signal=signals.spider_opened)
        crawler.signals.connect(self._idle, signal=signals.spider_idle)
        crawler.signals.connect(self._closed, signal=signals.spider_closed)

    @classmethod
    def of(cls, crawler: Crawler) -> Crawl:
        """Return the one of a crawler, made when it is asked for first."""
        if crawler not in _CRAWLS:
            _CRAWLS[crawler] = cls(crawler)
        return _CRAWLS[crawler]

    def count(self, name: str, by: int = 1) -> None:
        """Add to one of Scrapy's stats."""
        assert self.crawler.stats is not None  # noqa: S101  # made before any middleware
        self.crawler.stats.inc_value(f"sameish/{name}", by)

    def audits(self, request: Request) -> bool:
        """Whether an audit is for this process to make, and for none of those that crawl with it."""
        if self._crew is None:
            return True
        self._crew.muster()  # audits are few, and a crew that has just begun does not know of all
        return self._crew.is_own(self.detector.gate.number_of(request.url))

    def saved(self, request: Request, decision: FetchDecision, described: bytes | None = None) -> None:
        """Count a request that is not sent; `described` is what is needed to make it again, None if it is answered."""
        self.count("requests_saved")
        self.count(f"requests_saved/{reason_of(decision.rule)}")
        size = self.detector.gate.size_of(decision.same_as) if decision.same_as else 0
        self.count("bytes_saved", size)
        dropped = described is not None
        self.detector.journal.skipped(request.url, decision, described or b"", dropped=dropped, size=size)
        if not self._writes_soon:
            self._writes_soon = True
            call_later(_WRITTEN_AFTER_S, self._write)

    def _write(self) -> None:
        self._writes_soon = False
        if self._is_closed or not self.health.is_well:
            return
        try:
            self.detector.journal.flush()
        except SameishError as error:
            self.health.failed("what was dropped is not written yet", error)

    def _muster(self) -> None:
        if self._crew is None or self._is_closed:
            return
        try:
            if self.health.is_well:
                self._crew.muster()
        except SameishError as error:
            self.health.failed("other processes are not seen", error)
        call_later(_MUSTERED_EVERY_S, self._muster)

    def _is_under_way(self, request: Request) -> bool:
        engine = self.crawler.engine
        assert engine is not None  # noqa: S101  # it has made the request
        slot = engine.scraper.slot
        return request in engine.downloader.active or (slot is not None and request in slot.active)

    def _opened(self, spider: Spider) -> None:
        """Fetch what rules dropped in earlier crawls that proved wrong since."""
        del spider
        self._muster()
        self._give_back()

    def _idle(self, spider: Spider) -> None:
        """Fetch what rules dropped in this crawl that proved wrong since, before the spider ends."""
        del spider
        if self._give_back():
            raise DontCloseSpider

    def _give_back(self) -> bool:
        engine, requests = self.crawler.engine, list[Request]()
        assert engine is not None  # noqa: S101  # a spider is open in an engine
        try:
            requests = self.droppings.given_back() if self.health.is_well else []
        except SameishError as error:
            self.health.failed("what was dropped cannot be looked through", error)
        for request in requests:
            self.count("given_back")
            engine.crawl(request)
        return bool(requests)

    def _closed(self, spider: Spider) -> None:
        """Log what the crawl saved, and close the store. Crawls of one store at the same time tell of each other's, too."""
        del spider
        self._is_closed = True
        try:
            if self._crew is not None:
                self._crew.leave()
            self.detector.journal.flush()
            added = since(self._ledger, self.detector.store.ledger())
            told = lines(savings_of(added, self.detector.settings.ledger))
            if told:
                _LOGGER.info("\n".join(("What was fetched, and what was saved before the fetch:", *told)))
        except SameishError as error:
            _LOGGER.warning("what was saved cannot be told: %s", error)
        finally:
            self._close()

    def _close(self) -> None:
        try:
            self.detector.close()
        except SameishError as error:
            _LOGGER.warning("the store was not closed properly: %s", error)
        finally:
            _CRAWLS.pop(self.crawler, None)


_CRAWLS: WeakKeyDictionary[Crawler, Crawl] = WeakKeyDictionary()


def _can_ask_conditionally(crawler: Crawler) -> bool:
    """Whether a 304 gets here: a cache that keeps whatever comes would keep that as the page."""
    settings = crawler.settings
    return not settings.getbool("HTTPCACHE_ENABLED") or settings.get("HTTPCACHE_POLICY") == _RFC2616

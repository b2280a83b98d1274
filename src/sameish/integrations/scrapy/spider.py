"""The spider middlewares: a page is seen only when its callback is done and has not raised."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any, Self

from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.http import Response

from sameish.integrations.scrapy.crawl import Crawl


class SpiderMiddleware:
    """Outermost: watches what callbacks yield, and other middlewares make of it, until they are done; changes nothing."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make one that shares its crawl with the other middlewares."""
        return cls(Crawl.of(crawler))

    def process_spider_output(
        self, response: Response, result: Iterable[Any], spider: Spider | None = None
    ) -> Iterator[Any]:
        """Yield what a callback yields, then have its page remembered."""
        del spider
        try:
            yield from result
        except BaseException:
            self._crawl.deliveries.failed(response.request)
            raise
        self._crawl.deliveries.done(response.request)

    async def process_spider_output_async(
        self, response: Response, result: AsyncIterator[Any], spider: Spider | None = None
    ) -> AsyncIterator[Any]:
        """Yield what a callback yields, then have its page remembered."""
        del spider
        try:
            async for one in result:
                yield one
        except BaseException:
            self._crawl.deliveries.failed(response.request)
            raise
        self._crawl.deliveries.done(response.request)

    def process_spider_exception(self, response: Response, exception: Exception, spider: Spider | None = None) -> None:
        """Let a page be forgotten whose callback never got it."""
        del exception, spider
        self._crawl.deliveries.failed(response.request)


class CallbackMiddleware:
    """Innermost: knows whether a callback was called, and whether it raised, whatever others make of that."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make one that shares its crawl with the other middlewares."""
        return cls(Crawl.of(crawler))

    def process_spider_input(self, response: Response, spider: Spider | None = None) -> None:
        """Note that the callback comes next."""
        del spider
        self._crawl.deliveries.entered(response.request)

    def process_spider_exception(self, response: Response, exception: Exception, spider: Spider | None = None) -> None:
        """Let a page whose callback raised be forgotten."""
        del exception, spider
        self._crawl.deliveries.failed(response.request)

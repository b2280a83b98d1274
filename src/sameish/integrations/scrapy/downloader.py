"""The downloader middlewares: one asks before the fetch and judges after it, one sees redirects."""

from __future__ import annotations

from typing import Self

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from sameish.integrations.scrapy.after import After
from sameish.integrations.scrapy.before import Before
from sameish.integrations.scrapy.crawl import Crawl
from sameish.integrations.scrapy.pages import META, is_concerned
from sameish.integrations.scrapy.stand_ins import first_choice
from sameish.models import Verdict, VerdictKind

_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class DownloaderMiddleware:
    """Answers, drops or lets go a request; lets the spider have a response with its verdict, or drops a duplicate."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._before, self._after = Before(crawl), After(crawl)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make one that shares its crawl with the other middlewares."""
        return cls(Crawl.of(crawler))

    async def process_request(self, request: Request, spider: Spider | None = None) -> Response | Request | None:
        """Return None to fetch, a stored copy to answer with, a request to send instead, or raise `IgnoreRequest`."""
        del spider
        if isinstance(request.meta.get(META), Verdict):
            del request.meta[META]  # copied from the response that the request was made of
        return await self._before.answer(request) if is_concerned(request) else None

    async def process_response(
        self, request: Request, response: Response, spider: Spider | None = None
    ) -> Response | Request:
        """Return what the spider is to get, a request to send in place of this one, or raise `IgnoreRequest`."""
        del spider
        if not is_concerned(request):
            return response
        if response.status in _REDIRECTS and (first := first_choice(request)) is not None:
            return first
        if response.status in _REDIRECTS:  # it gets here where the spider wants to see it
            request.meta[META] = Verdict(VerdictKind.UNDETERMINED, reason=f"a redirect: HTTP {response.status}")
            return response
        return await self._after.judge(request, response)

    def process_exception(self, request: Request, exception: Exception, spider: Spider | None = None) -> Request | None:
        """Let those go on who wait for a request that failed; return the one that it stood in for."""
        del spider
        self._crawl.conditions.take_off(request)
        self._crawl.deliveries.failed(request)
        return None if isinstance(exception, IgnoreRequest) else first_choice(request)


class RedirectMiddleware:
    """Sees answers before Scrapy follows redirects: whoever waits goes on, where it leads is remembered.

    It takes off what the request was sent with: the next one is made of it.
    """

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._after = After(crawl)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make one that shares its crawl with the other middlewares."""
        return cls(Crawl.of(crawler))

    def process_response(self, request: Request, response: Response, spider: Spider | None = None) -> Response:
        """Return the response as it is."""
        del spider
        self._crawl.conditions.take_off(request)
        if response.status in _REDIRECTS and is_concerned(request):
            self._after.redirected(request, response)
        return response

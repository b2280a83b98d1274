"""Who asks, and for what: requests of one URL that differ in that are not answered with each other's pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b
from weakref import WeakKeyDictionary

from scrapy import Request
from scrapy.settings import BaseSettings
from scrapy.settings.default_settings import DEFAULT_REQUEST_HEADERS

_VISITOR = "sameish_visitor"
"""Key of `meta`: a redirect takes the cookies off a request, but not this."""
_HOW = frozenset(
    "user-agent referer origin accept-encoding connection keep-alive te priority cache-control pragma dnt host content-type "
    "content-length upgrade-insecure-requests if-none-match if-modified-since proxy-authorization traceparent tracestate "
    "x-request-id x-correlation-id forwarded x-forwarded-for via".split()
)
"""Headers that say how it is asked, not who asks and for what; some are another with every request."""
_USUAL = {(name.lower(), value) for name, value in DEFAULT_REQUEST_HEADERS.items()}


class Visitors:
    """Tells visitors apart by what their requests say: by credentials, cookies, language, kind of answer, headers of their own.

    A cookie that a site set and Scrapy sends back is not seen: whoever logs in as several people, says which (`cookiejar`).

    Args:
        settings: of the project.
    """

    def __init__(self, settings: BaseSettings) -> None:
        self._merges_cookies = settings.getbool("COOKIES_ENABLED")
        self._known: WeakKeyDictionary[Request, str] = WeakKeyDictionary()

    def of(self, request: Request) -> str:
        """Return what stands for the visitor of a request, "" for one who says no more than Scrapy by itself."""
        if request not in self._known:
            # once, before others add to it what is theirs, as proxies do
            self._known[request] = self._read(request)
        return self._known[request]

    def _read(self, request: Request) -> str:
        visitor = _digest(self._said(request))
        if not visitor and request.meta.get("redirect_times"):
            return str(request.meta.get(_VISITOR, ""))
        request.meta.pop(_VISITOR, None)  # copied from the response that the request was made of
        if visitor:
            request.meta[_VISITOR] = visitor
        return visitor

    def _said(self, request: Request) -> Iterator[tuple[str, object]]:
        merges = self._merges_cookies and not request.meta.get("dont_merge_cookies")
        for name, values in own_headers(request).items():
            # then Scrapy writes the header itself, and one that is there is left from an earlier try
            if name != "cookie" or not merges:
                yield name, values
        if request.cookies:
            yield "cookies=", request.cookies
        if request.meta.get("cookiejar") is not None:
            yield "cookiejar=", request.meta["cookiejar"]


def own_headers(request: Request) -> dict[str, list[str]]:
    """Return the headers of a request that say who asks and for what, names in lower case, but for those that all have."""
    named = ((name.decode("latin-1").lower(), values) for name, values in request.headers.items())
    told = {
        name: [value.decode("latin-1") for value in values]
        for name, values in named
        if name not in _HOW and not name.startswith("sec-")
    }
    return {name: values for name, values in told.items() if any((name, value) not in _USUAL for value in values)}


def place_of(page: int, visitor: str) -> int:
    """Return a number for a page as a visitor sees it: the page's own for who says nothing special."""
    return page ^ int(visitor, 16) if visitor else page


def _digest(said: Iterator[tuple[str, object]]) -> str:
    told = sorted((name, json.dumps(value, sort_keys=True, default=str)) for name, value in said)
    return blake2b(json.dumps(told).encode(), digest_size=8).hexdigest() if told else ""

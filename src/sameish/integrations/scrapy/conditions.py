"""The conditional headers that sameish adds to requests: on while it is on its way, off before anybody copies them."""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from scrapy import Request

from sameish.integrations.scrapy.pages import sent_headers


class Conditions:
    """Puts headers on requests and takes them off: a redirect or a retry would carry them to where they do not belong."""

    def __init__(self) -> None:
        self._own: WeakKeyDictionary[Request, tuple[str, ...]] = WeakKeyDictionary()
        self._sent: WeakKeyDictionary[Request, Mapping[str, str]] = WeakKeyDictionary()

    def put_on(self, request: Request, headers: Mapping[str, str]) -> None:
        """Add headers, unless the spider asks conditionally itself."""
        if any(name in request.headers for name in ("If-None-Match", "If-Modified-Since")):
            return
        for name, value in headers.items():
            # as it was received: Scrapy would write text in UTF-8
            request.headers[name] = value.encode("latin-1", "replace")
        self._own[request] = tuple(headers)

    def take_off(self, request: Request) -> None:
        """Remove what was added, and remember what was sent."""
        own = self._own.pop(request, None)
        if own is None:
            return
        self._sent[request] = sent_headers(request)
        for name in own:
            request.headers.pop(name, None)

    def sent(self, request: Request) -> Mapping[str, str]:
        """Return the headers that went with a request."""
        return self._sent.pop(request, None) or sent_headers(request)

    def were_put_on(self, request: Request) -> bool:
        """Whether a request was made conditional here."""
        return request in self._own or request in self._sent

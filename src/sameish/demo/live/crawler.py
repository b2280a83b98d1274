"""A small crawler: eight threads over the standard library's HTTP client, every link of the sites once."""

from __future__ import annotations

import gzip
import re
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from html import unescape
from http.client import HTTPConnection
from typing import Protocol
from urllib.parse import urldefrag, urljoin, urlsplit

THREADS = 8
_LINK = re.compile(rb'<a\s[^>]*?\bhref="([^"]+)"')
_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Response:
    """What came over the wire; `.body` without its coding."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Fetcher(Protocol):
    """How a crawler comes by a page."""

    def fetch(self, url: str) -> bytes | None:
        """Return the page, fetched or as it was stored; None where there is none, or it need not be looked at."""
        ...

    def owed(self) -> Iterable[str]:
        """Return URLs that turned out to be needed after all; asked when all others are done, until there are none."""
        ...


class Client:
    """An HTTP client that keeps a connection to each host open in each thread."""

    def __init__(self) -> None:
        self._local = threading.local()
        self._open: list[HTTPConnection] = []

    def get(self, url: str, headers: Mapping[str, str]) -> Response:
        """Return the answer to a GET."""
        parts = urlsplit(url)
        connection = self._connection(parts.netloc)
        target = f"{parts.path or '/'}{parts.query and '?' + parts.query}"
        connection.request("GET", target, headers={"Accept-Encoding": "gzip", **headers})
        answer = connection.getresponse()
        body = answer.read()
        if answer.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        return Response(answer.status, dict(answer.headers), body)

    def close(self) -> None:
        """Close all connections."""
        for connection in self._open:
            connection.close()

    def _connection(self, place: str) -> HTTPConnection:
        mine: dict[str, HTTPConnection] = self._local.__dict__
        if place not in mine:
            mine[place] = HTTPConnection(place, timeout=_SECONDS)
            self._open.append(mine[place])
        return mine[place]


def crawl(fetcher: Fetcher, start: Iterable[str], keep: Callable[[bytes], None]) -> None:
    """Fetch all pages that links lead to, on the hosts of the first ones.

    Args:
        fetcher: comes by the pages.
        start: the first URLs.
        keep: gets every page.
    """
    first = list(start)
    hosts = {urlsplit(url).netloc for url in first}

    def visit(url: str) -> Iterator[str]:
        body = fetcher.fetch(url)
        if body is None:
            return iter(())
        keep(body)
        return (link for link in links_of(body, url) if urlsplit(link).netloc in hosts)

    seen = set(first)
    with ThreadPoolExecutor(THREADS) as threads:
        under_way: deque[Future[Iterator[str]]] = deque(threads.submit(visit, url) for url in first)
        while under_way:
            for link in under_way.popleft().result():
                if link not in seen:
                    seen.add(link)
                    under_way.append(threads.submit(visit, link))
            if not under_way:
                under_way.extend(threads.submit(visit, url) for url in fetcher.owed())


def links_of(body: bytes, url: str) -> Iterator[str]:
    """Yield the links of a page, made absolute, without fragments."""
    for found in _LINK.finditer(body):
        yield urldefrag(urljoin(url, unescape(found[1].decode("ascii", "replace")))).url

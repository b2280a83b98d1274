"""How a crawler comes by a page without sameish: it fetches every URL, and asks conditionally for what it has."""

from __future__ import annotations

from sameish.demo.live.crawler import Client


class Plain:
    """Fetches every URL; keeps the last body of each, and asks for it again with the validators that came with it."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[dict[str, str], bytes]] = {}
        self.client = Client()

    def fetch(self, url: str) -> bytes | None:
        """Return the page, from its own copy where the server says that it has not changed."""
        conditions, copy = self._kept.get(url, ({}, None))
        response = self.client.get(url, conditions)
        if response.status == 304:
            return copy
        if response.status != 200:
            return None
        pairs = (("If-None-Match", "ETag"), ("If-Modified-Since", "Last-Modified"))
        told = {asked: value for asked, name in pairs if (value := response.headers.get(name))}
        self._kept[url] = told, response.body
        return response.body

    def owed(self) -> tuple[str, ...]:
        """Return nothing: no URL was left out."""
        return ()

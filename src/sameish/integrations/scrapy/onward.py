"""Whether a duplicate leads where the page that it equals does not: the third empty month of a calendar, with its own "next"."""

from __future__ import annotations

import re
from collections import Counter

from sameish.gate.gate import Gate
from sameish.models import Page
from sameish.reading.links import Link, links_of
from sameish.urls.keys import url_key
from sameish.urls.site import site_of
from sameish.urls.undated import undated

_FEW = 3
"""More links with other targets than these are no way on but a list that rotates, or a mark that the site puts on all of them."""
_IN_A_ROW, _IN_ALL = 12, 200
"""So many empty months in a row are followed, as in `sameish.urls.traps`; a site without end can make up each next address."""
_PARTS = re.compile(r"[/?&=;#]+")


class Onward:
    """Which duplicates lead on, in one crawl: only so many with one content in a row that lead to nothing new, and in all.

    Args:
        gate: knows pages.
    """

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._in_a_row: Counter[bytes] = Counter()
        self._in_all: Counter[bytes] = Counter()
        self._led: set[int] = set()

    def is_open(self, content: bytes) -> bool:
        """Whether a further page with a content may lead on; `content`: digest of it."""
        return self._in_a_row[content] < _IN_A_ROW and self._in_all[content] < _IN_ALL

    def followed(self, url: str, content: bytes) -> None:
        """Note that a page with a content reaches its callback because it leads on."""
        self._in_a_row[content] += 1
        self._in_all[content] += 1
        self._led.add(self._gate.class_of(url))

    def brought(self, referrer: str) -> None:
        """Note that a page said something else to which another linked: what leads on is followed further."""
        if self._led and self._gate.class_of(referrer) in self._led:
            self._in_a_row.clear()


def leads_on(gate: Gate, page: Page, other: Page) -> bool:
    """Tell whether a page links to pages that are not known, in a place where another with the same text links elsewhere.

    A link whose address takes up what tells the address of its page from that of the other one (a session, a mark of where the
    reader came from) leads to another version of what the other one links to.

    Args:
        gate: knows pages.
        page: that says the same as another.
        other: that one; both have a URL.
    """
    here, there = _by_text(links_of(page), page), _by_text(links_of(other), other)
    own = _parts(page) - _parts(other)
    there_too = {key for keys in there.values() for key in keys}
    site = site_of(page.url)
    onward = {
        key
        for text, keys in here.items()
        for key in keys - there_too
        if there.get(text, set()) - keys and own.isdisjoint(_PARTS.split(key)) and not gate.knows(key, site)
    }
    return 0 < len(onward) <= _FEW


def _by_text(links: list[Link], page: Page) -> dict[bytes, set[str]]:
    """Return the keys of a page's own site by the words of the links to them, dates and places in a count left out."""
    found: dict[bytes, set[str]] = {}
    site, key = site_of(page.url), _key(page)
    for link in links:
        if link.url.startswith(("http:", "https:")) and site_of(link.url) == site:
            found.setdefault(undated((link.text,), key), set()).add(url_key(link.url))
    return found


def _parts(page: Page) -> set[str]:
    return set(_PARTS.split(_key(page)))


def _key(page: Page) -> str:
    return url_key(page.url or "")

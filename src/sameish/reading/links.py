"""Where a page leads: its links, with their words."""

from __future__ import annotations

from typing import NamedTuple

from sameish.models import Page
from sameish.reading import decoding, dom, kinds


class Link(NamedTuple):
    """`.text`: its words, in one line. `.url`: absolute."""

    text: str
    url: str


def links_of(page: Page) -> list[Link]:
    """Return the links of an HTML page, in order; none of bytes of another kind.

    Args:
        page: with no content coding on its body.
    """
    body = page.body if isinstance(page.body, bytes) else page.body.encode("utf-8", "replace")
    if kinds.is_binary(page, body):
        return []
    document = dom.parse(decoding.decode(page, body).text)
    found = [(link, (link.attr("href") or "").strip()) for link in document.select("a[href], area[href]")]
    base = document.base_url(page.url or "")
    absolute = [(link, dom.joined(base, address)) for link, address in found if address]
    return [Link(" ".join(dom.spoken_text(link).split()), url) for link, url in absolute if url is not None]

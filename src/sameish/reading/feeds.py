"""Writes a feed (RSS, RDF, Atom) as the page that a feed reader would show."""

from __future__ import annotations

import re
from html import escape

from sameish.reading import dom

_ROOT = re.compile(r"<(?:rss|feed|rdf:RDF)[\s>]")
_ROOT_WITHIN = 2000
_BARE_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\w{1,8});)")


def as_page(text: str) -> str | None:
    """Return a page with the feed's title and a section for each entry; None if the text is no feed, or is cut off."""
    head = text[:_ROOT_WITHIN]
    if not _ROOT.search(head) or "<html" in head.lower():
        return None
    feed = dom.feed_of(text.lstrip()) or dom.feed_of(_BARE_AMPERSAND.sub("&amp;", text.lstrip()))
    if feed is None:
        return None
    title = escape(feed.title or "")
    entries = "".join(_section(entry.title, entry.content or entry.summary) for entry in feed.entries)
    about = escape(feed.description or "")
    return f"<title>{title}</title><body><main><h1>{title}</h1><p>{about}</p>{entries}</main>"


def _section(title: str | None, content: str | bytes | None) -> str:
    shown = content if isinstance(content, str) else ""  # Atom's content may be an attached file
    return f"<section><h2>{escape(title or '')}</h2><div>{shown}</div></section>"

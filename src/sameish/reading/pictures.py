"""Gives words to links that show a picture alone, on pages that are for such links: a gallery, a shelf of a shop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from sameish.reading.dom import Element, Text
from sameish.reading.listing import is_listing
from sameish.reading.remover import Remover

_ABOUT = 2
"""Words for which a link counts before its own are known."""


def name_pictures(remover: Remover, links: Sequence[Element]) -> None:
    """Add to links without a word what tells them apart, in place, if they outweigh the text of their page.

    That is the picture's alternative text, else the end of the address. Links that others with words lead to as well stay.

    Args:
        remover: has stripped the page.
        links: of the page.
    """
    if not is_listing([_ABOUT] * len(remover.wordless), remover.words):
        return
    silent = frozenset(remover.wordless)
    told = {link.attr("href") for link in links if link not in silent}
    names = [(link, name) for link, name in _named(remover) if link.attr("href") not in told]
    if is_listing([len(name.split()) for _, name in names], remover.words):
        for link, name in names:
            link.append(Text(f" {name} "))


def _named(remover: Remover) -> Iterator[tuple[Element, str]]:
    for link in remover.wordless:
        picture = link.select_one("img")
        if picture is not None and not remover.is_gone(link):
            name = (picture.attr("alt") or "").strip() or _end_of(link.attr("href") or "")
            if name:
                yield link, name


def _end_of(address: str) -> str:
    """Return the last part of an address, with its query: `chair-41.html`, `item?id=41`."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    end = parts.path.rstrip("/").rpartition("/")[2]
    return f"{end}?{parts.query}" if parts.query else end

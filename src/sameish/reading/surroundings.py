"""What a page says of itself: title, language, canonical address, translations, data, whether it asks for a password."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from sameish.reading import boilerplate, dom, structured
from sameish.reading.dom import Document, Element
from sameish.reading.survey import Survey

_INLINE = frozenset(
    "a abbr b bdi bdo br cite code em font i img kbd mark q s samp small span strong sub sup time u var wbr".split()
)
_FIELDS = 10
"""How many password fields are looked at."""
_TRANSLATIONS = 50
"""How many addresses in other languages are kept."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is taken from a document before anything is removed from it."""

    title: str = ""
    language: str | None = None
    canonical: str | None = None
    translations: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    scripts: tuple[tuple[bool, str], ...] = ()
    has_password: bool = False


def look_around(document: Document, found: Survey, url: str | None) -> Surroundings:
    """Return what a document says of itself; `url` is its address."""
    passwords = [field for field in found.of("input") if (field.attr("type") or "").lower() == "password"]
    return Surroundings(
        title=" ".join(_title_of(found).split()),
        language=_language_of(found),
        canonical=_canonical_of(document, found, url),
        translations=_translations_of(document, found, url),
        tags=tuple([tag for tag in found.tags if tag not in _INLINE]),
        scripts=structured.scripts_of(found.of("script")),
        has_password=any(map(boilerplate.stands_in_content, passwords[:_FIELDS])),
    )


def _title_of(found: Survey) -> str:
    """Return the text of `<title>`, or of `og:title`."""
    title = next((one for one in found.of("title") if not one.closest("svg")), None)
    if title is not None and (text := title.text.strip()):
        return text
    return next((_content_of(meta) for meta in found.of("meta") if meta.attr("property") == "og:title"), "")


def _language_of(found: Survey) -> str | None:
    """Return the declared language (BCP 47), or None."""
    root = found.first("html")
    language = (root.attr("lang") or "").strip() if root is not None else ""
    if language:
        return language
    metas = (meta for meta in found.of("meta") if (meta.attr("http-equiv") or "").lower() == "content-language")
    return next(map(_content_of, metas), "") or None


def _canonical_of(document: Document, found: Survey, url: str | None) -> str | None:
    """Return the address in `<link rel=canonical>` (RFC 6596) made absolute, or None."""
    links = (link for link in found.of("link") if "canonical" in (link.attr("rel") or "").lower().split())
    address = next((link.attr("href") or "" for link in links), "").strip()
    return dom.absolute(document, address, url) if address else None


def _translations_of(document: Document, found: Survey, url: str | None) -> tuple[str, ...]:
    """Return the addresses in `<link rel=alternate hreflang=...>` (HTML standard, link type "alternate") made absolute."""
    links = (link for link in found.of("link") if link.attr("hreflang") and link.attr("href"))
    alternates = (link for link in links if "alternate" in (link.attr("rel") or "").lower().split())
    addresses = (dom.absolute(document, (link.attr("href") or "").strip(), url) for link in alternates)
    return tuple(islice((address for address in addresses if address), _TRANSLATIONS))


def _content_of(meta: Element) -> str:
    return (meta.attr("content") or "").strip()

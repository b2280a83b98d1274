"""What rules for boilerplate never take although it falls under them: notes, headlines, long forms, headings in the text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from sameish.reading import dom
from sameish.reading.dom import Element
from sameish.reading.measuring import letters, link_letters
from sameish.reading.names import words_of

_NOTE = frozenset(
    "note notes warning tip hint caution danger important admonition callout info infobox example".split()
)
_FORM_WORDS = 60
"""A form with fewer words is a search, a login or a newsletter box; such a noscript is a warning or a picture."""
_TITLES, _MAIN_IDS = "h2, h3, h4", ("main", "content", "main-content")
_NOTE_LINK_SHARE, _FEW_LINKS = 0.3, 3


def is_short(element: Element) -> bool:
    """Whether a form or a noscript holds few words."""
    return len(dom.spoken_text(element).split()) <= _FORM_WORDS


def link_share(element: Element) -> float:
    """Share of the text that stands in links, 0 where there are fewer than three."""
    if len(element.select("a")) < _FEW_LINKS:
        return 0.0
    text = letters(dom.spoken_text(element))
    return link_letters(element) / text if text else 0.0


def _is_note(element: Element) -> bool:
    """A note, warning or pull-out inside the text is content; a list of links beside it is not."""
    if _NOTE.intersection(words_of(element.attr("class") or "")):
        return True
    return element.closest("article, main, [role=main]") is not None and link_share(element) < _NOTE_LINK_SHARE


def _is_headline(element: Element) -> bool:
    return element.select_one("h1") is not None


def _is_long(element: Element) -> bool:
    return not is_short(element)


def _is_heading_alone(element: Element) -> bool:
    """Whether a name such as `toc-heading` says that the table of contents names this: what holds no link leads nowhere."""
    if element.tag == "nav" or element.attr("role"):
        return False
    return element.select_one(_TITLES) is not None and element.select_one("a") is None


def _is_main(element: Element) -> bool:
    """A name such as `right-sidebar` may say that there is one beside the content."""
    return element.attr("id") in _MAIN_IDS


EXEMPT: Final[Mapping[str, Callable[[Element], bool]]] = {
    "aside": _is_note, "page-header": _is_headline, "form": _is_long, "sidebar": _is_main, "navigation": _is_heading_alone,
}  # fmt: skip
"""Rules, and what they never take."""

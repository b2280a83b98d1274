"""What rules for boilerplate never take although it falls under them: notes, headlines, long forms, folded tabs, prices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from sameish.reading import dom
from sameish.reading.dom import Element
from sameish.reading.measuring import letters, link_letters
from sameish.reading.names import words_of
from sameish.reading.prices import holds_price

_NOTE = frozenset(
    "note notes warning tip hint caution danger important admonition callout info infobox example".split()
)
_FORM_WORDS = 60
"""A form with fewer words is a search, a login or a newsletter box; such a noscript is a warning or a picture."""
_TITLES, _MAIN_IDS = "h2, h3, h4", ("main", "content", "main-content")
_NOTE_LINK_SHARE, _FEW_LINKS = 0.3, 3
_PANELS = ("tabpanel", "tab-panel", "tabpane", "tab-pane", "tab-content", "accordion")
_INLINE = frozenset("span b strong em i s del ins sup small data".split())
_UNSEEN = "[hidden], [style]"


def is_short(element: Element) -> bool:
    """Whether a form or a noscript holds few words."""
    return len(dom.spoken_text(element).split()) <= _FORM_WORDS


def link_share(element: Element) -> float:
    """Share of the text that stands in links, 0 where there are fewer than three."""
    if len(element.select("a")) < _FEW_LINKS:
        return 0.0
    text = letters(dom.spoken_text(element))
    return link_letters(element) / text if text else 0.0


def has_price(element: Element) -> bool:
    """Whether an element says what something costs."""
    return holds_price(dom.spoken_text(element))


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
    return element.select_one("a") is None and element.select_one(_TITLES) is not None


def _is_only_named(element: Element) -> bool:
    return element.tag != "nav" and not element.attr("role")


def _is_main(element: Element) -> bool:
    """A name such as `right-sidebar` may say that there is one beside the content."""
    return element.attr("id") in _MAIN_IDS


def _is_panel(element: Element) -> bool:
    """Whether readers open it, as a tab or a fold, and find more than links."""
    name = (element.attr("class") or "").lower()
    if element.attr("role") != "tabpanel" and not any(part in name for part in _PANELS):
        return False
    return link_share(element) < _NOTE_LINK_SHARE


def _is_price_list(element: Element) -> bool:
    """What holds a price and no link leads nowhere: a `menu` may be a restaurant's, a `subscription` what it costs."""
    # the first link is found at once, and nearly all suspects hold one
    return element.select_one("a, input") is None and has_price(element)


def _is_spoken_price(element: Element) -> bool:
    """A price that is hidden from the eye or from the ear: shops write one for each."""
    return element.tag in _INLINE and not element.matches(_UNSEEN) and has_price(element)


def _is_note_or_price_list(element: Element) -> bool:
    return _is_note(element) or _is_price_list(element)


def _is_headline_or_price_list(element: Element) -> bool:
    return _is_headline(element) or _is_price_list(element)


def _is_long_or_has_price(element: Element) -> bool:
    return _is_long(element) or has_price(element)


def _leads_nowhere(element: Element) -> bool:
    return _is_only_named(element) and (_is_heading_alone(element) or _is_price_list(element))


def _is_unfolded(element: Element) -> bool:
    return _is_panel(element) or _is_spoken_price(element)


EXEMPT: Final[Mapping[str, Callable[[Element], bool]]] = {
    "aside": _is_note_or_price_list,
    "page-header": _is_headline_or_price_list,
    "form": _is_long_or_has_price,
    "sidebar": _is_main,
    "navigation": _leads_nowhere,
    "hidden": _is_unfolded,
    **dict.fromkeys(("related", "share", "tags", "newsletter"), _is_price_list),
}
"""Rules, and what they never take."""

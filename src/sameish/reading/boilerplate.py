"""Takes out what stands around the content, and never the content itself.

Three kinds of rule, each counted by name in `Extract.removed`: selectors (tags, roles, hidden copies), whole words of
class and id names, and lists that are mostly links. Names are cut into words at `-`, `_` and camel-case humps and must
consist of known words only: `ad-slot` and `siteFooter` match, `contentWithSidebar`, `header_row` and `shadow` do not.
No rule takes what holds most of the page's prose, alone or together (a forum's comments are its content).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from sameish.errors import SettingsError
from sameish.reading import dom
from sameish.reading.boilerplate_rules import rules_of, suspects_of
from sameish.reading.dom import Document, Element
from sameish.reading.names import words_of

MOST = 0.5
"""Share of the page's prose from which an element is never removed."""

SEEN = 4000
"""Characters of visible text, furniture included, in which tell-tale phrases are sought."""
# the last: what mdBook wraps around an example so that it runs, and does not show
_LINE_NUMBERS = (
    "td.linenos, td.gutter, td.blob-num, td.hljs-ln-numbers, pre .lineno, pre .linenos, pre .line-number, pre .ln, "
    "pre .boring"
)
# a script's shell may show nothing but these: small and without a heading they are never the content
_FURNITURE, _SMALL, _HEADED = ("page-footer", "page-header", "footer"), 600, "h1, h2, main, article"
_NOTE = frozenset(
    "note notes warning tip hint caution danger important admonition callout info infobox example".split()
)
_NEVER = frozenset(
    ("html", "body", "main", "article", "table", "tbody", "tr", "td", "th", "thead", "h1", "pre", "code")
)
_FORM_WORDS = 60
"""A form with fewer words is a search, a login or a newsletter box; such a noscript is a warning or a picture."""
_TITLES, _MAIN_IDS = "h2, h3, h4", ("main", "content", "main-content")
_HEADINGS = ("h2", "h3", "h4", "h5", "h6")
_LINK_SHARE, _NOTE_LINK_SHARE, _FEW_LINKS = 0.75, 0.3, 3
_LONG = 1000
_INDEX_PROSE = 300
"""A page with fewer characters outside links is an index: its lists are its content."""


@dataclass(slots=True)
class Remover:
    """Removes elements from one document and counts what went by which rule.

    `.removed` counts elements by rule. `.prose` is the number of characters outside links when `measure` was called, `.seen`
    the beginning of the text that a reader saw then.
    """

    document: Document
    keep: str = ""
    removed: Counter[str] = field(default_factory=Counter)
    gone: set[Element] = field(default_factory=set)
    prose: int = 0
    seen: str = ""

    def measure(self) -> None:
        """Take the page's text as it is now for the whole."""
        body = self.document.select_one("body") or self.document.root
        if body is not None:
            text = dom.spoken_text(body)
            self.prose, self.seen = _letters(text) - _link_letters(body), text[:SEEN]

    def remove_elements(self, elements: Collection[Element], rule: str) -> None:
        """Remove elements, unweighed."""
        for element in elements:
            element.extract()
        if elements:
            self.removed[rule] += len(elements)
            self.gone.update(elements)

    def remove_unkept(self, elements: list[Element], rule: str) -> None:
        """Remove elements without weighing them, but not those that the settings keep."""
        self.remove_elements([one for one in elements if dom.KEPT not in one.attrs] if self.keep else elements, rule)

    def keep_all(self, selectors: list[str]) -> None:
        """Keep every match, and what it stands in, from the rules that weigh; and mark it for the choice of content."""
        self.keep = ", ".join(selectors)
        for element in self.document.select(self.keep):
            element.attrs[dom.KEPT] = "yes"

    def remove_group(self, elements: list[Element], rule: str) -> None:
        """Remove elements that fall under one rule, unless together they hold most of the page's prose."""
        outer = [element for element in self._outermost(elements) if not self._is_kept(element)]
        limit = MOST * self.prose
        # all text is more than the prose: where it is not too much, nothing need be weighed
        if sum(len(dom.spoken_text(element)) for element in outer) > limit:
            outer = _light_ones(outer, rule, limit)
        self.remove_elements(outer, rule)

    def _outermost(self, elements: list[Element]) -> list[Element]:
        """Leave out elements inside others of the list, or inside what has gone."""
        above = self.gone.union(elements)
        return [one for one in dict.fromkeys(elements) if one not in self.gone and above.isdisjoint(one.ancestors)]

    def _is_kept(self, element: Element) -> bool:
        if element.tag in _NEVER:
            return True
        return bool(self.keep) and (element.closest(self.keep) or element.select_one(self.keep)) is not None


def strip(
    document: Document, elements: Sequence[Element], tags: Sequence[str], *, remove: Iterable[str], keep: Iterable[str]
) -> Remover:
    """Remove boilerplate in place; return what was counted and seen on the way.

    `elements` are all elements of the document, `tags` their names. `remove` and `keep` are CSS selectors from the settings:
    what goes in any case, and what no built-in rule may take.
    """
    remover = Remover(document)
    if kept := _checked(document, "reading.keep", keep):
        remover.keep_all(kept)
    for selector in _checked(document, "reading.remove", remove):
        remover.remove_elements(document.select(selector), "settings")
    suspects = suspects_of(document, elements, tags)
    remover.remove_unkept([*suspects.not_text, *filter(_is_short, suspects.by_rule.get("noscript", ()))], "not-text")
    if "pre" in tags:
        remover.remove_unkept(document.select(_LINE_NUMBERS), "line-number")
    remover.measure()
    for rule, suspected in suspects.in_order():
        exempt = _EXEMPT.get(rule)
        remover.remove_group([element for element in suspected if not exempt(element)] if exempt else suspected, rule)
    if remover.prose >= _INDEX_PROSE:  # else the lists are the page
        remover.remove_group(_link_lists(document), "link-list")
    return remover


def stands_in_content(element: Element) -> bool:
    """Tell whether no rule would take what an element stands in, forms aside: a login in a menu or a hidden box is furniture."""
    return all(rules_of(above) <= {"form"} for above in element.ancestors if isinstance(above, Element))


def check_selectors(remove: Iterable[str], keep: Iterable[str], where: str = "reading") -> None:
    """Refuse selectors that are not CSS before any page is read.

    Raises:
        SettingsError: naming the setting and the selector.
    """
    document = dom.parse("")
    _checked(document, f"{where}.remove", remove)
    _checked(document, f"{where}.keep", keep)


def _checked(document: Document, setting: str, selectors: Iterable[str]) -> list[str]:
    for selector in selectors:
        try:
            document.select_one(selector)
        except ValueError as error:
            raise SettingsError(f"{setting}: {error}") from error
    return list(selectors)


def _light_ones(elements: list[Element], rule: str, limit: float) -> list[Element]:
    """Return those elements of a group that may go although together they may hold most of the prose."""
    sizes = [_prose(element) for element in elements]
    if sum(sizes) <= limit:
        return elements
    # one of them may be the content and the others not: weigh them one by one, unless many share the text
    light = max(sizes) > limit
    return [
        element
        for element, size in zip(elements, sizes, strict=True)
        if (light and size <= limit) or (rule in _FURNITURE and size <= _SMALL and not element.select_one(_HEADED))
    ]


def _prose(element: Element) -> int:
    """Characters outside links: what a reader came for, where menus have only links."""
    return max(0, _letters(dom.spoken_text(element)) - _link_letters(element))


def _link_letters(element: Element) -> int:
    return _letters("".join(map(dom.spoken_text, element.select("a"))))


def _letters(text: str) -> int:
    """Characters that are no white space: indented markup holds more of it than of text."""
    if len(text) < _LONG:
        return len(text) - sum(map(text.count, " \n\t"))
    # a search for what stands everywhere stops at every place: comparing all characters at once is quicker
    return int(np.count_nonzero(np.frombuffer(text.encode("utf-32-le", "replace"), "<u4") > ord(" ")))


def _is_short(element: Element) -> bool:
    return len(dom.spoken_text(element).split()) <= _FORM_WORDS


def _is_note(element: Element) -> bool:
    """A note, warning or pull-out inside the text is content; a list of links beside it is not."""
    if _NOTE.intersection(words_of(element.attr("class") or "")):
        return True
    return element.closest("article, main, [role=main]") is not None and _link_share(element) < _NOTE_LINK_SHARE


def _is_headline(element: Element) -> bool:
    return element.select_one("h1") is not None


def _is_long(element: Element) -> bool:
    return not _is_short(element)


def _is_main_part(element: Element) -> bool:
    """A name such as `right-sidebar` may say that there is one beside the content."""
    return element.attr("id") in _MAIN_IDS


def _is_heading_alone(element: Element) -> bool:
    """A name such as `toc-heading` may say that the table of contents names this: what holds no link leads nowhere."""
    if element.tag == "nav" or element.attr("role"):
        return False
    return element.select_one(_TITLES) is not None and element.select_one("a") is None


# what a rule never takes
_EXEMPT = {
    "aside": _is_note,
    "page-header": _is_headline,
    "form": _is_long,
    "sidebar": _is_main_part,
    "navigation": _is_heading_alone,
}


def _link_lists(document: Document) -> list[Element]:
    """A list of three links or more that is little but links leads elsewhere, and so does the heading that is its alone."""
    lists = [element for element in document.select("ul, ol, dl") if _link_share(element) > _LINK_SHARE]
    return lists + [heading for element in lists if (heading := _heading_of(element)) is not None]


def _heading_of(element: Element) -> Element | None:
    """Return the heading before a list after which its parent ends, or goes on with a heading."""
    before, after = element.previous_sibling, element.next_sibling
    while before is not None and not _shows(before):
        before = before.previous_sibling
    while after is not None and not _shows(after):
        after = after.next_sibling
    if isinstance(before, Element) and before.tag in _HEADINGS:
        return before if after is None or (isinstance(after, Element) and after.tag in _HEADINGS) else None
    return None


def _shows(node: object) -> bool:
    return isinstance(node, Element) or (isinstance(node, dom.Text) and not node.data.isspace())


def _link_share(element: Element) -> float:
    """Share of the text that stands in links, 0 where there are fewer than three."""
    if len(element.select("a")) < _FEW_LINKS:
        return 0.0
    text = _letters(dom.spoken_text(element))
    return _link_letters(element) / text if text else 0.0

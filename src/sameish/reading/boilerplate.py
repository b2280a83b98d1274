"""Takes out what stands around the content, and never the content itself.

Three kinds of rule, each counted by name in `Extract.removed`: tags, roles and what is hidden, whole words of class and id
names, and lists that are mostly links. Names are cut into words at `-`, `_` and camel-case humps and must consist of known
words only: `ad-slot` and `siteFooter` match, `contentWithSidebar`, `header_row` and `shadow` do not. No rule takes what holds
most of the page's prose, alone or together (a forum's comments are its content).
"""

from __future__ import annotations

from collections.abc import Iterable

from sameish.errors import SettingsError
from sameish.reading import dom
from sameish.reading.boilerplate_rules import rules_of, suspects_of
from sameish.reading.dom import Document, Element
from sameish.reading.exemptions import EXEMPT, has_price, is_short, link_share
from sameish.reading.listing import is_listing
from sameish.reading.remover import Remover
from sameish.reading.survey import Survey
from sameish.reading.words import rough_word_counts

_NUMBER_CELLS = frozenset(("linenos", "gutter", "blob-num", "hljs-ln-numbers"))
# the last: what mdBook wraps around an example so that it runs, and does not show
_LINE_NUMBERS = ".lineno, .linenos, .line-number, .ln, .boring"
_HEADINGS = ("h2", "h3", "h4", "h5", "h6")
_LINK_SHARE = 0.75
_INDEX_PROSE = 300
"""A page with fewer characters outside links is an index: its lists are its content."""


def strip(document: Document, found: Survey, *, remove: Iterable[str], keep: Iterable[str]) -> Remover:
    """Remove boilerplate in place; return what was counted and seen on the way.

    `found` is what is in the document. `remove` and `keep` are CSS selectors from the settings: what goes in any case, and what
    no built-in rule may take.
    """
    remover = Remover(document)
    if kept := _checked(document, "reading.keep", keep):
        remover.keep_all(kept)
    for selector in _checked(document, "reading.remove", remove):
        remover.remove_elements(document.select(selector), "settings")
    suspects = suspects_of(document, found)
    unread = [element for element in suspects.not_text if element.tag != "button" or not has_price(element)]
    remover.remove_unkept([*unread, *filter(is_short, found.of("noscript"))], "not-text")
    if found.of("pre"):
        remover.remove_unkept(_line_numbers(found), "line-number")
    remover.measure(found.first("body") or document, found.of("a"))
    for rule, suspected in suspects.in_order():
        exempt = EXEMPT.get(rule)
        remover.remove_group([element for element in suspected if not exempt(element)] if exempt else suspected, rule)
    if remover.prose >= _INDEX_PROSE:  # else the lists are the page
        remover.remove_group(_link_lists(remover, found), "link-list")
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


def _line_numbers(found: Survey) -> list[Element]:
    cells = [cell for cell in found.of("td") if not _NUMBER_CELLS.isdisjoint((cell.attr("class") or "").split())]
    return cells + [number for block in found.of("pre") for number in block.select(_LINE_NUMBERS)]


def _link_lists(remover: Remover, found: Survey) -> list[Element]:
    """A list of three links or more that is little but links leads elsewhere, and so does the heading that is its alone."""
    left = [element for element in found.of("ul", "ol", "dl") if not remover.is_gone(element)]
    lists = [element for element in left if link_share(element) > _LINK_SHARE]
    if _is_listing(lists, remover.words):
        return []
    return lists + [heading for element in lists if (heading := _heading_of(element)) is not None]


def _is_listing(lists: Iterable[Element], words: float) -> bool:
    """Whether the links in lists outweigh a text of so many words."""
    links = (dom.spoken_text(link) for element in lists for link in element.select("a"))
    return is_listing(rough_word_counts(map(str.strip, links)), words)


def _heading_of(element: Element) -> Element | None:
    """Return the heading before a list after which its parent ends, or goes on with a heading."""
    before, after = element.previous_sibling, element.next_sibling
    while before is not None and not _shows(before):
        before = before.previous_sibling
    while after is not None and not _shows(after):
        after = after.next_sibling
    # a number in a heading is a fact: `Recommended dose: 5 mg`
    if isinstance(before, Element) and before.tag in _HEADINGS and not any(map(str.isdigit, dom.spoken_text(before))):
        return before if after is None or (isinstance(after, Element) and after.tag in _HEADINGS) else None
    return None


def _shows(node: object) -> bool:
    return isinstance(node, Element) or (isinstance(node, dom.Text) and not node.data.isspace())

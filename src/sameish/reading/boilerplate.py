"""Takes out what stands around the content, and never the content itself.

Three kinds of rule, each counted by name in `Extract.removed`: selectors (tags, roles, hidden copies), whole words of
class and id names, and lists that are mostly links. Names are cut into words at `-`, `_` and camel-case humps and must
consist of known words only: `ad-slot` and `siteFooter` match, `contentWithSidebar`, `header_row` and `shadow` do not.
No rule takes what holds most of the page's prose, alone or together (a forum's comments are its content).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from sameish.errors import SettingsError
from sameish.reading import dom
from sameish.reading.dom import Document, Element
from sameish.reading.names import rule_of_name, words_of

MOST = 0.5
"""Share of the page's prose from which an element is never removed."""

SEEN = 4000
"""Characters of visible text, furniture included, in which tell-tale phrases are sought."""
_ALWAYS = (
    "script, style, link, meta, template, svg, canvas, iframe, object, embed, audio, video, map, datalist, "
    "input:not([type=checkbox]), button, select, textarea, progress, meter, amp-sidebar, amp-ad"
)
# the last: what mdBook wraps around an example so that it runs, and does not show
_LINE_NUMBERS = (
    "td.linenos, td.gutter, td.blob-num, td.hljs-ln-numbers, pre .lineno, pre .linenos, pre .line-number, pre .ln, "
    "pre .boring"
)
# rule name -> selector; each match is weighed against the page's text before it goes
_SELECTORS = {
    "hidden": "[hidden], [aria-hidden=true], [style*='display:none'], [style*='display: none'], [style*='visibility:hidden'], "
    "[style*='visibility: hidden'], .sr-only, .visually-hidden, .screen-reader-text, .visuallyhidden",
    "navigation": "nav, [role=navigation], menu[type=toolbar], [role=menubar], [role=menu], [role=search], [role=tablist]",
    "page-footer": "body > footer, [role=contentinfo], footer:not(article footer, main footer, section footer)",
    "page-header": "header:not(article header, main header, section header), [role=banner]",
    "aside": "aside, [role=complementary]",
    "dialog": "dialog, [role=dialog], [role=alertdialog]",
    "form": "form",
    "noscript": "noscript",
}
_AROUND = ", ".join(selector for rule, selector in _SELECTORS.items() if rule != "form")
# a script's shell may show nothing but these: small and without a heading they are never the content
_FURNITURE, _SMALL, _HEADED = ("page-footer", "page-header", "footer"), 600, "h1, h2, main, article"
# attributes whose value names what an element is
_NAMING = ("class", "id", "data-testid", "data-component", "aria-label")
_MANY_NAMES = 200
# what cannot stand in a quoted CSS string as it is
_QUOTED = re.compile(r'["\\\n\r\f]')
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
    prose: int = 0
    seen: str = ""

    def measure(self) -> None:
        """Take the page's text as it is now for the whole."""
        body = self.document.select_one("body") or self.document.root
        if body is not None:
            self.prose, self.seen = _prose(body), dom.spoken_text(body)[:SEEN]

    def remove_all(self, selector: str, rule: str) -> None:
        """Remove every match, unweighed: elements that never hold readable text, or that the user named."""
        self.remove_elements(self.document.select(selector), rule)

    def remove_elements(self, elements: list[Element], rule: str) -> None:
        """Remove elements, unweighed."""
        for element in elements:
            element.extract()
        if elements:
            self.removed[rule] += len(elements)

    def keep_all(self, selectors: list[str]) -> None:
        """Keep every match, and what it stands in, from the rules that weigh; and mark it for the choice of content."""
        self.keep = ", ".join(selectors)
        for element in self.document.select(self.keep):
            element.attrs[dom.KEPT] = "yes"

    def remove_group(self, elements: list[Element], rule: str) -> None:
        """Remove elements that fall under one rule, unless together they hold most of the page's prose."""
        outer = [element for element in _outermost(elements) if not self._is_kept(element)]
        sizes = [_prose(element) for element in outer]
        limit = MOST * self.prose
        if sum(sizes) > limit:
            # one of them may be the content and the others not: weigh them one by one, unless many share the text
            light = max(sizes, default=0) > limit
            outer = [
                element
                for element, size in zip(outer, sizes, strict=True)
                if (light and size <= limit)
                or (rule in _FURNITURE and size <= _SMALL and not element.select_one(_HEADED))
            ]
        self.remove_elements(outer, rule)

    def _is_kept(self, element: Element) -> bool:
        if element.tag in _NEVER:
            return True
        return bool(self.keep) and (element.closest(self.keep) or element.select_one(self.keep)) is not None


def strip(document: Document, source: str, *, remove: Iterable[str] = (), keep: Iterable[str] = ()) -> Remover:
    """Remove boilerplate in place; return what was counted and seen on the way.

    `source` is the text that the document was parsed from: what is not in it need not be sought in the tree.
    `remove` and `keep` are CSS selectors from the settings: what goes in any case, and what no built-in rule may take.
    """
    remover = Remover(document)
    if kept := _checked(document, "reading.keep", keep):
        remover.keep_all(kept)
    for selector in _checked(document, "reading.remove", remove):
        remover.remove_all(selector, "settings")
    spared = f":not([{dom.KEPT}])" if kept else ""
    remover.remove_all(f":is({_ALWAYS}){spared}", "not-text")
    remover.remove_elements([one for one in document.select(f"noscript{spared}") if _is_short(one)], "not-text")
    if document.select_one("pre"):  # numbered code is preformatted, and looking for a tag costs next to nothing
        remover.remove_all(f":is({_LINE_NUMBERS}){spared}", "line-number")
    remover.measure()
    for rule, selector in _SELECTORS.items():
        remover.remove_group([element for element in document.select(selector) if not _is_exempt(element, rule)], rule)
    for rule, elements in _by_name(document, source).items():
        remover.remove_group(elements, rule)
    if remover.prose >= _INDEX_PROSE:  # else the lists are the page
        remover.remove_group(_link_lists(document), "link-list")
    return remover


def stands_in_content(element: Element) -> bool:
    """Tell whether no rule would take what an element stands in, forms aside: a login in a menu or a hidden box is furniture."""
    return not any(
        rule_of_name(name) for above in element.ancestors if isinstance(above, Element) for name in _names_of(above)
    ) and not element.closest(_AROUND)


def _names_of(element: Element) -> list[str]:
    others = (value for name in _NAMING[1:] if (value := element.attr(name)))
    return [*(element.attr("class") or "").split(), *others]


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


def _outermost(elements: list[Element]) -> list[Element]:
    """Leave out elements inside others of the list; elements come in document order or rule by rule."""
    chosen = set(elements)
    return [one for one in dict.fromkeys(elements) if not any(parent in chosen for parent in one.ancestors)]


def _prose(element: Element) -> int:
    """Characters outside links: what a reader came for, where menus have only links."""
    size = _letters(element)
    return max(0, size - sum(_letters(link) for link in element.select("a"))) if size else 0


def _letters(element: Element) -> int:
    """Characters that are no white space: indented markup holds more of it than of text."""
    text = dom.spoken_text(element)
    return len(text) - sum(map(text.count, " \n\t\r"))


def _is_exempt(element: Element, rule: str) -> bool:
    if rule == "aside":
        return _is_note(element)
    if rule == "page-header":
        return element.select_one("h1") is not None
    if rule == "form":
        return not _is_short(element)
    return False


def _is_misnamed(element: Element, rule: str) -> bool:
    """`right_sidebar` may say that the page has one, and `toc-heading` that the table of contents names this heading."""
    if rule == "sidebar":
        return element.attr("id") in _MAIN_IDS
    return rule == "navigation" and element.select_one(_TITLES) is not None and element.select_one("a") is None


def _is_short(element: Element) -> bool:
    return len(dom.spoken_text(element).split()) <= _FORM_WORDS


def _is_note(element: Element) -> bool:
    """A note, warning or pull-out inside the text is content; a list of links beside it is not."""
    if _NOTE.intersection(words_of(element.attr("class") or "")):
        return True
    return element.closest("article, main, [role=main]") is not None and _link_share(element) < _NOTE_LINK_SHARE


def _by_name(document: Document, source: str) -> dict[str, list[Element]]:
    """Group the elements that a name puts under a rule by that rule."""
    selectors: list[str] = []
    for attribute in _NAMING:
        if "-" in attribute and attribute not in source:
            continue
        values = document.xpath(f"//@{attribute}")
        names = {str(value) for value in values} if isinstance(values, list) else set()
        if attribute == "class":
            names = {token for value in names for token in value.split()}
        match = "class~" if attribute == "class" else attribute
        selectors += [f'[{match}="{_QUOTED.sub(_escape, name)}"]' for name in names if rule_of_name(name)]
    groups: dict[str, list[Element]] = {}
    for element in _named(document, selectors):
        for rule in {rule for name in _names_of(element) if (rule := rule_of_name(name))}:
            if not _is_exempt(element, rule) and not _is_misnamed(element, rule):
                groups.setdefault(rule, []).append(element)
    return dict(sorted(groups.items()))


def _named(document: Document, selectors: list[str]) -> list[Element]:
    """Return the elements with a telling name, in one walk over the document; with very many names, all that have one."""
    if not selectors:
        return []
    if len(selectors) > _MANY_NAMES:
        # each selector is tried on each element: with thousands of names it is quicker to ask the elements
        selectors = [f"[{attribute}]" for attribute in _NAMING]
    return document.select(", ".join(selectors))


def _escape(found: re.Match[str]) -> str:
    return f"\\{ord(found[0]):x} "


def _link_lists(document: Document) -> list[Element]:
    """A list of three links or more that is little but links leads elsewhere, and so does the heading that is its alone."""
    lists = [element for element in document.select("ul, ol, dl") if _link_share(element) > _LINK_SHARE]
    return lists + [heading for element in lists if (heading := _heading_of(element)) is not None]


def _heading_of(element: Element) -> Element | None:
    """Return the heading before a list after which its parent ends, or goes on with a heading."""
    before = next(filter(_shows, element.previous_siblings), None)
    after = next(filter(_shows, element.next_siblings), None)
    if isinstance(before, Element) and before.tag in _HEADINGS:
        return before if after is None or (isinstance(after, Element) and after.tag in _HEADINGS) else None
    return None


def _shows(node: object) -> bool:
    return isinstance(node, Element) or (isinstance(node, dom.Text) and not node.data.isspace())


def _link_share(element: Element) -> float:
    """Share of the text that stands in links, 0 where there are fewer than three."""
    links = element.select("a")
    if len(links) < _FEW_LINKS:
        return 0.0
    text = _letters(element)
    return sum(map(_letters, links)) / text if text else 0.0

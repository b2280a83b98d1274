"""Removes elements from a document, and weighs first whether they are the content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

from sameish.reading import dom
from sameish.reading.dom import Document, Element
from sameish.reading.measuring import letters, prose

MOST = 0.5
"""Share of the page's prose from which an element is never removed."""
# a script's shell may show nothing but these: small and without a heading they are never the content
_FURNITURE, _SMALL, _HEADED = ("page-footer", "page-header", "footer"), 600, "h1, h2, main, article"
_LETTERS = 5
"""Letters of a word, about."""
_NEVER = frozenset(
    ("html", "body", "main", "article", "table", "tbody", "tr", "td", "th", "thead", "h1", "pre", "code")
)


@dataclass(slots=True)
class Remover:
    """Removes elements from one document and counts what went by which rule.

    `.removed` counts elements by rule, `.gone` holds them. `.prose` is the number of characters outside links when `measure`
    was called, `.text` the text that a reader saw then, `.wordless` the links that showed none.
    """

    document: Document
    keep: str = ""
    removed: Counter[str] = field(default_factory=Counter)
    gone: set[Element] = field(default_factory=set)
    prose: int = 0
    text: str = ""
    wordless: list[Element] = field(default_factory=list)

    @property
    def words(self) -> float:
        """Words outside links, about."""
        return self.prose / _LETTERS

    def measure(self, body: Document | Element, links: Collection[Element]) -> None:
        """Take the page's text as it is now for the whole; `links` are those of the page."""
        self.text = dom.spoken_text(body)
        texts = list(map(dom.spoken_text, links))
        self.prose = letters(self.text) - letters("".join(texts))
        self.wordless = [link for link, text in zip(links, texts, strict=True) if not text or text.isspace()]

    def is_gone(self, element: Element) -> bool:
        """Tell whether an element was removed, by itself or with what it stands in."""
        return element in self.gone or not self.gone.isdisjoint(element.ancestors)

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
        left = [one for one in dict.fromkeys(elements) if one not in self.gone]
        above = self.gone.union(left)
        return [one for one in left if above.isdisjoint(one.ancestors)]

    def _is_kept(self, element: Element) -> bool:
        if element.tag in _NEVER:
            return True
        return bool(self.keep) and (element.closest(self.keep) or element.select_one(self.keep)) is not None


def _light_ones(elements: list[Element], rule: str, limit: float) -> list[Element]:
    """Return those elements of a group that may go although together they may hold most of the prose."""
    sizes = [prose(element) for element in elements]
    if sum(sizes) <= limit:
        return elements
    # one of them may be the content and the others not: weigh them one by one, unless many share the text
    light = max(sizes) > limit
    return [
        element
        for element, size in zip(elements, sizes, strict=True)
        if (light and size <= limit) or (rule in _FURNITURE and size <= _SMALL and not element.select_one(_HEADED))
    ]

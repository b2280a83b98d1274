"""Which elements fall under which rule for boilerplate: by tag, role and attribute, or by a name of known words.

All rules look at the elements of a page in one walk; whether one that falls under a rule goes is weighed elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from sameish.reading.dom import Document, Element
from sameish.reading.names import DECIDING, rule_of_name, telling_names
from sameish.reading.survey import Survey

NOT_TEXT: Final = tuple(
    "script style template svg canvas iframe object embed audio video map datalist button select textarea progress "
    "meter amp-sidebar amp-ad".split()
)
"""Tags of elements that never hold readable text."""
# elements without text, parts of text, and those that no rule takes: their names are not read
_NAMELESS = frozenset(NOT_TEXT).union(
    "html head body title meta link base br hr wbr img picture source path use g circle rect symbol input option label "
    "a b strong i em u code pre kbd sup sub cite time td th tr tbody thead table main article h1".split()
)
_RULE_OF_TAG = {
    "nav": "navigation",
    "footer": "page-footer",
    "header": "page-header",
    "aside": "aside",
    "dialog": "dialog",
    "form": "form",
    "noscript": "noscript",
}
_RULE_OF_ROLE = {
    **dict.fromkeys(("navigation", "menubar", "menu", "search", "tablist"), "navigation"),
    "contentinfo": "page-footer",
    "banner": "page-header",
    "complementary": "aside",
    **dict.fromkeys(("dialog", "alertdialog"), "dialog"),
}
_HIDDEN_CLASSES = frozenset(("sr-only", "visually-hidden", "screen-reader-text", "visuallyhidden"))
_TELLING = DECIDING.union(b"only visually reader visuallyhidden".split())
"""The words that decide, and one of each class that hides."""
_HIDDEN = (
    "[hidden], [aria-hidden=true], [style*='display:none'], [style*='display: none'], [style*='visibility:hidden'], "
    "[style*='visibility: hidden']"
)
# attributes beside the class whose value names what an element is
_NAMES = ("id", "data-testid", "data-component", "aria-label")
_NAMED = ", ".join(f"[{name}]" for name in ("role", *_NAMES))
_ORDER = ("hidden", "navigation", "page-footer", "page-header", "aside", "dialog", "form", "noscript")
_OF_PARTS, _PARTS_OF_PAGE = ("header", "footer"), "article, main, section"
"""Tags that belong to the page only where they stand in none of its parts."""
_LONGEST, _MOST_REMEMBERED = 300, 65_536
"""Longer class attributes are not remembered, and no more than so many."""
_REMEMBERED: dict[str | None, tuple[str, ...]] = {}


@dataclass(slots=True)
class Suspects:
    """Elements in document order: those without text, and for each rule those that fall under it."""

    not_text: list[Element] = field(default_factory=list)
    by_rule: dict[str, list[Element]] = field(default_factory=dict)

    def add(self, rule: str, element: Element) -> None:
        """Note that an element falls under a rule."""
        self.by_rule.setdefault(rule, []).append(element)

    def in_order(self) -> list[tuple[str, list[Element]]]:
        """Return the rules in the order in which they are applied: what a page declares comes before its names."""
        declared = [rule for rule in _ORDER if rule in self.by_rule]
        return [(rule, self.by_rule[rule]) for rule in (*declared, *sorted(self.by_rule.keys() - set(_ORDER)))]


def suspects_of(document: Document, found: Survey) -> Suspects:
    """Return what the rules suspect in a document."""
    suspects = Suspects(found.of(*NOT_TEXT))
    for tag, rule in _RULE_OF_TAG.items():
        for element in found.of(tag):
            if tag not in _OF_PARTS or not element.closest(_PARTS_OF_PAGE):
                suspects.add(rule, element)
    elements = [element for tag, group in found.by_tag.items() if tag not in _NAMELESS for element in group]
    classes = [element.attr("class") for element in elements]
    telling = _rules_of_classes(set(classes))
    for element, value in zip(elements, classes, strict=True):
        if value in telling:
            for rule in telling[value]:
                suspects.add(rule, element)
    for element in document.select(_HIDDEN):
        suspects.add("hidden", element)
    for element in document.select(_NAMED):
        for rule in _rules_of_names(element):
            suspects.add(rule, element)
    return suspects


def rules_of(element: Element) -> set[str]:
    """Return the rules that an element falls under by itself, wherever it stands."""
    declared = {_RULE_OF_TAG[element.tag]} if element.tag in _RULE_OF_TAG else set()
    hidden = {"hidden"} if element.matches(_HIDDEN) else set()
    classes = _rules_of_classes({element.attr("class")})
    return declared | hidden | {*_rules_of_names(element), *(rule for rules in classes.values() for rule in rules)}


def _rules_of_names(element: Element) -> Iterator[str]:
    """Yield the rules that its role and the attributes that name it put an element under."""
    role = element.attr("role")
    if role in _RULE_OF_ROLE:
        yield _RULE_OF_ROLE[role]
    for attribute in _NAMES:
        name = element.attr(attribute)
        if name and (rule := rule_of_name(name)):
            yield rule


def _rules_of_classes(values: set[str | None]) -> dict[str | None, tuple[str, ...]]:
    """Return those class attributes that fall under rules, with these; what was told of a value is remembered."""
    found = {value: rules for value in values if (rules := _REMEMBERED.get(value))}
    unknown = [value for value in values if value and value not in _REMEMBERED]
    if unknown:
        # nearly none of them tells anything, which is seen for all of them at once
        telling = {value: _rules_of_value(value) for value in telling_names(unknown, _TELLING)}
        if len(_REMEMBERED) > _MOST_REMEMBERED:
            _REMEMBERED.clear()
        _REMEMBERED.update((value, telling.get(value, ())) for value in unknown if len(value) <= _LONGEST)
        found |= {value: rules for value, rules in telling.items() if rules}
    return found


def _rules_of_value(value: str) -> tuple[str, ...]:
    names = value.split()
    hidden = () if _HIDDEN_CLASSES.isdisjoint(names) else ("hidden",)
    return (*hidden, *sorted({rule for name in telling_names(names, DECIDING) if (rule := rule_of_name(name))}))

"""Which elements fall under which rule for boilerplate: by tag, role and attribute, or by a name of known words.

All rules look at the elements of a page in one walk; whether one that falls under a rule goes is weighed elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from sameish.reading.dom import Document, Element
from sameish.reading.names import DECIDING, rules_of_names, telling_names
from sameish.reading.remembered import Remembered
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


@dataclass(slots=True)
class Suspects:
    """Elements without text, and for each rule those that fall under it."""

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
    for element in document.select(_HIDDEN):
        suspects.add("hidden", element)
    _suspect_classes(suspects, found)
    _suspect_names(suspects, document.select(_NAMED))
    return suspects


def _suspect_classes(suspects: Suspects, found: Survey) -> None:
    elements = [element for tag, group in found.by_tag.items() if tag not in _NAMELESS for element in group]
    classes = [element.attr("class") or "" for element in elements]
    telling = _RULES_OF_CLASSES.look_up(set(classes))
    for element, value in zip(elements, classes, strict=True):
        if value in telling:
            for rule in telling[value]:
                suspects.add(rule, element)


def _suspect_names(suspects: Suspects, elements: Iterable[Element]) -> None:
    named = []
    for element in elements:
        role = element.attr("role")
        if role in _RULE_OF_ROLE:
            suspects.add(_RULE_OF_ROLE[role], element)
        named += [(element, name) for name in map(element.attr, _NAMES) if name]
    rules = rules_of_names({name for _, name in named})
    for element, name in named:
        if name in rules:
            suspects.add(rules[name], element)


def rules_of(element: Element) -> set[str]:
    """Return the rules that an element falls under by itself, wherever it stands."""
    declared = {_RULE_OF_TAG[element.tag]} if element.tag in _RULE_OF_TAG else set()
    hidden = {"hidden"} if element.matches(_HIDDEN) else set()
    role = element.attr("role")
    roles = {_RULE_OF_ROLE[role]} if role in _RULE_OF_ROLE else set()
    classes = _RULES_OF_CLASSES.look_up({element.attr("class") or ""}).values()
    names = rules_of_names({name for name in map(element.attr, _NAMES) if name}).values()
    return declared | hidden | roles | set(names) | {rule for rules in classes for rule in rules}


def _reckon_classes(values: list[str]) -> dict[str, tuple[str, ...]]:
    """Return the rules of those class attributes that have some; nearly none has."""
    telling = {value: value.split() for value in telling_names(values, _TELLING)}
    rules = rules_of_names({name for names in telling.values() for name in names})
    found = {value: _rules_of(names, rules) for value, names in telling.items()}
    return {value: rules for value, rules in found.items() if rules}


def _rules_of(names: list[str], rules: Mapping[str, str]) -> tuple[str, ...]:
    hidden = () if _HIDDEN_CLASSES.isdisjoint(names) else ("hidden",)
    return (*hidden, *sorted({rules[name] for name in names if name in rules}))


_RULES_OF_CLASSES = Remembered(_reckon_classes, longest=1000)

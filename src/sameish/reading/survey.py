"""All elements of a document, found once before anything is removed.

Walking the tree is a large part of the work on a page, and the engine walks it again for nearly every selector: it keeps an
index of tags, but builds it anew after each change of the tree.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from sameish.reading.dom import Document, Element


@dataclass(frozen=True, slots=True)
class Survey:
    """The elements of a document in document order, their tags in parallel, and the elements of each tag."""

    elements: list[Element]
    tags: list[str]
    by_tag: dict[str, list[Element]]

    def of(self, *tags: str) -> list[Element]:
        """Return the elements of some tags, one tag after the other."""
        return [element for tag in tags for element in self.by_tag.get(tag, ())]

    def first(self, tag: str) -> Element | None:
        """Return the first element of a tag."""
        found = self.by_tag.get(tag)
        return found[0] if found else None


def survey(document: Document) -> Survey:
    """Survey a document as it is now."""
    elements = list(document.iter_elements())
    tags = [element.tag for element in elements]
    by_tag: defaultdict[str, list[Element]] = defaultdict(list)
    for element, tag in zip(elements, tags, strict=True):
        by_tag[tag].append(element)
    return Survey(elements, tags, dict(by_tag))

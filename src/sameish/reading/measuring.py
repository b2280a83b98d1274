"""How much text an element holds, and how much of it outside links."""

from __future__ import annotations

import numpy as np

from sameish.reading import dom
from sameish.reading.dom import Element

_LONG = 1000


def prose(element: Element) -> int:
    """Return the characters outside links: what a reader came for, where menus have only links."""
    return max(0, letters(dom.spoken_text(element)) - link_letters(element))


def link_letters(element: Element) -> int:
    """Return the characters in links."""
    return letters("".join(map(dom.spoken_text, element.select("a"))))


def letters(text: str) -> int:
    """Return the characters that are no white space: indented markup holds more of it than of text."""
    if len(text) < _LONG:
        return len(text) - sum(map(text.count, " \n\t"))
    # a search for what stands everywhere stops at every place: comparing all characters at once is quicker
    return int(np.count_nonzero(np.frombuffer(text.encode("utf-32-le", "replace"), "<u4") > ord(" ")))

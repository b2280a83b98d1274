"""Tells a page that is for its links, as a shelf of a shop or a front page is, from one that has links beside its text."""

from __future__ import annotations

from collections.abc import Iterable

_LEAST = 5
"""Links under which a page is none."""
_WORDS_FOR_A_WORD, _TELLING = 6, 2
"""Words of text that a word in a link outweighs, and words of each link that count: menus say one, titles and names say more."""


def is_listing(links: Iterable[int], words: float) -> bool:
    """Tell whether links outweigh a text: a link of two words or more weighs as much as twelve words of text.

    Measured on pairs of captures of real pages; with a description of a hundred words over twenty tiles, a page is a listing,
    with three hundred words over eight links it is not.

    Args:
        links: for each link its words.
        words: of the text outside the links.
    """
    counted = [min(count, _TELLING) for count in links]
    return len(counted) >= _LEAST and _WORDS_FOR_A_WORD * sum(counted) > words

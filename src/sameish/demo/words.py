"""Pronounceable words that no list knows, drawn from a seed."""

from __future__ import annotations

import re
import zlib

from sameish.demo.noise import Draws
from sameish.urls.tracking import is_tracking

_STARTS = "b br d dr f fl g gl h j k kl l m n p pl r s st t tr v w z".split()
_VOWELS = "a e i o u".split()
_ENDS = ["", "", "", "l", "m", "n", "r", "s", "x"]
# Words that a URL rule, an extraction rule or a tracking list somewhere may know.
_KNOWN = frozenset("data date file home item mobile menu node note photo site sale video".split())


def lot(seed: int, *labels: object) -> Draws:
    """The draws that a seed and labels decide."""
    return Draws(seed << 32 | zlib.crc32("|".join(map(str, labels)).encode()))


def word(draws: Draws, syllables: int = 2) -> str:
    """A word of 4 letters or more, made of syllables."""
    while True:
        made = "".join(draws.pick(_STARTS) + draws.pick(_VOWELS) for _ in range(syllables)) + draws.pick(_ENDS)
        if made not in _KNOWN and not is_tracking(made, "/"):
            return made


def different_words(draws: Draws, count: int) -> list[str]:
    """So many different words."""
    words: dict[str, None] = {}
    while len(words) < count:
        words[word(draws)] = None
    return list(words)


def slug_of(title: str) -> str:
    """Return a headline as it stands in an address."""
    return re.sub(r"[^a-z]+", "-", title.lower())

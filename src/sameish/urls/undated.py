"""What a page says but for when it is and how far one has counted: alike for all that a calendar or a list makes up.

A month without events is like the month before but for its name, page 45 of a list that ended at 20 is like page 44. A month
with one concert resembles the month before, too, and so does one screw of a shop another: what these say is their own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from hashlib import blake2b

from sameish.reading.noise_words import DAYS, MONTHS
from sameish.urls.trap_signs import numbers

_WHEN = MONTHS | DAYS
_TOKEN = re.compile(r"\d+(?:[-./:,]\d+)*|[^\W\d_]+")
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_MONTH = r"(?:1[0-2]|0?[1-9])"
_DATE = re.compile(
    rf"(?:19|20|21)\d\d(?:[-./]{_MONTH}(?:[-./]{_DAY})?)?|{_DAY}[-./]{_MONTH}[-./](?:\d\d|(?:19|20|21)\d\d)"
)
_DAY_ALONE = re.compile(_DAY)
_MASK = "*"


def undated(sentences: Iterable[str], key: str) -> bytes:
    """Return a digest of what sentences say, dates and the numbers that a key ends in left out, in any order.

    Args:
        sentences: of a page.
        key: of the page; the numbers in it, and those before and after each, are its place in a count.
    """
    counts = {str(sign.number + step) for sign in numbers(key) for step in (-1, 0, 1)}
    said = {_masked(text, counts) for text in sentences} - {_MASK}
    return blake2b("\n".join(sorted(said)).encode("utf-8", "replace"), digest_size=16).digest()


def _masked(sentence: str, counts: Collection[str]) -> str:
    """Return the words of a sentence, dates and places in a count masked; the mask alone where nothing else is in it.

    Small numbers are days only beside the name of a month or a year, or where they stand alone as in the grid of a
    calendar: elsewhere they may be a size, a price, a score.
    """
    tokens = _TOKEN.findall(sentence.casefold())
    words = [_MASK if token in _WHEN or token in counts or _DATE.fullmatch(token) else token for token in tokens]
    if _MASK in words or not any(word[0].isalpha() for word in words):
        words = [_MASK if _DAY_ALONE.fullmatch(word) else word for word in words]
    return _MASK if set(words) <= {_MASK} else " ".join(words)

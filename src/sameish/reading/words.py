"""Counts words as a reader would, also in scripts that put no spaces between them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_RANGES = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x2E80, 0x30FF), (0x3400, 0x9FFF), (0xAC00, 0xD7AF))
_SPACELESS = re.compile("[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in _RANGES) + "]")
_FIRST = "\u0e00"
_LONG, _LETTERS, _LETTERS_OF_SPACELESS = 200, 6, 2
"""Characters of a long line, and of a word in it with the space after it."""


@lru_cache(maxsize=1)
def _spaceless() -> NDArray[np.bool_]:
    """Tell for every code point whether it is such a letter; the last entry stands for all beyond."""
    table = np.zeros(0xFFFF, np.bool_)
    for first, last in _RANGES:
        table[first : last + 1] = True
    return table


def word_count(line: str) -> int:
    """Return the number of words in a calm line; two letters of a script without spaces count as one."""
    words = line.count(" ") + 1
    return words + len(_SPACELESS.findall(line)) // 2 if _may_be_spaceless(line) else words


def rough_word_counts(lines: Iterable[str]) -> tuple[int, ...]:
    """Return the number of words in each line; of a long one, in which all spaces take long to count, what is likely."""
    return tuple(
        [
            _likely_words(line) if len(line) > _LONG else line.count(" ") + 1 if line.isascii() else word_count(line)
            for line in lines
        ]
    )


def _likely_words(line: str) -> int:
    return len(line) // (_LETTERS_OF_SPACELESS if _may_be_spaceless(line) else _LETTERS)


def text_word_count(text: str) -> int:
    """Return the number of words in many lines at once."""
    if not text:
        return 0
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), "<u4")
    words = int(np.count_nonzero((codes == ord(" ")) | (codes == ord("\n")))) + 1
    high = codes[codes >= ord(_FIRST)]
    return words + (int(np.count_nonzero(_spaceless().take(high, mode="clip"))) // 2 if high.size else 0)


def _may_be_spaceless(line: str) -> bool:
    # such letters stand everywhere in a line of them: three looks are quicker than to seek them in all others
    return bool(line) and (line[0] >= _FIRST or line[len(line) // 2] >= _FIRST or line[-2:-1] >= _FIRST)

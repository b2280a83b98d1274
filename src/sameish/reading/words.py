"""Counts words as a reader would, also in scripts that put no spaces between them."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

_SPACELESS = re.compile("[\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_FIRST = "\u0e00"
_LONG, _LETTERS, _LETTERS_OF_SPACELESS = 200, 6, 2
"""Characters of a long line, and of a word in it with the space after it."""


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
    return words + len(_SPACELESS.findall(high.tobytes().decode("utf-32-le"))) // 2


def _may_be_spaceless(line: str) -> bool:
    # such letters stand everywhere in a line of them: three looks are quicker than to seek them in all others
    return bool(line) and (line[0] >= _FIRST or line[len(line) // 2] >= _FIRST or line[-2:-1] >= _FIRST)

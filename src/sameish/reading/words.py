"""Counts words as a reader would, also in scripts that put no spaces between them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

_SPACELESS = re.compile("[\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_FIRST = 0x0E00


def word_count(text: str) -> int:
    """Return the number of words in lines of calm text; two letters of a script without spaces count as one."""
    if not text:
        return 0
    words = text.count(" ") + text.count("\n") + 1
    return words + len(_SPACELESS.findall(text)) // 2 if _is_spaceless(text) else words


def word_counts(lines: Sequence[str]) -> list[int]:
    """Return the number of words in each line."""
    if _is_spaceless("".join(lines)):
        return [line.count(" ") + 1 + len(_SPACELESS.findall(line)) // 2 for line in lines]
    return [line.count(" ") + 1 for line in lines]


def _is_spaceless(text: str) -> bool:
    """Tell whether a letter of such a script is in a text; quicker than the pattern where there is none."""
    if text.isascii():
        return False
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), "<u4")
    return bool(_SPACELESS.search(codes[codes >= _FIRST].tobytes().decode("utf-32-le")))

"""Counts words as a reader would, also in scripts that put no spaces between them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_SPACELESS = re.compile("[\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_FIRST = 0x0E00


def word_count(text: str) -> int:
    """Return the number of words in lines of calm text; two letters of a script without spaces count as one."""
    if not text:
        return 0
    codes = _codes(text)
    words = int(np.count_nonzero((codes == ord(" ")) | (codes == ord("\n")))) + 1
    return words + len(_SPACELESS.findall(_high(codes))) // 2


def word_counts(lines: Sequence[str]) -> list[int]:
    """Return the number of words in each line."""
    if _SPACELESS.search(_high(_codes("".join(lines)))):
        return [line.count(" ") + 1 + len(_SPACELESS.findall(line)) // 2 for line in lines]
    return [line.count(" ") + 1 for line in lines]


def _codes(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "replace"), "<u4")


def _high(codes: NDArray[np.uint32]) -> str:
    """Return the characters among which those of such scripts are: few in most texts, so that looking is quick."""
    return codes[codes >= _FIRST].tobytes().decode("utf-32-le")

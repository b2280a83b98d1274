"""Cuts laid-out text into calm sentences: one spelling for what looks the same on screen."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_INVISIBLE = (
    "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069"
    "\ufeff\u061c\u180e\ufe0e\ufe0f"
)
_SAME = {
    **dict.fromkeys("‘’‚‛′ʼ`´", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−﹣－", "-"),
    **dict.fromkeys(
        "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
        "\u2008\u2009\u200a\u202f\u205f\u3000\t\x0b\x0c\r\x1c\x1d\x1e\x1f\x85",
        " ",
    ),
    "\u2028": " ",
    "\u2029": " ",
    "…": "...",
    "\x00": "",
    **dict.fromkeys(_INVISIBLE, ""),
}  # fmt: skip
_NOT_CALM = re.compile(f"[{re.escape(''.join(_SAME))}]")
# a minus sign is part of a number; a dash between words is not (the dash comes first, so that the search can skip to it)
_MINUS = re.compile(r"-(?=\d)(?<![^\s(]-)")
# a small letter after "e.g." goes on, and so does the ordinal in "28. Februar"; capitals, digits and scripts without case may
# begin a sentence
_END = re.compile(r"""[.!?](?<!\b\d\.)(?<!\b\d\d\.)["')\]]* +(?![a-z])|[。！？｡]["'」』）)\]]*""")
_SPACES = re.compile(r" {2,}")


_MOST_MARKS = 30


@lru_cache(maxsize=1)
def _marks() -> tuple[NDArray[np.bool_], re.Pattern[str]]:
    """Return which code points combine, and a pattern of more than thirty of them in a row."""
    combining = np.array([unicodedata.combining(chr(code)) > 0 for code in range(0x1F000)])
    marks = re.escape("".join(map(chr, np.flatnonzero(combining).tolist())))
    return combining, re.compile(f"([{marks}]{{{_MOST_MARKS}}})[{marks}]+")


def _composed(text: str) -> str:
    """Return text in NFC; of more than thirty combining marks in a row the rest is dropped.

    Normalising sorts marks, in quadratic time; the Stream-Safe Text Format (UAX #15, section 13) allows thirty.
    """
    combining, pattern = _marks()
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), "<u4")
    if np.count_nonzero(combining[np.minimum(codes, combining.size - 1)]) > _MOST_MARKS:
        text = pattern.sub(r"\1", text)
    return unicodedata.normalize("NFC", text)


def calm(text: str) -> str:
    """Return text in one spelling: NFC, plain quotes, dashes and spaces, nothing invisible. Calming twice is calming once."""
    if not text.isascii():
        text = _composed(text)
    found = set(_NOT_CALM.findall(text))
    for character in sorted(found):
        text = text.replace(character, _SAME[character])
    if found:
        # what was kept apart by an invisible character may compose now
        text = _composed(text)
    text = _MINUS.sub("−", text)
    return _SPACES.sub(" ", text) if "  " in text else text


def cut(line: str) -> list[str]:
    """Cut a calm line into sentences: after `.!?` before a space and no small letter, and after `。！？`."""
    pieces, start = [], 0
    for end in _END.finditer(line):
        pieces.append(line[start : end.end()].strip())
        start = end.end()
    rest = line[start:].strip()
    return [*pieces, rest] if rest else pieces

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
    # the Greek varia is canonically a grave accent
    **dict.fromkeys("‘’‚‛′ʼ`´\u1fef", "'"),
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
# a minus sign is part of a number; a dash between words is not (the dash comes first, so that the search can skip to it)
_MINUS = re.compile(r"-(?=\d)(?<![^\s(]-)")
# a small letter after "e.g." goes on, and so does the ordinal in "28. Februar"; capitals, digits and scripts without case may
# begin a sentence
_END = re.compile(r"""[.!?](?<!\b\d\.)(?<!\b\d\d\.)["')\]]* +(?![a-z])|[。！？｡]["'」』）)\]]*""")
_SPACES = re.compile(r" {2,}")


_MOST_MARKS = 30
_MARK, _ODD = 1, 2
_TABLED = 0x1F000


@lru_cache(maxsize=1)
def _kinds() -> NDArray[np.uint8]:
    """Return for every code point whether it combines with the one before, and whether calming replaces it."""
    kinds = np.array([_MARK * (unicodedata.combining(chr(code)) > 0) for code in range(_TABLED)], np.uint8)
    kinds[[ord(character) for character in _SAME]] |= _ODD
    return kinds


@lru_cache(maxsize=1)
def _long_marks() -> re.Pattern[str]:
    marks = re.escape("".join(map(chr, np.flatnonzero(_kinds() & _MARK).tolist())))
    return re.compile(f"([{marks}]{{{_MOST_MARKS}}})[{marks}]+")


def _composed(text: str) -> tuple[str, set[str]]:
    """Return text in NFC, and the characters in it that calming replaces.

    Of more than thirty combining marks in a row the rest is dropped: normalising sorts marks, in quadratic time. The
    Stream-Safe Text Format (UAX #15, section 13) has the same bound.
    """
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), "<u4")
    kinds = _kinds()[np.minimum(codes, _TABLED - 1)]
    if np.count_nonzero(kinds & _MARK) > _MOST_MARKS:
        text = _long_marks().sub(r"\1", text)
    odd = set(map(chr, np.unique(codes[(kinds & _ODD) > 0]).tolist()))
    return unicodedata.normalize("NFC", text), odd


def calm(text: str) -> str:
    """Return text in one spelling: NFC, plain quotes, dashes and spaces, nothing invisible. Calming twice is calming once."""
    text, odd = _composed(text)
    for character in sorted(odd):
        text = text.replace(character, _SAME[character])
    if not odd.isdisjoint(_INVISIBLE):
        # what was kept apart by an invisible character may compose now
        text, _ = _composed(text)
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

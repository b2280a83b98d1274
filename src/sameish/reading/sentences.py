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
    "\x00": "",
    **dict.fromkeys(_INVISIBLE, ""),
}  # fmt: skip
_SPACE = ord(" ")
# a minus sign is part of a number; a dash between words is not (the dash comes first, so that the search can skip to it)
_MINUS = re.compile(r"-(?=\d)(?<![^\s(]-)")
# a small letter after "e.g." goes on, and so does the ordinal in "28. Februar"; capitals, digits and scripts without case may
# begin a sentence
_END = re.compile(r"""[.!?](?<!\b\d\.)(?<!\b\d\d\.)["')\]]* +(?![a-z])|[。！？｡]["'」』）)\]]*""")
_STOPS, _WIDE_STOPS = ".!?", "。！？｡"
_AFTER_STOPS = " \"')]"
_MOST_MARKS = 30
_ALPHABETS = 0x3100
# ideographs, Hangul syllables, full-width forms, signs and pictures
_SETTLED = ((0x3400, 0x9FFF), (0xAC00, 0xD7A3), (0xFF00, 0xFFEF), (0x1F000, 0x1FFFF))
_UNSETTLED = np.uint32(1 << 31)
_JAMO = range(0x1100, 0x1200)
"""Letters that compose to Hangul syllables."""
_TABLED = 0x20000
"""Code points from here on are spelled as they are; some of them are compositions."""


@lru_cache(maxsize=1)
def _settled() -> NDArray[np.bool_]:
    """Tell for every code point whether text of such alone is in NFC (UAX #15, section 9: quick check "yes", class 0)."""
    table = np.zeros(_TABLED + 1, np.bool_)
    for first, last in _SETTLED:
        table[first : last + 1] = True
    alphabets = list(map(chr, range(_ALPHABETS)))
    decomposed = list(map(unicodedata.decomposition, alphabets))
    table[:_ALPHABETS] = [
        not unicodedata.combining(character) and (not parts or unicodedata.is_normalized("NFC", character))
        for character, parts in zip(alphabets, decomposed, strict=True)
    ]
    table[_JAMO.start : _JAMO.stop] = False
    for kind, *second in map(str.split, filter(None, decomposed)):
        # what may be the second half of a composed character
        if second and not kind.startswith("<"):
            table[int(second[0], 16)] = False
    return table


@lru_cache(maxsize=1)
def _marks() -> NDArray[np.bool_]:
    """Tell for every code point whether it combines with the one before; the last entry stands for all beyond."""
    classes = map(unicodedata.combining, map(chr, range(_TABLED + 1)))
    return np.fromiter(classes, np.uint8, _TABLED + 1) > 0


@lru_cache(maxsize=1)
def _spellings() -> NDArray[np.uint32]:
    """Return what every code point is replaced with, 0 for nothing, with a high bit where the text may not be in NFC.

    The last entry stands for all code points beyond.
    """
    table = np.arange(_TABLED + 1, dtype=np.uint32)
    table[[ord(character) for character in _SAME]] = [ord(same or "\0") for same in _SAME.values()]
    table[~_settled()] |= _UNSETTLED
    return table


@lru_cache(maxsize=1)
def _long_marks() -> re.Pattern[str]:
    marks = re.escape("".join(map(chr, np.flatnonzero(_marks()).tolist())))
    return re.compile(f"([{marks}]{{{_MOST_MARKS}}})[{marks}]+")


def _codes(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "replace"), "<u4")


def _composed(text: str) -> str:
    """Return text in NFC.

    Of more than thirty combining marks in a row the rest is dropped: normalising sorts marks, in quadratic time. The
    Stream-Safe Text Format (UAX #15, section 13) has the same bound.
    """
    marks = np.cumsum(_marks().take(_codes(text), mode="clip"))
    # a run of more than so many: among one place more than that, all are marks
    if np.any(marks[_MOST_MARKS:] - np.concatenate([[0], marks[: -_MOST_MARKS - 1]]) > _MOST_MARKS):
        text = _long_marks().sub(r"\1", text)
    return unicodedata.normalize("NFC", text)


def calm(text: str) -> str:
    """Return text in one spelling: NFC, plain quotes, dashes and spaces, nothing invisible. Calming twice is calming once."""
    return _calm(text)[0]


def calm_and_cut(text: str) -> list[list[str]]:
    """Calm text and cut it into sentences, line by line: after `.!?` before a space and no small letter, and after `。！？`."""
    return _cut(*_calm(text))


def _calm(text: str) -> tuple[str, NDArray[np.uint32]]:
    """Return calm text, and its code points but for the minus signs."""
    text = text.replace("…", "...")
    spelled = _spelled(text)
    if not text:
        return text, spelled
    if spelled.max() >= _UNSETTLED:
        spelled = _spelled(_composed(text)) & ~_UNSETTLED
    if spelled.min() == 0:
        spelled = spelled[spelled != 0]
        # what was kept apart by an invisible character may compose now
        if not _settled().take(spelled, mode="clip").all():
            spelled = _codes(_composed(_text(spelled)))
    blank = spelled == _SPACE
    doubled = blank[1:] & blank[:-1]
    if doubled.any():
        spelled = np.delete(spelled, np.flatnonzero(doubled))
    return _MINUS.sub("−", _text(spelled)), spelled


def _spelled(text: str) -> NDArray[np.uint32]:
    codes = _codes(text)
    spelled = _spellings().take(codes, mode="clip")
    beyond = codes.size > 0 and codes.max() >= _TABLED
    return np.where(codes < _TABLED, spelled, codes | _UNSETTLED) if beyond else spelled


def _text(codes: NDArray[np.uint32]) -> str:
    return codes.astype("<u4", copy=False).tobytes().decode("utf-32-le")


def _cut(text: str, codes: NDArray[np.uint32]) -> list[list[str]]:
    ends = [end for at in _stops(codes) if (found := _END.match(text, at)) and (end := found.end())]
    ends.append(len(text) + 1)
    lines, start, number = [], 0, 0
    for line in text.split("\n"):
        after = start + len(line)
        pieces = []
        while ends[number] <= after:
            pieces.append(text[start : ends[number]].strip())
            start = ends[number]
            number += 1
        if rest := text[start:after].strip():
            pieces.append(rest)
        lines.append(pieces)
        start = after + 1
    return lines


def _stops(codes: NDArray[np.uint32]) -> list[int]:
    """Return where a character stands that may end a sentence."""
    stops = np.flatnonzero(_is_any(codes[:-1], _STOPS))
    stops = stops[_is_any(codes.take(stops + 1), _AFTER_STOPS)]
    if codes.size and codes.max() >= ord(min(_WIDE_STOPS)):
        stops = np.sort(np.concatenate([stops, np.flatnonzero(_is_any(codes, _WIDE_STOPS))]))
    found: list[int] = stops.tolist()
    return found


def _is_any(codes: NDArray[np.uint32], characters: str) -> NDArray[np.bool_]:
    found = np.zeros(codes.size, np.bool_)
    for character in characters:
        found |= codes == ord(character)
    return found

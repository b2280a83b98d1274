"""The words of a sentence, and which of them an edit changed. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate

OWN = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
"""Letters that are a word each: Thai, Lao, Myanmar, Khmer, kana, Han, Hangul; for a class in a regular expression."""
# ASCII signs, then Latin, Arabic, Devanagari, general, CJK and full-width punctuation; marks on letters are not among them
_BETWEEN = "\\s!-/:-@\\[-`{-~\u00a1-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u060c\u061b\u061f\u06d4\u0964\u0965"
_BETWEEN += "\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u2e00-\u2e7f\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40"
_PIECE = re.compile(rf"\d+(?:[.,:]\d+)+|[{OWN}]|[^{OWN}{_BETWEEN}]+|[^\s]")
_PUNCTUATION = re.compile(rf"[{_BETWEEN}]")
_MOST_CELLS = 250_000
"""Largest product of two numbers of words whose order is compared: difflib is quadratic where words repeat."""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of an edited sentence; `.kind` is `common`, `removed` or `added`."""

    kind: str
    text: str


def words_of(text: str) -> list[str]:
    """Return the words of a text with case folded, without punctuation."""
    return [piece for piece in _PIECE.findall(text.casefold()) if not _PUNCTUATION.fullmatch(piece)]


def likeness(first: Counter[str], second: Counter[str]) -> float:
    """Return the share of words that two sentences have in common, 0..1 (Dice's coefficient), wherever they stand."""
    whole = first.total() + second.total()
    return 2 * (first & second).total() / whole if whole else 0.0


def edited_words(before: str, after: str) -> list[Part]:
    """Return what both sentences say and what only one says, in reading order; the spelling of `after` where both do."""
    old, new = list(_PIECE.finditer(before)), list(_PIECE.finditer(after))
    parts: list[Part] = []
    for kind, start, end, start_new, end_new in _runs(_folded(old), _folded(new)):
        if kind == "equal":
            parts.append(Part("common", _between(after, new, start_new, end_new)))
            continue
        if start < end:
            parts.append(Part("removed", _between(before, old, start, end)))
        if start_new < end_new:
            parts.append(Part("added", _between(after, new, start_new, end_new)))
    return parts


def _folded(pieces: Sequence[re.Match[str]]) -> list[str]:
    return [piece[0].casefold() for piece in pieces]


def _between(text: str, pieces: Sequence[re.Match[str]], start: int, end: int) -> str:
    """Return the text from one piece up to another, with the space after it where there is one."""
    until = pieces[end].start() if end < len(pieces) else len(text)
    return text[pieces[start].start() : until]


def _runs(old: list[str], new: list[str]) -> list[tuple[str, int, int, int, int]]:
    """Return difflib's opcodes; where the middle is too large to be compared it is replaced as a whole."""
    head = _common_start(old, new)
    tail = _common_start(old[head:][::-1], new[head:][::-1])
    left, right = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(left) * len(right) > _MOST_CELLS:
        middle = [("replace", 0, len(left), 0, len(right))]
    else:
        middle = _joined(SequenceMatcher(None, left, right, autojunk=False).get_opcodes(), left)
    runs = [("equal", 0, head, 0, head)] if head else []
    runs += [(kind, a + head, b + head, c + head, d + head) for kind, a, b, c, d in middle]
    ends = (len(old) - tail, len(old), len(new) - tail, len(new))
    return [*runs, ("equal", *ends)] if tail else runs


def _common_start(first: Sequence[str], second: Sequence[str]) -> int:
    equal = (one == other for one, other in zip(first, second, strict=False))
    return sum(accumulate(equal, min))


def _joined(
    runs: Sequence[tuple[str, int, int, int, int]], words: Sequence[str]
) -> list[tuple[str, int, int, int, int]]:
    """Join changes that only a single sign or little word keeps apart: `8.40 to 9` reads better than three marks."""
    joined: list[tuple[str, int, int, int, int]] = []
    for place, (kind, a, b, c, d) in enumerate(runs):
        island = kind == "equal" and 0 < place < len(runs) - 1 and sum(map(len, words[a:b])) <= 2
        if joined and joined[-1][0] != "equal" and (kind != "equal" or island):
            _, start, _, start_new, _ = joined[-1]
            joined[-1] = ("replace", start, b, start_new, d)
        else:
            joined.append((kind, a, b, c, d))
    return joined

r"""The well-known recipe, bit for bit: MurmurHash3 of every word, 64-bit simhash, every occurrence votes.

It runs in many crawlers as a few lines of JavaScript, so the rules of JavaScript hold: its white space, its string
length, its way with lone surrogates. Sources: ECMAScript, "String.prototype.split" and the pattern class `\s`;
Austin Appleby's MurmurHash3_x86_32; Moses Charikar, "Similarity estimation techniques from rounding algorithms" (2002).

>>> tokens("The quick brown fox is in.")
['the', 'quick', 'brown', 'fox', 'in.']
>>> shingles("one two three four")
['one two three', 'two three four']
>>> f"{simhash(tokens('The quick brown fox')):016x}"
'2c709640460a1240'
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

import mmh3
import numpy as np
from numpy.typing import NDArray

from sameish.errors import SettingsError

# ECMAScript's WhiteSpace and LineTerminator. Python's own white space lacks U+FEFF and has U+001C-1F and U+0085.
_SPACE = re.compile("[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_BLOCK = 8192  # rows of 64 votes at a time: 4 MB


def tokens(text: str) -> list[str]:
    """Return the words of a text in order: lower case, split on white space, longer than 2 UTF-16 units.

    Lower case is that of the running Python's Unicode tables, as in JavaScript it is that of the engine's: letters that
    one of them does not know yet (Garay, of 2024) stay as they are there.
    """
    return [word for word in _words(text) if len(word) > 2 or _utf16_length(word) > 2]


def shingles(text: str, size: int = 3) -> list[str]:
    """Return all runs of `size` consecutive words, joined by one space; none if there are fewer words.

    White space at an end of the text leaves an empty word there, as in JavaScript: `" a b "` gives `" a b"`, `"a b "`.

    Raises:
        SettingsError: `size` is less than 1.
    """
    if size < 1:
        raise SettingsError(f"size is {size}, expected 1 or more")
    words = _words(text)
    return [" ".join(words[start : start + size]) for start in range(len(words) - size + 1)]


def hash64(token: str) -> int:
    """Return the unsigned 64-bit hash of a token: MurmurHash3 x86 32 of its UTF-8 bytes, twice.

    The upper half is hashed with seed 0, the lower half with the upper one as seed. A lone surrogate counts as U+FFFD.
    """
    data = _scalar(token).encode()
    upper: int = mmh3.hash(data, 0, signed=False)
    lower: int = mmh3.hash(data, upper, signed=False)
    return upper << 32 | lower


def simhash(features: Iterable[str]) -> int:
    """Return the unsigned 64-bit simhash of features (words or shingles), each occurrence with one vote.

    A bit is set if more features have it than lack it; a tie leaves it 0, and so do no features at all.
    """
    counts = Counter(features)
    hashes = np.fromiter(map(hash64, counts), dtype=">u8", count=len(counts))
    weights = np.fromiter(counts.values(), dtype=np.int64, count=len(counts))
    bits = np.packbits(2 * _votes(hashes, weights) > weights.sum())
    return int.from_bytes(bits.tobytes(), "big")


def _votes(hashes: NDArray[np.uint64], weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sum the weights of the hashes that have a bit, for each of 64 bits, the highest first."""
    votes = np.zeros(64, dtype=np.int64)
    for start in range(0, len(hashes), _BLOCK):
        block = np.unpackbits(hashes[start : start + _BLOCK].view(np.uint8)).reshape(-1, 64)
        votes += weights[start : start + _BLOCK] @ block
    return votes


def _words(text: str) -> list[str]:
    return _SPACE.split(_paired(text).lower())


def _paired(text: str) -> str:
    """Join surrogates that stand as two characters; JavaScript knows no difference."""
    if _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _scalar(text: str) -> str:
    return _SURROGATE.sub("\ufffd", _paired(text))


def _utf16_length(word: str) -> int:
    return len(word) + sum(character > "\uffff" for character in word)

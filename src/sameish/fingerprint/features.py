"""From sentences to features: words, sentence hashes and weighted shingles, computed on whole arrays.

A word is a run of letters, digits and marks; a letter of a script written without spaces (Han, kana, Thai, Lao, Khmer,
Myanmar) and a Hangul syllable is a word of its own. Case is folded, punctuation separates and does not count, except signs
that change the meaning (currencies, `%`, `<`, ticks).

Everything is unsigned 64-bit arithmetic modulo 2**64, so values are the same on all platforms.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sameish.fingerprint._character_runs import RUNS

U64: TypeAlias = NDArray[np.uint64]
_SEPARATOR, _WORD, _OWN, _MARK, _NEWLINE = range(5)
_CODEC = "utf-32-le" if sys.byteorder == "little" else "utf-32-be"

# odd multipliers: golden ratio, and two from MurmurHash3's finaliser
_BASE, _STEP_1, _STEP_2 = 0x9E3779B97F4A7C15, 0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53
_INVERSE = pow(_BASE, -1, 1 << 64)
_KEPT_POWERS = 1 << 17
"""Longest text, in characters, for which the powers are kept: 2 MiB."""
_NONE: U64 = np.empty(0, np.uint64)


@dataclass(frozen=True, slots=True)
class Features:
    """What a text consists of.

    `.words`: number of words. `.flow`: hash of all words in their order, wherever sentences are cut. `.sentences`, `.sizes`: for
    every sentence with a word its hash and its number of words.
    `.shingles`, `.weights`: hashes of distinct runs of three words inside a sentence (a shorter sentence counts as one) and
    how much each weighs; hashes ascending.
    """

    words: int
    flow: int
    sentences: U64
    sizes: NDArray[np.int64]
    shingles: U64
    weights: NDArray[np.int64]


_NOTHING = Features(0, 0, _NONE, np.empty(0, np.int64), _NONE, np.empty(0, np.int64))


@lru_cache(maxsize=1)
def _classes() -> NDArray[np.uint8]:
    parts = RUNS.split()
    kinds = np.array(["swomn".index(part[-1]) for part in parts], np.uint8)
    return np.repeat(kinds, [int(part[:-1], 16) for part in parts])


def _powers(base: int, size: int) -> U64:
    if size > _KEPT_POWERS:
        return np.cumprod(np.full(size, base, np.uint64), dtype=np.uint64)
    return _kept_powers(base)[:size]


@lru_cache(maxsize=2)
def _kept_powers(base: int) -> U64:
    return np.cumprod(np.full(_KEPT_POWERS, base, np.uint64), dtype=np.uint64)


def _hash_runs(values: U64, starts: NDArray[np.intp]) -> U64:
    """Return a hash of each run of values (from one start to the next): `mix(sum(value[i] * BASE ** (i - start + 1)))`.

    With the sums of `value[i] * BASE ** i` up to every place, a run is a difference, moved to its start by a power of the
    inverse of BASE, which exists because BASE is odd.
    """
    sums = np.empty(values.size + 1, np.uint64)
    sums[0] = 0
    np.cumsum(values * _powers(_BASE, values.size), out=sums[1:])
    runs = np.diff(sums[np.append(starts, values.size)])
    inverse = _powers(_INVERSE, values.size)
    moved = np.where(starts > 0, inverse[starts - 1], np.uint64(1))
    return mix(runs * moved)


def mix(values: U64) -> U64:
    """Return MurmurHash3's 64-bit finaliser of each value (Appleby 2011, `fmix64`)."""
    values = values ^ (values >> np.uint64(33))
    values = values * np.uint64(_STEP_1)
    values ^= values >> np.uint64(33)
    values *= np.uint64(_STEP_2)
    return values ^ (values >> np.uint64(33))


def features_of(sentences: Sequence[str], weights: Sequence[int] | None = None) -> Features:
    """Return the features of sentences; `weights` (one a sentence, default 1) weigh the shingles that begin in them."""
    text = "\n".join(sentences).casefold()
    codes = np.frombuffer(text.encode(_CODEC, "replace"), np.uint32)
    if not codes.size:
        return _NOTHING
    words, lines = _words(codes)
    if not words.size:
        return _NOTHING
    starts = np.flatnonzero(np.diff(lines, prepend=-1))
    sizes = np.diff(starts, append=words.size)
    hashes = _hash_runs(words, starts)
    flow = int(_hash_runs(words, np.zeros(1, np.intp))[0])
    shingles, votes = _shingles(words, lines, hashes, starts, sizes, weights)
    return Features(int(words.size), flow, hashes, sizes.astype(np.int64), shingles, votes)


def _words(codes: NDArray[np.uint32]) -> tuple[U64, NDArray[np.int64]]:
    """Return the hash of each word and the number of the line it stands in."""
    kinds = _classes()[codes]
    before = np.empty_like(kinds)
    before[0] = _SEPARATOR
    before[1:] = kinds[:-1]
    after_gap = (before == _SEPARATOR) | (before == _NEWLINE)
    starting = (
        (kinds == _OWN) | (((kinds == _WORD) | (kinds == _MARK)) & after_gap) | ((kinds == _WORD) & (before == _OWN))
    )
    starts = np.flatnonzero(starting)
    if not starts.size:
        return _NONE, np.empty(0, np.int64)
    inside = (kinds != _SEPARATOR) & (kinds != _NEWLINE)
    # gaps count as zeros at the end of the word before them
    hashes = _hash_runs(codes[starts[0] :] * inside[starts[0] :].astype(np.uint64), starts - starts[0])
    ends = np.searchsorted(starts, np.flatnonzero(kinds == _NEWLINE))
    counts = np.diff(ends, prepend=0, append=starts.size)
    return hashes, np.repeat(np.arange(counts.size), counts)


def _shingles(
    words: U64, lines: NDArray[np.int64], hashes: U64, starts: NDArray[np.int64], sizes: NDArray[np.int64],
    weights: Sequence[int] | None,
) -> tuple[U64, NDArray[np.int64]]:  # fmt: skip
    short = sizes < 3
    runs = (
        words[:-2] * np.uint64(_BASE) + words[1:-1] * np.uint64(_STEP_1) + words[2:] * np.uint64(_STEP_2)
        if words.size > 2
        else _NONE
    )
    whole = lines[:-2] == lines[2:] if words.size > 2 else np.empty(0, np.bool_)
    found = np.concatenate([mix(runs[whole]), hashes[short]])
    if weights is None:
        distinct = np.unique(found)
        return distinct, np.ones(distinct.size, np.int64)
    of_line = np.asarray(weights, np.int64)
    votes = np.concatenate(
        [of_line[lines[:-2][whole]] if words.size > 2 else of_line[:0], of_line[lines[starts][short]]]
    )
    distinct, inverse = np.unique(found, return_inverse=True)
    heaviest = np.zeros(distinct.size, np.int64)
    np.maximum.at(heaviest, inverse, votes)
    return distinct, heaviest

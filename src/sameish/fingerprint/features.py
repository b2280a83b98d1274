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
_SEPARATOR, _NEWLINE, _WORD, _OWN, _MARK = range(5)
_CODEC = "utf-32-le" if sys.byteorder == "little" else "utf-32-be"

# odd multipliers: golden ratio, and two from MurmurHash3's finaliser
_BASE, _STEP_1, _STEP_2 = 0x9E3779B97F4A7C15, 0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53
_INVERSE = pow(_BASE, -1, 1 << 64)
_SHORT_TEXT, _LONG_TEXT = 1 << 17, 1 << 20
"""Powers are kept for texts of so many characters (2 MiB), and once there is a longer one, for the next powers of two up to
the second (16 MiB)."""
_NONE: U64 = np.empty(0, np.uint64)
_FIRST = np.zeros(1, np.intp)
_SHINGLE = 3


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
    kinds = np.array(["snwom".index(part[-1]) for part in parts], np.uint8)
    return np.repeat(kinds, [int(part[:-1], 16) for part in parts])


def _powers(base: int, size: int) -> U64:
    """Return the powers of an odd base from its zeroth on, modulo 2**64."""
    if size > _LONG_TEXT:
        return _new_powers(base, size)
    return _kept_powers(base, max(_SHORT_TEXT, 1 << (size - 1).bit_length()))[:size]


@lru_cache(maxsize=8)
def _kept_powers(base: int, size: int) -> U64:
    return _new_powers(base, size)


def _new_powers(base: int, size: int) -> U64:
    factors = np.full(size, base, np.uint64)
    factors[0] = 1
    return np.cumprod(factors, dtype=np.uint64)


def _hash_runs(values: NDArray[np.unsignedinteger], starts: NDArray[np.intp]) -> U64:
    """Return a hash of each run of values (from one start to the next): `mix(sum(value[i] * BASE ** (i - start)))`.

    The sum of `value[i] * BASE ** i` over a run is moved to its start by a power of the inverse of BASE, which exists
    because BASE is odd.
    """
    # differences of one sum over everything: `reduceat` takes twice as long where runs are short
    sums = np.zeros(values.size + 1, np.uint64)
    (values * _powers(_BASE, values.size)).cumsum(out=sums[1:])
    before = sums.take(starts)
    runs = np.concatenate((before[1:], sums[-1:])) - before
    runs *= _powers(_INVERSE, values.size).take(starts)
    return mix(runs)


def mix(values: U64) -> U64:
    """Return MurmurHash3's 64-bit finaliser of each value (Appleby 2011, `fmix64`)."""
    values = values ^ (values >> np.uint64(33))
    values = values * np.uint64(_STEP_1)
    values ^= values >> np.uint64(33)
    values *= np.uint64(_STEP_2)
    return values ^ (values >> np.uint64(33))


def features_of(sentences: Sequence[str], weights: Sequence[int] | None = None) -> Features:
    """Return the features of sentences; `weights` (one a sentence, default 1) weigh the shingles that begin in them."""
    words, counts = words_of("\n".join(sentences))
    if not words.size:
        return _NOTHING
    # a line without a word is no sentence; reduceat and the like need runs that are not empty
    sizes = counts[counts > 0]
    starts = np.cumsum(sizes) - sizes
    hashes = _hash_runs(words, starts)
    flow = int(_hash_runs(words, _FIRST)[0])
    of_line = np.ones(counts.size, np.int64) if weights is None else np.asarray(weights, np.int64)
    shingles, votes = _shingles(words, hashes, sizes, of_line[counts > 0])
    return Features(int(words.size), flow, hashes, sizes, shingles, votes)


def words_of(text: str) -> tuple[U64, NDArray[np.int64]]:
    """Return the hash of each word of a text, and how many words each of its lines has (no counts without a word)."""
    codes = np.frombuffer(text.casefold().encode(_CODEC, "replace"), np.uint32)
    return _words(codes) if codes.size else (_NONE, np.empty(0, np.int64))


def _words(codes: NDArray[np.uint32]) -> tuple[U64, NDArray[np.int64]]:
    kinds = _classes().take(codes)
    gap = kinds <= _NEWLINE
    starting = kinds == _OWN
    # a word begins after a gap, and where a script with spaces follows one without
    starting[1:] |= ~gap[1:] & (gap[:-1] | (starting[:-1] & (kinds[1:] == _WORD)))
    starting[0] = not gap[0]
    starts = np.flatnonzero(starting)
    if not starts.size:
        return _NONE, np.empty(0, np.int64)
    # gaps count as zeros at the end of the word before them
    hashes = _hash_runs(codes * ~gap, starts)
    ends = np.append(starts.searchsorted(np.flatnonzero(kinds == _NEWLINE)), starts.size)
    ends[1:] -= ends[:-1].copy()
    return hashes, ends


def _shingles(
    words: U64, hashes: U64, sizes: NDArray[np.int64], weights: NDArray[np.int64]
) -> tuple[U64, NDArray[np.int64]]:
    """Return the distinct shingles, ascending, and the most that each weighs."""
    short = sizes < _SHINGLE
    # the number of the sentence that each word stands in; a run of three must not leave it
    lines = np.repeat(np.arange(sizes.size), sizes)
    whole = np.flatnonzero(lines[: -_SHINGLE + 1] == lines[_SHINGLE - 1 :])
    runs = words * np.uint64(_BASE)
    runs[:-1] += words[1:] * np.uint64(_STEP_1)
    runs[:-2] += words[2:] * np.uint64(_STEP_2)
    found = np.concatenate([mix(runs[whole]), hashes[short]])
    shingles = distinct(found)
    lightest, *heavier = sorted(set(weights.tolist()))
    heaviest = np.full(shingles.size, lightest)
    if heavier:
        votes = np.concatenate([weights[lines[whole]], weights[short]])
        for weight in heavier:
            heaviest[shingles.searchsorted(found[votes == weight])] = weight
    return shingles, heaviest


def distinct(values: U64) -> U64:
    """Return the distinct values, ascending. `np.unique` builds a hash table, which takes ten times as long."""
    ordered = np.sort(values)
    new = np.ones(ordered.size, np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    return ordered[new]

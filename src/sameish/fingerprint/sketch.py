"""The sketch: a set of sentence hashes, small, bounded, and enough to say what share of two pages is common.

Format: one byte `level`, then entries of six bytes, little-endian, ascending, distinct. An entry is, from its high bits
down: 20 bits of the hash of the sentence (order of words counts), 20 bits of the hash of its bag of words (order and cuts
do not count), 8 bits its number of words (255 = that or more). The bag lets sentences that were only cut elsewhere be recognised.

A page with more than `LIMIT` distinct sentences keeps only entries whose hash begins with `level` zero bits: a sample
that two pages draw alike, so that their common share can still be estimated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sameish.errors import ReadingError
from sameish.fingerprint.features import U64, Features

LIMIT = 2600
"""Most entries of a sketch; 15,601 bytes."""
_ENTRY_BYTES = 6
_BITS = 20
_MASK = np.uint64((1 << _BITS) - 1)
_TOP = 2 * _BITS + 8


@dataclass(frozen=True, slots=True)
class Sketch:
    """Entries (ascending) and the level they were thinned to."""

    entries: U64
    level: int


def pack(features: Features) -> bytes:
    """Return the sketch of a text's features; empty without sentences."""
    if not features.sentences.size:
        return b""
    hashes = features.sentences >> np.uint64(64 - _BITS)
    bags = features.bags & _MASK
    sizes = np.minimum(features.sizes, 255).astype(np.uint64)
    entries = np.unique(hashes << np.uint64(_BITS + 8) | bags << np.uint64(8) | sizes)
    level = 0
    while entries.size > LIMIT and level < _BITS:
        level += 1
        entries = _thin(entries, level)
    # one sentence hash repeated with thousands of bags cannot be thinned by hash; the bound holds all the same
    entries = entries[:LIMIT]
    return bytes([level]) + entries.astype("<u8").view(np.uint8).reshape(-1, 8)[:, :_ENTRY_BYTES].tobytes()


def unpack(data: bytes) -> Sketch:
    """Return the entries of `pack`.

    Raises:
        ReadingError: the length is no sketch's.
    """
    if not data:
        return Sketch(np.empty(0, np.uint64), 0)
    if len(data) % _ENTRY_BYTES != 1:
        raise ReadingError(f"a sketch of {len(data)} bytes; expected a multiple of {_ENTRY_BYTES}, and one")
    wide = np.zeros(((len(data) - 1) // _ENTRY_BYTES, 8), np.uint8)
    wide[:, :_ENTRY_BYTES] = np.frombuffer(data, np.uint8, offset=1).reshape(-1, _ENTRY_BYTES)
    return Sketch(wide.view("<u8").reshape(-1).astype(np.uint64, copy=False), data[0])


def _thin(entries: U64, level: int) -> U64:
    return entries[: int(np.searchsorted(entries, np.uint64(1 << (_TOP - level))))]


@dataclass(frozen=True, slots=True)
class Overlap:
    """What two sketches share. Counts of words: `.common`, `.only_a`, `.only_b`; of sentences: `.left_a`, `.left_b`.

    `.recut`: the left-over sentences of both consist of the same words and are only cut elsewhere. `.thinned`: a sample.
    """

    common: int
    only_a: int
    only_b: int
    left_a: int
    left_b: int
    recut: bool
    thinned: bool

    @property
    def similarity(self) -> float:
        """Share of words in common sentences, 0..1 (Dice's coefficient); 0 where nothing can be compared."""
        whole = 2 * self.common + self.only_a + self.only_b
        return 2 * self.common / whole if whole else 0.0


def overlap(a: bytes, b: bytes) -> Overlap:
    """Compare two packed sketches."""
    first, second = unpack(a), unpack(b)
    level = max(first.level, second.level)
    left = _thin(first.entries, level) if level else first.entries
    right = _thin(second.entries, level) if level else second.entries
    both = np.intersect1d(left, right, assume_unique=True)
    only_a = left[~np.isin(left, both, assume_unique=True)]
    only_b = right[~np.isin(right, both, assume_unique=True)]
    return Overlap(
        common=_word_count(both),
        only_a=_word_count(only_a),
        only_b=_word_count(only_b),
        left_a=int(only_a.size),
        left_b=int(only_b.size),
        recut=not level and _is_recut(only_a, only_b),
        thinned=level > 0,
    )


def _word_count(entries: U64) -> int:
    return int((entries & np.uint64(0xFF)).sum())


def _is_recut(only_a: U64, only_b: U64) -> bool:
    """One sentence against one with the same words is another order of words, which is a change."""
    if not only_a.size or not only_b.size or only_a.size + only_b.size < 3:
        return False
    bag_a, bag_b = (int(((part >> np.uint64(8)) & _MASK).sum()) & int(_MASK) for part in (only_a, only_b))
    return bag_a == bag_b and _word_count(only_a) == _word_count(only_b)

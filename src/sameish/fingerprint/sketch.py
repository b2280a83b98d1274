"""The sketch: a set of sentence hashes, small, bounded, and enough to say what share of two pages is common.

Format: one byte `level`, eight bytes `flow`, then entries of six bytes, all little-endian; entries ascending and distinct. An
entry is, from its high bits down: 40 bits of the hash of the sentence (order of words counts), 8 bits its number of words (255 =
that or more). The flow is a hash of all words in their order, whatever the cuts: equal flows are the same text, cut elsewhere.

A page with more than `LIMIT` distinct sentences keeps only entries whose hash begins with `level` zero bits: a sample
that two pages draw alike, so that their common share can still be estimated.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sameish.errors import ReadingError
from sameish.fingerprint.features import U64, Features, distinct

LIMIT = 2600
"""Most entries of a sketch; 15,609 bytes."""
_ENTRY_BYTES = 6
_HASH_BITS, _SIZE_BITS = 40, 8
_TOP = _HASH_BITS + _SIZE_BITS
_HEAD = struct.Struct("<BQ")


@dataclass(frozen=True, slots=True)
class Sketch:
    """Entries (ascending), the level they were thinned to, and the flow of the whole text."""

    entries: U64
    level: int
    flow: int


def pack(features: Features) -> bytes:
    """Return the sketch of a text's features; empty without sentences."""
    if not features.sentences.size:
        return b""
    hashes = features.sentences >> np.uint64(64 - _HASH_BITS)
    sizes = np.minimum(features.sizes, 255).astype(np.uint64)
    entries = distinct(hashes << np.uint64(_SIZE_BITS) | sizes)
    level = 0
    while entries.size > LIMIT:
        level += 1
        entries = _thin(entries, level)
    octets = entries.astype("<u8").view(np.uint8).reshape(-1, 8)[:, :_ENTRY_BYTES]
    return _HEAD.pack(level, features.flow) + octets.tobytes()


def unpack(data: bytes) -> Sketch:
    """Return the entries of `pack`.

    Raises:
        ReadingError: the length is no sketch's.
    """
    if not data:
        return Sketch(np.empty(0, np.uint64), 0, 0)
    count, rest = divmod(len(data) - _HEAD.size, _ENTRY_BYTES)
    if rest or count < 0:
        raise ReadingError(f"a sketch of {len(data)} bytes; expected {_HEAD.size} and a multiple of {_ENTRY_BYTES}")
    level, flow = _HEAD.unpack_from(data)
    wide = np.zeros((count, 8), np.uint8)
    wide[:, :_ENTRY_BYTES] = np.frombuffer(data, np.uint8, offset=_HEAD.size).reshape(-1, _ENTRY_BYTES)
    return Sketch(wide.view("<u8").reshape(-1).astype(np.uint64, copy=False), level, flow)


def _thin(entries: U64, level: int) -> U64:
    return entries[: int(np.searchsorted(entries, np.uint64(1 << max(0, _TOP - level))))]


@dataclass(frozen=True, slots=True)
class Overlap:
    """What two sketches share. Counts of words: `.common`, `.only_a`, `.only_b`; of sentences: `.left_a`, `.left_b`.

    `.recut`: both texts are the same words in the same order, cut into other sentences. `.thinned`: a sample.
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
    both = _common(left, right)
    common = _word_count(both)
    return Overlap(
        common=common,
        only_a=_word_count(left) - common,
        only_b=_word_count(right) - common,
        left_a=left.size - both.size,
        left_b=right.size - both.size,
        recut=first.flow == second.flow and bool(left.size),
        thinned=level > 0,
    )


def _common(left: U64, right: U64) -> U64:
    """Return what stands in both; each is ascending and distinct. `np.intersect1d` sorts both anew."""
    if not right.size:
        return right
    found: NDArray[np.bool_] = right.take(right.searchsorted(left), mode="clip") == left
    return left[found]


def _word_count(entries: U64) -> int:
    return int((entries & np.uint64(0xFF)).sum())

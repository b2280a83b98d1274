"""Simhash (Charikar 2002) of weighted features, and distances between hashes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sameish.fingerprint.features import U64


def simhash(hashes: U64, weights: NDArray[np.int64]) -> int | None:
    """Return the 64-bit simhash of feature hashes; bit i is set where the weights of set bits exceed half of the sum.

    A tie gives 0. Returns None without features, so that two empty pages never look alike.
    """
    if not hashes.size:
        return None
    least = int(weights.min())
    votes = least * _bit_counts(hashes)
    if least < weights.max():
        for more in set((weights - least).tolist()) - {0}:
            votes += more * _bit_counts(hashes[weights == least + more])
    set_bits = (2 * votes > weights.sum()).astype(np.uint8)
    return int.from_bytes(np.packbits(set_bits, bitorder="little").tobytes(), "little")


def _bit_counts(hashes: U64) -> NDArray[np.int64]:
    """Return how many hashes have each bit set, from the lowest bit on.

    Every eighth bit of a hash, moved to the lowest place of its octet, counts itself when hashes are added: eight sums at
    once in one number, up to 255 hashes.
    """
    lanes = (hashes >> _PLACES) & _LOWEST_BITS
    sums = np.add.reduceat(lanes, np.arange(0, hashes.size, 255), axis=1)
    octets = sums.astype("<u8", copy=False).view(np.uint8).reshape(8, -1, 8)
    counts: NDArray[np.int64] = octets.sum(axis=1, dtype=np.int64).T.ravel()
    return counts


_PLACES = np.arange(8, dtype=np.uint64)[:, np.newaxis]
_LOWEST_BITS = np.uint64(0x0101010101010101)


def hamming_distance(x: int, y: int) -> int:
    """Return the number of differing bits, 0..64. Signed 64-bit values are taken as their unsigned twins."""
    return ((x ^ y) & 0xFFFF_FFFF_FFFF_FFFF).bit_count()


def bit_similarity(x: int, y: int) -> float:
    """Return the percentage of equal bits, 0..100: `(64 - distance) / 64 * 100`."""
    return (64 - hamming_distance(x, y)) / 64 * 100

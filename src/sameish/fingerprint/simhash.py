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
    octets = hashes.astype("<u8").view(np.uint8).reshape(-1, 8)
    if len(octets) < _FEW:
        votes = weights @ np.unpackbits(octets, axis=1, bitorder="little")
    else:
        # a histogram of each octet, then the bits of its 256 values: three times faster than a column for every bit
        votes = np.concatenate([_weights_of_values(octets[:, place], weights) @ _BITS_OF_VALUES for place in range(8)])
    set_bits = (2 * votes > weights.sum()).astype(np.uint8)
    return int.from_bytes(np.packbits(set_bits, bitorder="little").tobytes(), "little")


def _weights_of_values(octets: NDArray[np.uint8], weights: NDArray[np.int64]) -> NDArray[np.int64]:
    if weights.min() == weights.max():
        counts: NDArray[np.int64] = np.bincount(octets, minlength=256) * weights[0]
        return counts
    # bincount adds in float64, which is exact for sums below 2**53
    return np.bincount(octets, weights=weights, minlength=256).astype(np.int64)


_FEW = 400
_BITS_OF_VALUES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").astype(np.int64)


def hamming_distance(x: int, y: int) -> int:
    """Return the number of differing bits, 0..64. Signed 64-bit values are taken as their unsigned twins."""
    return ((x ^ y) & 0xFFFF_FFFF_FFFF_FFFF).bit_count()


def bit_similarity(x: int, y: int) -> float:
    """Return the percentage of equal bits, 0..100: `(64 - distance) / 64 * 100`."""
    return (64 - hamming_distance(x, y)) / 64 * 100

"""Hashes as they come, and as they hurt."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

KINDS = (
    "uniform",
    "clustered",
    "one band constant",
    "two bands constant",
    "only bit 63 and some low bits",
    "all equal",
)


def hashes_of(kind: str, count: int, seed: int = 1) -> Hashes:
    draw = np.random.default_rng(seed)
    hashes = draw.integers(0, 1 << 64, count, dtype=np.uint64)
    if kind == "clustered":
        hashes = flipped(draw.choice(hashes[: count // 8 + 1], count), draw, 6)
    elif kind == "one band constant":
        hashes &= np.uint64(0xFFFFFFFFFFFF0000)
    elif kind == "two bands constant":
        hashes = hashes & np.uint64(0x00000000FFFFFFFF) | np.uint64(0xABCD123400000000)
    elif kind == "only bit 63 and some low bits":
        hashes &= np.uint64(0x8000000000000FFF)
    elif kind == "all equal":
        hashes[:] = 1 << 63
    return hashes


def queries_of(hashes: Hashes, count: int, seed: int = 2) -> list[int]:
    """Stored hashes with a few bits flipped, and some that are far from all."""
    draw = np.random.default_rng(seed)
    near = flipped(draw.choice(hashes, count), draw, 12)
    return [*near.tolist(), 0, 1 << 63, (1 << 64) - 1, *draw.integers(0, 1 << 64, 3, dtype=np.uint64).tolist()]


def flipped(hashes: Hashes, draw: np.random.Generator, most: int) -> Hashes:
    """With 0 to so many bits of each flipped."""
    flips = draw.integers(0, most + 1, len(hashes))
    for number in range(most):
        bits = np.uint64(1) << draw.integers(0, 64, len(hashes), dtype=np.uint64)
        hashes = hashes ^ np.where(flips > number, bits, np.uint64(0))
    return hashes


def brute_force(hashes: Hashes, simhash: int, within: int) -> dict[int, int]:
    """Row: distance, by plain integers."""
    found = {row: (one ^ simhash).bit_count() for row, one in enumerate(hashes.tolist())}
    return {row: distance for row, distance in found.items() if distance <= within}

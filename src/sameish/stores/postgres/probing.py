"""Which blocks a hash can share with one that is near: the pigeonhole principle, for four blocks of 16 bits."""

from __future__ import annotations

from functools import cache
from itertools import combinations

BLOCKS, BITS = 4, 16


def probes(simhash: int, within: int) -> list[list[int]]:
    """Return for each block, from the highest bits down, which values hashes within a distance can have there.

    Let `t` be bits allowed in each block. If they sum up to `within - 3` or more, every hash within the distance differs by
    at most `t` bits in at least one block: else it would differ by `within + 1` in all. Up to distance 3 that is the block
    itself, up to 7 the 17 values within one bit.

    Args:
        simhash: unsigned 64-bit integer.
        within: Hamming distance, 0..64.

    >>> probes(0x0001_0002_0003_0004, 3)
    [[1], [2], [3], [4]]
    >>> [len(values) for values in probes(0, 8)]
    [137, 17, 17, 17]
    """
    more, rest = divmod(within + 1, BLOCKS)
    allowed = [more - (block >= rest) for block in range(BLOCKS)]
    blocks = [simhash >> BITS * (BLOCKS - 1 - block) & 0xFFFF for block in range(BLOCKS)]
    return [[value ^ mask for mask in _masks(bits)] for value, bits in zip(blocks, allowed, strict=True)]


@cache
def _masks(bits: int) -> list[int]:
    """Return all numbers of 16 bits of which at most so many are set; none for -1."""
    chosen = (places for count in range(bits + 1) for places in combinations(range(BITS), count))
    return [sum(1 << place for place in places) for places in chosen]

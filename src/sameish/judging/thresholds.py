"""How near is near: Hamming bands that depend on the length of the pages."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

from sameish.settings import Judging


def is_near(similarity: float, distance: int, words: int, settings: Judging) -> bool:
    """Tell whether two pages that are not identical are the same article.

    Args:
        similarity: share of the words in common sentences, 0..1.
        distance: of the simhashes, 0..64.
        words: of the shorter page.
        settings: thresholds.
    """
    return similarity >= settings.near_similarity or distance <= near_bits(words, settings)


def shared_similarity(signals: Mapping[str, float]) -> float:
    """Return the share of words in common sentences, 0..1, from the signals of a comparison."""
    common = 2 * signals["common_words"]
    whole = common + signals["only_a_words"] + signals["only_b_words"]
    return common / whole if whole else 0.0


def near_bits(words: int, settings: Judging) -> int:
    """Return the distance up to which two pages of this many words can be the same article with a small edit, 0..64."""
    return max(settings.near_bits, _band(words))


@lru_cache(maxsize=65_536)
def _band(words: int) -> int:
    """Return the bits that a small edit of so many words can move.

    One changed word replaces three shingles, so the shorter the page, the further a small edit moves the hash. The
    expected distance is `64 * angle / pi` (Charikar 2002), where the cosine of the angle is the share of shingles kept;
    the band allows 5 % of the words to change, at least two of them, and one standard deviation more.
    """
    shingles = max(1, words)
    changed = 3 * max(2.0, 0.05 * words / 3)
    kept = max(0.0, 1 - changed / shingles)
    mean = 64 * math.acos(kept) / math.pi
    share = mean / 64
    bits = mean + math.sqrt(64 * share * (1 - share))
    return min(round(bits), _FAR)


_FAR = 22
"""Pages that far apart share nothing that chance does not explain: 32 is the mean of unrelated pages."""


def expected_similarity(distance: int) -> float:
    """Return the share of equal features that a distance stands for: the cosine of its angle, 0..1."""
    return max(0.0, math.cos(math.pi * distance / 64))

"""The structure hash: what shape a page's DOM has, whatever it says."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import mmh3
import numpy as np

from sameish.fingerprint.features import distinct, mix
from sameish.fingerprint.simhash import simhash


def structure_hash(tags: Sequence[str]) -> int | None:
    """Return the simhash of the distinct runs of three tags in document order, None with fewer than three tags.

    Attributes, text, comments and the number of repetitions do not count: a list of twenty items is shaped like one of
    twelve.
    """
    if len(tags) < 3:
        return None
    codes = np.fromiter(map(_number_of, tags), np.uint64, len(tags))
    runs = codes[:-2] * np.uint64(3) + codes[1:-1] * np.uint64(5) + codes[2:] * np.uint64(7)
    shapes = distinct(mix(runs))
    return simhash(shapes, np.ones(shapes.size, np.int64))


@lru_cache(maxsize=1024)
def _number_of(tag: str) -> int:
    return mmh3.hash64(tag.encode("utf-8", "replace"), signed=False)[0]

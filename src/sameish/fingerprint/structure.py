"""The structure hash: what shape a page's DOM has, whatever it says."""

from __future__ import annotations

from collections.abc import Sequence

import mmh3
import numpy as np

from sameish.fingerprint.features import mix
from sameish.fingerprint.simhash import simhash


def structure_hash(tags: Sequence[str]) -> int | None:
    """Return the simhash of the distinct runs of three tags in document order, None with fewer than three tags.

    Attributes, text, comments and the number of repetitions do not count: a list of twenty items is shaped like one of
    twelve.
    """
    if len(tags) < 3:
        return None
    numbers = {tag: mmh3.hash64(tag.encode("utf-8", "replace"), signed=False)[0] for tag in set(tags)}
    codes = np.array([numbers[tag] for tag in tags], np.uint64)
    runs = codes[:-2] * np.uint64(3) + codes[1:-1] * np.uint64(5) + codes[2:] * np.uint64(7)
    distinct = np.unique(mix(runs))
    return simhash(distinct, np.ones(distinct.size, np.int64))

"""The structure hash: what shape a page's DOM has, whatever it says."""

from __future__ import annotations

from collections.abc import Sequence

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
    codes = np.fromiter(map(_NUMBERS.__getitem__, tags), np.uint64, len(tags))
    runs = codes[:-2] * np.uint64(3) + codes[1:-1] * np.uint64(5) + codes[2:] * np.uint64(7)
    shapes = distinct(mix(runs))
    return simhash(shapes, np.ones(shapes.size, np.int64))


class _Numbers(dict[str, int]):
    """A hash for each tag, reckoned once; of invented tags a page can have any number, so that those are not kept."""

    def __missing__(self, tag: str) -> int:
        number = mmh3.hash64(tag.encode("utf-8", "replace"), signed=False)[0]
        if len(self) < _MOST_TAGS:
            self[tag] = number
        return number


_MOST_TAGS = 1024
_NUMBERS = _Numbers()

"""Sentences as fingerprints see them: what is compared is the hashes of their words, in their order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import TypeAlias

import numpy as np

from sameish.fingerprint.features import _CODEC, _words

Words: TypeAlias = tuple[int, ...]
"""A hash of each word: equal for sentences that have one hash in a fingerprint, whatever their case and punctuation."""


def word_hashes(sentences: Sequence[str]) -> list[Words]:
    """Return the words of each sentence, in their order; none where only punctuation stands."""
    if not sentences:
        return []
    text = "\n".join(sentence.replace("\n", " ") for sentence in sentences).casefold()
    words, counts = _words(np.frombuffer(f"{text}\n".encode(_CODEC, "replace"), np.uint32))
    if not words.size:
        return [()] * len(sentences)
    found, ends = words.tolist(), accumulate(counts.tolist()[:-1], initial=0)
    return [tuple(found[start:end]) for start, end in pairwise(ends)]

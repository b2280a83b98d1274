"""Sentences as fingerprints see them: what is compared is the hashes of their words, in their order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import TypeAlias

from sameish.fingerprint.features import words_of

Words: TypeAlias = tuple[int, ...]
"""A hash of each word: equal for sentences that have one hash in a fingerprint, whatever their case and punctuation."""


def word_hashes(sentences: Sequence[str]) -> list[Words]:
    """Return the words of each sentence, in their order; none where only punctuation stands."""
    if not sentences:
        return []
    words, counts = words_of("\n".join(sentence.replace("\n", " ") for sentence in sentences))
    if not words.size:
        return [()] * len(sentences)
    found, ends = words.tolist(), accumulate(counts.tolist(), initial=0)
    return [tuple(found[start:end]) for start, end in pairwise(ends)]

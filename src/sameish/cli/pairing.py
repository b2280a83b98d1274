"""Which sentences of two stretches are edits of each other. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from sameish.cli.wording import likeness, words_of
from sameish.judging.alignment import longest_rise

MOST_ALIKE = 0.5
"""Share of common words from which a removed and an added sentence are one edited sentence."""
_OFTEN = 20
"""A word in more sentences of a stretch says nothing about which belong together; bounds the work, too."""
_TRIED = 4
"""So many of the sentences that may belong to one are compared with it."""


def edited_pairs(before: Mapping[int, str], after: Mapping[int, str]) -> list[tuple[int, int]]:
    """Return which sentences are edits of each other, none crossing another pair.

    Each on A chooses the one on B that is most like it; of those that chose it, one on B takes the most alike. Values are
    sentences by place.
    """
    old = {place: Counter(words_of(text)) for place, text in before.items()}
    new = {place: Counter(words_of(text)) for place, text in after.items()}
    holders = _holders(new)
    best: dict[int, tuple[float, int]] = {}
    ranked = list(new)
    for rank, (place, words) in enumerate(old.items()):
        # in a table all words may be frequent; its rows stand in the same order
        tried = {*_nearest(words, holders), *ranked[rank : rank + 1]}
        likest = [(likeness(words, new[twin]), twin) for twin in tried]
        score, twin = max(likest, key=lambda one: (one[0], -one[1]), default=(0.0, 0))
        if score >= MOST_ALIKE and (twin not in best or score > best[twin][0]):
            best[twin] = (score, place)
    pairs = sorted((place, twin) for twin, (_, place) in best.items())
    return [pairs[place] for place in longest_rise([twin for _, twin in pairs])]


def _holders(sentences: Mapping[int, Iterable[str]]) -> dict[str, list[int]]:
    """Return in which sentences a word stands, of words that stand in few."""
    holders: dict[str, list[int]] = defaultdict(list)
    for place, words in sentences.items():
        for word in words:
            holders[word].append(place)
    return {word: places for word, places in holders.items() if len(places) <= _OFTEN}


def _nearest(words: Iterable[str], holders: Mapping[str, Sequence[int]]) -> list[int]:
    shared = Counter(place for word in words for place in holders.get(word, ()))
    return [place for place, _ in shared.most_common(_TRIED)]

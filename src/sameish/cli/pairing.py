"""Which sentences of two stretches belong together though they are not equal: edited ones, and those cut elsewhere. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from sameish.cli.wording import likeness, words_of

MOST_ALIKE = 0.5
"""Share of common words from which a removed and an added sentence are one edited sentence."""
_OFTEN = 20
"""A word in more sentences of a stretch says nothing about which belong together; bounds the work, too."""
_TRIED = 4
"""So many of the sentences that may belong to one are compared with it."""
_LONGEST = 200
"""Most sentences that are looked at as one piece of text, cut elsewhere."""

Block = tuple[int, int, int, int]
"""From and up to which sentence on A, from and up to which on B."""


def longest_rise(values: Sequence[int]) -> list[int]:
    """Return the places of a longest rising subsequence of distinct numbers, by patience sorting: n log n."""
    tops: list[int] = []
    places: list[int] = []
    below = [-1] * len(values)
    for place, value in enumerate(values):
        pile = bisect_left(tops, value)
        if pile:
            below[place] = places[pile - 1]
        tops[pile : pile + 1], places[pile : pile + 1] = [value], [place]
    rise = []
    place = places[-1] if places else -1
    while place >= 0:
        rise.append(place)
        place = below[place]
    return rise[::-1]


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


def recut_blocks(before: Mapping[int, str], after: Mapping[int, str]) -> list[Block]:
    """Return runs of sentences that are the same words in the same order, cut elsewhere; none crossing another.

    Values are sentences by place; a run is one without a gap in the places.
    """
    old = {place: words for place, text in before.items() if (words := words_of(text))}
    new = {place: words for place, text in after.items() if (words := words_of(text))}
    starting: dict[str, list[int]] = defaultdict(list)
    for place, words in new.items():
        starting[words[0]].append(place)
    blocks: list[Block] = []
    end, end_new = 0, 0
    for place, words in old.items():
        twins = starting.get(words[0], []) if place >= end else []
        first = bisect_left(twins, end_new)
        tried = (_same_words(old, place, new, twin) for twin in twins[first : first + _TRIED])
        if block := next(filter(None, tried), None):
            blocks.append(block)
            _, end, _, end_new = block
    return blocks


def _same_words(old: Mapping[int, list[str]], place: int, new: Mapping[int, list[str]], twin: int) -> Block | None:
    """Return how far the words are the same from two places on, where both stretches end together."""
    start, start_new = place, twin
    left, right = old[place], new[twin]
    while left and right and place - start + twin - start_new < _LONGEST:
        size = min(len(left), len(right))
        if left[:size] != right[:size]:
            return None
        left, right = left[size:], right[size:]
        if not left and not right:
            alone = place == start and twin == start_new
            return None if alone else (start, place + 1, start_new, twin + 1)
        if left:
            twin += 1
            right = new.get(twin, [])
        else:
            place += 1
            left = old.get(place, [])
    return None

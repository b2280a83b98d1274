"""Which sentences of two pages stand for each other: equal ones, and those that are only cut elsewhere. Pure.

Sentences are equal where their fingerprints are: case and punctuation do not count, nor do the order of sentences and
their repetitions. The first of equal sentences stands for all of them, so no sentence is twice on a page, and the ones that kept
their order are a longest rising subsequence: n log n, with however many repetitions.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from typing import TypeAlias

from sameish.fingerprint.word_hashes import Words, word_hashes

_TRIED = 4
"""So many of the sentences that begin with the same word are compared with one."""
_LONGEST = 200
"""Most sentences that are looked at as one piece of text, cut elsewhere."""

Block: TypeAlias = tuple[int, int, int, int]
"""From and up to which sentence on A, from and up to which on B."""


class Side:
    """The sentences of a page, the words of each, and for every distinct one the place where it stands first."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self.sentences = sentences
        self.words = word_hashes(sentences)
        self.first: dict[Words, int] = {}
        for place, words in enumerate(self.words):
            if words:
                self.first.setdefault(words, place)

    def only(self, start: int, end: int, other: Side) -> dict[int, str]:
        """Return the sentences of a stretch that the other page has not, by place, each where it stands first."""
        return {
            place: self.sentences[place]
            for place in range(start, end)
            if (words := self.words[place]) and words not in other.first and self.first[words] == place
        }

    def spoken(self, start: int, end: int) -> list[int]:
        """Return the places of a stretch whose sentences have a word."""
        return [place for place in range(start, end) if self.words[place]]


def shared(a: Side, b: Side) -> list[tuple[int, int]]:
    """Return where each sentence that both pages have stands first on each, in the order of A."""
    return [(place, b.first[words]) for words, place in a.first.items() if words in b.first]


def joints(a: Side, b: Side) -> list[Block]:
    """Return what both pages say, in reading order and without crossings.

    A block of one sentence each is an equal pair. Any other block is the same words in the same order, cut elsewhere,
    with a sentence that only one page has; where the pages as wholes are that, all such sentences are in blocks.
    """
    cut_elsewhere = list(chain(*a.words)) == list(chain(*b.words)) and a.first.keys() != b.first.keys()
    found = _whole(a, b) if cut_elsewhere else _in_order(a, b)
    return [block for block in found if is_pair(block) or _is_news(a, b, block)]


def _in_order(a: Side, b: Side) -> Iterator[Block]:
    common = shared(a, b)
    kept = [common[at] for at in longest_rise([twin for _, twin in common])]
    end, end_new = 0, 0
    for place, twin in kept:
        yield from recut_blocks(a, b, (end, place, end_new, twin))
        end, end_new = place + 1, twin + 1
        yield place, end, twin, end_new
    yield from recut_blocks(a, b, (end, len(a.words), end_new, len(b.words)))


def is_pair(block: Block) -> bool:
    """Is it one sentence on each page? The others are cut elsewhere."""
    start, end, start_new, end_new = block
    return end - start == end_new - start_new == 1


def _is_news(a: Side, b: Side, block: Block) -> bool:
    start, end, start_new, end_new = block
    return bool(a.only(start, end, b) or b.only(start_new, end_new, a))


def alone(a: Side, b: Side) -> tuple[list[str], list[str]]:
    """Return the sentences that only A says and those that only B says, each in its order; none that is cut elsewhere."""
    blocks = joints(a, b)
    old, new = a.only(0, len(a.words), b), b.only(0, len(b.words), a)
    return _outside(old, blocks, 0), _outside(new, blocks, 2)


def _outside(sentences: Mapping[int, str], blocks: Iterable[Block], side: int) -> list[str]:
    taken = {place for block in blocks for place in range(block[side], block[side + 1])}
    return [text for place, text in sentences.items() if place not in taken]


def _whole(a: Side, b: Side) -> Iterator[Block]:
    """Yield the blocks of pages with the same words: from each word before which both are cut to the next."""
    places, places_new = (side.spoken(0, len(side.words)) for side in (a, b))
    cuts, cuts_new = _cuts(a, places), _cuts(b, places_new)
    for start, end in pairwise(word for word in cuts if word in cuts_new):
        old, new = places[cuts[start] : cuts[end]], places_new[cuts_new[start] : cuts_new[end]]
        repeated = len(old) == len(new) == 1 and a.first[a.words[old[0]]] != old[0]
        if not repeated:
            yield old[0], old[-1] + 1, new[0], new[-1] + 1


def _cuts(side: Side, places: Sequence[int]) -> dict[int, int]:
    """Return how many of the places come before each cut, by the number of words before it."""
    return {words: rank for rank, words in enumerate(accumulate((len(side.words[at]) for at in places), initial=0))}


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


def recut_blocks(a: Side, b: Side, within: Block) -> list[Block]:
    """Return runs of sentences within a block that are the same words, cut elsewhere; none crossing another.

    Sentences without a word do not count.
    """
    start, end, start_new, end_new = within
    if start == end or start_new == end_new:  # nearly every gap between common sentences
        return []
    old, new = a.spoken(start, end), b.spoken(start_new, end_new)
    left, right = [a.words[place] for place in old], [b.words[place] for place in new]
    runs = _recut_runs(left, right)
    return [(old[i], old[j - 1] + 1, new[m], new[n - 1] + 1) for i, j, m, n in runs]


def _recut_runs(old: Sequence[Words], new: Sequence[Words]) -> Iterator[Block]:
    starting: dict[int, list[int]] = defaultdict(list)
    for twin, words in enumerate(new):
        starting[words[0]].append(twin)
    end, end_new = 0, 0
    for place, words in enumerate(old):
        twins = starting.get(words[0], []) if place >= end else []
        first = bisect_left(twins, end_new)
        tried = (_same_words(old, place, new, twin) for twin in twins[first : first + _TRIED])
        if block := next(filter(None, tried), None):
            yield block
            _, end, _, end_new = block


def _same_words(old: Sequence[Words], start: int, new: Sequence[Words], start_new: int) -> Block | None:
    """Return how far the words are the same from two places on, where both runs end together."""
    end, end_new = start + 1, start_new + 1
    left, right = old[start], new[start_new]
    while end - start + end_new - start_new <= _LONGEST:
        size = min(len(left), len(right))
        if left[:size] != right[:size]:
            return None
        left, right = left[size:], right[size:]
        if not left and not right:
            equal = end == start + 1 and end_new == start_new + 1
            return None if equal else (start, end, start_new, end_new)
        if (left and end_new == len(new)) or (right and end == len(old)):
            return None
        if left:
            right, end_new = new[end_new], end_new + 1
        else:
            left, end = old[end], end + 1
    return None

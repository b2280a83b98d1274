"""What two pages have in common and what not, in reading order. Pure.

Sentences are equal where their fingerprints are: case and punctuation do not count, nor do the order of sentences and their
repetitions. The first of equal sentences stands for all of them, so no sentence is twice on a page, and the ones that kept
their order are a longest rising subsequence: n log n, with however many repetitions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from sameish.cli.pairing import Block, edited_pairs, longest_rise, recut_blocks
from sameish.fingerprint.features import features_of


@dataclass(frozen=True, slots=True)
class Line:
    """Sentences that belong together, as page A (`.before`) and page B (`.after`) have them.

    `.kind`: `common`, `moved` (stands in another order), `edited` (most words are common), `recut` (the same words, cut into
    other sentences), `removed`, `added`. `.place_a`, `.place_b`: which sentence of the page the first one is, from 1 on; None
    where the page has none.
    """

    kind: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    place_a: int | None = None
    place_b: int | None = None

    @property
    def text(self) -> str:
        """The sentences as A has them, as B where A has none; one a line."""
        return "\n".join(self.before or self.after)


@dataclass(frozen=True, slots=True)
class Repetition:
    """A sentence that stands `.a` times on page A and `.b` times on page B, more than once on one of them."""

    text: str
    a: int
    b: int


class _Side:
    """The sentences of a page, and for every distinct one the place where it stands first."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self.sentences = sentences
        self.keys = _keys(sentences)
        self.first: dict[bytes, int] = {}
        for place, key in enumerate(self.keys):
            if key:
                self.first.setdefault(key, place)

    def stretch(self, start: int, end: int) -> dict[int, str]:
        """Return the sentences of a stretch by place."""
        return dict(enumerate(self.sentences[start:end], start))

    def only(self, start: int, end: int, other: _Side) -> dict[int, str]:
        """Return the sentences of a stretch that the other page has not, by place."""
        return {
            place: self.sentences[place]
            for place in range(start, end)
            if (key := self.keys[place]) and key not in other.first and self.first[key] == place
        }


def differences(before: Sequence[str], after: Sequence[str]) -> list[Line]:
    """Return the sentences of two pages side by side; a sentence without a word is left out, as in fingerprints."""
    a, b = _Side(before), _Side(after)
    shared = [(place, b.first[key]) for key, place in a.first.items() if key in b.first]
    kept = [shared[at] for at in longest_rise([twin for _, twin in shared])]
    moved = {twin: place for place, twin in set(shared).difference(kept)}
    lines: list[Line] = []
    end, end_new = 0, 0
    for place, twin in [*kept, (len(before), len(after))]:
        lines += _between(a, b, (end, place, end_new, twin), moved)
        if place < len(before):
            lines.append(_line("common", a, b, (place, place + 1, twin, twin + 1)))
        end, end_new = place + 1, twin + 1
    return lines


def repetitions(before: Sequence[str], after: Sequence[str]) -> list[Repetition]:
    """Return the sentences that stand more than once on a page, in reading order."""
    a, b = Counter(filter(None, _keys(before))), Counter(filter(None, _keys(after)))
    texts: dict[bytes, str] = {}
    for key, text in zip((*_keys(before), *_keys(after)), (*before, *after), strict=True):
        texts.setdefault(key, text)
    return [Repetition(texts[key], a[key], b[key]) for key in a | b if max(a[key], b[key]) > 1]


def _keys(sentences: Sequence[str]) -> list[bytes]:
    """Return what makes sentences equal; empty for one without a word."""
    hashes = features_of(sentences).sentences
    if hashes.size == len(sentences):
        return [key.tobytes() for key in hashes]
    return [features_of([sentence]).sentences.tobytes() for sentence in sentences]


def _line(kind: str, a: _Side, b: _Side, block: Block) -> Line:
    start, end, start_new, end_new = block
    return Line(
        kind,
        tuple(a.sentences[start:end]),
        tuple(b.sentences[start_new:end_new]),
        start + 1 if start < end else None,
        start_new + 1 if start_new < end_new else None,
    )


def _between(a: _Side, b: _Side, block: Block, moved: Mapping[int, int]) -> Iterator[Line]:
    """Yield what stands between two common sentences: pairs in their order, and around them what is removed and added."""
    start, end, start_new, end_new = block
    old, new = a.only(start, end, b), b.only(start_new, end_new, a)
    pairs = [("recut", found) for found in recut_blocks(a.stretch(start, end), b.stretch(start_new, end_new))]
    for place, twin in edited_pairs(_outside(old, pairs, 0), _outside(new, pairs, 2)):
        pairs.append(("edited", (place, place + 1, twin, twin + 1)))
    for kind, (place, until, twin, until_new) in _uncrossed(pairs):
        yield from _alone(a, b, (start, place, start_new, twin), moved)
        yield _line(kind, a, b, (place, until, twin, until_new))
        start, start_new = until, until_new
    yield from _alone(a, b, (start, end, start_new, end_new), moved)


def _outside(sentences: Mapping[int, str], pairs: Iterable[tuple[str, Block]], side: int) -> dict[int, str]:
    taken = {place for _, block in pairs for place in range(block[side], block[side + 1])}
    return {place: text for place, text in sentences.items() if place not in taken}


def _uncrossed(pairs: Iterable[tuple[str, Block]]) -> list[tuple[str, Block]]:
    ordered = sorted(pairs, key=lambda pair: pair[1])
    return [ordered[at] for at in longest_rise([block[2] for _, block in ordered])]


def _alone(a: _Side, b: _Side, block: Block, moved: Mapping[int, int]) -> Iterator[Line]:
    start, end, start_new, end_new = block
    for place in a.only(start, end, b):
        yield _line("removed", a, b, (place, place + 1, 0, 0))
    new = b.only(start_new, end_new, a)
    for place in range(start_new, end_new):
        if place in moved:
            yield _line("moved", a, b, (moved[place], moved[place] + 1, place, place + 1))
        elif place in new:
            yield _line("added", a, b, (0, 0, place, place + 1))


def runs(lines: Iterable[Line]) -> Iterator[tuple[str, list[Line]]]:
    """Yield neighbouring lines of one kind together."""
    for kind, run in groupby(lines, key=lambda line: line.kind):
        yield kind, list(run)

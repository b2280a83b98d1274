"""What two pages have in common and what not, in reading order. Pure.

`sameish.judging.alignment` says what both pages have; between that, sentences are edited, removed, added or moved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from sameish.cli.pairing import edited_pairs
from sameish.fingerprint.word_hashes import Words
from sameish.judging.alignment import Block, Side, is_pair, joints, shared


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


def differences(before: Sequence[str], after: Sequence[str]) -> list[Line]:
    """Return the sentences of two pages side by side; a sentence without a word is left out, as in fingerprints."""
    a, b = Side(before), Side(after)
    blocks = joints(a, b)
    joined = {block[0] for block in blocks}
    moved = {twin: place for place, twin in shared(a, b) if place not in joined}
    lines: list[Line] = []
    end, end_new = 0, 0
    for block in blocks:
        lines += _between(a, b, (end, block[0], end_new, block[2]), moved)
        lines.append(_line("common" if is_pair(block) else "recut", a, b, block))
        _, end, _, end_new = block
    return [*lines, *_between(a, b, (end, len(before), end_new, len(after)), moved)]


def repetitions(before: Sequence[str], after: Sequence[str]) -> list[Repetition]:
    """Return the sentences that stand more than once on a page, in reading order."""
    sides = [Side(before), Side(after)]
    a, b = (Counter(filter(None, side.words)) for side in sides)
    texts: dict[Words, str] = {}
    for side in sides:
        for words, text in zip(side.words, side.sentences, strict=True):
            texts.setdefault(words, text)
    return [Repetition(texts[words], a[words], b[words]) for words in a | b if max(a[words], b[words]) > 1]


def _line(kind: str, a: Side, b: Side, block: Block) -> Line:
    start, end, start_new, end_new = block
    return Line(
        kind,
        tuple(a.sentences[start:end]),
        tuple(b.sentences[start_new:end_new]),
        start + 1 if start < end else None,
        start_new + 1 if start_new < end_new else None,
    )


def _between(a: Side, b: Side, gap: Block, moved: Mapping[int, int]) -> Iterator[Line]:
    """Yield what stands between two joints: edited pairs in their order, around them what is removed, added or moved."""
    start, end, start_new, end_new = gap
    for place, twin in edited_pairs(a.only(start, end, b), b.only(start_new, end_new, a)):
        yield from _alone(a, b, (start, place, start_new, twin), moved)
        yield _line("edited", a, b, (place, place + 1, twin, twin + 1))
        start, start_new = place + 1, twin + 1
    yield from _alone(a, b, (start, end, start_new, end_new), moved)


def _alone(a: Side, b: Side, block: Block, moved: Mapping[int, int]) -> Iterator[Line]:
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

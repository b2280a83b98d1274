"""What two pages have in common and what not, in reading order. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence; `.kind` is `common`, `removed` or `added`."""

    kind: str
    text: str


def differences(before: Sequence[str], after: Sequence[str]) -> list[Line]:
    """Return the sentences of two pages side by side.

    A sentence that stands elsewhere on the other page is in common: the order of sentences does not count when pages are
    compared, nor does their case.
    """
    old, new = [text.casefold() for text in before], [text.casefold() for text in after]
    known_old, known_new = set(old), set(new)
    lines: list[Line] = []
    for _, start, end, start_new, end_new in SequenceMatcher(None, old, new).get_opcodes():
        lines += (Line("common" if old[at] in known_new else "removed", before[at]) for at in range(start, end))
        lines += (Line("added", after[at]) for at in range(start_new, end_new) if new[at] not in known_old)
    return lines


def common_runs(lines: Iterable[Line]) -> Iterator[tuple[str, list[str]]]:
    """Yield neighbouring sentences of one kind together."""
    for kind, run in groupby(lines, key=lambda line: line.kind):
        yield kind, [line.text for line in run]

"""Pairs of which a person said how they relate, beside what was answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from sameish.models import Comparison, ComparisonKind


class Label(StrEnum):
    """How a person said that two pages relate."""

    SAME = "same"
    """Only noise differs."""
    MINOR = "minor"
    """The same article with a small edit."""
    CHANGED = "changed"
    """The same article, or what became of it, clearly changed."""
    DIFFERENT = "different"
    """Another page."""


RIGHT: Mapping[Label, frozenset[ComparisonKind]] = {
    Label.SAME: frozenset({ComparisonKind.IDENTICAL}),
    Label.MINOR: frozenset({ComparisonKind.NEAR_DUPLICATE}),
    Label.CHANGED: frozenset({ComparisonKind.NEAR_DUPLICATE, ComparisonKind.DIFFERENT}),
    # undetermined is answered only where a page has no text, and then nothing better can be said of another page
    Label.DIFFERENT: frozenset({ComparisonKind.DIFFERENT, ComparisonKind.UNDETERMINED}),
}
"""The answers that are right."""
ALSO_RIGHT: Mapping[Label, ComparisonKind] = {
    Label.SAME: ComparisonKind.NEAR_DUPLICATE,
    Label.CHANGED: ComparisonKind.UNDETERMINED,
}
"""What is right, too, where a pair is loose: a template redesigned around the article, a page that was lost."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled pair and the answer to it.

    `.site`: what is held together when something is learned, the registrable domain or a name of its own. `.words`: of
    the shorter page. `.a`, `.b`, `.sub`, `.name`: where the pages are, the sub-kind and the id, as the pair names them.
    `.loose`: the answer in `ALSO_RIGHT` is right, too.
    """

    label: Label
    site: str
    comparison: Comparison
    words: int = 0
    a: str = ""
    b: str = ""
    sub: str = ""
    name: str = ""
    loose: bool = False

    @property
    def answer(self) -> ComparisonKind:
        """What was answered."""
        return self.comparison.kind

    @property
    def right(self) -> bool:
        """Whether the answer is right."""
        return self.accepts(self.answer)

    def accepts(self, answer: ComparisonKind) -> bool:
        """Tell whether an answer would be right."""
        return answer in RIGHT[self.label] or (self.loose and ALSO_RIGHT.get(self.label) is answer)


def share(answers: Iterable[bool]) -> float:
    """Return the share of what is true, 0 of nothing."""
    known = list(answers)
    return sum(known) / len(known) if known else 0.0

"""How often answers are right, by what a person says of the pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.labelled import Pair
from sameish.models import ComparisonKind

IDENTICAL, NEAR = ComparisonKind.IDENTICAL, ComparisonKind.NEAR_DUPLICATE
DIFFERENT, UNDETERMINED = ComparisonKind.DIFFERENT, ComparisonKind.UNDETERMINED

REDESIGNED = frozenset(
    "ota-redesign recap-redesign recap-hand fixture-chrome fixture-redesign dupespotter-hard".split()
)
"""Finer kinds of `same` whose captures lie years or templates apart: near is all that can be asked."""
GONE = frozenset("ota-shell ota-lost".split())
"""Finer kinds of `changed` where the later capture is a shell or an error page: refusing to compare is right, too."""


@dataclass(frozen=True, slots=True)
class Question:
    """Of pairs of one kind, in which share is the answer one of the right ones? `.strict` leaves redesigned pages out."""

    name: str
    kind: str
    right: frozenset[ComparisonKind]
    strict: bool = False

    def concerns(self, pair: Pair) -> bool:
        """Tell whether a pair is asked about."""
        return pair.kind == self.kind and not (self.strict and pair.sub in REDESIGNED)

    def is_right(self, pair: Pair, answer: ComparisonKind) -> bool:
        """Tell whether an answer is right."""
        return answer in self.right or (self.kind == "changed" and pair.sub in GONE and answer is UNDETERMINED)


QUESTIONS = (
    Question("noise not called a change", "same", frozenset({IDENTICAL}), strict=True),
    Question("noise at least near", "same", frozenset({IDENTICAL, NEAR})),
    Question("small edits noticed", "minor", frozenset({NEAR, DIFFERENT})),
    Question("small edits same article", "minor", frozenset({IDENTICAL, NEAR})),
    Question("edits noticed", "changed", frozenset({NEAR, DIFFERENT})),
    Question("another page is another page", "different", frozenset({DIFFERENT, UNDETERMINED})),
    Question("another page never skipped", "different", frozenset({NEAR, DIFFERENT, UNDETERMINED})),
)


def share_right(question: Question, pairs: Sequence[Pair], answers: Sequence[ComparisonKind]) -> float | None:
    """Return the share of right answers, 0..1; None where no pair is asked about. One answer a pair."""
    right = [
        question.is_right(pair, answer) for pair, answer in zip(pairs, answers, strict=True) if question.concerns(pair)
    ]
    return sum(right) / len(right) if right else None

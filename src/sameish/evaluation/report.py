"""All figures over judged pairs, in one value. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sameish.judging import learning, measures
from sameish.judging.calibrate import is_decided_by_thresholds
from sameish.judging.labelled import RIGHT, Judged, Label
from sameish.judging.measures import AnswerScore, Bin, KindScore, SweepRow
from sameish.settings import Judging

FOLDED_NEEDS_SITES = 20
"""With fewer sites a model of confidence cannot be learned on some of them and tried on others."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A pair that was answered wrongly: which, what was right, what was answered and why."""

    id: str
    kind: str
    sub: str
    site: str
    expected: tuple[str, ...]
    answer: str
    confidence: float
    reason: str
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What labelled pairs say about the answers to them.

    `.kinds`: by label; `.subs`: by label and sub-kind, as `same/redesign`. `.answers`: by answer. `.near_similarity`,
    `.near_bits`: what other values would give. `.reliability`: of the confidence as answered; `.folded`: of one learned
    from the other sites of these pairs, empty where there are too few. `.gap`, `.folded_gap`: how far confidence and
    truth are apart on average, 0..1. `.worst`: wrong answers, the surest first. What other thresholds would give is empty
    where they decide none of the pairs, as under the scheme `classic`. `.sites` are the known ones.
    """

    pairs: int
    sites: int
    right: float
    kinds: dict[str, KindScore]
    subs: dict[str, KindScore]
    answers: dict[str, AnswerScore]
    near_similarity: tuple[SweepRow, ...]
    near_bits: tuple[SweepRow, ...]
    reliability: tuple[Bin, ...]
    gap: float
    folded: tuple[Bin, ...]
    folded_gap: float
    worst: tuple[Wrong, ...]


def evaluate(judged: Sequence[Judged], settings: Judging, *, worst: int = 10) -> Evaluation:
    """Return all figures.

    Args:
        judged: pairs with their answers.
        settings: the thresholds that hold where a site has none of its own; the sweep varies them.
        worst: most wrong answers to list.
    """
    sites = {one.site for one in judged} - {""}
    table = measures.reliability(measures.claims(judged, (one.comparison.confidence for one in judged)))
    known = len(sites) >= FOLDED_NEEDS_SITES
    folded = measures.reliability(measures.claims(judged, learning.folded(judged))) if known else []
    swept = any(map(is_decided_by_thresholds, judged))
    return Evaluation(
        pairs=len(judged),
        sites=len(sites),
        right=sum(one.right for one in judged) / len(judged) if judged else 0.0,
        kinds={str(label): measures.kind_score(some) for label in Label if (some := _of(judged, label))},
        subs=_by_sub(judged),
        answers=measures.answer_scores(judged),
        near_similarity=tuple(measures.sweep_similarity(judged, settings) if swept else ()),
        near_bits=tuple(measures.sweep_bits(judged, settings) if swept else ()),
        reliability=tuple(table),
        gap=measures.gap(table),
        folded=tuple(folded),
        folded_gap=measures.gap(folded),
        worst=tuple(_wrong(one) for one in measures.worst(judged, worst)),
    )


def _of(judged: Iterable[Judged], label: Label) -> list[Judged]:
    return [one for one in judged if one.label is label]


def _by_sub(judged: Sequence[Judged]) -> dict[str, KindScore]:
    groups: dict[tuple[int, str], list[Judged]] = {}
    order = list(Label)
    for one in judged:
        if one.sub:
            groups.setdefault((order.index(one.label), one.sub), []).append(one)
    return {f"{order[number]}/{sub}": measures.kind_score(some) for (number, sub), some in sorted(groups.items())}


def _wrong(one: Judged) -> Wrong:
    return Wrong(
        id=one.name,
        kind=str(one.label),
        sub=one.sub,
        site=one.site,
        expected=tuple(sorted(map(str, RIGHT[one.label]))),
        answer=str(one.answer),
        confidence=one.comparison.confidence,
        reason=one.comparison.reason,
        a=one.a,
        b=one.b,
    )

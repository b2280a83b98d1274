"""Figures over labelled answers: who was right, how sure, and what other thresholds would have answered. Pure."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import msgspec

from sameish.judging.calibrate import answer_at
from sameish.judging.labelled import Judged, Label, share
from sameish.models import ComparisonKind
from sameish.settings import Judging

EDGES = (0.0, 0.5, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 1.0)
"""Bins of the reliability table: narrow where most answers lie."""
SIMILARITIES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
BITS = (8, 10, 12, 14, 16, 18, 20, 22)
_DRAWS = 400
_FEWEST_SITES = 5
"""Of fewer sites nothing can be said of others: drawn again and again they show only each other."""
_TOGETHER = (ComparisonKind.IDENTICAL, ComparisonKind.NEAR_DUPLICATE)


@dataclass(frozen=True, slots=True)
class KindScore:
    """Of the pairs with one label: how many got which answer, and the share that is right (recall).

    `.low`, `.high`: its 95 % interval, None where the pairs are of too few sites.
    """

    pairs: int
    answers: dict[str, int]
    recall: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class AnswerScore:
    """Of one answer: how often it was given, and the share that is right (precision)."""

    given: int
    precision: float


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers whose confidence lies from `.low` to under `.high`: how many, their mean confidence, the share right."""

    low: float
    high: float
    answers: int
    confidence: float
    right: float


@dataclass(frozen=True, slots=True)
class SweepRow:
    """What one value of a threshold gives.

    `.together`: share of `same` and `minor` pairs taken for one article. `.apart`: share of `different` pairs kept
    apart. `.changed_near`: share of `changed` pairs taken for one article, which may be either. None where there is no
    such pair.
    """

    value: float
    together: float | None
    apart: float | None
    changed_near: float | None


def kind_score(judged: Sequence[Judged]) -> KindScore:
    """Return how pairs that share a label were answered."""
    answers = Counter(str(one.answer) for one in judged)
    low, high = interval([(one.site, one.right) for one in judged])
    return KindScore(len(judged), dict(answers), share(one.right for one in judged), low, high)


def answer_scores(judged: Iterable[Judged]) -> dict[str, AnswerScore]:
    """Return for each answer that was given how often it is right."""
    by_answer: dict[str, list[bool]] = defaultdict(list)
    for one in judged:
        by_answer[str(one.answer)].append(one.right)
    return {
        str(kind): AnswerScore(len(right), share(right))
        for kind in ComparisonKind
        if (right := by_answer.get(str(kind)))
    }


def claims(judged: Sequence[Judged], confidences: Iterable[float]) -> list[tuple[float, bool]]:
    """Return (confidence, right) of the answers that claim something; `undetermined` claims nothing."""
    known = zip(confidences, judged, strict=True)
    return [(sure, one.right) for sure, one in known if one.answer is not ComparisonKind.UNDETERMINED]


def reliability(answers: Iterable[tuple[float, bool]]) -> list[Bin]:
    """Return the reliability table of (confidence, right) pairs: bins that are not empty, least sure first."""
    known = list(answers)
    bins = []
    for low, high in pairwise(EDGES):
        inside = [(sure, right) for sure, right in known if low <= sure < high or sure == high == EDGES[-1]]
        if inside:
            mean = sum(sure for sure, _ in inside) / len(inside)
            bins.append(Bin(low, high, len(inside), mean, share(right for _, right in inside)))
    return bins


def gap(bins: Iterable[Bin]) -> float:
    """Return how far confidence and truth are apart on average, 0..1 (the expected calibration error)."""
    known = list(bins)
    whole = sum(one.answers for one in known)
    return sum(one.answers * abs(one.confidence - one.right) for one in known) / whole if whole else 0.0


def sweep_similarity(judged: Sequence[Judged], settings: Judging) -> list[SweepRow]:
    """Return what other values of `near_similarity` would give."""
    return [
        _row(judged, value, msgspec.structs.replace(settings, near_similarity=value))
        for value in sorted({*SIMILARITIES, settings.near_similarity})
    ]


def sweep_bits(judged: Sequence[Judged], settings: Judging) -> list[SweepRow]:
    """Return what other values of `near_bits` would give."""
    return [
        _row(judged, value, msgspec.structs.replace(settings, near_bits=value))
        for value in sorted({*BITS, settings.near_bits})
    ]


def _row(judged: Sequence[Judged], value: float, settings: Judging) -> SweepRow:
    near: dict[bool | None, list[bool]] = defaultdict(list)
    group = {Label.SAME: True, Label.MINOR: True, Label.DIFFERENT: False}
    for one in judged:
        near[group.get(one.label)].append(answer_at(one, settings) in _TOGETHER)
    apart = [not one for one in near[False]]
    return SweepRow(value, *(share(some) if some else None for some in (near[True], apart, near[None])))


def worst(judged: Iterable[Judged], count: int) -> list[Judged]:
    """Return the answers that are wrong, the surest first."""
    return sorted((one for one in judged if not one.right), key=lambda one: -one.comparison.confidence)[:count]


def interval(answers: Iterable[tuple[str, bool]]) -> tuple[float, float] | tuple[None, None]:
    """Return the 95 % interval of the share of right answers, 0..1; nothing where they are of fewer than five sites.

    A bootstrap in which sites are drawn as wholes, the same on every run. Where all answers are right, or all wrong, it
    would be sure: then each site counts as one trial (Clopper and Pearson 1934).
    """
    sites: dict[str, list[bool]] = defaultdict(list)
    for site, right in answers:
        sites[site].append(right)
    groups = [(sum(one), len(one)) for one in sites.values()]
    if len(groups) < _FEWEST_SITES:
        return None, None
    hits = sum(one for one, _ in groups)
    if hits in (0, sum(count for _, count in groups)):
        edge = 0.025 ** (1 / len(groups))
        return (edge, 1.0) if hits else (0.0, 1 - edge)
    return _bootstrap(groups)


def _bootstrap(groups: Sequence[tuple[int, int]]) -> tuple[float, float]:
    draw = random.Random(1)  # noqa: S311  # guards no secret
    shares = []
    for _ in range(_DRAWS):
        sample = draw.choices(groups, k=len(groups))
        shares.append(sum(right for right, _ in sample) / sum(count for _, count in sample))
    shares.sort()
    edge = _DRAWS // 40
    return shares[edge], shares[-1 - edge]

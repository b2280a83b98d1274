"""Which thresholds suit labelled pairs: chosen where they err least, and believed only if they hold on other sites. Pure.

Only pairs that the thresholds decide can teach them anything: not those that are identical, thin or without text. Of these
`same` and `minor` belong together, `different` apart; `changed` may be either. The error is the mean of two shares, of
pairs torn apart and of pairs thrown together, so that it does not matter which sort there is more of.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from sameish.judging.confidence import step_of
from sameish.judging.labelled import Judged, Label, share
from sameish.judging.learning import fold_of
from sameish.judging.thresholds import is_near, shared_similarity
from sameish.models import ComparisonKind
from sameish.settings import Judging

NEEDED = 20
"""Pairs of each sort, together and apart, without which nothing is chosen: one pair is then at most 5 % of its sort."""
SIMILARITIES = tuple(number / 20 for number in range(1, 20))
BITS = tuple(range(8, 23, 2))
_FOLDS = 5
_WORTH = 0.01


@dataclass(frozen=True, slots=True)
class Error:
    """Shares of pairs that are judged wrongly: one article torn apart, two pages thrown together."""

    torn: float
    thrown: float

    @property
    def mean(self) -> float:
        """The mean of both."""
        return (self.torn + self.thrown) / 2


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was learned from a set of pairs.

    `.together`, `.apart`: pairs of each sort that thresholds decide. `.before`, `.after`: the thresholds, equal where
    nothing better was found. `.error_before`: of the present thresholds. `.error_after`: of the chosen ones, on the pairs
    they were chosen from. `.error_held_out`: of ones chosen without the site that is judged (`.by_site`), or without the pair
    where there are fewer than ten sites; it alone is believed.
    """

    together: int
    apart: int
    before: Judging
    after: Judging
    error_before: Error
    error_after: Error
    error_held_out: Error
    by_site: bool

    @property
    def changed(self) -> bool:
        """Whether other thresholds are better."""
        return self.after != self.before


def is_decided_by_thresholds(one: Judged) -> bool:
    """Tell whether other thresholds could change the answer."""
    return step_of(one.comparison) in ("near", "different") and one.comparison.distance is not None


def answer_at(one: Judged, settings: Judging) -> ComparisonKind:
    """Return what would have been answered with other thresholds."""
    distance = one.comparison.distance
    if distance is None or not is_decided_by_thresholds(one):
        return one.answer
    near = is_near(shared_similarity(one.comparison.signals), distance, one.words, settings)
    return ComparisonKind.NEAR_DUPLICATE if near else ComparisonKind.DIFFERENT


def telling(judged: Sequence[Judged]) -> tuple[list[Judged], list[Judged]]:
    """Return the pairs that belong together and those that belong apart, as far as thresholds decide them."""
    known = [one for one in judged if is_decided_by_thresholds(one)]
    together = [one for one in known if one.label in (Label.SAME, Label.MINOR)]
    return together, [one for one in known if one.label is Label.DIFFERENT]


def is_enough(judged: Sequence[Judged]) -> bool:
    """Tell whether there are enough pairs of both sorts to choose thresholds."""
    return min(map(len, telling(judged))) >= NEEDED


def calibrate(judged: Sequence[Judged], settings: Judging) -> Calibration:
    """Return the thresholds that suit the pairs, or the present ones where no others are better on sites held out.

    Args:
        judged: pairs, enough of them (`is_enough`).
        settings: the present thresholds.
    """
    together, apart = telling(judged)
    known = [*together, *apart]
    present, others = [settings] * len(known), _held_out(known, settings)
    before, held_out = _error(known, present), _error(known, others)
    better = held_out.mean < before.mean and _is_no_chance(known, present, others)
    chosen = choose(known, settings) if better else settings
    return Calibration(
        len(together),
        len(apart),
        settings,
        chosen,
        before,
        _error(known, [chosen] * len(known)),
        held_out,
        _has_many_sites(known),
    )


def choose(judged: Sequence[Judged], settings: Judging) -> Judging:
    """Return the thresholds that err least: the present ones where none err less, else the middle of the best.

    The bits stay as they are unless others are better by `_WORTH`: one pair must not move two thresholds.
    """
    here, error = _choose_similarity(judged, settings)
    for bits in sorted({*BITS} - {settings.near_bits}, key=lambda number: (abs(number - settings.near_bits), number)):
        found, other = _choose_similarity(judged, _with(settings, settings.near_similarity, bits))
        if other < error - _WORTH:
            here, error = found, other
    return here


def _choose_similarity(judged: Sequence[Judged], settings: Judging) -> tuple[Judging, float]:
    present = settings.near_similarity
    errors = {
        value: _error(judged, [_with(settings, value, settings.near_bits)] * len(judged)).mean
        for value in sorted({*SIMILARITIES, present})
    }
    least = min(errors.values())
    best = [value for value, error in errors.items() if error <= least]
    value = present if present in best else best[len(best) // 2]
    return _with(settings, value, settings.near_bits), least


def _is_no_chance(known: Sequence[Judged], before: Sequence[Judging], after: Sequence[Judging]) -> bool:
    """McNemar's test: more pairs must become right than wrong, by two standard deviations of a coin's.

    Pairs of one site are alike, so where there are many sites the coin is thrown for each of them, not for each pair.
    """
    by_site, moved = _has_many_sites(known), defaultdict[object, int](int)
    for number, (one, old, new) in enumerate(zip(known, before, after, strict=True)):
        moved[one.site if by_site else number] += _is_wrong(one, old) - _is_wrong(one, new)
    return sum(moved.values()) > 2 * math.hypot(*moved.values())


def _with(settings: Judging, similarity: float, bits: int) -> Judging:
    return msgspec.structs.replace(settings, near_similarity=similarity, near_bits=bits)


def _held_out(known: Sequence[Judged], settings: Judging) -> list[Judging]:
    """Return for each pair the thresholds chosen from other sites, or from other pairs where there are few sites."""
    by_site = _has_many_sites(known)
    folds = [fold_of(one.site, _FOLDS) if by_site else number % _FOLDS for number, one in enumerate(known)]
    chosen = {
        fold: choose([one for one, other in zip(known, folds, strict=True) if other != fold], settings)
        for fold in set(folds)
    }
    return [chosen[fold] for fold in folds]


def _has_many_sites(known: Sequence[Judged]) -> bool:
    return len({one.site for one in known}) >= 2 * _FOLDS


def _error(judged: Sequence[Judged], settings: Sequence[Judging]) -> Error:
    wrong: dict[bool, list[bool]] = {True: [], False: []}
    for one, thresholds in zip(judged, settings, strict=True):
        wrong[one.label is Label.DIFFERENT].append(_is_wrong(one, thresholds))
    return Error(share(wrong[False]), share(wrong[True]))


def _is_wrong(one: Judged, settings: Judging) -> bool:
    near = answer_at(one, settings) is ComparisonKind.NEAR_DUPLICATE
    return near is (one.label is Label.DIFFERENT)

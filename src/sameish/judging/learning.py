"""From labelled answers to a model of confidence, and to confidences that were not learned from the pairs they are of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from sameish.judging.confidence import Model, NearCurve, changed_words, step_of
from sameish.judging.labelled import Judged

FOLDS = 10
_FEWEST = 20
"""With fewer right or wrong near-duplicates a curve would follow chance; their share is taken instead."""
_RIDGE, _ROUNDS = 1.0, 50


def learn(judged: Sequence[Judged]) -> Model:
    """Return the model of confidence that labelled answers teach."""
    answers: dict[str, list[bool]] = defaultdict(list)
    for one in judged:
        answers[step_of(one.comparison)].append(one.right)
    shares = {step: _share(right) for step, right in answers.items() if step not in ("near", "bytes", "undetermined")}
    return Model(shares, _near_curve([one for one in judged if step_of(one.comparison) == "near"]))


def folded(judged: Sequence[Judged], folds: int = FOLDS) -> list[float]:
    """Return the confidence of each answer by a model that was learned on other sites only.

    Args:
        judged: the answers.
        folds: in how many parts the sites are dealt; each part is judged by what the others teach.
    """
    numbers = [fold_of(one.site, folds) for one in judged]
    models = {
        number: learn([one for one, fold in zip(judged, numbers, strict=True) if fold != number])
        for number in set(numbers)
    }
    return [models[fold].of(one.comparison) for one, fold in zip(judged, numbers, strict=True)]


def fold_of(site: str, folds: int) -> int:
    """Return the part that a site is dealt to, the same on every run."""
    return crc32(site.encode("utf-8", "surrogatepass")) % folds


def _share(right: Sequence[bool]) -> float:
    """Laplace's rule of succession: of few answers little is certain."""
    return (sum(right) + 1) / (len(right) + 2)


def _near_curve(near: Sequence[Judged]) -> NearCurve:
    right = [one.right for one in near]
    if min(sum(right), len(right) - sum(right)) < _FEWEST:
        odds = _share(right) / (1 - _share(right))
        return NearCurve(float(np.log(odds)))
    signals = [one.comparison.signals for one in near]
    columns = np.array([(1.0, np.log1p(changed_words(one)), one["structure_bits"]) for one in signals])
    return NearCurve(*(float(weight) for weight in _logistic(columns, np.array(right, np.float64))))


def _logistic(columns: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights of a logistic regression (Newton's method), a little drawn to 0 but for the constant."""
    penalty = _RIDGE * np.diag([0.0] + [1.0] * (columns.shape[1] - 1))
    scale = np.array([1.0, *columns[:, 1:].std(axis=0)])
    scale[scale == 0] = 1.0
    scaled, weights = columns / scale, np.zeros(columns.shape[1])
    for _ in range(_ROUNDS):
        chance = 1 / (1 + np.exp(-scaled @ weights))
        slope = scaled.T @ (right - chance) - penalty @ weights
        bend = scaled.T @ (scaled * (chance * (1 - chance))[:, None]) + penalty
        weights = weights + np.linalg.solve(bend, slope)
    return np.asarray(weights / scale)

"""How wrong a rule may be, judged by a few audits."""

from __future__ import annotations

import math

_STEPS = 60  # halvings of 0..1: more than a float can tell apart


def upper_bound(wrong: int, audits: int, confidence: float = 0.95) -> float:
    """Return the one-sided upper confidence bound of a rate, 0..1: exact, 1.0 without audits.

    Args:
        wrong: audits that went wrong, 0..audits.
        audits: how many there were.
        confidence: that the true rate is not above the bound.

    Source: C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the
    binomial", Biometrika 26 (1934).
    """
    if wrong >= audits:
        return 1.0
    if wrong == 0:
        return -math.expm1(math.log(1 - confidence) / audits)
    low, high = wrong / audits, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _at_most(wrong, audits, middle) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


def _at_most(wrong: int, audits: int, rate: float) -> float:
    """Return the probability of at most so many wrong audits at a rate strictly between 0 and 1."""
    log_odds = math.log(rate) - math.log1p(-rate)
    term = audits * math.log1p(-rate)  # logarithms: the terms of thousands of audits are below every float
    total = math.exp(term)
    for k in range(1, wrong + 1):
        term += math.log((audits - k + 1) / k) + log_odds
        total += math.exp(term)
    return total

"""How often a page changes, estimated from visits at uneven times.

Source: Cho, Garcia-Molina: Estimating frequency of change. ACM TOIT 3(3), 2003. A visit shows only whether a page changed
since the one before, not how often.
"""

from __future__ import annotations

import math

import msgspec

# As many visits as the estimate remembers: older ones fade, so that it follows a page whose habits change.
_WINDOW = 64.0
# A run of changes speaks for itself from three on: two in a row happen to slow pages too.
_RUN = 3
# ... and then with the least rate at which such a run is no great surprise.
_NO_SURPRISE = 0.25
_LONGEST_RUN = 255
_HOUR = 3_600.0
_LAST_GROUP = 15
_NOTHING = 1e-6


class Changes(msgspec.Struct, frozen=True, array_like=True):
    """What visits have shown of a page; of the same size however many there were.

    `.visits`: comparisons, older ones counting less. `.seconds`: time between them. `.still_s`: of it, what lay between visits
    without a change. `.changed`: (number, seconds) of the times in which it changed, grouped by length: group g holds those
    of about 2^g hours, 0 <= g <= 15. `.run`: how many of the last visits all showed a change. `.last_s`: the last time between
    visits.
    """

    visits: float = 0.0
    seconds: float = 0.0
    still_s: float = 0.0
    changed: dict[int, tuple[float, float]] = {}
    run: int = 0
    last_s: float = 0.0


def observed(changes: Changes, elapsed_s: float, *, changed: bool) -> Changes:
    """Return what is known after one more comparison.

    Args:
        changes: what was known.
        elapsed_s: seconds since the visit that it was compared with, counted from 1 on; where not above 0, it shows nothing.
        changed: whether the page was another.
    """
    if not elapsed_s > 0:
        return changes
    elapsed_s = max(elapsed_s, 1.0)
    keep = min(1.0, (_WINDOW - 1) / changes.visits) if changes.visits else 1.0
    groups = {group: (n * keep, s * keep) for group, (n, s) in changes.changed.items() if n * keep > _NOTHING}
    if changed:
        group = _group(elapsed_s)
        number, seconds = groups.get(group, (0.0, 0.0))
        groups[group] = (number + 1, seconds + elapsed_s)
    return Changes(
        visits=changes.visits * keep + 1,
        seconds=changes.seconds * keep + elapsed_s,
        still_s=changes.still_s * keep + (0.0 if changed else elapsed_s),
        changed=groups,
        run=min(changes.run + 1, _LONGEST_RUN) if changed else 0,
        last_s=elapsed_s,
    )


def change_rate(changes: Changes) -> float:
    """Return the estimated number of changes a second; 0 where none was seen.

    The greater of two: the estimate from all visits remembered, and that from the last ones alone where each of at least
    three in a row showed a change, so that a page that wakes up is noticed. Never smaller for more changes at the same visits.
    """
    if not changes.changed:
        return 0.0
    return max(_long_term(changes), _recent(changes) if changes.run >= _RUN else 0.0)


def _recent(changes: Changes) -> float:
    """Return the rate at which as many visits as the last run has, as far apart as the last two, all show a change by chance."""
    return -math.log1p(-(_NO_SURPRISE ** (1 / changes.run))) / changes.last_s


def _long_term(changes: Changes) -> float:
    """Return the root of the likelihood equation for uneven times, with half a visit added that showed no change.

    The equation: sum over changed times t of t / (exp(rate t) - 1) = sum of unchanged times. At even times t, the half
    visit makes its root -log((n - X + 0.5) / (n + 0.5)) / t, the paper's estimator with reduced bias, which stays finite when
    every visit showed a change.
    """
    still = changes.still_s + 0.5 * changes.seconds / changes.visits
    groups = [(number, seconds / number) for number, seconds in changes.changed.values()]
    total = sum(number for number, _ in groups)
    # 1/rate - t/2 <= t / (exp(rate t) - 1) <= 1/rate encloses the root.
    low = total / (still + 0.5 * sum(number * mean for number, mean in groups))
    high = total / still
    for _ in range(50):
        middle = 0.5 * (low + high)
        if sum(number * _expected(middle, mean) for number, mean in groups) > still:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def _expected(rate: float, seconds: float) -> float:
    return seconds / math.expm1(min(rate * seconds, 700.0))  # exp(710) is no float


def _group(seconds: float) -> int:
    return min(round(math.log2(max(seconds, _HOUR) / _HOUR)), _LAST_GROUP)

"""When to come again to a page.

Source of the rule: Cho, Garcia-Molina: Effective page refresh policies for web crawlers. ACM TODS 28(4), 2003. Visits in
proportion to the rate of change are worse than even ones: they spend everything on pages that are stale again at once.
"""

from __future__ import annotations

import math

from sameish.revisit.changes import Changes, change_rate
from sameish.revisit.policy import DAY, Policy

# An interval at most doubles, and is at least a quarter of the one before: few visits prove little.
_GROWTH = 2.0
_SHRINKAGE = 4.0
_DOUBLINGS = 32
# Half of what the exact optimum comes down to (3.35 worth_s), so that pages which change all the time are not neglected.
_FLOOR = 1.5


def wanted_interval(rate: float, policy: Policy) -> float:
    """Return how many seconds to leave between visits of a page that changes `rate` times a second, within the bounds.

    A visit every t seconds keeps the copy fresh for (1 - (1 + rate t) exp(-rate t)) / rate more seconds than none. At best
    every visit of every page brings the same, `worth_s`: for slow pages that is t = sqrt(2 worth_s / rate). The exact optimum
    gives up on pages that change faster than once in `worth_s`; here they keep an interval of about 1.5 `worth_s`.
    """
    if rate <= 0:
        return policy.longest_s
    return policy.within(math.hypot(math.sqrt(2 * policy.worth_s / rate), _FLOOR * policy.worth_s))


def next_interval(changes: Changes, interval_s: float, policy: Policy) -> float:
    """Return the interval after a visit that was compared: what the rate asks for, not too far from the one before.

    Args:
        changes: what visits have shown, the last one included.
        interval_s: the interval before.
        policy: bounds and worth.
    """
    # who comes late and finds nothing changed has seen the longer interval hold; who looks again at once has seen nothing
    most = max(interval_s, _GROWTH * min(interval_s, changes.last_s), changes.last_s)
    wanted = wanted_interval(change_rate(changes), policy)
    return policy.within(min(max(wanted, interval_s / _SHRINKAGE), most))


def retry_interval(failures: int, interval_s: float, asked_s: float, policy: Policy, *, gone: bool) -> float:
    """Return in how many seconds to try again after an answer that was no page.

    Sooner than the page was due, then ever later: from the shortest interval, doubling, up to the page's own interval or a
    day, or where the server says that the page is gone up to the longest.

    Args:
        failures: how many in a row, at least 1.
        interval_s: the page's own interval.
        asked_s: for how long the server asked to be left alone (`Retry-After`), 0 where it did not.
        policy: the bounds.
        gone: HTTP 404 or 410.
    """
    most = policy.longest_s if gone else max(interval_s, DAY)
    wait = min(policy.shortest_s * 2.0 ** min(failures - 1, _DOUBLINGS), most)
    return policy.within(max(wait, asked_s))

"""Pages that change by chance, once an hour to once a year, visited when they are due."""

from __future__ import annotations

import bisect
import math
import random
from dataclasses import dataclass

import pytest

from sameish.revisit.after import Answer, after_fetch
from sameish.revisit.changes import change_rate
from sameish.revisit.policy import DAY, DEFAULT, HOUR, Policy
from sameish.revisit.schedule import wanted_interval
from sameish.revisit.state import Visits

URL = "https://quay.example/tides"
T0 = 1_900_000_000


@dataclass
class Lived:
    """A page after a time under observation: what is known of it, visits, and for what share of the time the copy was fresh."""

    page: Visits
    visits: int
    fresh: float


def moments(per_day: float, days: float, seed: int) -> list[float]:
    draw = random.Random(seed)  # noqa: S311  # guards no secret
    found, at = [], 0.0
    while (at := at + draw.expovariate(per_day / DAY)) < days * DAY:
        found.append(T0 + at)
    return found


def live(changes: list[float], days: float, policy: Policy) -> Lived:
    """Visit a page whenever it is due; the time in which little is known counts too."""
    page, host = after_fetch(None, None, Answer(URL, T0), policy)
    end, visits, fresh, last = T0 + days * DAY, 1, 0.0, float(T0)
    while True:
        at = float(min(page.due_at, end))
        first = bisect.bisect_right(changes, last)
        stale_from = changes[first] if first < len(changes) else math.inf
        fresh += min(at, stale_from) - last
        if at >= end:
            return Lived(page, visits, fresh / (days * DAY))
        page, host = after_fetch(page, host, Answer(URL, at, changed=stale_from <= at), policy)
        visits, last = visits + 1, at


def always(interval: float) -> Policy:
    return Policy(first_s=interval, shortest_s=interval, longest_s=interval)


def rates(number: int) -> list[float]:
    """Return rates a day from once an hour to once a year, evenly spread over the orders of magnitude."""
    return [24 * (1 / (24 * 365)) ** (n / (number - 1)) for n in range(number)]


@pytest.mark.parametrize("per_day", [24, 8, 1, 1 / 7, 1 / 30])
def test_the_estimate_converges_and_the_interval_follows_it(per_day: float) -> None:
    days = 1_500 if per_day < 1 else 200
    pages = [live(moments(per_day, days, seed), days, DEFAULT).page for seed in range(15)]
    found = sorted(change_rate(page.changes) * DAY for page in pages)
    assert found[7] == pytest.approx(per_day, rel=0.4)
    assert found[1] > per_day / 3
    assert found[-2] < per_day * 3
    interval = sorted(page.interval_s for page in pages)[7]
    assert interval == pytest.approx(wanted_interval(per_day / DAY, DEFAULT), rel=0.3)


def test_a_page_that_changes_once_a_year_is_left_alone_for_a_week_or_more() -> None:
    pages = [live(moments(1 / 365, 1_500, seed), 1_500, DEFAULT) for seed in range(15)]
    assert sorted(p.page.interval_s for p in pages)[7] > 7 * DAY
    assert sum(p.visits for p in pages) / len(pages) < 250


@pytest.mark.parametrize("worth", [1.5 * HOUR, 3 * HOUR, 6 * HOUR])
def test_copies_are_fresher_than_with_one_interval_for_all_at_the_same_cost(worth: float) -> None:
    days, policy = 200.0, Policy(worth_s=worth)
    pages = [moments(rate, days, seed) for seed, rate in enumerate(rates(60))]
    adapted = [live(changes, days, policy) for changes in pages]
    visits = sum(p.visits for p in adapted) / len(pages)
    even = [live(changes, days, always(days * DAY / visits)) for changes in pages]
    assert sum(p.visits for p in even) >= sum(p.visits for p in adapted) * 0.99
    assert sum(p.fresh for p in adapted) > sum(p.fresh for p in even) * 1.015


def test_copies_are_fresher_than_with_a_visit_a_day_at_the_same_cost() -> None:
    days = 300.0
    pages = [moments(rate, days, seed) for seed, rate in enumerate(rates(60))]
    daily = [live(changes, days, always(DAY)) for changes in pages]
    adapted = [live(changes, days, Policy(worth_s=5.8 * HOUR)) for changes in pages]
    assert sum(p.visits for p in adapted) <= sum(p.visits for p in daily)
    assert sum(p.fresh for p in adapted) > sum(p.fresh for p in daily) * 1.02

"""When to come again."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish.revisit.changes import Changes, observed
from sameish.revisit.policy import DAY, DEFAULT, HOUR, Policy
from sameish.revisit.schedule import next_interval, retry_interval, wanted_interval

POLICIES = st.builds(
    Policy,
    first_s=st.floats(60.0, 60 * DAY),
    shortest_s=st.floats(60.0, DAY),
    longest_s=st.floats(DAY, 365 * DAY),
    worth_s=st.floats(60.0, 5 * DAY),
)
VISITS = st.lists(st.tuples(st.floats(1.0, 100 * DAY), st.booleans()), max_size=80)


def scheduled(visits: list[tuple[float, bool]], policy: Policy = DEFAULT) -> list[float]:
    changes, interval, intervals = Changes(), policy.first_s, []
    for seconds, changed in visits:
        changes = observed(changes, seconds, changed=changed)
        interval = next_interval(changes, interval, policy)
        intervals.append(interval)
    return intervals


@pytest.mark.parametrize(
    ("per_day", "hours"), [(24, (3, 4)), (1, (9, 12)), (1 / 7, (24, 30)), (1 / 30, (48, 60)), (1 / 365, (168, 200))]
)
def test_what_changes_rarely_is_visited_more_often_than_it_changes(per_day: float, hours: tuple[int, int]) -> None:
    assert hours[0] < wanted_interval(per_day / DAY, DEFAULT) / HOUR < hours[1]


def test_a_visit_of_a_slow_page_is_worth_what_the_policy_says() -> None:
    rate = 1 / (60 * DAY)
    t = wanted_interval(rate, DEFAULT)
    assert (1 - (1 + rate * t) * math.exp(-rate * t)) / rate == pytest.approx(DEFAULT.worth_s, rel=0.1)


def test_a_page_that_never_changes_is_left_alone_ever_longer() -> None:
    visits = [(days * DAY, False) for days in (1, 2, 4, 8, 16, 30, 30)]
    assert [seconds / DAY for seconds in scheduled(visits)] == [2, 4, 8, 16, 30, 30, 30]


def test_a_second_look_at_once_proves_nothing() -> None:
    assert scheduled([(3.0, False)] * 5) == [DAY] * 5
    assert scheduled([(3.0, False), (DAY, False), (3.0, False)]) == [DAY, 2 * DAY, 2 * DAY]


def test_a_page_that_always_changes_is_visited_every_few_hours() -> None:
    changes, interval = Changes(), DAY
    for _ in range(20):
        changes = observed(changes, interval, changed=True)
        interval = next_interval(changes, interval, DEFAULT)
    assert HOUR <= interval < 5 * HOUR


def test_one_change_does_not_undo_months_of_quiet() -> None:
    quiet = [(30 * DAY, False)] * 12
    assert scheduled([*quiet, (30 * DAY, True)])[-1] > 7 * DAY


@given(VISITS, POLICIES)
def test_every_interval_lies_within_the_bounds(visits: list[tuple[float, bool]], policy: Policy) -> None:
    assert all(policy.shortest_s <= interval <= policy.longest_s for interval in scheduled(visits, policy))


@given(VISITS, POLICIES)
def test_an_interval_at_most_doubles_or_reaches_what_was_waited(
    visits: list[tuple[float, bool]], policy: Policy
) -> None:
    before = policy.within(policy.first_s)
    for (waited, _), interval in zip(visits, scheduled(visits, policy), strict=True):
        assert interval <= policy.within(max(2 * before, waited)) * (1 + 1e-9)
        before = interval


@given(VISITS.filter(bool), st.data())
def test_more_changes_at_the_same_visits_never_make_an_interval_longer(
    visits: list[tuple[float, bool]], data: st.DataObject
) -> None:
    more = [(seconds, changed or data.draw(st.booleans())) for seconds, changed in visits]
    pairs = zip(scheduled(more), scheduled(visits), strict=True)
    assert all(often <= seldom * (1 + 1e-6) for often, seldom in pairs)


@given(st.floats(0, 1), st.floats(0, 1), POLICIES)
def test_the_faster_a_page_changes_the_sooner_it_is_wanted(one: float, other: float, policy: Policy) -> None:
    slow, fast = sorted((one, other))
    assert wanted_interval(fast, policy) <= wanted_interval(slow, policy)


@given(st.integers(1, 300), st.floats(HOUR, 30 * DAY), st.floats(0, 1e9), st.booleans())
def test_a_failure_is_tried_again_within_the_bounds(failures: int, interval: float, asked: float, gone: bool) -> None:
    wait = retry_interval(failures, interval, asked, DEFAULT, gone=gone)
    assert DEFAULT.shortest_s <= wait <= DEFAULT.longest_s
    assert wait >= min(asked, DEFAULT.longest_s)


def test_failures_are_tried_again_sooner_and_then_ever_later() -> None:
    waits = [retry_interval(n, 30 * DAY, 0, DEFAULT, gone=False) / HOUR for n in range(1, 13)]
    assert waits[:5] == [1, 2, 4, 8, 16]
    assert waits[-1] == 720
    assert retry_interval(12, HOUR, 0, DEFAULT, gone=False) == DAY
    assert retry_interval(12, HOUR, 0, DEFAULT, gone=True) == 30 * DAY

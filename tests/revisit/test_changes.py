"""How often a page changes."""

from __future__ import annotations

import math
import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish.revisit.changes import Changes, change_rate, observed
from sameish.revisit.policy import DAY, HOUR

Visit = tuple[float, bool]
VISITS = st.lists(st.tuples(st.floats(1.0, 400 * DAY), st.booleans()), max_size=150)


def after(visits: list[Visit]) -> Changes:
    changes = Changes()
    for seconds, changed in visits:
        changes = observed(changes, seconds, changed=changed)
    return changes


@pytest.mark.parametrize(("visits", "changed"), [(1, 1), (7, 2), (10, 10), (40, 1), (50, 49)])
def test_even_visits_give_the_estimate_of_the_paper(visits: int, changed: int) -> None:
    # changes first, so that the run at the end is short and the long-term estimate alone speaks
    seen = after([(DAY, n < changed) for n in range(visits)])
    assert change_rate(seen) * DAY == pytest.approx(-math.log((visits - changed + 0.5) / (visits + 0.5)), rel=1e-6)


def test_uneven_visits_give_the_most_likely_rate() -> None:
    visits = [(DAY, False), (2 * HOUR, False), (9 * DAY, True), (3 * DAY, True), (DAY, False)]
    still = sum(seconds for seconds, changed in visits if not changed) + 0.5 * sum(s for s, _ in visits) / len(visits)

    def log_likelihood(rate: float) -> float:
        return -rate * still + sum(math.log(-math.expm1(-rate * s)) for s, changed in visits if changed)

    rate = change_rate(after(visits))
    assert log_likelihood(rate) > max(log_likelihood(rate * 1.01), log_likelihood(rate * 0.99))


def test_a_page_that_was_never_another_has_the_rate_zero() -> None:
    assert change_rate(Changes()) == 0
    assert change_rate(after([(DAY, False)] * 20)) == 0


def test_the_rate_stays_finite_where_every_visit_showed_a_change() -> None:
    assert 4 / DAY < change_rate(after([(DAY, True)] * 200)) < 10 / DAY


def test_a_page_that_wakes_up_is_noticed_within_three_changes() -> None:
    quiet = [(30 * DAY, False)] * 60
    assert change_rate(after([*quiet, *[(20 * DAY, True)] * 3])) > 0.9 / (20 * DAY)


def test_a_page_that_falls_asleep_is_forgotten() -> None:
    assert change_rate(after([*[(DAY, True)] * 60, *[(DAY, False)] * 300])) < 0.02 / DAY


@pytest.mark.parametrize("per_day", [0.05, 0.3, 1.0, 2.5])
def test_the_rate_comes_near_the_truth_at_uneven_times(per_day: float) -> None:
    order = random.Random(7)  # noqa: S311  (no secret)
    found = []
    for _ in range(40):
        times = [order.uniform(0.2, 2.0) * DAY for _ in range(120)]
        visits = [(t, order.random() < -math.expm1(-per_day * t / DAY)) for t in times]
        found.append(change_rate(after(visits)) * DAY)
    assert sorted(found)[20] == pytest.approx(per_day, rel=0.35)


@given(VISITS.filter(bool), st.data())
def test_one_change_more_never_lowers_the_rate(visits: list[Visit], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(visits) - 1))
    more = [(seconds, changed or n == place) for n, (seconds, changed) in enumerate(visits)]
    assert change_rate(after(more)) >= change_rate(after(visits)) * (1 - 1e-6)


@given(VISITS)
def test_the_rate_is_finite_and_not_negative(visits: list[Visit]) -> None:
    assert 0 <= change_rate(after(visits)) < math.inf


@given(st.lists(st.tuples(st.floats(-5.0, 1e10), st.booleans()), max_size=400))
def test_any_history_fits_in_a_bounded_number_of_bytes(visits: list[Visit]) -> None:
    changes = after(visits)
    stored = msgspec.msgpack.encode(changes)
    assert len(stored) < 400
    assert msgspec.msgpack.decode(stored, type=Changes) == changes


@pytest.mark.parametrize("seconds", [0.0, -3.0, math.nan])
def test_two_visits_at_one_time_show_nothing(seconds: float) -> None:
    known = after([(DAY, True)])
    assert observed(known, seconds, changed=True) is known

"""What takes long is done seldom."""

from __future__ import annotations

import pytest

from sameish.stores.seldom import Seldom


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def do(seldom: Seldom, clock: Clock, seconds: float) -> None:
    with seldom.timed():
        clock.now += seconds


def test_it_may_be_done_at_first_and_again_at_once_if_it_is_short(clock: Clock) -> None:
    seldom = Seldom(clock)
    assert seldom.is_due
    do(seldom, clock, 0.005)
    assert seldom.is_due


def test_what_takes_long_takes_a_twentieth_of_the_time(clock: Clock) -> None:
    seldom = Seldom(clock)
    do(seldom, clock, 2.0)
    clock.now += 39.9
    assert not seldom.is_due
    clock.now += 0.2
    assert seldom.is_due


def test_what_failed_took_its_time_too(clock: Clock) -> None:
    seldom = Seldom(clock)

    def fail() -> None:
        with seldom.timed():
            clock.now += 1.0
            raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        fail()
    assert not seldom.is_due

"""What a sitemap says of a page is a hint, once it has proved true for the host."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

import sameish
from sameish import Detector, Page, SettingsError
from sameish.models import FetchAction

DAY = timedelta(days=1)
TEXT = (
    "Report {0}: the {0} harvest of {0} was brought in at {0} and weighed {0} tons, says the miller of mill {0}. " * 4
)


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def detector(clock: Clock) -> Iterator[Detector]:
    with sameish.open(":memory:", clock=clock) as detector:
        yield detector


def url(number: int) -> str:
    return f"https://mill.example/reports/{number}"


def fetch(detector: Detector, number: int, edition: int) -> None:
    word = f"r{'q' * number}e{'w' * edition}"
    detector.observe(Page(f"<main><h1>{word}</h1><p>{TEXT.format(word)}</p></main>", url(number)))


def proved(detector: Detector, clock: Clock, *, true: bool) -> None:
    """Visit twelve pages twice; the sitemap says truly which half was edited between, or the opposite."""
    for number in range(12):
        detector.announce(url(number), (clock.now - DAY).isoformat())
        fetch(detector, number, 1)
    clock.now += 2 * DAY
    for number in range(12):
        edited = number % 2 == 0
        if edited is true:
            detector.announce(url(number), clock.now - DAY / 2)
        fetch(detector, number, 2 if edited else 1)


def test_a_page_named_as_changed_is_fetched_before_its_time(detector: Detector, clock: Clock) -> None:
    proved(detector, clock, true=True)
    clock.now += DAY / 4
    assert detector.decide(url(3)).action is FetchAction.SKIP
    detector.announce(url(3), clock.now.isoformat())
    decision = detector.decide(url(3))
    assert decision.action is FetchAction.FETCH
    assert "sitemap" in decision.reason
    detector.announce("https://mill.example/reports/3?utm_source=x", clock.now.isoformat())
    assert detector.decide("https://mill.example/reports/3?utm_source=y").action is FetchAction.FETCH


def test_a_sitemap_that_was_wrong_brings_nothing_forward(detector: Detector, clock: Clock) -> None:
    proved(detector, clock, true=False)
    clock.now += DAY / 4
    detector.announce(url(3), clock.now.isoformat())
    assert detector.decide(url(3)).action is FetchAction.SKIP


def test_a_page_named_as_unchanged_waits_longer(detector: Detector, clock: Clock) -> None:
    for number in range(12):
        detector.announce(url(number), (clock.now - DAY).isoformat())
        fetch(detector, number, 1)
    for edition in (2, 3, 4):
        clock.now += 3 * DAY
        for number in range(12):
            if number < 2:
                detector.announce(url(number), clock.now - DAY)
            fetch(detector, number, edition if number < 2 else 1)
    visit = detector.store.visits_of("mill.example", 1)[0]
    clock.now = visit.due_at + timedelta(hours=1)
    decision = detector.decide(visit.url)
    assert decision.action is FetchAction.SKIP
    assert decision.reason.startswith("not due for ")


@pytest.mark.parametrize("lastmod", ["", "yesterday", "2026-13-01", "0000-00-00", "9999-12-31T23:59:59Z", "-1"])
def test_a_lastmod_that_is_no_date_or_far_ahead_says_nothing(detector: Detector, clock: Clock, lastmod: str) -> None:
    proved(detector, clock, true=True)
    detector.announce(url(3), lastmod)
    assert detector.decide(url(3)).action is FetchAction.SKIP


def test_a_lastmod_without_a_time_zone_is_refused(detector: Detector) -> None:
    with pytest.raises(SettingsError, match="time zone"):
        detector.announce(url(1), datetime(2026, 3, 1))  # noqa: DTZ001  # what is tested

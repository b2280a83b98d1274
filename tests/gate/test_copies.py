"""A stored copy is answered with only while it is what the server said last."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import sameish
from sameish import Detector, Page

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
URL, ALIAS = "https://kiln.example/pots", "https://kiln.example/old"
TEXT = (
    "The potter fires at {0} past six, and the shelf in the yard holds {0} bowls that wait for glaze and a buyer. " * 4
)


def page(name: str, days: float = 0, **more: object) -> Page:
    body = f"<main><h1>{name}</h1><p>{TEXT.format(name)}</p></main>"
    return Page(body, URL, fetched_at=NOON + timedelta(days=days), **more)  # type: ignore[arg-type]  # keywords of Page


@pytest.fixture(params=[":memory:", "crawl.db", "postgresql:"])
def detector(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Detector]:
    database = request.param == "postgresql:"
    here = tmp_path / request.param if request.param == "crawl.db" else request.param
    target = request.getfixturevalue("databases").new() if database else here
    with sameish.open(target, clock=lambda: NOON + timedelta(days=9), keep_bodies=True) as made:
        yield made


def copy_of(detector: Detector, url: str = URL) -> bytes | None:
    copy = detector.gate.copy_of(url)
    return None if copy is None else copy.body


def test_bodies_are_kept_only_where_asked_for_and_allowed(tmp_path: Path) -> None:
    allowed = {"store": {"keep_bodies": True}}, {"store": {"keep_bodies": False}}
    for settings in allowed:
        for asked in (True, False):
            with sameish.open(tmp_path / f"{asked}{settings['store']}.db", settings, keep_bodies=asked) as detector:
                detector.observe(page("one"))
                assert detector.keep_bodies is (asked and settings["store"]["keep_bodies"])
                assert (copy_of(detector) is not None) is detector.keep_bodies
                detector.keep_bodies = True
                assert detector.keep_bodies is settings["store"]["keep_bodies"]


def test_a_copy_that_a_later_visit_left_behind_is_not_returned(detector: Detector) -> None:
    detector.observe(page("one", requested_url=ALIAS))
    assert copy_of(detector) == copy_of(detector, ALIAS) == page("one").body.encode()  # type: ignore[union-attr]
    detector.keep_bodies = False
    detector.observe(page("two", days=1))
    assert copy_of(detector) is copy_of(detector, ALIAS) is None
    detector.keep_bodies = True
    detector.observe(page("three", days=2))
    assert copy_of(detector) == copy_of(detector, ALIAS) == page("three").body.encode()  # type: ignore[union-attr]


def test_a_copy_stays_when_an_older_visit_or_an_error_is_told_later(detector: Detector) -> None:
    detector.observe(page("two", days=2))
    detector.keep_bodies = False
    detector.observe(page("one", days=1))
    detector.observe(Page(b"<h1>Gone</h1>", URL, status=503, fetched_at=NOON + timedelta(days=3)))
    detector.observe(Page(url=URL, status=304, fetched_at=NOON + timedelta(days=4)))
    assert copy_of(detector) == page("two").body.encode()  # type: ignore[union-attr]

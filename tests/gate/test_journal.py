"""What was not fetched is remembered, and given back where the rule was wrong."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

import sameish
from sameish import Detector, Page
from sameish.gate.ledger import savings_of
from sameish.models import FetchAction

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
HOST = "https://weir.example"
TEXT = "Level {0}: gauge {0} on the weir of {0} read {0} inches at {0}, which is {0} more than last week at {0}. " * 4


def page(path: str, name: str) -> Page:
    return Page(f"<main><h1>{name}</h1><p>{TEXT.format(name)}</p></main>", f"{HOST}{path}", fetched_at=NOON)


def watch(detector: Detector, number: int, query: str, edition: str = "") -> None:
    detector.observe(page(f"/levels/the-weir-{number}{query}", f"{edition}weir{'x' * number}{number}"))


def learned(detector: Detector) -> None:
    for number in range(1, 7):
        for query in ("", "?sip=12345678", "?sip=87654321"):
            watch(detector, number, query)


def skipped(detector: Detector, count: int = 400) -> list[str]:
    urls = [f"{HOST}/levels/the-weir-{1 + n % 6}?sip={30_000_000 + n}" for n in range(count)]
    return [url for url in urls if detector.decide(url).action is FetchAction.SKIP]


def refuted(detector: Detector) -> None:
    for number in range(1, 7):
        watch(detector, number, f"?sip=2222222{number}", "other")


def test_all_that_a_rule_hid_is_given_back_once_when_the_rule_stops(tmp_path: Path) -> None:
    with sameish.open(tmp_path / "a.db", clock=lambda: NOON) as detector:
        learned(detector)
        urls = skipped(detector)
        assert len(urls) > 300
        assert detector.given_back() == []
        refuted(detector)
        assert detector.given_back("elsewhere.example") == []
        assert savings_of(detector.store.ledger()).requests_saved == len(urls)
        assert sorted(detector.given_back("weir.example")) == sorted(urls)
        assert detector.given_back() == []
        assert savings_of(detector.store.ledger()).requests_saved == 0


def test_it_is_given_back_also_after_a_restart(tmp_path: Path) -> None:
    with sameish.open(tmp_path / "a.db", clock=lambda: NOON) as detector:
        learned(detector)
        urls = skipped(detector)
    with sameish.open(tmp_path / "a.db", clock=lambda: NOON) as detector:
        refuted(detector)
    with sameish.open(tmp_path / "a.db", clock=lambda: NOON) as detector:
        assert sorted(detector.given_back()) == sorted(urls)


def test_every_skip_is_counted_however_many_come_at_once(tmp_path: Path) -> None:
    with sameish.open(tmp_path / "crawl.db", clock=lambda: NOON) as detector:
        detector.observe(page("/levels/a", "a"))
        for _ in range(2_500):
            assert detector.decide(f"{HOST}/levels/a").action is FetchAction.SKIP
        detector.journal.flush()
        saved = savings_of(detector.store.ledger())
        size = len(str(page("/levels/a", "a").body))
        assert (saved.requests_saved, saved.bytes_saved) == (2_500, 2_500 * size)


def test_what_was_skipped_is_written_within_about_a_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        sameish.open(tmp_path / "a.db", clock=lambda: NOON) as detector,
        sameish.open(tmp_path / "a.db", clock=lambda: NOON) as other,
    ):
        learned(detector)
        now = 100.0
        monkeypatch.setattr(time, "monotonic", lambda: now)
        first = skipped(detector, 20)
        assert len(first) > 10
        assert other.store.dropped() == []
        now += 1.0
        later = skipped(detector, 1) or skipped(detector, 1) or skipped(detector, 1)
        assert {one.url for one in other.store.dropped()} >= {*first, *later}


def test_a_url_that_is_known_otherwise_meanwhile_is_not_given_back(tmp_path: Path) -> None:
    with sameish.open(tmp_path / "a.db", clock=lambda: NOON) as detector:
        learned(detector)
        urls = skipped(detector, 50)
        refuted(detector)
        detector.observe(Page(page("", "anything").body, urls[0], fetched_at=NOON))
        assert sorted(detector.given_back()) == sorted(urls[1:])

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import sameish
from sameish import Detector, Page, StoreError
from sameish.models import FetchAction
from sameish.stores.seldom import Seldom

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
TEXT = (
    "Number {0}: the boat of {0} leaves at {0} past six and calls at quay {0}, where {0} crates of fish wait for it. "
    * 4
)
HOST = "https://quay.example"


def page(path: str, number: int, at: datetime) -> Page:
    body = f"<main><h1>Boat {number}</h1><p>{TEXT.format('x' * number + str(number))}</p></main>"
    return Page(body, f"{HOST}{path}", fetched_at=at)


def learned(target: str | Path) -> None:
    with sameish.open(target, clock=lambda: NOON) as detector:
        for number in range(1, 6):
            for query in ("", f"?sip={number}12345678", f"?sip={number}87654321"):
                detector.observe(page(f"/news/a-b-{number}{query}", number, NOON))
        assert rule_of(detector) == "query:sip"


def rule_of(detector: Detector) -> str | None:
    decisions = [detector.gate.decide(f"{HOST}/news/a-b-1?sip={number}") for number in range(99_999_000, 99_999_009)]
    return next((one.rule for one in decisions if one.action is not FetchAction.FETCH), None)


@pytest.mark.parametrize(("days", "acts"), [(1, True), (89, True), (92, False)])
def test_rules_survive_a_restart_until_their_evidence_is_too_old(tmp_path: Path, days: int, acts: bool) -> None:
    learned(tmp_path / "a.db")
    with sameish.open(tmp_path / "a.db", clock=lambda: NOON + timedelta(days=days)) as detector:
        assert ("query:sip" in detector.gate.sites.of("quay.example").acting.standings) is acts


def test_what_could_not_be_written_to_the_ledger_is_written_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with sameish.open(tmp_path / "a.db", clock=lambda: NOON) as detector:
        detector.observe(page("/news/a", 1, NOON))
        assert detector.decide(f"{HOST}/news/a").action is FetchAction.SKIP

        def refuse(_: object) -> None:
            raise StoreError("full")

        with monkeypatch.context() as patch:
            patch.setattr(detector.store, "note", refuse)
            with pytest.raises(StoreError, match="full"):
                detector.journal.flush()
        detector.journal.flush()
        assert [(one.name, one.requests) for one in detector.store.ledger() if one.name.startswith("saved:")] == [
            ("saved:not_due", 1)
        ]


def test_a_304_for_a_page_that_is_known_is_unchanged_though_another_url_was_fetched_last(tmp_path: Path) -> None:
    learned(tmp_path / "a.db")
    with sameish.open(tmp_path / "a.db", clock=lambda: NOON + timedelta(days=2)) as detector:
        verdict = detector.observe(Page(url=f"{HOST}/news/a-b-1", status=304))
        assert str(verdict.kind) == "unchanged"
        assert verdict.match is not None
        assert verdict.match.url == f"{HOST}/news/a-b-1"


def short(number: int, said: str) -> Page:
    return Page(f"<main><h1>Photo</h1><p>{said}</p></main>", f"{HOST}/photo/{number}", fetched_at=NOON)


@pytest.mark.parametrize("same", [True, False])
def test_numbered_pages_of_few_words_are_a_trap_only_where_they_say_the_same(same: bool) -> None:
    with sameish.open(":memory:", clock=lambda: NOON) as detector:
        for number in range(1, 61):
            word = "nothing" if same else f"{chr(96 + number % 26)}olm{'x' * number}"
            detector.observe(short(number, f"A view of {word} from the quay in winter."))
        decision = detector.gate.decide(f"{HOST}/photo/61")
        assert (decision.rule or "").startswith("trap") is same


@pytest.mark.parametrize("days", [40, 400])
def test_a_visit_by_a_clock_that_was_ahead_does_not_stand_for_ever(tmp_path: Path, days: int) -> None:
    url = f"{HOST}/news/a"
    with sameish.open(tmp_path / "a.db", clock=lambda: NOON + timedelta(days=days)) as detector:
        detector.observe(page("/news/a", 1, NOON + timedelta(days=days)))
    with sameish.open(tmp_path / "a.db", clock=lambda: NOON) as detector:
        assert detector.decide(url).action is FetchAction.FETCH
        detector.observe(page("/news/a", 1, NOON))
        assert detector.decide(url).action is FetchAction.SKIP


def test_an_older_page_that_is_read_later_changes_no_schedule() -> None:
    with sameish.open(":memory:", clock=lambda: NOON) as detector:
        detector.observe(page("/news/a", 1, NOON))
        detector.observe(page("/news/a", 1, NOON - timedelta(days=30)))
        assert detector.decide(f"{HOST}/news/a").action is FetchAction.SKIP


def test_what_another_process_deletes_is_taken_in_seldom_where_that_takes_long(tmp_path: Path) -> None:
    learned(tmp_path / "a.db")
    with (
        sameish.open(tmp_path / "a.db", clock=lambda: NOON) as detector,
        sameish.open(tmp_path / "a.db", clock=lambda: NOON) as other,
    ):
        detector.observe(page("/boats/alone", 8, NOON))
        assert detector.decide(f"{HOST}/boats/alone").action is FetchAction.SKIP
        moments = iter([0.0, 5.0, 90.0, 106.0, 106.0, 106.0])  # it took five seconds
        detector.gate._reloading = Seldom(moments.__next__)
        with detector.gate._reloading.timed():
            pass
        other.forget(url=f"{HOST}/boats/alone")
        detector.observe(page("/news/of-this-process", 9, NOON))
        detector.gate.refresh()
        assert detector.gate.knows(f"{HOST}/boats/alone", "quay.example")
        detector.gate.refresh()
        assert not detector.gate.knows(f"{HOST}/boats/alone", "quay.example")
        assert detector.gate.knows(f"{HOST}/news/of-this-process", "quay.example")


def test_what_is_deleted_here_is_not_known_from_then_on(tmp_path: Path) -> None:
    learned(tmp_path / "a.db")
    with sameish.open(tmp_path / "a.db", clock=lambda: NOON) as detector:
        assert detector.decide(f"{HOST}/news/a-b-1").action is FetchAction.SKIP
        detector.gate._reloading = Seldom(iter([0.0, 500.0, *range(501, 600)]).__next__)
        with detector.gate._reloading.timed():
            pass
        detector.forget(site="quay.example")
        assert detector.decide(f"{HOST}/news/a-b-1").action is FetchAction.FETCH

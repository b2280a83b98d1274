"""Whatever happens to rules, each known page is in the class that the rules that act put it in."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import sameish
from sameish import Detector, Page, StoreError
from sameish.gate import settling
from sameish.gate.settling import row_of
from sameish.index.known_pages import Row
from sameish.models import FetchAction
from sameish.stores.gate_state import Visit, hash_key
from sameish.urls.keys import url_key

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
SITE = "kiln.example"
TEXT = (
    "Kiln {0}: the potter of {0} fires at {0} past six, and shelf {0} holds {0} bowls that wait for glaze and a buyer. "
    * 4
)


def page(path: str, name: str, at: datetime = NOON) -> Page:
    return Page(f"<main><h1>{name}</h1><p>{TEXT.format(name)}</p></main>", f"https://{SITE}{path}", fetched_at=at)


def watch(detector: Detector, *queries: str, pages: int = 5, at: datetime = NOON) -> None:
    for number in range(1, pages + 1):
        for query in queries:
            detector.observe(page(f"/pots/the-pot-{number}{query}", f"pot{'x' * number}{number}", at))


def all_are_in_their_class(detector: Detector) -> bool:
    gate = detector.gate
    rules = gate.sites.of(SITE).acting
    visits = detector.store.visits_of(SITE, 1 << 20)
    classes = {one.key_hash: hash_key(rules.class_key(url_key(one.url))[0]) for one in visits}
    held = {of_class: gate.known.get(of_class) for of_class in classes.values()}
    assert visits
    assert all(one is not None and classes[one.page] == of_class for of_class, one in held.items())
    for visit in visits:
        former = gate.known.get(visit.class_hash)
        assert former is None or visit.class_hash in held
    return all(visit.class_hash == classes[visit.key_hash] for visit in visits)


def test_pages_are_put_in_other_classes_when_a_rule_begins_and_when_it_ends(tmp_path: Path) -> None:
    with sameish.open(tmp_path / "a.db", clock=lambda: NOON) as detector:
        watch(detector, "", "?sip=12345678", "?Sip2=a", "?s%69p=87654321", "?sip=99999999&page=2")
        assert "query:sip" in detector.gate.sites.of(SITE).acting.standings
        assert all_are_in_their_class(detector)
        for number in range(1, 6):
            detector.observe(page(f"/pots/the-pot-{number}?sip=1000000{number}", f"other{'y' * number}"))
        assert "query:sip" not in detector.gate.sites.of(SITE).acting.standings
        assert all_are_in_their_class(detector)
        decision = detector.gate.decide(f"https://{SITE}/pots/the-pot-1?sip=55555555")
        assert decision.action is FetchAction.FETCH


def test_a_section_whose_pages_need_no_query_is_put_in_its_classes_when_that_is_seen(tmp_path: Path) -> None:
    with sameish.open(tmp_path / "a.db", clock=lambda: NOON) as detector:
        for number, section in enumerate(("pots", "jugs", "cups", "bowls") * 2):
            for query in ("", f"?sip={'abc'[number % 3]}"):
                detector.observe(page(f"/{section}/the-pot-{number}{query}", f"pot{'x' * number}{number}"))
        detector.observe(page("/tiles/the-tile-1?sip=a", "tile"))
        assert detector.gate.decide(f"https://{SITE}/tiles/the-tile-1").action is FetchAction.FETCH
        detector.observe(page("/tiles/the-tile-2", "another tile"))
        assert detector.gate.decide(f"https://{SITE}/tiles/the-tile-1").action is not FetchAction.FETCH
        assert all_are_in_their_class(detector)


def test_evidence_that_lapsed_while_nobody_looked_puts_pages_in_other_classes(tmp_path: Path) -> None:
    with sameish.open(tmp_path / "a.db", clock=lambda: NOON) as detector:
        watch(detector, "", "?sip=12345678", "?sip=87654321")
    late = NOON + timedelta(days=200)
    with sameish.open(tmp_path / "a.db", clock=lambda: late) as detector:
        assert not detector.gate.sites.of(SITE).acting.standings
        assert not all_are_in_their_class(detector)  # in memory they are, the store was only read
        assert "seen" in detector.gate.decide(f"https://{SITE}/pots/the-pot-1").reason
        detector.observe(page("/pots/another", "another", late))
        assert all_are_in_their_class(detector)
        assert not detector.gate.sites.unsettled()
    with sameish.open(tmp_path / "a.db", clock=lambda: late) as detector:
        assert all_are_in_their_class(detector)


def test_who_opens_the_store_next_goes_on_where_a_process_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(*_: object) -> None:
        raise StoreError("the process is gone")

    with sameish.open(tmp_path / "a.db", clock=lambda: NOON) as detector, monkeypatch.context() as patch:
        patch.setattr("sameish.gate.learning.settle", end)
        with pytest.raises(StoreError, match="gone"):
            watch(detector, "", "?sip=12345678", "?sip=87654321")
    with sameish.open(tmp_path / "a.db", clock=lambda: NOON) as detector:
        assert detector.gate.sites.unsettled()
        assert not all_are_in_their_class(detector)
        watch(detector, "?sip=11111111", pages=1)
        assert all_are_in_their_class(detector)
        assert not detector.gate.sites.unsettled()


def test_only_pages_that_hold_the_aspect_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def noted(visit: Visit) -> Row:
        read.append(visit.url)
        return row_of(visit)

    with sameish.open(tmp_path / "a.db", clock=lambda: NOON) as detector:
        for number in range(300):
            detector.observe(page(f"/glazes/{number}/blue", f"glaze {number} {'z' * number}"))
        monkeypatch.setattr(settling, "row_of", noted)
        watch(detector, "", "?sip=12345678", "?sip=87654321")
        assert read
        assert not [url for url in read if "/glazes/" in url]


def test_a_worker_sees_classes_that_another_has_put_right(tmp_path: Path) -> None:
    with (
        sameish.open(tmp_path / "a.db", clock=lambda: NOON) as one,
        sameish.open(tmp_path / "a.db", clock=lambda: NOON) as two,
    ):
        watch(one, "", "?sip=12345678", "?sip=87654321")
        two.gate.refresh()
        assert "query:sip" in two.gate.sites.of(SITE).acting.standings
        assert all_are_in_their_class(two)


def test_pages_of_several_workers_teach_together(tmp_path: Path) -> None:
    with (
        sameish.open(tmp_path / "a.db", clock=lambda: NOON) as one,
        sameish.open(tmp_path / "a.db", clock=lambda: NOON) as two,
    ):
        watch(one, "?other=1", pages=1)
        watch(two, "?other=2", pages=1)
        time.sleep(0.2)
        watch(one, "?sip=12345678")
        time.sleep(0.2)
        watch(two, "?sip=87654321")
        assert "query:sip" in two.gate.sites.of(SITE).acting.standings

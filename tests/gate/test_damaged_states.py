"""Damage to what was learned: every other site and page goes on, what is damaged is learned anew, and it is said once."""

from __future__ import annotations

import logging
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import sameish
from sameish import Detector, Page
from sameish.gate.checking import verify
from sameish.gate.damage import warn
from sameish.gate.memory import decode
from sameish.gate.overview import overviews
from sameish.models import FetchAction, VerdictKind
from sameish.stores.gate_state import hash_key
from sameish.urls.keys import url_key

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
LATER = NOON + timedelta(days=40)
TEXT = "Kiln {0}: the potter of {0} fires at {0} past six, and shelf {0} holds {0} bowls that wait for glaze. " * 5


@pytest.fixture(autouse=True)
def nothing_said_yet() -> Iterator[None]:
    warn.cache_clear()
    yield
    warn.cache_clear()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store in which a rule acts on one of two sites."""
    with sameish.open(tmp_path / "crawl.db", clock=lambda: NOON) as detector:
        for number in range(1, 7):
            for query in ("", "?sip=12345678", "?sip=87654321"):
                observe(detector, f"https://kiln.example/pots/pot-{number}{query}", f"pot{'x' * number}")
        observe(detector, "https://loom.example/", "loom")
        assert "query:sip" in detector.gate.sites.of("kiln.example").acting.standings
    return tmp_path / "crawl.db"


def observe(detector: Detector, url: str, name: str) -> VerdictKind:
    page = Page(f"<main><h1>{name}</h1><p>{TEXT.format(name)}</p></main>", url, headers={"ETag": f'"{name}"'})
    return detector.observe(page).kind


def change(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(statement, values)


def flip(path: Path, table: str, where: str, bit: int) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        (state,) = db.execute(f"SELECT state FROM {table} WHERE {where}").fetchone()  # noqa: S608 - own names
        damaged = bytearray(state)
        damaged[bit // 8 % len(state)] ^= 1 << bit % 8
        db.execute(f"UPDATE {table} SET state = ? WHERE {where}", (bytes(damaged),))  # noqa: S608 - own names


def test_a_damaged_site_stops_no_other_and_is_learned_anew(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    flip(path, "site_state", "site = 'kiln.example'", 0)
    with caplog.at_level(logging.WARNING), sameish.open(path, clock=lambda: NOON) as detector:
        assert any("the state of site kiln.example: what was learned" in fault for fault in verify(detector.store))
        assert detector.decide("https://loom.example/").action is FetchAction.SKIP
        assert detector.decide("https://loom.example/new").action is FetchAction.FETCH
        assert detector.decide("https://kiln.example/pots/pot-1?sip=11112222").action is FetchAction.FETCH
        assert observe(detector, "https://loom.example/new", "woof") is VerdictKind.NEW
        assert [one.site for one in overviews(detector.store, detector.settings)] == ["kiln.example", "loom.example"]
        assert observe(detector, "https://kiln.example/pots/pot-9", "potter") is VerdictKind.NEW
        assert verify(detector.store) == []
    (record,) = caplog.records
    assert "kiln.example is damaged" in record.getMessage()
    assert "`sameish store verify`" in record.getMessage()


def test_pages_of_a_damaged_site_leave_the_classes_that_nothing_speaks_for(path: Path) -> None:
    flip(path, "site_state", "site = 'kiln.example'", 0)
    with sameish.open(path, clock=lambda: NOON) as detector:
        known = detector.decide("https://kiln.example/pots/pot-1?sip=12345678")
        assert (known.action, known.same_as) == (FetchAction.SKIP, "https://kiln.example/pots/pot-1?sip=12345678")
        observe(detector, "https://kiln.example/pots/pot-9", "potter")
        visits = detector.store.visits_of("kiln.example", 99)
        assert len(visits) == 19
        assert {one.class_hash == hash_key(url_key(one.url)) for one in visits} == {True}
        (state, _) = sorted(detector.store.site_states(0), key=lambda one: one.site)
        assert decode(state.state).unsettled == frozenset()


def test_a_page_whose_visit_is_damaged_is_fetched(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    change(path, "UPDATE visit SET state = x'93ff' WHERE site = 'loom.example'")
    with caplog.at_level(logging.WARNING), sameish.open(path, clock=lambda: LATER) as detector:
        (fault,) = verify(detector.store)
        assert fault.startswith("visit ")
        assert "what was learned cannot be read: " in fault
        for _ in range(2):
            decision = detector.decide("https://loom.example/")
            assert (decision.action, decision.request_headers) == (FetchAction.FETCH, {})
            assert decision.reason == "when it was seen is not known"
        assert observe(detector, "https://loom.example/", "loom") is VerdictKind.UNCHANGED
        assert verify(detector.store) == []
    (record,) = caplog.records
    assert "https://loom.example/ is damaged" in record.getMessage()


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("table", ["site_state", "visit"])
def test_a_flipped_bit_of_a_state_raises_nothing(path: Path, table: str, seed: int) -> None:
    flip(path, table, "site = 'kiln.example'", random.Random(seed).randrange(1 << 20))  # noqa: S311 - not for secrets
    with sameish.open(path, clock=lambda: LATER) as detector:
        for number in (1, 3):
            detector.decide(f"https://kiln.example/pots/pot-{number}?sip=44445555")
            observe(detector, f"https://kiln.example/pots/pot-{number}", f"pot{'x' * number}")
            detector.observe(Page(b"", f"https://kiln.example/pots/pot-{number}", status=304))
        detector.redirected("https://kiln.example/old", "https://kiln.example/pots/pot-2")
        overviews(detector.store, detector.settings)

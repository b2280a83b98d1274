from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("scrapy")

import sameish
from sameish.integrations.leases import Leases
from sameish.integrations.scrapy.crew import Crew
from sameish.stores.sqlite import SqliteStore


def crews(store: SqliteStore, count: int) -> list[Crew]:
    made = [Crew(Leases(store)) for _ in range(count)]
    for _ in range(2):  # those that came first hear of the later ones
        for crew in made:
            crew.muster()
    return made


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "crawl.db")
    yield store
    store.close()


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_every_audit_is_made_by_one_of_a_crew(store: SqliteStore, count: int) -> None:
    made = crews(store, count)
    for page in range(60):
        assert [crew.is_own(page) for crew in made].count(True) == 1
    assert all(any(crew.is_own(page) for page in range(60)) for crew in made)


def test_what_one_audited_that_left_others_audit(store: SqliteStore) -> None:
    first, second, third = crews(store, 3)
    for gone, left in ((first, [second, third]), (third, [second])):
        gone.leave()
        for crew in left * 2:
            crew.muster()
        assert all(any(crew.is_own(page) for crew in left) for page in range(60))


def test_who_comes_later_takes_a_seat_that_is_free(store: SqliteStore) -> None:
    first, second = crews(store, 2)
    first.leave()
    later = Crew(Leases(store))
    for crew in (later, second) * 2:
        crew.muster()
    for page in range(60):
        assert [crew.is_own(page) for crew in (second, later)].count(True) == 1


def test_more_workers_than_seats_audit_all(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sameish.integrations.scrapy.crew._SEATS", (1, 2))
    *_, last = crews(store, 3)
    assert all(last.is_own(page) for page in range(60))


def test_a_store_that_is_closed_is_told(store: SqliteStore) -> None:
    crew = crews(store, 1)[0]
    store.close()
    with pytest.raises(sameish.errors.StoreError):
        crew.muster()

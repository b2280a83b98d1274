"""What a store in a file keeps for the gate: others write it too, it can be damaged, and its queries must stay quick."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import zstandard

from sameish.errors import StoreError
from sameish.settings import StoreSection
from sameish.stores.gate_state import Asked, Dropped, Entry, Note, StoredBody, Updates, Visit
from sameish.stores.sqlite import SqliteStore
from sameish.stores.sqlite.statements import SCHEMA, SQL

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
SITE = "x.example"
CONTENT = b"<p>a body that must not be found again</p>" * 50
BODY = StoredBody(1, SITE, "https://x.example/a", 200, (("content-type", "text/html"),), CONTENT, NOON)
FILLED = Updates(
    b"rules",
    (Visit(1, 2, SITE, "https://x.example/a", NOON, 10, b"d" * 16, state=b"s"), Visit(2, 2, SITE, "b", NOON)),
    (Entry(SITE, "sent", 3, 4),),
    (Dropped(3, SITE, "https://x.example/c", "case", NOON, b"r"),),
    body=BODY,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "crawl.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with SqliteStore(path) as opened:
        yield opened


def write(store: SqliteStore, updates: Updates = FILLED) -> None:
    store.note(Note(Asked(SITE, (1,)), lambda _, __: updates))


def change(path: Path, statement: str, values: tuple[object, ...] = ()) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(statement, values)


def test_what_others_write_for_the_gate_is_noticed(store: SqliteStore, path: Path) -> None:
    write(store)
    revision, generation = store.revision(), store.generation()
    with SqliteStore(path) as other:
        assert (other.revision(), other.generation()) == (revision, generation)
        write(other, Updates(visits=(Visit(9, 9, SITE, "n", NOON),)))
        assert store.revision() == other.revision() > revision
        assert [row[0] for batch in store.visit_rows(revision)[1] for row in batch] == [9]
        assert store.generation() == generation
        other.forget(site=SITE)
        assert store.generation() == other.generation() > generation
    assert list(store.visit_rows(0)[1]) == []


def test_what_is_rolled_back_does_not_count(store: SqliteStore) -> None:
    write(store)
    revision = store.revision()
    store._db.execute("CREATE TEMP TRIGGER full BEFORE INSERT ON body BEGIN SELECT RAISE(ABORT, 'no room'); END")
    with pytest.raises(StoreError, match="no room"):
        write(store)
    assert store.revision() == revision
    assert store.ledger() == [Entry(SITE, "sent", 3, 4)]


def test_all_of_it_is_there_when_opened_again(store: SqliteStore, path: Path) -> None:
    write(store)
    store.lease(7, "me", NOON, NOON.replace(hour=13))
    store.close()
    with SqliteStore(path) as again:
        assert [again.visit(1), again.visit(2)] == list(FILLED.visits)
        assert (again.ledger(), again.dropped(), again.stored_body(1)) == ([*FILLED.ledger], [*FILLED.dropped], BODY)
        assert [state.state for state in again.site_states(0)] == [b"rules"]
        assert not again.lease(7, "other", NOON, NOON.replace(hour=14))
        assert again.verify() == []


def test_a_smaller_budget_is_kept_from_the_next_body_on(store: SqliteStore, path: Path) -> None:
    for number in range(20):
        write(store, Updates(body=StoredBody(number, SITE, "u", 200, (), zstandard.compress(b"%d" % number), NOON)))
    size = store._db.execute("SELECT max(size_bytes) FROM body").fetchone()[0]
    store.close()
    with SqliteStore(path, settings=StoreSection(body_budget_bytes=size * 10)) as again:
        write(again, Updates(body=StoredBody(20, SITE, "u", 200, (), b"x", NOON)))
        assert [number for number in range(21) if again.stored_body(number)] == list(range(11, 21))
        assert again.verify() == []


def test_a_body_that_is_forgotten_is_gone_from_the_disk(store: SqliteStore, path: Path) -> None:
    write(store)
    (frame,) = store._db.execute("SELECT frame FROM body").fetchone()
    assert any(frame in file.read_bytes() for file in path.parent.iterdir())
    assert store.forget(key="no key that was captured", site=SITE) == 0
    assert store.stored_body(1) == BODY
    assert store.forget(site=SITE) == 0
    for file in path.parent.iterdir():
        assert frame not in file.read_bytes(), file


def test_leases_that_have_run_out_do_not_heap_up(store: SqliteStore) -> None:
    for minute in range(50):
        assert store.lease(minute, "gone", NOON.replace(minute=minute), NOON.replace(minute=minute, second=30))
    assert store._db.execute("SELECT count(*) FROM lease").fetchone() == (1,)


FAULTS = {
    "UPDATE visit SET class_hash = 'text' WHERE key_hash = 1": r"visit 1 is damaged",
    "UPDATE visit SET class_hash = 1.5 WHERE key_hash = 1": r"visit 1 is damaged",
    "UPDATE visit SET due_at = 9000000000000000000 WHERE key_hash = 1": r"visit 1 is damaged",
    "UPDATE visit SET due_at = x'00' WHERE key_hash = 1": r"visit 1 is damaged",
    "UPDATE visit SET body_bytes = 'text' WHERE key_hash = 1": r"visit 1 is damaged",
    "UPDATE visit SET body_bytes = -1 WHERE key_hash = 1": r"visit 1: its body has -1 bytes",
    "UPDATE visit SET digest = x'00' WHERE key_hash = 1": r"visit 1: its digest has 1 bytes",
    "UPDATE visit SET digest = 'text' WHERE key_hash = 1": r"visit 1 is damaged",
    "UPDATE visit SET capture_id = 5 WHERE key_hash = 1": r"visit 1: its capture 5 is not there",
    "UPDATE visit SET capture_id = 'text' WHERE key_hash = 1": r"visit 1 is damaged",
    "UPDATE visit SET state = 'text' WHERE key_hash = 1": r"visit 1 is damaged",
    "UPDATE visit SET state = 3 WHERE key_hash = 1": r"visit 1 is damaged",
    "UPDATE visit SET revision = 99 WHERE key_hash = 1": r"visit 1: its revision 99 is none; the last one is 1",
    "UPDATE visit SET revision = 'text' WHERE key_hash = 1": r"visit 1: its revision text is none",
    "UPDATE site_state SET state = 'text'": r"the state of site x.example is damaged",
    "UPDATE site_state SET state = 3": r"the state of site x.example is damaged",
    "UPDATE site_state SET revision = 'text'": r"the state of site x.example is damaged",
    "UPDATE site_state SET revision = 2": r"the state of site x.example: its revision 2 is none",
    "UPDATE ledger SET requests = 'text'": r"the ledger of site x.example is damaged",
    "UPDATE dropped SET at = 9000000000000000000": r"the dropped URL https://x.example/c is damaged",
    "UPDATE dropped SET request = 'text'": r"the dropped URL https://x.example/c is damaged",
    "INSERT INTO lease VALUES (5, 'me', 9000000000000000000)": r"lease 5 is damaged",
    "INSERT INTO lease VALUES (5, 'me', 'text')": r"lease 5 is damaged",
    "UPDATE body SET frame = x'0011'": r"the body of https://x.example/a is damaged",
    "UPDATE body SET frame = substr(frame, 1, length(frame) - 5)": r"body .* is damaged \(the compressed body is cut short",
    "UPDATE body SET frame = CAST(frame || x'00' AS BLOB)": r"body .* is damaged \(bytes follow the compressed body",
    "UPDATE body SET frame = 'text'": r"the body of https://x.example/a is damaged",
    "UPDATE body SET headers = x'c1'": r"the body of https://x.example/a is damaged",
    "UPDATE body SET fetched_at = 'text'": r"the body of https://x.example/a is damaged",
    "UPDATE body SET status = 'text'": r"the body of https://x.example/a is damaged",
    "UPDATE body SET size_bytes = 1": r"the body of https://x.example/a: it takes \d+ bytes, noted are 1",
    "UPDATE meta SET body_bytes = 7": r"the bodies take \d+ bytes, noted are 7",
}


@pytest.mark.parametrize("damage", FAULTS)
def test_verify_names_the_fault(store: SqliteStore, path: Path, damage: str) -> None:
    write(store)
    assert store.verify() == []
    change(path, damage)
    faults = store.verify()
    assert any(re.search(FAULTS[damage], fault) for fault in faults), faults


@pytest.mark.parametrize("damage", [damage for damage, fault in FAULTS.items() if "is damaged" in fault])
def test_a_damaged_row_is_an_error_of_the_store_that_says_what_to_do(
    store: SqliteStore, path: Path, damage: str
) -> None:
    write(store)
    change(path, damage)
    errors: list[StoreError] = []
    for look_up in (
        lambda: store.visit(1),
        lambda: store.visits_of(SITE, 9),
        lambda: list(store.visit_rows(0)[1]),
        lambda: store.site_states(0),
        store.ledger,
        store.dropped,
        lambda: store.stored_body(1),
        lambda: write(store, Updates()),
    ):
        try:
            look_up()
        except StoreError as error:
            errors.append(error)
    assert errors or "INTO lease" in damage  # nobody reads a lease
    for one in errors:
        assert re.fullmatch(rf"{path}: .* is damaged \(.*\); run `sameish store verify`", str(one))
        assert one.target == str(path)


@pytest.mark.parametrize("at", range(0, 400, 7))
def test_no_flipped_bit_of_a_body_passes(store: SqliteStore, path: Path, at: int) -> None:
    write(store)
    (frame,) = store._db.execute("SELECT frame FROM body").fetchone()
    damaged = bytearray(frame)
    damaged[at % len(frame)] ^= 1 << at % 8
    change(path, "UPDATE body SET frame = ?", (bytes(damaged),))
    try:
        body = store.stored_body(1)
    except StoreError:
        return
    assert body == BODY  # a bit that says nothing: which of two forms the head has


LOOKUPS = ("visit", "visits_of", "visit_rows", "site_state", "site_states", "stored_body", "put_visit", "put_site_state",
           "put_dropped", "put_body", "add_to_ledger", "reclass", "body_size", "take_lease", "release_lease", "delete_visit",
           "delete_dropped", "delete_body")  # fmt: skip


@pytest.mark.parametrize("name", LOOKUPS)
def test_a_look_up_reads_no_whole_table_and_sorts_nothing(name: str) -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        for statement in SCHEMA:
            db.execute(statement)
        count, names = SQL[name].count("?"), re.findall(r":(\w+)", SQL[name])
        values: Any = (1,) * count if count else dict.fromkeys(names, 1)
        plan = [step for *_, step in db.execute(f"EXPLAIN QUERY PLAN {SQL[name]}", values)]
    plan = [step for step in plan if "json_each" not in step]  # an argument, not a table
    assert not [step for step in plan if "SCAN" in step or "TEMP B-TREE" in step], plan
    if name == "visit_rows":
        assert "COVERING INDEX visit_row ((revision,class_hash,due_at,body_bytes)>(?,?,?,?)" in plan[0]

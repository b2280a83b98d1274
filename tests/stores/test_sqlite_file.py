"""What is special about a store in a file: others write it too, it can be damaged, and its queries must stay quick."""

from __future__ import annotations

import io
import logging
import re
import sqlite3
import struct
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import sameish.stores.sqlite
from sameish.errors import StoreError
from sameish.evaluation.from_store import captures_of
from sameish.models import Capture, Fingerprint, State, Verdict, VerdictKind
from sameish.stores.base import Candidates, Query
from sameish.stores.queries import named_queries
from sameish.stores.sqlite import SqliteStore
from sameish.stores.sqlite.statements import SCHEMA, SQL
from sameish.stores.transfer import export_store

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
TEXT = "text:1"
FORGOTTEN = "a sentence that must not be found again"


def observation(key: str, seconds: int = 0, *, simhash: int = 0, markdown: str = "m") -> tuple[Capture, Query]:
    fingerprint = Fingerprint(simhash, 1, b"d" * 16, b"sketch", 9, State.CONTENT, TEXT)
    fetched_at = NOON + timedelta(seconds=seconds)
    capture = Capture(
        key,
        key,
        "x.example",
        fetched_at,
        b"b",
        1,
        200,
        fingerprint,
        title=markdown,
        markdown=markdown,
        sentences=("s",),
    )
    return capture, Query(key, fetched_at, b"b", TEXT, fingerprint.digest, simhash, 3)


def put(store: SqliteStore, key: str, seconds: int = 0, *, simhash: int = 0, markdown: str = "m") -> Candidates:
    shown: list[Candidates] = []

    def judge(found: Candidates) -> Verdict:
        shown.append(found)
        others = found.equal + found.near
        return Verdict(VerdictKind.DUPLICATE if others else VerdictKind.NEW, match=others[0] if others else None)

    store.observe(*observation(key, seconds, simhash=simhash, markdown=markdown), judge)
    return shown[0]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "crawl.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with SqliteStore(path, scheme=TEXT) as opened:
        yield opened


def near_ids(store: SqliteStore, simhash: int = 0) -> list[int | None]:
    return [capture.id for capture, _ in store.near(simhash, scheme=TEXT, within=3, limit=99)]


def test_what_others_write_and_forget_is_followed(store: SqliteStore, path: Path) -> None:
    put(store, "a")
    with SqliteStore(path, scheme=TEXT) as other:
        assert [one.id for one in put(other, "b").near] == [1]
        assert [one.id for one in put(store, "c").near] == [1, 2]
        other.forget(key="a")
        assert [one.id for one in put(store, "d").near] == [2, 3]
        assert near_ids(store) == near_ids(other) == [2, 3, 4]
        other.forget(site="x.example")
        assert near_ids(store) == []
        put(other, "e")
        assert near_ids(store) == [5]


def test_what_is_forgotten_is_gone_from_the_disk(store: SqliteStore, path: Path) -> None:
    put(store, "a", markdown=FORGOTTEN)
    for number in range(20):
        put(store, f"{number}")
    store.forget(key="a")
    for file in path.parent.iterdir():
        assert FORGOTTEN.encode() not in file.read_bytes(), file


def test_forgetting_does_not_wait_for_one_who_reads_for_long(store: SqliteStore, path: Path) -> None:
    put(store, "a")
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM page").fetchall()
        began = time.monotonic()
        assert store.forget(key="a") == 1
        assert time.monotonic() - began < 10
    assert store._db.execute("PRAGMA busy_timeout").fetchone() == (30_000,)


def test_a_log_that_cannot_be_emptied_does_not_make_a_deletion_fail(
    store: SqliteStore, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    put(store, "a")

    def deny(action: int, first: str | None, *_: str | None) -> int:
        refused = action == sqlite3.SQLITE_PRAGMA and first == "wal_checkpoint"
        return sqlite3.SQLITE_DENY if refused else sqlite3.SQLITE_OK

    store._db.set_authorizer(deny)
    with caplog.at_level(logging.WARNING, "sameish.stores"):
        assert store.forget(key="a") == 1
    store._db.set_authorizer(None)
    assert [(record.name, record.levelname) for record in caplog.records] == [("sameish.stores", "WARNING")]
    assert f"{path}: not authorized" in caplog.text
    assert store._db.execute("PRAGMA busy_timeout").fetchone() == (30_000,)
    assert store.totals().captures == 0


FAULTS = {
    "UPDATE capture SET fingerprint = x'00' WHERE id = 2": r"capture 2: its fingerprint cannot be read",
    "UPDATE capture SET fingerprint = x'' WHERE id = 2": r"capture 2: its fingerprint cannot be read",
    "UPDATE capture SET simhash = 17 WHERE id = 2": r"capture 2: the simhash in its fingerprint is 0, beside it stands 17",
    "UPDATE capture SET simhash = NULL WHERE id = 2": r"capture 2: the simhash .* stands None",
    "UPDATE capture SET digest = x'ff' WHERE id = 2": r"capture 2: the digest in its fingerprint is 6464.*, beside it stands ff",
    "UPDATE capture SET state = 'thin' WHERE id = 2": r"capture 2: the state in its fingerprint is content, .* thin",
    "UPDATE capture SET good = 0 WHERE id = 2": r"capture 2: it is marked not good, its state is content",
    "UPDATE scheme SET name = 'other:1'": r"capture 1: the scheme in its fingerprint is text:1, beside it stands other:1",
    "UPDATE capture SET match_id = 2 WHERE id = 2": r"capture 2: it matches capture 2, which was not there yet",
    "UPDATE capture_text SET markdown = x'0011' WHERE capture_id = 2": r"capture 2: its texts cannot be read",
    "UPDATE capture_text SET sentences = x'789c0300000000' WHERE capture_id = 2": r"capture 2: its texts cannot be read",
    "DELETE FROM page WHERE key = 'b'": r"capture 2: .*page.* is not there",
    "DELETE FROM scheme": r"capture 1: .*scheme that is not there",
    "INSERT INTO capture_text (capture_id) VALUES (99)": r"text of capture 99: it refers to a capture that is not there",
    "DELETE FROM capture WHERE id = 3": r"page c: there is no capture of it",
    "UPDATE page SET last_seen = NULL WHERE key = 'b'": r"page b: last seen None, but",
    "UPDATE page SET last_seen = 5 WHERE key = 'b'": r"page b: last seen 1970-01-01T00:00:00.000005",
}


@pytest.mark.parametrize("damage", FAULTS)
def test_verify_names_the_fault(store: SqliteStore, path: Path, damage: str) -> None:
    for key in ("a", "b", "c"):
        put(store, key)
    assert store.verify() == []
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(damage)
    faults = store.verify()
    assert any(re.search(FAULTS[damage], fault) for fault in faults), faults


DAMAGES = {
    "UPDATE capture SET fingerprint = x'00' WHERE id = 1": "capture 1",
    "UPDATE capture SET fingerprint = 'text' WHERE id = 1": "capture 1",
    "UPDATE capture SET fetched_at = 9000000000000000000 WHERE id = 1": "capture 1",
    "UPDATE capture SET verdict = 'perhaps' WHERE id = 1": "capture 1",
    "UPDATE capture SET simhash = 'text' WHERE id = 1": "capture 1",
    "UPDATE capture_text SET sentences = x'0011' WHERE capture_id = 1": "capture 1",
    "UPDATE capture_text SET sentences = x'789c0300000000' WHERE capture_id = 1": "capture 1",
    "UPDATE capture_text SET markdown = 'text' WHERE capture_id = 1": "capture 1",
    "DELETE FROM page": "capture 1",
    "UPDATE page SET last_seen = 9000000000000000000": "page a",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_row_is_an_error_of_the_store_that_says_what_to_do(
    store: SqliteStore, path: Path, damage: str
) -> None:
    put(store, "a")
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(damage)
    asked = Query("a", NOON, b"b", TEXT, b"d" * 16, 0, 3)
    errors: list[StoreError] = []
    for look_up in (
        lambda: store.candidates(asked),
        lambda: store.candidates(replace(asked, key="b")),
        lambda: store.candidates(replace(asked, key="b", digest=None)),
        lambda: put(store, "b"),
        lambda: store.near(0, scheme=TEXT, within=3, limit=9),
        lambda: store.last_good("a"),
        lambda: store.seen("a"),
    ):
        try:
            look_up()
        except StoreError as error:
            errors.append(error)
    message = f"{path}: {DAMAGES[damage]} is damaged ("
    assert errors
    assert all(str(error).startswith(message) and error.target == str(path) for error in errors)
    assert all(str(error).endswith("); run `sameish store verify`") for error in errors)
    assert any(DAMAGES[damage] in fault for fault in store.verify())


def test_a_time_that_is_none_is_an_error_of_the_store(store: SqliteStore, path: Path) -> None:
    put(store, "a")
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE capture SET fetched_at = 9000000000000000000")
    with pytest.raises(StoreError, match=r"the time of a capture is damaged .*; run `sameish store verify`"):
        store.info()


def test_an_error_of_a_judge_is_no_damage(store: SqliteStore) -> None:
    with pytest.raises(ValueError, match="of the judge"):
        store.observe(*observation("a"), raising)


def raising(_: Candidates) -> Verdict:
    raise ValueError("of the judge")


def test_verify_finds_the_same_capture_twice(store: SqliteStore, path: Path) -> None:
    put(store, "a")
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_master SET sql = replace(sql, 'UNIQUE (page_id, fetched_at, body_digest)', "
                   "'UNIQUE (page_id, fetched_at, id)') WHERE name = 'capture'")  # fmt: skip
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        columns = [name for _, name, *_ in db.execute("PRAGMA table_info(capture)") if name != "id"]
        db.execute(f"INSERT INTO capture ({', '.join(columns)}) SELECT {', '.join(columns)} FROM capture")  # noqa: S608 - own names
    with SqliteStore(path, scheme=TEXT) as again:
        assert "captures 1 and 2: the same capture twice" in again.verify()


LOOKUPS = ("page_id", "scheme_id", "stored", "last_not_after", "first_after", "equal", "earlier", "by_ids", "texts", "seen", "last_id", "is_stored",
           "findable_after", "see_page", "not_modified", "forget_by_key", "forget_by_site")  # fmt: skip


@pytest.mark.parametrize("name", LOOKUPS)
def test_a_look_up_reads_no_whole_table(name: str) -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        for statement in SCHEMA:
            db.execute(statement)
        values = dict.fromkeys(re.findall(r":(\w+)", SQL[name]), "[]")
        plan = [step for *_, step in db.execute(f"EXPLAIN QUERY PLAN {SQL[name]}", values)]
    assert not [
        step for step in plan if step.startswith("SCAN") and "json_each" not in step and step != "SCAN holder"
    ], plan


def test_many_captures_of_one_page_do_not_slow_a_look_up(store: SqliteStore) -> None:
    """Counted in steps of SQLite's machine, of which a look at every capture would take some ten each."""
    asked = Query("new", NOON, b"b", TEXT, b"d" * 16)
    for number in range(6):
        put(store, f"{number}")

    def steps(query: Query) -> int:
        counted: list[None] = []
        store._db.set_progress_handler(lambda: counted.append(None), 1)
        store.candidates(query)
        store._db.set_progress_handler(None, 0)
        return len(counted)

    own, other = replace(asked, key="0"), replace(asked, key="1")
    before = steps(own), steps(other)
    for second in range(1, 500):
        put(store, "0", second)
    assert steps(own) < before[0] + 50
    assert steps(other) < before[1] + 50
    assert [one.id for one in store.candidates(other).equal] == [505, 3, 4, 5, 6]


def test_every_query_is_used_and_every_use_is_a_query() -> None:
    folder = Path(sameish.stores.sqlite.__file__).parent
    code = "".join(file.read_text() for file in (*folder.glob("*.py"), folder.parent / "expiry.py"))
    assert {name for name in SQL if f'"{name}"' not in code} == set()
    assert set(re.findall(r'SQL\["(\w+)"\]', code)) <= set(SQL)


@pytest.mark.parametrize(
    "text", ["-- name: a\nSELECT 1\n", "-- name: a\n-- What.\n", "-- name: a\n-- W.\nSELECT 1\n" * 2]
)
def test_a_query_needs_a_name_a_description_and_sql(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "q.sql").write_text(text)
    monkeypatch.setattr("sameish.stores.queries.files", lambda _: tmp_path)
    with pytest.raises(ValueError, match="the query a"):
        named_queries("anything", "q.sql")


def disorder(path: Path, table: str) -> None:
    """Exchange two rows on the one page of a table of nine, in the order of which SQLite searches."""
    with closing(sqlite3.connect(path)) as db:
        (root,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    content, start = bytearray(path.read_bytes()), (root - 1) * size
    assert (content[start], content[start + 4]) == (
        0x0D,
        9,
    )  # a leaf, and nine rows on it (sqlite.org/fileformat2.html)
    pointers = slice(start + 8, start + 8 + 2 * 9)
    rows = struct.unpack(">9H", content[pointers])
    content[pointers] = struct.pack(">9H", *rows[:4], rows[8], *rows[5:8], rows[4])
    path.write_bytes(content)


@pytest.mark.parametrize("table", ["capture", "page"])
def test_a_walk_through_rows_that_are_out_of_order_ends_with_an_error(path: Path, table: str) -> None:
    with SqliteStore(path) as store:
        for number in range(9):
            put(store, f"k{number}", number, simhash=number << 20)
    disorder(path, table)
    with SqliteStore(path) as store:
        message = (
            r"crawl\.db: the order of the rows is damaged \(5 does not stand behind [59]\); run `sameish store verify`"
        )
        if table == "capture":
            with pytest.raises(StoreError, match=message):
                list(captures_of(store, TEXT))
        with pytest.raises(StoreError, match=message):
            export_store(store, io.BytesIO(), NOON)

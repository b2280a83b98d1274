"""What happens when a file is opened: a store, a new store, or a refusal that changes nothing and says what to do."""

from __future__ import annotations

import os
import shutil
import sqlite3
import struct
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sameish.errors import SchemaOutdated, SchemeMismatch, StoreError, StoreUnavailable
from sameish.models import Capture, Fingerprint, State, Verdict, VerdictKind
from sameish.settings import StoreSection
from sameish.stores.base import Query
from sameish.stores.sqlite import SqliteStore
from sameish.stores.sqlite.opening import APPLICATION_ID, SCHEMA_VERSION

TEXT, CLASSIC = "text:1", "classic:1"
SEVERAL = StoreSection(several_schemes=True)
NOBODY = 65534


def put(store: SqliteStore, *, key: str = "a", scheme: str = TEXT, size: int = 10) -> None:
    fingerprint = Fingerprint(5, None, b"d" * 16, os.urandom(size), 9, State.CONTENT, scheme)
    capture = Capture(key, key, "x.example", datetime(2024, 1, 1, tzinfo=UTC), b"b", 1, 200, fingerprint)
    query = Query(key, capture.fetched_at, b"b", scheme, fingerprint.digest, 5)
    store.observe(capture, query, lambda _: Verdict(VerdictKind.NEW))


def put_many(store: SqliteStore) -> None:
    for number in range(99):
        put(store, key=f"{number}", size=3000)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A store with one capture, closed."""
    with SqliteStore(tmp_path / "crawl.db", scheme=TEXT) as store:
        put(store)
    return tmp_path / "crawl.db"


def lying_there(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@contextmanager
def refused(path: Path, error: type[StoreError], *words: str) -> Iterator[pytest.ExceptionInfo[StoreError]]:
    """The block raises exactly this error, which names the file and these words; nothing near it has changed."""
    before = lying_there(path.parent) if path.parent.exists() else {}
    with pytest.raises(StoreError) as caught:
        yield caught
    assert type(caught.value) is error, caught.value
    assert caught.value.target == str(path)
    for word in (str(path), *words):
        assert word in str(caught.value)
    assert (lying_there(path.parent) if path.parent.exists() else {}) == before


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


def test_a_store_is_made_where_nothing_is(tmp_path: Path) -> None:
    for path in (tmp_path / "new.db", tmp_path / "empty ü #?%20.db"):
        if "empty" in path.name:
            path.touch()
        with SqliteStore(path, scheme=TEXT) as store:
            assert store.info().captures == 0
            assert store.info().schema_version == SCHEMA_VERSION
        with closing(sqlite3.connect(path)) as db:
            assert db.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
            assert db.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
            assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        with SqliteStore(path, scheme=TEXT) as store:
            put(store)
            assert store.verify() == []


def test_a_store_is_found_again(file: Path) -> None:
    with SqliteStore(str(file), scheme=TEXT) as store:
        assert store.info().captures == 1
        assert store.near(5, scheme=TEXT, within=0, limit=1)[0][1] == 0


def test_a_relative_path_stays_where_it_was_opened(file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(file.parent)
    with SqliteStore("crawl.db", scheme=TEXT) as store:
        (tmp_path / "sub").mkdir()
        monkeypatch.chdir(tmp_path / "sub")
        assert store.info().size_bytes > 0
        assert store.info().target == str(file)


@pytest.mark.parametrize(
    "content", [b"x", b"hello, this is a text\n" * 500, b"\x00" * 8192, b"SQLite format 3\x00", b"\x1f\x8b" * 99]
)
def test_a_file_that_is_no_database(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with refused(path, StoreError, "no SQLite file", "name another file", "not changed"):
        SqliteStore(path, scheme=TEXT)


@pytest.mark.parametrize("wal", [False, True])
def test_a_database_of_another_program(tmp_path: Path, wal: bool) -> None:
    path = tmp_path / "places.db"
    change(path, *["PRAGMA journal_mode = WAL"] * wal, "CREATE TABLE capture (x)", "INSERT INTO capture VALUES (1)")
    with refused(path, StoreError, "another program", "name another file", "not changed"):
        SqliteStore(path, scheme=TEXT)


def test_a_database_of_another_program_that_is_in_use(tmp_path: Path) -> None:
    path = tmp_path / "places.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE t (x)")
        db.execute("BEGIN IMMEDIATE")
        with refused(path, StoreError, "another program"):
            SqliteStore(path, scheme=TEXT, timeout_s=0)


def test_a_newer_version(file: Path) -> None:
    change(file, "PRAGMA user_version = 7")
    with refused(file, SchemaOutdated, "newer", "upgrade sameish", "format 7", "not changed") as caught:
        SqliteStore(file, scheme=TEXT)
    assert isinstance(caught.value, SchemaOutdated)
    assert (caught.value.found, caught.value.expected) == (7, SCHEMA_VERSION)


@pytest.mark.parametrize("found", [0, 1])
def test_an_older_version(file: Path, found: int) -> None:
    change(file, f"PRAGMA user_version = {found}")
    with refused(file, SchemaOutdated, "older", "open it with that version", f"format {found}"):
        SqliteStore(file, scheme=TEXT)


def test_another_scheme(file: Path) -> None:
    words = (TEXT, CLASSIC, "never compared", "Open it with", "store.several_schemes = true")
    with refused(file, SchemeMismatch, *words) as caught:
        SqliteStore(file, scheme=CLASSIC)
    assert isinstance(caught.value, SchemeMismatch)
    assert (caught.value.found, caught.value.expected) == ((TEXT,), CLASSIC)


def test_several_schemes_where_allowed_and_any_to_look_at(file: Path) -> None:
    with SqliteStore(file, scheme=CLASSIC, settings=SEVERAL) as store:
        put(store, key="b", scheme=CLASSIC)
    for scheme in (TEXT, CLASSIC, None):
        with SqliteStore(file, scheme=scheme) as store:
            assert store.info().schemes == {TEXT: 1, CLASSIC: 1}
    with refused(file, SchemeMismatch, TEXT, CLASSIC, "other:1"):
        SqliteStore(file, scheme="other:1")


def test_a_folder(tmp_path: Path) -> None:
    with refused(tmp_path, StoreUnavailable, "is a folder", "name a file"):
        SqliteStore(tmp_path, scheme=TEXT)


def test_a_missing_folder(tmp_path: Path) -> None:
    with refused(tmp_path / "no" / "crawl.db", StoreUnavailable, "no folder", "make it first"):
        SqliteStore(tmp_path / "no" / "crawl.db", scheme=TEXT)
    assert not (tmp_path / "no").exists()


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that a user for whom permissions count may have."""
    folder = Path(tempfile.mkdtemp())
    yield folder
    folder.chmod(0o700)
    shutil.rmtree(folder)


@contextmanager
def unprivileged(folder: Path) -> Iterator[None]:
    """Run the process as a user for whom permissions count, who owns the folder and what is in it.

    That user need not see the program's own files: all that is read of them must be read before.
    """
    was = os.geteuid()
    if was == 0:
        for path in (folder, *folder.iterdir()):
            os.chown(path, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if was == 0:
            os.seteuid(was)


@pytest.mark.parametrize(("of_file", "of_folder"), [(0o000, 0o700), (0o444, 0o700), (0o444, 0o500), (0o600, 0o000)])
def test_no_permission(folder: Path, of_file: int, of_folder: int) -> None:
    path = folder / "crawl.db"
    with SqliteStore(path, scheme=TEXT) as store:
        put(store)
    with unprivileged(folder):
        path.chmod(of_file)
        folder.chmod(of_folder)
        with pytest.raises(StoreUnavailable, match=r"crawl\.db cannot be (opened: allow|reached; check)") as caught:
            SqliteStore(path, scheme=TEXT)
        assert caught.value.target == str(path)
        folder.chmod(0o700)
        path.chmod(0o600)
        assert list(folder.iterdir()) == [path]
        with SqliteStore(path, scheme=TEXT) as store:
            assert store.verify() == []


def test_no_permission_to_make_one(folder: Path) -> None:
    with unprivileged(folder):
        folder.chmod(0o500)
        with pytest.raises(StoreUnavailable, match="allow reading and writing the folder"):
            SqliteStore(folder / "crawl.db", scheme=TEXT)
        assert list(folder.iterdir()) == []


def test_a_file_that_only_sqlite_finds_read_only(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda _, **more: connect(f"file:{file}?mode=ro", **{**more, "uri": True}))
    with pytest.raises(StoreUnavailable, match="cannot be written: allow writing"):
        SqliteStore(file, scheme=TEXT)


@pytest.mark.parametrize("name", ["x" * 300, "a\x00b"])
def test_a_name_that_cannot_be(tmp_path: Path, name: str) -> None:
    with pytest.raises(StoreUnavailable, match="check the name") as caught:
        SqliteStore(tmp_path / name, scheme=TEXT)
    assert caught.value.target == str(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_locked_for_longer_than_one_waits(file: Path) -> None:
    with SqliteStore(file, scheme=TEXT, timeout_s=0.05) as store, closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable, match="locked by another program; try again"):
            SqliteStore(file, scheme=TEXT, timeout_s=0.05)
        with pytest.raises(StoreUnavailable, match="locked"):
            put(store, key="b")
        assert store.seen("a") is not None
        other.rollback()
        put(store, key="b")
        assert store.totals().captures == 2


def test_a_full_disk(file: Path) -> None:
    with SqliteStore(file, scheme=TEXT) as store:
        (pages,) = store._db.execute("PRAGMA page_count").fetchone()
        store._db.execute(f"PRAGMA max_page_count = {pages + 3}")
        with pytest.raises(StoreUnavailable, match="disk is full") as caught:
            put_many(store)
        assert isinstance(caught.value.__cause__, sqlite3.OperationalError)
        stored = store.totals().captures
        store._db.execute("PRAGMA max_page_count = 1000000")
        put(store, key="more")
        assert store.totals().captures == stored + 1
        assert store.verify() == []


@pytest.mark.parametrize("table", ["meta", "capture_text", "visit", "body"])
def test_a_missing_table(file: Path, table: str) -> None:
    change(file, f"DROP TABLE {table}")
    with refused(file, StoreError, "damaged", table, "Restore it from a copy"):
        SqliteStore(file, scheme=TEXT)


def test_a_damaged_head(file: Path) -> None:
    with file.open("r+b") as raw:
        raw.write(b"\x00" * 50)
    with refused(file, StoreError, "its head is damaged"):
        SqliteStore(file, scheme=TEXT)


def test_a_damaged_list_of_tables(file: Path) -> None:
    with file.open("r+b") as raw:
        raw.seek(100)
        raw.write(b"\xff" * 500)
    with refused(file, StoreError, "is damaged", "restore it from a copy"):
        SqliteStore(file, scheme=TEXT)


@pytest.mark.parametrize("step", range(1, 13))
def test_a_damaged_page_is_an_error_or_a_fault_in_words(file: Path, step: int) -> None:
    pages = file.stat().st_size // 4096
    with file.open("r+b") as raw:
        raw.seek(4096 * (1 + step % (pages - 1)))
        raw.write(b"\xff" * 4096)
    try:
        with SqliteStore(file, scheme=TEXT) as store:
            faults = store.verify()
    except StoreError as error:
        faults = [str(error)]
    assert "damaged" in faults[0]


def test_a_file_that_was_cut_short(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2 // 4096 * 4096)
    before = file.read_bytes()
    with pytest.raises(StoreError, match="is damaged"), SqliteStore(file, scheme=TEXT) as store:
        store.last_good("a")
    assert file.read_bytes() == before


@pytest.mark.parametrize("written", [1, 3, 99])
def test_a_creation_that_was_killed_while_it_wrote_is_begun_anew(tmp_path: Path, written: int) -> None:
    path = tmp_path / "crawl.db"
    with SqliteStore(path, scheme=TEXT) as store:
        store._db.execute("PRAGMA journal_mode = DELETE")
    os.truncate(path, min(written * 4096, path.stat().st_size))
    # sqlite.org/fileformat2.html, section 3: magic, records, nonce, pages before (none), sector size, page size
    head = struct.pack(">8s5I", bytes.fromhex("d9d505f920a163d7"), 0, 7, 0, 512, 4096)
    path.with_name("crawl.db-journal").write_bytes(head.ljust(512, b"\0"))
    with SqliteStore(path, scheme=TEXT) as store:
        put(store)
        assert store.verify() == []


def test_a_creation_that_fails_is_begun_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "crawl.db"
    monkeypatch.setattr("sameish.stores.sqlite.opening.SCHEMA", ["CREATE TABLE page (x)", "no statement"])
    with pytest.raises(StoreError, match="syntax"):
        SqliteStore(path, scheme=TEXT)
    assert path.stat().st_size == 0
    monkeypatch.undo()
    with SqliteStore(path, scheme=TEXT) as store:
        put(store)


def test_a_fork_is_refused(file: Path) -> None:
    with SqliteStore(file, scheme=TEXT) as store:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                store.totals()
            except StoreError as error:
                os.write(write, str(error).encode())
            os._exit(0)
        os.waitpid(child, 0)
        assert b"open it in each process" in os.read(read, 1000)
        os.close(read)
        os.close(write)
        assert store.totals().captures == 1


def test_a_file_gets_the_indexes_that_came_later(tmp_path: Path) -> None:
    path = tmp_path / "x.db"

    def indexes() -> set[str]:
        with closing(sqlite3.connect(path)) as db:
            return {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'index'")}

    SqliteStore(path).close()
    complete = indexes()
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP INDEX visit_capture")
    assert indexes() < complete
    SqliteStore(path).close()
    assert indexes() == complete

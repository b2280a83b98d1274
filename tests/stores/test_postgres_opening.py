"""What happens when a database is opened: a store, a new store, or a refusal that changes nothing and says what to do."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner
from tests.postgres_server import Databases, PostgresServer, program, running_server

import sameish
from sameish.assembly import migrate_store, open_store
from sameish.cli.main import cli
from sameish.errors import SchemaOutdated, SchemeMismatch, StoreError, StoreUnavailable
from sameish.models import Capture, Fingerprint, State, Verdict, VerdictKind
from sameish.settings import DEFAULT, StoreSection
from sameish.stores.base import Candidates, Judge, Query
from sameish.stores.gate_state import Asked, Note, Updates
from sameish.stores.postgres import PostgresStore, migrate
from sameish.stores.postgres.opening import SCHEMA_VERSION
from sameish.stores.postgres.statements import migrations, schema

TEXT, CLASSIC = "text:1", "classic:1"


def new(_: Candidates) -> Verdict:
    return Verdict(VerdictKind.NEW)


def put(store: PostgresStore, *, key: str = "a", scheme: str = TEXT, judge: Judge = new) -> None:
    fingerprint = Fingerprint(5, None, b"d" * 16, b"sketch", 9, State.CONTENT, scheme)
    capture = Capture(key, key, "x.example", datetime(2024, 1, 1, tzinfo=UTC), b"b", 1, 200, fingerprint)
    query = Query(key, capture.fetched_at, b"b", scheme, fingerprint.digest, 5)
    store.observe(capture, query, judge)


def dump(server: PostgresServer, target: str) -> str:
    """All of a database as a script, without what differs from dump to dump."""
    command = [str(program("pg_dump")), "--no-owner", "--inserts", target]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = [line for line in output.split("\n") if line and not line.startswith(("--", "\\"))]
    assert server
    return "\n".join(lines)


@contextmanager
def refused(target: str, error: type[StoreError], *words: str) -> Iterator[None]:
    """The block raises exactly this error with these words."""
    with pytest.raises(StoreError) as caught:
        yield
    assert type(caught.value) is error, caught.value
    assert caught.value.target == target
    for word in (target, *words):
        assert word in str(caught.value)


@pytest.fixture
def empty(postgres_server: PostgresServer) -> Iterator[str]:
    """The target of a database without a store."""
    name = postgres_server.database()
    yield postgres_server.target(name)
    postgres_server.drop(name)


@pytest.fixture
def target(databases: Databases) -> str:
    """The target of a store with one capture, closed."""
    place = databases.new()
    with PostgresStore(place, scheme=TEXT) as store:
        put(store)
    return place


def change(target: str, statement: str) -> None:
    with psycopg.connect(target, autocommit=True) as db:
        db.execute(statement.encode())


def test_a_store_is_made_where_nothing_is_and_found_again(empty: str) -> None:
    with PostgresStore(empty, scheme=TEXT) as store:
        assert store.info().captures == 0
        assert store.info().schema_version == SCHEMA_VERSION
        put(store)
    with PostgresStore(empty, scheme=TEXT) as store:
        assert store.info().captures == 1
        assert store.verify() == []


def test_of_many_who_make_a_store_at_once_one_makes_it(empty: str) -> None:
    opened: list[PostgresStore] = []
    threads = [threading.Thread(target=lambda: opened.append(PostgresStore(empty))) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 5
    for store in opened:
        assert store.verify() == []
        store.close()


def test_migrations_make_what_the_schema_makes(postgres_server: PostgresServer) -> None:
    names = [postgres_server.database() for _ in range(2)]
    made, migrated = (postgres_server.target(name) for name in names)
    change(made, schema().decode())
    for number, script in enumerate(migrations().items(), 1):
        assert script[0] == number
        change(migrated, script[1].decode())
    assert number == SCHEMA_VERSION
    assert dump(postgres_server, migrated) == dump(postgres_server, made)
    for name in names:
        postgres_server.drop(name)


@pytest.mark.parametrize("found", range(1, SCHEMA_VERSION))
def test_an_older_store_is_refused_until_it_is_migrated(
    postgres_server: PostgresServer, empty: str, found: int
) -> None:
    for number in range(1, found + 1):
        change(empty, migrations()[number].decode())
    change(empty, f"INSERT INTO sameish.meta (format, made_by) VALUES ({found}, 'an older one')")  # noqa: S608 - a number
    change(empty, "INSERT INTO sameish.page (key, key_digest) VALUES ('k', 'd')")
    before = dump(postgres_server, empty)
    with refused(empty, SchemaOutdated, f"format {found}", "sameish store migrate", "not changed"):
        PostgresStore(empty)
    assert dump(postgres_server, empty) == before
    assert migrate(empty) == (found, SCHEMA_VERSION)
    assert migrate_store(empty, DEFAULT) == (SCHEMA_VERSION, SCHEMA_VERSION)
    with PostgresStore(empty) as store:
        assert store.totals().pages == 1
        assert store.revision() == 0


def test_a_migration_that_fails_changes_nothing(postgres_server: PostgresServer, empty: str) -> None:
    change(empty, migrations()[1].decode())
    change(empty, "INSERT INTO sameish.meta (format, made_by) VALUES (1, 'an older one')")
    change(empty, "CREATE TABLE sameish.body (in_the_way integer)")
    before = dump(postgres_server, empty)
    with refused(empty, StoreError, "already exists"):
        migrate(empty)
    assert dump(postgres_server, empty) == before


def test_a_newer_store_is_refused(postgres_server: PostgresServer, target: str) -> None:
    change(target, f"UPDATE sameish.meta SET format = {SCHEMA_VERSION + 1}")  # noqa: S608 - a number
    before = dump(postgres_server, target)
    for open_it in (lambda: PostgresStore(target), lambda: migrate(target)):
        with refused(target, SchemaOutdated, "a newer version", "upgrade sameish"):
            open_it()
    assert dump(postgres_server, target) == before


def test_a_schema_of_another_program_is_refused(postgres_server: PostgresServer, empty: str) -> None:
    change(empty, "CREATE SCHEMA sameish; CREATE TABLE sameish.places (x integer)")
    before = dump(postgres_server, empty)
    with refused(empty, StoreError, "of another program", "not changed"):
        PostgresStore(empty)
    assert dump(postgres_server, empty) == before


def test_other_schemas_are_left_alone(empty: str) -> None:
    change(empty, "CREATE TABLE capture (x integer); CREATE TABLE meta (x integer)")
    with PostgresStore(empty, scheme=TEXT) as store:
        put(store)
        assert store.verify() == []


@pytest.mark.parametrize("table", ["capture", "ledger", "meta"])
def test_a_store_without_one_of_its_tables_is_refused(target: str, table: str) -> None:
    change(target, f"DROP TABLE sameish.{table} CASCADE")
    with refused(target, StoreError, "damaged", "not changed"):
        PostgresStore(target)


def test_a_strange_scheme_is_refused(target: str) -> None:
    with pytest.raises(SchemeMismatch) as caught:
        PostgresStore(target, scheme=CLASSIC)
    assert (caught.value.found, caught.value.expected) == ((TEXT,), CLASSIC)
    with PostgresStore(target, scheme=CLASSIC, settings=StoreSection(several_schemes=True)) as store:
        put(store, key="b", scheme=CLASSIC)
    PostgresStore(target, scheme=CLASSIC).close()


def test_who_only_looks_makes_no_store(empty: str) -> None:
    for _ in range(2):
        with refused(empty, StoreError, "there is no store", "sameish scan"):
            open_store(empty, DEFAULT, any_scheme=True, create=False)
    with refused(empty, StoreError, "there is no store"):
        migrate(empty)


def test_a_database_in_another_encoding_is_refused(postgres_server: PostgresServer) -> None:
    postgres_server.execute("CREATE DATABASE ascii TEMPLATE template0 ENCODING 'SQL_ASCII'")
    place = postgres_server.target("ascii")
    with refused(place, StoreError, "UTF8", "SQL_ASCII"):
        PostgresStore(place)
    postgres_server.drop("ascii")


def test_a_user_who_may_not_is_told(postgres_server: PostgresServer, target: str, empty: str) -> None:
    postgres_server.execute("CREATE ROLE reader LOGIN")
    for place, word in ((empty, "permission denied for database"), (target, "permission denied for schema")):
        mine = place.replace("postgres@", "reader@")
        with refused(mine, StoreUnavailable, "grant", word):
            PostgresStore(mine)
    postgres_server.execute("DROP ROLE reader")


SECRET = "s3cr3t"  # noqa: S105 - that is what must not be seen
ADDRESSES = [
    f"postgresql://me:{SECRET}@127.0.0.1:1/crawl",
    f"postgresql://me:{SECRET}@nowhere.invalid/crawl",
    f"postgresql://me:{SECRET}%@127.0.0.1/crawl",
    f"postgresql://me:a@{SECRET}@127.0.0.1:1/crawl",
    f"postgresql://me:a/{SECRET}@127.0.0.1:1/crawl",
    f"postgresql://me:a?{SECRET}@127.0.0.1:1/crawl",
    f"postgresql://me:a#{SECRET}@127.0.0.1:1/crawl",
    f"postgresql://me@127.0.0.1:1/crawl?password={SECRET}",
    f"postgresql://me@127.0.0.1:1/crawl?sslpassword={SECRET}&password={SECRET}",
    f"postgresql://me@127.0.0.1:1/crawl?password=a&{SECRET}",
    f"postgresql://:{SECRET}@127.0.0.1:1/crawl",
    f"postgresql://me:{SECRET}@127.0.0.1:port/crawl",
    f"postgres://me:{SECRET}@127.0.0.1:1/crawl",
    f"mysql://me:{SECRET}@127.0.0.1:1/crawl",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_password_is_never_told(address: str) -> None:
    with pytest.raises(StoreError) as caught:
        sameish.open(address)
    shown = "".join(traceback.format_exception(caught.value)) + caught.value.target
    code = "sameish.open(address)"
    assert SECRET not in shown.replace(code, "")
    assert SECRET not in str(caught.value.__cause__)


def test_a_password_is_not_told_by_a_store_that_is_open(target: str) -> None:
    address = target.replace("postgres@", f"postgres:{SECRET}@")
    with PostgresStore(address) as store:
        assert "postgres:***@" in store.info().target
        assert SECRET not in store.info().target
        change(target, "DROP TABLE sameish.ledger")
        with pytest.raises(StoreError, match="damaged") as caught:
            store.ledger()
    assert SECRET not in str(caught.value)


def test_the_program_tells_no_password_either(target: str, tmp_path: Path) -> None:
    address = target.replace("postgres@", f"postgres:{SECRET}@")
    commands = ["sites", "stats", "stats nowhere.example", "sites nowhere.example", "store info", "store verify"]
    commands += ["store migrate", "store forget --site x.example --yes", "scan", "decide https://x.example/"]
    page = tmp_path / "a.html"
    page.write_text("<main><p>The first ferry leaves at six.</p></main>")
    heard = ""
    for command in commands:
        for more in ([], ["--json"]):
            arguments = [*command.split(), *([str(page)] if command == "scan" else []), *more, "--store", address]
            heard += CliRunner().invoke(cli, arguments).output
    assert "postgres:***@" in heard
    assert SECRET not in heard


def test_a_missing_extra_is_named() -> None:
    script = (
        "import sys; sys.modules['psycopg_pool'] = None; import sameish\n"
        "sameish.open('postgresql://me:s3cr3t@127.0.0.1/x')"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert 'pip install "sameish[postgres]"' in run.stderr
    assert SECRET not in run.stderr.rpartition("StoreError")[2]


def test_the_bare_package_does_not_need_it() -> None:
    script = "import sys, sameish; sameish.open(':memory:').close(); assert 'psycopg' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_lock_that_is_held_for_long_is_told(target: str) -> None:
    inside, done = threading.Event(), threading.Event()

    def slow(*_: object) -> Updates:
        inside.set()
        assert done.wait(10)
        return Updates()

    with PostgresStore(target) as holder, PostgresStore(target, timeout_s=0.1) as waiting:
        thread = threading.Thread(target=lambda: holder.note(Note(Asked("x.example"), slow)))
        thread.start()
        assert inside.wait(10)
        with refused(target, StoreUnavailable, "locked", "timeout_s"):
            put(waiting, key="b")
        assert waiting.totals().captures == 1
        done.set()
        thread.join()
        put(waiting, key="b")
        assert waiting.totals().captures == 2


def test_who_stands_still_does_not_keep_others_waiting(target: str) -> None:
    inside, done = threading.Event(), threading.Event()
    heard: list[BaseException] = []

    def frozen(*_: object) -> Updates:
        inside.set()
        assert done.wait(10)
        return Updates(b"never written")

    with PostgresStore(target, timeout_s=0.2) as holder, PostgresStore(target) as waiting:

        def note() -> None:
            try:
                holder.note(Note(Asked("x.example"), frozen))
            except StoreUnavailable as error:
                heard.append(error)

        thread = threading.Thread(target=note)
        thread.start()
        assert inside.wait(10)
        put(waiting, key="b")  # waits until the server has ended the other's transaction
        done.set()
        thread.join()
        assert len(heard) == 1
        assert waiting.site_states(0) == []
        assert holder.totals().captures == 2


def test_a_judge_that_stands_still_keeps_nobody_waiting_who_has_the_same_content(target: str) -> None:
    inside, done = threading.Event(), threading.Event()
    heard: list[BaseException] = []

    def frozen(_: Candidates) -> Verdict:
        inside.set()
        assert done.wait(10)
        return Verdict(VerdictKind.NEW)

    with PostgresStore(target, timeout_s=0.2) as holder, PostgresStore(target) as waiting:

        def observe() -> None:
            try:
                put(holder, key="b", judge=frozen)
            except StoreUnavailable as error:
                heard.append(error)

        thread = threading.Thread(target=observe)
        thread.start()
        assert inside.wait(10)
        put(waiting, key="c")
        done.set()
        thread.join()
        assert len(heard) == 1
        assert waiting.totals().captures == 2


@pytest.mark.parametrize(("ci", "outcome"), [("true", pytest.fail.Exception), ("", pytest.skip.Exception)])
def test_without_a_server_tests_are_skipped_at_home_and_fail_in_ci(
    ci: str, outcome: type[BaseException], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tests.postgres_server._folder_of_programs", lambda: tmp_path)
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match="no PostgreSQL here"), running_server():
        pass


def test_a_forked_child_must_open_its_own(target: str) -> None:
    with PostgresStore(target) as store:
        context = multiprocessing.get_context("fork")
        queue = context.Queue()

        def child() -> None:
            try:
                store.totals()
            except StoreError as error:
                queue.put(str(error))

        process = context.Process(target=child)
        process.start()
        assert "open it in each process" in queue.get(timeout=10)
        process.join()
        assert store.totals().captures == 1


def test_more_callers_than_connections_take_turns(target: str) -> None:
    with PostgresStore(target) as store:
        heard: list[int] = []
        threads = [threading.Thread(target=lambda: heard.append(store.totals().captures)) for _ in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert heard == [1] * 40


def test_names_of_any_length_are_kept(target: str) -> None:
    long = os.urandom(4000).hex()
    fingerprint = Fingerprint(5, None, b"d" * 16, b"sketch", 9, State.CONTENT, TEXT)
    capture = Capture(
        long, long, long, datetime(2024, 1, 1, tzinfo=UTC), b"b", 1, 200, fingerprint, etag=long, title=long
    )
    query = Query(long, capture.fetched_at, b"b", TEXT, fingerprint.digest, 5, site=long)
    with PostgresStore(target) as store:
        store.observe(
            capture, query, lambda _: Verdict(VerdictKind.NEW), Note(Asked(long), lambda *_: Updates(b"state"))
        )
        assert store.last_good(long) == replace(capture, id=2, verdict=VerdictKind.NEW)
        assert [state.site for state in store.site_states(0)] == [long]
        assert store.near(5, scheme=TEXT, within=3, limit=9, site=long)[0][0].id == 2
        assert store.totals(long).captures == 1
        assert store.forget(site=long) == 1
        assert store.verify() == []

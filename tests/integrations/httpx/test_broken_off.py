"""Whatever breaks off, on either side and at any moment: nobody waits for it, and its connection is free again."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from tests.integrations.httpx.clients import KINDS, opened
from tests.integrations.routes import Answer, Routes, article
from tests.postgres_server import Databases

import sameish
from sameish import Detector
from sameish.integrations.httpx import AsyncSameishTransport, SameishTransport
from sameish.integrations.leases import Leases
from sameish.models import VerdictKind
from sameish.settings import DEFAULT
from sameish.stores.sqlite import SqliteStore

every_kind = pytest.mark.parametrize("kind", KINDS, ids="-".join)
# whoever leaves a stream early leaves generators of the library behind, which trio warns of
leaves_early = pytest.mark.filterwarnings("ignore:Async generator:ResourceWarning")


def one_connection(library: Any, how: str) -> Any:
    """Return a transport that has no connection left where one was not given back."""
    kind = library.HTTPTransport if how == "sync" else library.AsyncHTTPTransport
    return kind(limits=library.Limits(max_connections=1))


IMPATIENT = {"timeout": 2.0}


@every_kind
def test_a_body_that_ends_too_early_gives_its_connection_back(
    kind: tuple[str, str], detector: Detector, routes: Routes
) -> None:
    def break_off() -> Iterator[bytes]:
        yield article("rain")[:300]
        raise ConnectionError

    routes.answers["/broken"] = Answer(body=break_off())
    with opened(kind, detector, one_connection, client=IMPATIENT) as client:
        with pytest.raises(client.library.RemoteProtocolError):
            client.get(f"{routes.base}/broken")
        assert client.get(f"{routes.base}/harbour").status_code == 200
    assert detector.cached(f"{routes.base}/broken") is None


@every_kind
def test_a_body_that_comes_too_slowly_is_a_timeout_of_the_client(
    kind: tuple[str, str], detector: Detector, routes: Routes
) -> None:
    hold = threading.Event()

    def slowly() -> Iterator[bytes]:
        yield b"<p>"
        hold.wait(10)

    routes.answers["/slow"] = Answer(body=slowly())
    with opened(kind, detector, one_connection, client={"timeout": 0.3}) as client:
        with pytest.raises(client.library.ReadTimeout) as raised:
            client.get(f"{routes.base}/slow")
        assert str(raised.value.request.url) == f"{routes.base}/slow"
        hold.set()
        assert client.get(f"{routes.base}/harbour").status_code == 200


@leaves_early
@every_kind
def test_a_large_body_that_is_left_early_gives_its_connection_back(
    kind: tuple[str, str], tmp_path: Path, routes: Routes
) -> None:
    def endless() -> Iterator[bytes]:
        while True:
            yield b"x" * 1000

    routes.answers["/endless"] = Answer(body=endless(), headers={"Content-Type": "text/html"})
    with (
        sameish.open(tmp_path / "large.db", settings={"reading": {"max_body_bytes": 20_000}}) as detector,
        opened(kind, detector, one_connection, client=IMPATIENT) as client,
    ):
        assert len(client.streamed(f"{routes.base}/endless", "raw", most=3)) == 3
        assert client.get(f"{routes.base}/harbour").status_code == 200


@leaves_early
@every_kind
def test_responses_that_nobody_reads_to_the_end_take_no_connections(
    kind: tuple[str, str], detector: Detector, routes: Routes
) -> None:
    for number in range(4):
        routes.answers[f"/{number}"] = Answer(body=article(f"town {number}"))
    with opened(kind, detector, one_connection, client=IMPATIENT) as client:
        for number in range(4):
            assert len(client.streamed(f"{routes.base}/{number}", most=1)) == 1
        kinds = [client.get(f"{routes.base}/{number}").headers.get("cache-status") for number in range(4)]
    assert kinds == ["sameish; hit; detail=not_due"] * 4


def run(loop: str, main: Callable[[], Awaitable[None]]) -> None:
    anyio.run(main, backend=loop)


async def cancelled(how: str, call: Callable[[], Any], when: Callable[[], bool]) -> None:
    """Begin a call in a task and cancel it at a moment, as asyncio does or as anyio and trio do."""

    async def until_then() -> None:
        while not when():
            await anyio.sleep(0.01)

    if how == "task":
        task = asyncio.ensure_future(call())
        await until_then()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return
    async with anyio.create_task_group() as group:
        group.start_soon(call)
        await until_then()
        group.cancel_scope.cancel()


CANCELS = [("asyncio", "task"), ("asyncio", "scope"), ("trio", "scope")]


class Stop:
    """Holds a request up once, until it is let go."""

    def __init__(self) -> None:
        self.was_met = threading.Event()
        self.is_over = threading.Event()

    def __call__(self) -> None:
        if not self.was_met.is_set():
            self.was_met.set()
            self.is_over.wait(10)

    def before(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return a call before which it stands."""

        def held_up(*arguments: Any, **options: Any) -> Any:
            self()
            return call(*arguments, **options)

        return held_up

    def within(self, body: bytes) -> Iterator[bytes]:
        """Yield a body in the middle of which it stands."""
        yield body[:200]
        self()
        yield body[200:]


def stopped_at(moment: str, detector: Detector, patch: pytest.MonkeyPatch) -> tuple[Stop, Answer]:
    """Return what holds a request up at a moment, and what it is answered with."""
    stop = Stop()
    body = stop.within(article("snow")) if moment == "reading" else article("snow")
    if moment == "asking":
        patch.setattr(detector.store, "lease", stop.before(detector.store.lease))
    if moment == "judging":
        patch.setattr(detector, "observe", stop.before(detector.observe))
    return stop, Answer(body=body, before=stop if moment == "sending" else None)


@pytest.mark.parametrize("library", ["httpx", "httpx2"])
@pytest.mark.parametrize(("loop", "how"), CANCELS)
@pytest.mark.parametrize("moment", ["asking", "sending", "reading", "judging"])
def test_a_cancelled_request_holds_nothing_back(
    library: str, loop: str, how: str, moment: str, detector: Detector, routes: Routes, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, url = import_module(library), f"{routes.base}/slow"
    stop, routes.answers["/slow"] = stopped_at(moment, detector, monkeypatch)

    def is_stopped() -> bool:
        if stop.was_met.is_set() and moment in {"asking", "judging"}:
            # what runs in a thread runs to its end, whatever becomes of the task
            threading.Timer(0.2, stop.is_over.set).start()
        return stop.was_met.is_set()

    async def main() -> None:
        wrapped = one_connection(module, "async")
        async with module.AsyncClient(transport=AsyncSameishTransport(detector, wrapped), timeout=5) as client:
            await cancelled(how, lambda: client.get(url), is_stopped)
            stop.is_over.set()
            routes.answers["/slow"] = Answer(body=article("snow"))
            began = time.monotonic()
            assert (await client.get(url)).content == article("snow")
            assert time.monotonic() - began < 3
            assert (await client.get(f"{routes.base}/harbour")).status_code == 200

    run(loop, main)
    others, until = Leases(detector.store), time.monotonic() + 1
    while not others.take(detector.gate.class_of(url)):
        assert time.monotonic() < until, "its lease was not given back"
        time.sleep(0.05)


@pytest.mark.parametrize(("loop", "how"), CANCELS)
def test_who_waits_for_a_cancelled_request_goes_on_at_once(
    loop: str, how: str, detector: Detector, routes: Routes
) -> None:
    url, hold, got = f"{routes.base}/slow", threading.Event(), list[bytes]()
    routes.answers["/slow"] = Answer(body=article("snow"), before=lambda: hold.wait(10))

    async def main() -> None:
        async with httpx.AsyncClient(transport=AsyncSameishTransport(detector), timeout=20) as client:

            async def follow() -> None:
                got.append((await client.get(url)).content)

            async with anyio.create_task_group() as group:

                def both_are_there() -> bool:
                    if not routes.asked:
                        return False
                    routes.answers["/slow"] = Answer(body=article("thaw"))
                    return True

                async def lead() -> None:
                    await client.get(url)

                async def later() -> None:
                    while not routes.asked:
                        await anyio.sleep(0.01)
                    await follow()

                group.start_soon(later)
                await cancelled(how, lead, both_are_there)
                began = time.monotonic()
            assert time.monotonic() - began < 3

    run(loop, main)
    hold.set()
    assert got == [article("thaw")]


@every_kind
def test_a_store_that_is_closed_from_the_beginning_stops_no_request(
    kind: tuple[str, str], tmp_path: Path, routes: Routes
) -> None:
    detector = sameish.open(tmp_path / "closed.db")
    detector.close()
    with opened(kind, detector) as client:
        responses = client.together([f"{routes.base}/harbour"] * 3)
    assert [one.content for one in responses] == [article("harbour")] * 3
    assert {one.extensions["sameish"].kind for one in responses} == {VerdictKind.UNDETERMINED}


@every_kind
def test_a_store_that_another_program_locks_stops_no_request(
    kind: tuple[str, str], tmp_path: Path, routes: Routes, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "locked.db"
    with Detector(SqliteStore(path, scheme=None, settings=DEFAULT.store, timeout_s=0.1)) as detector:
        assert detector.decide(f"{routes.base}/harbour").action == "fetch"
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with opened(kind, detector) as client:
            locked = client.get(f"{routes.base}/harbour")
            other.execute("ROLLBACK")
            other.close()
            free = client.get(f"{routes.base}/harbour")
    assert locked.content == free.content == article("harbour")
    assert [one.extensions["sameish"].kind for one in (locked, free)] == [VerdictKind.UNDETERMINED, VerdictKind.NEW]
    assert "is handed on without a verdict" in caplog.text


@every_kind
def test_a_store_that_is_full_stops_no_request(
    kind: tuple[str, str], tmp_path: Path, routes: Routes, caplog: pytest.LogCaptureFixture
) -> None:
    with sameish.open(tmp_path / "full.db") as detector, opened(kind, detector) as client:
        assert client.get(f"{routes.base}/harbour").extensions["sameish"].kind is VerdictKind.NEW
        store: Any = detector.store
        store._db.execute("PRAGMA max_page_count = 1")  # SQLite takes what there is
        for number in range(30):
            routes.answers[f"/{number}"] = Answer(body=article(f"town {number * 7919}"))
        kinds = [client.get(f"{routes.base}/{number}").extensions["sameish"].kind for number in range(30)]
        store._db.execute("PRAGMA max_page_count = 1000000")
        again = client.get(f"{routes.base}/29")
    assert VerdictKind.UNDETERMINED in kinds
    assert again.extensions["sameish"].kind is not VerdictKind.UNDETERMINED
    assert "full" in caplog.text


@every_kind
def test_a_database_that_is_gone_for_a_while_stops_no_request(
    kind: tuple[str, str],
    databases: Databases,
    routes: Routes,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("_FIRST_PAUSE_S", "_AGAIN_S", "CONNECT_S"):
        monkeypatch.setattr(f"sameish.stores.postgres.connections.{name}", 0.1)
    target = databases.new()
    name = target.partition("@/")[2].partition("?")[0]
    with sameish.open(target) as detector, opened(kind, detector) as client:
        assert client.get(f"{routes.base}/harbour").extensions["sameish"].kind is VerdictKind.NEW
        databases.server.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        databases.server.cut(name)
        routes.answers["/inn"] = Answer(body=article("inn"))
        gone = client.get(f"{routes.base}/inn")
        databases.server.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        time.sleep(0.3)  # until it is asked again
        back = client.get(f"{routes.base}/inn")
    assert gone.content == back.content == article("inn")
    assert [one.extensions["sameish"].kind is VerdictKind.UNDETERMINED for one in (gone, back)] == [True, False]
    assert "is handed on without a verdict" in caplog.text


@pytest.mark.parametrize("loop", ["asyncio", "trio"])
def test_hundreds_of_tasks_and_threads_send_one_request_for_each_page(
    loop: str, detector: Detector, routes: Routes
) -> None:
    urls = [f"{routes.base}/{number}" for number in range(25)]
    for number in range(25):
        routes.answers[f"/{number}"] = Answer(body=article(f"town {number * 7919}"))
    got: Counter[bytes] = Counter()

    async def main() -> None:
        async with httpx.AsyncClient(transport=AsyncSameishTransport(detector), timeout=60) as client:

            async def ask(url: str) -> None:
                got[(await client.get(url)).content] += 1

            async with anyio.create_task_group() as group:
                for url in urls * 12:
                    group.start_soon(ask, url)

    def in_threads() -> None:
        with httpx.Client(transport=SameishTransport(detector), timeout=60) as client:
            threads = [threading.Thread(target=client.get, args=(url,)) for url in urls * 4]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

    beside = threading.Thread(target=in_threads)
    beside.start()
    run(loop, main)
    beside.join()
    assert sorted(routes.paths) == sorted(f"/{number}" for number in range(25))
    assert set(got.values()) == {12}

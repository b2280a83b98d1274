"""Several processes crawl into one store: of their requests for one page one goes, and nobody waits for one that died."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from datetime import timedelta
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from tests.integrations.httpx.clients import KINDS, opened
from tests.integrations.routes import Answer, Routes, article

import sameish
from sameish.errors import StoreUnavailable
from sameish.integrations.httpx import company
from sameish.integrations.leases import Leases

every_kind = pytest.mark.parametrize("kind", KINDS, ids="-".join)
CRAWL = """
import sys, httpx, sameish
from sameish.integrations.httpx import SameishTransport
with sameish.open(sys.argv[1]) as detector, httpx.Client(transport=SameishTransport(detector), timeout=30) as client:
    print("ready", flush=True)
    sys.stdin.readline()
    for url in sys.argv[2:]:
        response = client.get(url)
        print(response.status_code, response.extensions["sameish"].kind, len(response.content), flush=True)
"""


def crawling(store: Path, *urls: str) -> subprocess.Popen[str]:
    """Start a crawl in a process of its own; it begins when it is told a line."""
    command = [sys.executable, "-c", CRAWL, str(store), *urls]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def begin(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def test_two_processes_send_one_request_for_a_page(tmp_path: Path, routes: Routes) -> None:
    store = tmp_path / "shared.db"
    paths = [f"/page{number}" for number in range(6)]
    for path in paths:
        routes.answers[path] = Answer(body=article(f"town{path}"), before=lambda: time.sleep(0.15))
    crawls = [crawling(store, *(routes.base + path for path in paths)) for _ in range(2)]
    for crawl in crawls:
        begin(crawl)
    told = [crawl.communicate(timeout=60)[0].splitlines() for crawl in crawls]
    lines = list(chain.from_iterable(told))
    assert sorted(routes.paths) == paths
    assert all(line.startswith("200 ") and line.endswith(f" {len(article('town/page0'))}") for line in lines)
    assert [line.split()[1] for line in lines].count("unchanged") == 6


def test_a_process_that_died_is_not_waited_for_long(tmp_path: Path, detector: sameish.Detector, routes: Routes) -> None:
    hold = threading.Event()
    routes.answers["/stuck"] = Answer(body=article("ice"), before=hold.wait)
    other = crawling(tmp_path / "crawl.db", f"{routes.base}/stuck")
    begin(other)
    while not routes.asked:
        time.sleep(0.02)
    other.kill()
    other.communicate()
    hold.set()
    began = time.monotonic()
    with opened(("httpx", "sync"), detector, client={"timeout": 30}) as client:
        assert client.get(f"{routes.base}/stuck").content == article("ice")
    assert 1 < time.monotonic() - began < 9
    assert routes.paths == ["/stuck"] * 2


@every_kind
def test_a_lease_is_held_as_long_as_the_request_takes_and_then_given_back(
    kind: tuple[str, str], detector: sameish.Detector, routes: Routes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(company, "_LOOK_S", 0.05)
    monkeypatch.setattr("sameish.integrations.leases._PROLONGED_AFTER_S", 0.1)
    monkeypatch.setattr("sameish.integrations.leases._LASTS", timedelta(seconds=0.4))
    url, free = f"{routes.base}/slow", list[bool]()
    others = Leases(detector.store)

    def look() -> None:
        page = detector.gate.class_of(url)
        for _ in range(10):
            time.sleep(0.1)
            free.append(others.take(page))

    routes.answers["/slow"] = Answer(body=article("snow"), before=look)
    with opened(kind, detector) as client:
        client.get(url)
        assert free == [False] * 10
        assert others.take(detector.gate.class_of(url))
        others.release(detector.gate.class_of(url))
        until = time.monotonic() + 5
        while any(thread.name == "sameish-leases" for thread in threading.enumerate()):
            assert time.monotonic() < until, "the thread that prolongs does not end"
            time.sleep(0.02)


@every_kind
def test_what_another_process_fetched_meanwhile_is_not_fetched_again(
    kind: tuple[str, str], tmp_path: Path, detector: sameish.Detector, clock: Any, routes: Routes
) -> None:
    url = f"{routes.base}/harbour"
    with (
        sameish.open(tmp_path / "crawl.db", clock=clock, keep_bodies=True) as other,
        opened(kind, detector) as client,
    ):
        leases, page = Leases(other.store), other.gate.class_of(url)
        assert leases.take(page)

        def answer() -> None:
            time.sleep(0.4)
            other.observe(sameish.Page(article("harbour"), url))
            leases.release(page)

        fetching = threading.Thread(target=answer)
        fetching.start()
        response = client.get(url)
        fetching.join()
    assert response.headers["cache-status"] == "sameish; hit; detail=not_due"
    assert routes.asked == []


@every_kind
def test_a_store_that_gives_no_leases_stops_no_request(
    kind: tuple[str, str],
    detector: sameish.Detector,
    routes: Routes,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    asked: list[object] = []

    def refuse(*arguments: object) -> bool:
        asked.append(arguments)
        raise StoreUnavailable("the disk is full")

    for path in ("/a", "/b", "/c"):
        routes.answers[path] = Answer(body=article(path))
    monkeypatch.setattr(detector.store, "lease", refuse)
    with opened(kind, detector) as client:
        kinds = [client.get(f"{routes.base}{path}").extensions["sameish"].kind for path in ("/a", "/b", "/c")]
    assert "undetermined" not in kinds
    assert len(asked) == 1
    assert "other processes may fetch the same pages: the disk is full" in caplog.text

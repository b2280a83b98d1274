"""Beside other transports: caches and retries, outside and inside; and without the libraries."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import hishel
import pytest
from tests.crawling.clock import Clock
from tests.integrations.httpx.clients import KINDS, opened
from tests.integrations.routes import Answer, Routes, article

import sameish
from sameish.integrations.httpx import SameishTransport
from sameish.models import FetchAction, VerdictKind


@pytest.fixture
def detector(tmp_path: Path, clock: Clock) -> Iterator[sameish.Detector]:
    with sameish.open(tmp_path / "crawl.db", clock=clock) as detector:
        yield detector


@pytest.fixture
def routes() -> Iterator[Routes]:
    headers = {"ETag": '"h1"', "Cache-Control": "max-age=600"}
    with Routes({"/harbour": Answer(body=article("harbour"), headers=headers)}) as routes:
        yield routes


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind[1] != "trio"], ids="-".join)
@pytest.mark.parametrize("rfc", [True, False])
def test_a_cache_inside_proves_nothing_of_the_server(
    kind: tuple[str, str], rfc: bool, detector: sameish.Detector, routes: Routes, clock: Clock, tmp_path: Path
) -> None:
    def wrap(library: Any, how: str) -> Any:
        doors = import_module(f"hishel.{library.__name__}")
        if how == "sync":
            storage = hishel.SqliteStorage(database_path=tmp_path / "cache.db")
            return doors.CacheTransport(library.HTTPTransport(), storage=storage, rfc=rfc)
        waiting = hishel.AsyncSqliteStorage(database_path=tmp_path / "cache.db")
        return doors.AsyncCacheTransport(library.AsyncHTTPTransport(), storage=waiting, rfc=rfc)

    url = f"{routes.base}/harbour"
    with opened(kind, detector, wrap) as client:
        first, second = client.get(url), client.get(url)
        assert second.headers["cache-status"] == "sameish; hit; detail=not_due"
        seen = detector.cached(url)
        clock.move(days=2)  # hishel goes by another clock: to it the page is fresh
        third = client.get(url)
        assert third.content == first.content
        assert third.extensions["sameish_decision"].action is FetchAction.REVALIDATE
        asked = len(routes.asked) > 1
        assert third.extensions["sameish"].kind is VerdictKind.UNCHANGED
        assert (detector.decide(url).action is FetchAction.SKIP) is asked
        assert detector.cached(url) == seen
    assert [response.extensions["sameish"].kind for response in (first, second)] == ["new", "unchanged"]


@pytest.mark.parametrize("library", ["httpx", "httpx2"])
@pytest.mark.parametrize("rfc", [True, False])
def test_a_cache_may_stand_outside(
    library: str, rfc: bool, detector: sameish.Detector, routes: Routes, tmp_path: Path
) -> None:
    module, doors = import_module(library), import_module(f"hishel.{library}")
    storage = hishel.SqliteStorage(database_path=tmp_path / "cache.db")
    outside = doors.CacheTransport(SameishTransport(detector), storage=storage, rfc=rfc)
    with module.Client(transport=outside) as client:
        responses = [client.get(f"{routes.base}/harbour") for _ in range(3)]
    assert len(routes.asked) == 1
    assert {response.content for response in responses} == {article("harbour")}
    assert responses[0].extensions["sameish"].kind is VerdictKind.NEW


def test_retries_may_stand_outside(detector: sameish.Detector, routes: Routes) -> None:
    retries = import_module("httpx_retries")
    routes.answers["/down"] = Answer(503, b"<h1>Service unavailable</h1>")
    transport = retries.RetryTransport(
        transport=SameishTransport(detector), retry=retries.Retry(total=2, backoff_factor=0)
    )
    with import_module("httpx").Client(transport=transport) as client:
        assert client.get(f"{routes.base}/down").status_code == 503
    assert len(routes.asked) == 3


def python(code: str, *without: str) -> str:
    """Run a program in which some packages are not installed."""
    block = f"""
import sys
for name in {without!r}:
    sys.modules[name] = None
"""
    done = subprocess.run([sys.executable, "-c", block + code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


OTHERS = ("httpx", "httpx2", "anyio", "hishel", "scrapy", "twisted", "trio", "aiohttp", "requests")


def test_the_package_needs_no_http_client() -> None:
    code = "import sameish, sameish.detector, sameish.cli.main; print(sameish.open(':memory:').decide('http://a.example/').action)"
    assert python(code, *OTHERS) == "fetch"


def test_nothing_is_imported_before_it_is_used() -> None:
    code = f"import sys, sameish.integrations.httpx; print([name for name in {OTHERS!r} if name in sys.modules])"
    assert python(code) == "[]"


@pytest.mark.parametrize("transport", ["SameishTransport", "AsyncSameishTransport"])
def test_without_either_library_the_error_names_the_extra(transport: str) -> None:
    code = f"""
import sameish
from sameish.integrations.httpx import {transport}
try:
    {transport}(sameish.open(':memory:'))
except ImportError as error:
    print(error)
"""
    told = 'httpx is not installed: pip install "sameish[httpx]", or "sameish[httpx2]" for httpx2'
    assert python(code, *OTHERS) == told


@pytest.mark.parametrize(("library", "other"), [("httpx", "httpx2"), ("httpx2", "httpx")])
def test_one_of_the_libraries_is_enough(library: str, other: str, routes: Routes) -> None:
    code = f"""
import sameish, {library}
from sameish.integrations.httpx import SameishTransport
with sameish.open(':memory:') as detector, {library}.Client(transport=SameishTransport(detector)) as client:
    for _ in range(2):
        print(client.get({f"{routes.base}/harbour"!r}).extensions["sameish"].kind)
"""
    assert python(code, other).split() == ["new", "unchanged"]

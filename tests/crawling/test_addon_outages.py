"""A crawl goes on where the store does not: every page is fetched and reaches its callback, with a verdict."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from tests.crawling.scripted import Asked, Reply, Scripted, page, tagged

import sameish
from sameish.integrations.scrapy.crawl import _WRITTEN_AFTER_S

STORE = Path(".scrapy") / "sameish.db"
IMPATIENT = """
import resource
import sqlite3
from sameish.stores.sqlite.store import SqliteStore

SqliteStore.__init__.__kwdefaults__["timeout_s"] = 0.2
STORE = Path(".scrapy") / "sameish.db"
"""
BROKEN = """
    custom_settings = {"CONCURRENT_REQUESTS": 2}

    async def start(self):
        yield self.ask("/")

    def parse(self, response):
        self.tell(response)
        if response.url.endswith(AT):
            self.break_it()
        yield from response.follow_all(css="a")

"""
BREAKS = {
    "locked": """
    def break_it(self):
        self.other = sqlite3.connect(STORE, isolation_level=None)
        self.other.execute("BEGIN IMMEDIATE")
""",
    "disk full": """
    def break_it(self):
        size = max(path.stat().st_size for path in STORE.parent.iterdir())
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
""",
    "a table is gone": """
    def break_it(self):
        with sqlite3.connect(STORE) as db:
            for table in ("visit", "capture", "dropped", "lease"):
                db.execute(f"DROP TABLE {table}")
""",
}


def _site(site: Scripted) -> set[str]:
    site.pages |= {f"/{number}": tagged(page(str(number), [f"/{number + 1}"]), f"e{number}") for number in range(8)}
    site.pages["/"] = tagged(page("home", ["/0", "/4"]), "home")
    return {"/", *(f"/{number}" for number in range(8))}


@pytest.mark.parametrize("later", [False, True], ids=["first", "later"])
@pytest.mark.parametrize("how", BREAKS)
def test_a_store_that_breaks_in_a_crawl_loses_no_page(tmp_path: Path, how: str, later: bool) -> None:
    with Scripted(tmp_path) as site:
        paths = _site(site)
        if later:
            site.crawl()
            site.clock.move(days=2)
        told = site.crawl(BROKEN.replace("AT", "'/4'") + BREAKS[how], above=IMPATIENT)
        assert set(told.paths()) == paths, told.log
        assert {one["status"] for one in told.pages} == {200}
        assert all(one["title"] for one in told.pages)
        assert all(one["verdict"] for one in told.pages)
        assert "undetermined" in {one["verdict"] for one in told.pages}
        assert "the crawl goes on" in told.log
        assert told.code == 0
        assert told.stats["elapsed_time_seconds"] < 10


def test_a_store_that_another_program_holds_at_the_start_is_done_without(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        paths = _site(site)
        site.crawl()
        with closing(sqlite3.connect(tmp_path / STORE, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            told = site.crawl(above=IMPATIENT)
        assert set(told.paths()) == paths
        assert "SAMEISH_STORE: " in told.log
        assert "is locked by another program" in told.log
        assert set(site.crawl().paths()) == paths
        assert set(site.targets()) <= {"/8"}  # which is not there


def test_what_was_dropped_before_a_kill_is_remembered(tmp_path: Path) -> None:
    body = """
    custom_settings = {"CONCURRENT_REQUESTS": 1}

    async def start(self):
        for number in range(12):
            for value in "abc":
                yield self.ask(f"/story/{number}x?quux={value}{number}", callback=self.story, priority=-number)
        yield self.ask("/end", priority=-100)

    def story(self, response):
        self.tell(response)

    def parse(self, response):
        Path("at the end").touch()
        yield self.ask("/never", priority=-100)
"""
    with Scripted(tmp_path) as site:
        site.pages |= {f"/story/{number}x": _story for number in range(12)}
        site.pages |= {"/end": page("end"), "/never": page("never").later(60)}
        site.prepare(body)
        process = subprocess.Popen([sys.executable, "own.py"], cwd=tmp_path, env=site.environment())
        try:
            while not (tmp_path / "at the end").exists():
                assert process.poll() is None
                time.sleep(0.05)
            time.sleep(_WRITTEN_AFTER_S + 0.5)
        finally:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        answered = {asked.target for asked in site.asked}
        with sameish.open(tmp_path / STORE) as detector:
            dropped = {one.url.removeprefix(site.base) for one in detector.store.dropped()}
        asked_for = {f"/story/{number}x?quux={value}{number}" for number in range(12) for value in "abc"}
        assert dropped
        assert dropped == asked_for - answered


def _story(asked: Asked) -> Reply:
    return page(asked.target.partition("?")[0])

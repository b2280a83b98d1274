"""What else a project may do: move its front page, run several spiders, other reactors, stop and go on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.crawling.scripted import PLAIN, Scripted, page, tagged


def test_what_stood_on_the_front_page_is_not_dropped_where_it_moved(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        site.pages |= {"/": page("home", ["/top"]), "/top": page("spring")}
        site.crawl()
        site.clock.move(days=2)
        site.pages |= {"/": page("home", ["/top", "/archive/spring"]), "/top": page("autumn", ["/archive/spring"])}
        site.pages["/archive/spring"] = page("spring", ["/more"])
        site.pages["/more"] = page("more")
        told = site.crawl(settings={"CONCURRENT_REQUESTS": 1})
        assert {one["title"] for one in told.pages} == {"home", "autumn", "spring", "more"}


SEVERAL = """
class Other(Base):
    name = "other"

    async def start(self):
        yield self.ask("/a")
        yield self.ask("/b")

    def parse(self, response):
        self.tell(response, spider=self.name)

Other.custom_settings = {"SAMEISH_STORE": "other.db"}
"""


def test_several_spiders_in_one_process(tmp_path: Path) -> None:
    body = """
    async def start(self):
        yield self.ask("/a")
        yield self.ask("/b")

    def parse(self, response):
        self.tell(response, spider=self.name)
"""
    with Scripted(tmp_path) as site:
        site.pages |= {"/a": page("a").later(0.1), "/b": page("b")}
        site.prepare(body)
        program = tmp_path / "own.py"
        text = program.read_text("utf-8").replace(
            'if __name__ == "__main__":', SEVERAL + '\nif __name__ == "__main__":'
        )
        program.write_text(
            text.replace("process.crawl(crawler)", "process.crawl(crawler); process.crawl(Other)"), "utf-8"
        )
        run = subprocess.run(
            [sys.executable, "own.py"], cwd=tmp_path, env=site.environment(), capture_output=True, text=True, timeout=60, check=True
        )  # fmt: skip
        assert sorted(site.targets()) == ["/a", "/a", "/b", "/b"]
        assert run.stderr.count("What was fetched, and what was saved") == 2
        assert "Traceback" not in run.stderr


def test_another_reactor(tmp_path: Path) -> None:
    settings = {
        "TWISTED_REACTOR": "twisted.internet.selectreactor.SelectReactor",
        "DOWNLOAD_HANDLERS": {},
    }
    body = """
    async def start(self):
        for query in ("b=1&c=2", "c=2&b=1", "b=1&c=2#x"):
            yield self.ask(f"/a?{query}", dont_filter=True)

    def parse(self, response):
        self.tell(response)
"""
    with Scripted(tmp_path) as site:
        site.pages["/a"] = tagged(page("a").later(0.2), "a")
        for expected in (1, 0):
            told = site.crawl(body, settings)
            assert (len(site.targets()), len(told.pages)) == (expected, 3), told.log
            assert "Traceback" not in told.log


def test_an_interrupted_crawl_goes_on_where_it_was(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        paths = {f"/{number}" for number in range(30)}
        site.pages |= {path: page(path).later(0.1) for path in paths}
        site.pages["/"] = page("home", sorted(paths))
        settings = {"CONCURRENT_REQUESTS": 2, "JOBDIR": "job"}
        site.prepare(PLAIN, settings)
        process = subprocess.Popen(
            [sys.executable, "own.py"], cwd=tmp_path, env=site.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )  # fmt: skip
        while len(site.asked) < 10:
            assert process.poll() is None
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGINT)
        _, log = process.communicate(timeout=30)
        assert "What was fetched, and what was saved" in log
        first = set(site.targets())
        told = site.crawl(PLAIN, settings)
        assert "Traceback" not in log + told.log
        assert first | set(site.targets()) == paths | {"/"}
        assert not first & set(site.targets())

"""Crawls a served site with Scrapy in a process of its own, and tells what reached the spider and what was asked for.

with Bed(tmp_path, Options(contents=80)) as bed:
    first = bed.crawl(WITH_SAMEISH)
    bed.clock.move(days=2)
    edited = bed.site.edit(0.10)
    second = bed.crawl(WITH_SAMEISH)  # the same folder: what is kept in `.scrapy` survives
    assert bed.lost(first, second) == set()
    assert second.counts.contents.full <= 0.35 * len(bed.site.contents)
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.crawling.clock import VARIABLE, Clock
from tests.crawling.counts import Counts
from tests.crawling.options import Options
from tests.crawling.server import Server
from tests.crawling.site import Site

ROOT = Path(__file__).resolve().parents[2]
WITH_SAMEISH: Mapping[str, Any] = {
    "ADDONS": {"sameish.integrations.scrapy.SameishAddon": 500},
    "SAMEISH_CLOCK": "tests.crawling.clock:now",
}
"""Nothing but the add-on, on the movable clock."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A page that reached the callback; `.content` is "home" and the like for what is no content, `.meta` is plain JSON."""

    url: str
    status: int
    content: str
    version: str
    flags: tuple[str, ...]
    meta: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Crawl:
    """What came of one run: the pages that reached the callback in order, Scrapy's stats, the server's counts, the log."""

    arrivals: tuple[Arrival, ...]
    stats: Mapping[str, Any]
    counts: Counts
    log: str
    seconds: float

    @property
    def seen(self) -> set[tuple[str, str]]:
        """Contents and versions that reached the callback."""
        return {(one.content, one.version) for one in self.arrivals if one.version}


class Bed:
    """A site, its server, a clock and a folder in which the crawls run one after the other.

    Args:
        folder: empty; becomes the working folder of the crawls.
        options: of the site.
    """

    def __init__(self, folder: Path, options: Options) -> None:
        self.folder = folder
        self.clock = Clock.starting(folder / "clock")
        self.site = Site(options, self.clock)
        self.server = Server(self.site, self.clock)

    def __enter__(self) -> Self:
        self.server.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.server.__exit__(kind, error, trace)

    def crawl(
        self,
        settings: Mapping[str, Any] | None = None,
        *,
        start: Sequence[str] | None = None,
        failing: Collection[str] = (),
        follow: bool = True,
        workers: int = 1,
        timeout: float = 300,
    ) -> Crawl:
        """Run the spider and wait for its end.

        Args:
            settings: of Scrapy, over those of `spiders.SETTINGS`; only what JSON can say.
            start: the first URLs, by default the home page.
            failing: contents for which the callback raises.
            follow: whether links are followed.
            workers: how many processes do the same at once; their pages are put together and numbers in stats summed.
            timeout: in seconds; a crawl that takes longer is ended.

        Raises:
            subprocess.TimeoutExpired: it took longer.
            RuntimeError: the process failed; with its error output and the end of its log.
        """
        job = {
            "settings": dict(settings or {}),
            "start": list(start or [self.site.start]),
            "failing": sorted(failing),
            "follow": follow,
        }
        runs = [_Run.prepared(self.folder / f"worker-{number}", job) for number in range(workers)]
        self.server.take()
        began = time.monotonic()
        self._together(runs, timeout)
        seconds = time.monotonic() - began
        arrivals = tuple(arrival for run in runs for arrival in run.arrivals())
        log = "\n".join(run.log() for run in runs)
        return Crawl(arrivals, _summed([run.stats() for run in runs]), self.server.take(), log, seconds)

    def lost(self, *crawls: Crawl) -> set[str]:
        """The contents whose present version reached the callback in none of the crawls."""
        seen = {one for crawl in crawls for one in crawl.seen}
        return {name for name, version in self.site.current().items() if (name, version) not in seen}

    def _together(self, runs: list[_Run], timeout: float) -> None:
        paths = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
        environment = {**os.environ, "PYTHONPATH": paths, VARIABLE: str(self.clock.file)}
        started = [run.start(self.folder, environment) for run in runs]
        try:
            for run, process in zip(runs, started, strict=True):
                if process.wait(timeout):
                    raise RuntimeError(
                        f"the crawl failed with {process.returncode}\n{run.errors()}\n{run.log()[-4000:]}"
                    )
        finally:
            for process in started:
                process.kill()
                process.wait()


@dataclass(frozen=True, slots=True)
class _Run:
    """The files of one process."""

    folder: Path

    @classmethod
    def prepared(cls, folder: Path, job: Mapping[str, Any]) -> _Run:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / "job.json").write_text(json.dumps(job), "utf-8")
        return cls(folder)

    def start(self, where: Path, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
        command = (sys.executable, "-m", "tests.crawling.spiders", str(self.folder / "job.json"))
        with (self.folder / "errors").open("wb") as errors:
            return subprocess.Popen(command, cwd=where, env=environment, stdout=errors, stderr=errors)

    def arrivals(self) -> Iterator[Arrival]:
        for line in (self.folder / "pages.jsonl").read_text("utf-8").splitlines():
            told = json.loads(line)
            yield Arrival(**{**told, "flags": tuple(told["flags"])})

    def stats(self) -> dict[str, Any]:
        stats: dict[str, Any] = json.loads((self.folder / "stats.json").read_text("utf-8"))
        return stats

    def log(self) -> str:
        file = self.folder / "crawl.log"
        return file.read_text("utf-8") if file.exists() else ""

    def errors(self) -> str:
        return (self.folder / "errors").read_text("utf-8", "replace")


def _summed(all_stats: list[dict[str, Any]]) -> dict[str, Any]:
    first, *others = all_stats
    for stats in others:
        for name, value in stats.items():
            # rates by the minute are None where a crawl was too short to tell
            number = isinstance(value, int | float) and isinstance(first.get(name, 0), int | float)
            first[name] = first.get(name, 0) + value if number else first.get(name, value)
    return first

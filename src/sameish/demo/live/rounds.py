"""The crawls: three rounds, each without and with sameish, over the same servers; the clock is moved, nothing waits."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path

import sameish
from sameish.demo.live.contents import Edition, Volume
from sameish.demo.live.crawler import Fetcher, crawl
from sameish.demo.live.findings import Findings, findings_of
from sameish.demo.live.honesty import Honesty
from sameish.demo.live.paper import START, Paper
from sameish.demo.live.plain import Plain
from sameish.demo.live.server import Hit, Server, digest_of
from sameish.demo.live.sparing import Sparing
from sameish.detector import Detector
from sameish.settings import Settings


@dataclass(frozen=True, slots=True)
class Round:
    """When everything is crawled, and which edition is there to be found."""

    name: str
    days: int
    edition: Edition


ROUNDS = (Round("first crawl", 0, 0), Round("2 days later", 2, 1), Round("a week later", 9, 1))
HOSTS: Mapping[str, tuple[Honesty, Volume]] = {
    "courier": (Honesty.HONEST, Volume(60, archived=True)),
    "herald": (Honesty.RESTLESS, Volume(40)),
    "ticker": (Honesty.FROZEN, Volume(80, edited=90)),
    "almanac": (Honesty.SILENT, Volume(40)),
}
"""The hosts; nearly all of the ticker is edited between the crawls, as tickers are."""


class Way(StrEnum):
    """How a crawl is made."""

    WITHOUT = "without"
    WITH = "with"


@dataclass(frozen=True, slots=True)
class Crawled:
    """One crawl: what the server of each host was asked for, and the digests of all pages that the crawler got."""

    round: Round
    way: Way
    hits: Mapping[str, tuple[Hit, ...]]
    kept: frozenset[str]
    seconds: float


@dataclass(frozen=True, slots=True)
class Run:
    """All crawls in order, the hosts that were crawled, and what sameish found out."""

    papers: tuple[Paper, ...]
    crawls: tuple[Crawled, ...]
    findings: tuple[Findings, ...]


class Clock:
    """Runs as time does, from the start of a round."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._days = 0

    def move(self, days: int) -> None:
        """Go to so many days after the first crawl began."""
        self._days, self._began = days, time.monotonic()

    def __call__(self) -> datetime:
        """Return the time now."""
        return START + timedelta(days=self._days, seconds=time.monotonic() - self._began)


def run(
    store: Path,
    settings: Settings,
    seed: int,
    hosts: Mapping[str, tuple[Honesty, Volume]],
    tell: Callable[[str], object] = lambda _: None,
) -> Run:
    """Serve the hosts and crawl them.

    Args:
        store: the file in which sameish remembers; opened anew for each crawl.
        settings: of sameish.
        seed: decides all that the hosts are.
        hosts: by name.
        tell: is told which crawl begins.
    """
    clock = Clock()
    papers = tuple(Paper(name, honesty, volume, seed) for name, (honesty, volume) in hosts.items())
    plain = Plain()
    with ExitStack() as stack:
        stack.callback(plain.client.close)
        servers = [stack.enter_context(Server(paper, clock)) for paper in papers]
        crawls = tuple(_crawls(servers, clock, plain, store, settings, tell))
        with sameish.open(store, settings, clock) as detector:
            findings = tuple(findings_of(detector, server, clock()) for server in servers)
    return Run(papers, crawls, findings)


def _crawls(
    servers: list[Server], clock: Clock, plain: Plain, store: Path, settings: Settings, tell: Callable[[str], object]
) -> Iterator[Crawled]:
    for one in ROUNDS:
        clock.move(one.days)
        for server in servers:
            server.edition = one.edition
        tell(f"{one.name}, without sameish")
        yield _crawled(one, Way.WITHOUT, servers, plain)
        tell(f"{one.name}, with sameish")
        with sameish.open(store, settings, clock, keep_bodies=True) as detector:
            yield _spared(one, servers, detector)


def _spared(one: Round, servers: list[Server], detector: Detector) -> Crawled:
    sparing = Sparing(detector)
    try:
        return _crawled(one, Way.WITH, servers, sparing)
    finally:
        sparing.client.close()


def _crawled(one: Round, way: Way, servers: list[Server], fetcher: Fetcher) -> Crawled:
    kept: set[str] = set()
    began = time.monotonic()
    crawl(fetcher, [f"http://{server.place}/" for server in servers], lambda body: kept.add(digest_of(body)))
    seconds = time.monotonic() - began
    hits = {server.paper.name: server.take() for server in servers}
    return Crawled(one, way, hits, frozenset(kept), seconds)

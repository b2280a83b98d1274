"""A connection that breaks in the middle of a commit: what stands is acknowledged, and what does not is reported."""

from __future__ import annotations

import shutil
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from select import select
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.postgres_server import Databases

import sameish
from sameish import Page, StoreUnavailable

_COMMIT = b"COMMIT\0"


class Proxy:
    """Stands before the socket of a server. It cuts the connections over which a commit comes, as often as it is told.

    `.before`: a commit never gets to the server; else it is its answer that gets lost. `.closed`: nobody gets in any more
    from the first cut on.
    """

    def __init__(self, target: str) -> None:
        self.before, self.cuts, self.closed = False, 0, False
        self._database = urlsplit(target).path
        self._behind = f"{parse_qs(urlsplit(target).query)['host'][0]}/.s.PGSQL.5432"
        self._folder = Path(tempfile.mkdtemp(prefix="sameish-cut-", dir="/tmp"))
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self._folder / ".s.PGSQL.5432"))
        self._listener.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def target(self) -> str:
        return f"postgresql://postgres@{self._database}?host={self._folder}"

    def remove(self) -> None:
        self._listener.close()
        shutil.rmtree(self._folder)

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self.closed and not self.cuts:
                client.close()
            else:
                threading.Thread(target=self._forward, args=(client,), daemon=True).start()

    def _forward(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as server, suppress(OSError):
            server.connect(self._behind)
            while True:
                for one in select([client, server], [], [])[0]:
                    data = one.recv(1 << 16)
                    if self.cuts and one is client and _COMMIT in data:
                        self.cuts -= 1
                        if not self.before:
                            server.sendall(data)
                            server.recv(1 << 16)
                        return
                    if not data:
                        return
                    (server if one is client else client).sendall(data)


@pytest.fixture
def proxy(databases: Databases) -> Iterator[Proxy]:
    made = Proxy(databases.new())
    yield made
    made.remove()


def page(number: int) -> Page:
    words = [f"w{number}x{word}" for word in range(120)]
    return Page(f"<h1>Boat {number}</h1><p>{' '.join(words)}.</p>", f"https://quay.example/boat/{number}")


def test_a_commit_whose_answer_is_lost_is_acknowledged(proxy: Proxy) -> None:
    with sameish.open(proxy.target) as detector:
        detector.observe(page(0))
        proxy.cuts = 1
        assert detector.observe(page(1)).kind == "new"
        assert proxy.cuts == 0
        assert detector.store.info().captures == 2
        assert detector.observe(page(1)).kind == "unchanged"
        assert detector.store.verify() == []


def test_a_commit_that_never_came_is_reported_and_leaves_nothing(proxy: Proxy) -> None:
    with sameish.open(proxy.target) as detector:
        detector.observe(page(0))
        proxy.before, proxy.cuts = True, 1
        with pytest.raises(StoreUnavailable, match="connection"):
            detector.observe(page(1))
        assert detector.store.info().captures == 1
        assert detector.observe(page(1)).kind == "new"


def test_where_nobody_can_be_asked_it_is_said_that_all_may_stand(proxy: Proxy) -> None:
    with sameish.open(proxy.target) as detector:
        detector.observe(page(0))
        proxy.cuts, proxy.closed = 1, True
        with pytest.raises(StoreUnavailable, match="all of it was stored, or nothing; do it again"):
            detector.observe(page(1))
        proxy.closed = False
        assert detector.observe(page(1)).kind == "unchanged"


def test_what_is_only_read_is_not_asked_about(proxy: Proxy) -> None:
    with sameish.open(proxy.target) as detector:
        detector.observe(page(0))
        proxy.before, proxy.cuts = True, 1
        with pytest.raises(StoreUnavailable, match="connection"):
            detector.store.info()
        assert detector.store.info().captures == 1


def test_many_workers_whose_commits_are_cut_at_the_same_time_all_hear_what_stands(proxy: Proxy) -> None:
    heard: list[str] = []

    def work(start: int) -> None:
        heard.extend(str(detector.observe(page(number)).kind) for number in range(start, start + 5))

    with sameish.open(proxy.target) as detector:
        detector.observe(page(0))
        proxy.cuts = 8
        threads = [threading.Thread(target=work, args=(100 * one,)) for one in range(1, 9)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert proxy.cuts == 0
        assert len(heard) == 40
        assert detector.store.info().captures == 41
        assert {"unchanged"} == {str(detector.observe(page(number)).kind) for number in (0, 100, 804)}

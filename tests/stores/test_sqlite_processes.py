"""Several processes on one file, and processes that are killed."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.stores.workers import (
    AT_ONCE,
    EXPIRING,
    FULL,
    LEASES,
    LEDGER,
    PAGES,
    at_once,
    captures,
    check_after_a_stop,
    lines_of,
    start,
    stop_at_some_moment,
)

from sameish.stores.sqlite import SqliteStore


@pytest.mark.parametrize("by", ["equal", "near"])
def test_of_several_processes_one_hears_new(tmp_path: Path, by: str) -> None:
    lines = at_once([start(AT_ONCE, tmp_path / "crawl.db", number, by) for number in range(3)])
    heard = [line.split() for line in lines]
    assert len(heard) == 3 * 200
    assert Counter(content for content, kind in heard if kind == "new") == {str(i): 1 for i in range(1, 201)}
    with SqliteStore(tmp_path / "crawl.db", scheme="text:1") as store:
        assert store.totals().captures == 3 * 200
        assert store.verify() == []


@pytest.mark.soak
def test_as_many_hear_new_as_there_are_contents(tmp_path: Path, rounds: Callable[[int], int]) -> None:
    pages = rounds(2_000)
    heard = [
        line.split() for line in at_once([start(PAGES, tmp_path / "crawl.db", number, pages) for number in range(8)])
    ]
    assert len(heard) == 8 * pages
    contents = {content for content, _ in heard}
    assert len(contents) == 8 * (pages - pages // 2) + pages // 2
    assert Counter(content for content, kind in heard if kind == "new") == dict.fromkeys(contents, 1)
    assert {kind for _, kind in heard} == {"new", "duplicate"}
    with SqliteStore(tmp_path / "crawl.db") as store:
        assert store.totals().contents == len(contents)
        assert store.verify() == []


def test_of_several_processes_one_gets_the_lease(tmp_path: Path) -> None:
    got = at_once([start(LEASES, tmp_path / "crawl.db", number) for number in range(4)])
    assert Counter(got) == {str(key_hash): 1 for key_hash in range(100)}


def test_what_several_processes_write_for_the_gate_adds_up(tmp_path: Path) -> None:
    at_once([start(LEDGER, tmp_path / "crawl.db", number) for number in range(4)])
    with SqliteStore(tmp_path / "crawl.db") as store:
        sums = {(entry.site, entry.name): (entry.requests, entry.size_bytes) for entry in store.ledger()}
        assert sums.pop(("x.example", "sent")) == (400, 4 * sum(range(100)))
        assert sums == {(f"{number}.example", "saved:rule"): (8, 0) for number in range(100)}
        assert [state.state for state in store.site_states(0)] == [b"400"]
        assert store.revision() == 400
        assert store.verify() == []


@pytest.mark.soak
def test_a_process_that_is_stopped_leaves_a_valid_store(tmp_path: Path, rounds: Callable[[int], int]) -> None:
    chance = random.Random(7)  # noqa: S311 - moments, no secrets
    acknowledged = 0
    for number in range(rounds(250)):  # every fifth is interrupted, the others are killed
        if number % 5 == 0:  # also while the store is being made
            path, acknowledged = tmp_path / f"{number}.db", 0
        how = signal.SIGINT if number % 5 == 3 else signal.SIGKILL
        after_s = chance.uniform(0, 0.02 if number % 5 == 0 else 0.3)
        acknowledged = max(acknowledged, stop_at_some_moment(path, how, after_s))
        with SqliteStore(path, scheme="text:1") as store:
            acknowledged = check_after_a_stop(store, acknowledged)


@pytest.mark.soak
def test_an_expiry_that_is_killed_leaves_a_valid_store(tmp_path: Path, rounds: Callable[[int], int]) -> None:
    chance = random.Random(8)  # noqa: S311 - as above
    for number in range(rounds(50)):
        path = tmp_path / f"{number}.db"
        with SqliteStore(path, scheme="text:1") as store:
            store.add_many(captures(3_000))
        process = start(EXPIRING, path)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(chance.uniform(0, 0.15))
        process.send_signal(signal.SIGKILL)
        output, _ = process.communicate(timeout=60)
        said = [int(line) for line in output.split("\n")[:-1]]
        with SqliteStore(path, scheme="text:1") as store:
            gone = 3_000 - store.totals().captures
            assert gone % 500 == 0
            assert gone >= (said[-1] if said else 0)
            assert store.verify() == []


SAMPLES = Path(__file__).with_name("simulated_week.py")


@pytest.mark.soak
def test_a_week_of_crawling_fills_neither_disk_nor_memory(tmp_path: Path, rounds: Callable[[int], int]) -> None:
    observations = 1_000_000 if rounds(10) == 10 else 4_000
    done = subprocess.run(
        [sys.executable, SAMPLES, tmp_path / "crawl.db", str(observations)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    *samples, sums = [json.loads(line) for line in done.stdout.splitlines()]
    assert sum(sums["heard"].values()) == observations
    assert sums["expired"] + sums["left"] == observations
    assert sums["left"] <= observations // 20 * 1.25
    assert sums["faults"] == []
    warm = [one for one in samples if observations // 20 * 2 < one["observation"] <= observations // 20 * 8]
    later = [one for one in samples if one["observation"] > observations // 20 * 8]
    for what in ("disk", "memory"):
        assert max(one[what] for one in later) <= 1.1 * max(one[what] for one in warm), what


def test_a_disk_that_fills_up_loses_nothing_and_is_used_again_when_there_is_room(tmp_path: Path) -> None:
    *said, observed = lines_of(start(FULL, tmp_path / "crawl.db"))[1:]
    assert len(said) >= 3
    assert {line for line in said if "keeps the file from growing" not in line} == set()
    with SqliteStore(tmp_path / "crawl.db") as store:
        assert store.totals().captures == int(observed) > 20
        assert store.verify() == []

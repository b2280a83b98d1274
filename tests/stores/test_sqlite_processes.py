"""Several processes on one file, and processes that are killed."""

from __future__ import annotations

import random
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.stores.workers import AT_ONCE, LEASES, LEDGER, at_once, check_after_a_stop, start, stop_at_some_moment

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
    for number in range(rounds(100)):
        if number % 5 == 0:  # also while the store is being made
            path, acknowledged = tmp_path / f"{number}.db", 0
        how = signal.SIGINT if number % 3 == 2 else signal.SIGKILL
        after_s = chance.uniform(0, 0.02 if number % 5 == 0 else 0.3)
        acknowledged = max(acknowledged, stop_at_some_moment(path, how, after_s))
        with SqliteStore(path, scheme="text:1") as store:
            acknowledged = check_after_a_stop(store, acknowledged)

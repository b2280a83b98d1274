"""Several processes on one file, and processes that are killed."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from sameish.stores.gate_state import Entry, hash_key
from sameish.stores.sqlite import SqliteStore

COMMON = """
import sys
from datetime import UTC, datetime, timedelta
from sameish.models import Capture, Fingerprint, State, Verdict, VerdictKind
from sameish.stores.base import Query
from sameish.stores.gate_state import Asked, Entry, Note, StoredBody, Updates, Visit, hash_key
from sameish.stores.sqlite import SqliteStore

NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)

def noting(key):
    visit = Visit(hash_key(key), 1, "x.example", key, NOON, digest=b"d" * 16)
    body = StoredBody(hash_key(key), "x.example", key, 200, (), b"text " * 5000, NOON)
    return Note(Asked("x.example"), lambda verdict, known: Updates(
        b"%d" % (1 + int(known.site.state if known.site else 0)), (visit,), (Entry("x.example", "sent", 1, 5),), body=body))

def observe(store, key, content, simhash, near):
    fetched_at = datetime(2024, 1, 1, tzinfo=UTC) + timedelta(seconds=content)
    fingerprint = Fingerprint(simhash, None, (content + 1).to_bytes(16, "big"), b"sketch" * 100, 9, State.CONTENT, "text:1")
    capture = Capture(key, key, "x.example", fetched_at, b"body", 1, 200, fingerprint,
                      markdown="text " * 1000, sentences=("A sentence.",) * 50)
    query = Query(key, fetched_at, b"body", "text:1", None if near else fingerprint.digest, simhash, 3)
    return store.observe(capture, query,
                         lambda found: Verdict(VerdictKind.DUPLICATE if found.equal or found.near else VerdictKind.NEW),
                         noting(key))

path = sys.argv[1]
print("ready", flush=True)
"""

AT_ONCE = (
    COMMON
    + """
sys.stdin.readline()
me, near = int(sys.argv[2]), sys.argv[3] == "near"
with SqliteStore(path, scheme="text:1") as store:
    for content in range(1, 201):
        simhash = content * 0x9E3779B97F4A7C15 % 2**64 ^ (me % 2 if near else me * 0xFFFF)
        print(content, observe(store, f"{me}/{content}", content, simhash, near).kind, flush=True)
"""
)

LEASES = (
    COMMON
    + """
sys.stdin.readline()
with SqliteStore(path) as store:
    for key_hash in range(100):
        if store.lease(key_hash, sys.argv[2], NOON, NOON + timedelta(seconds=9)):
            print(key_hash, flush=True)
"""
)

LEDGER = (
    COMMON
    + """
sys.stdin.readline()
with SqliteStore(path) as store:
    for number in range(100):
        before = store.revision()
        store.note(Note(Asked("x.example"), lambda verdict, known: Updates(
            b"%d" % (1 + int(known.site.state if known.site else 0)),
            ledger=(Entry("x.example", "sent", 1, number), Entry(f"{number}.example", "saved:rule", 2)))))
        assert store.revision() > before
"""
)

ENDLESS = (
    COMMON
    + """
with SqliteStore(path, scheme="text:1") as store:
    content = store.totals().captures
    while True:
        observe(store, f"{content}", content, content * 0x9E3779B97F4A7C15 % 2**64, True)
        print(content, flush=True)
        content += 1
"""
)


def start(script: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    )


def lines_of(process: subprocess.Popen[str]) -> list[str]:
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    return output.split("\n")[:-1]


def at_once(processes: list[subprocess.Popen[str]]) -> list[str]:
    """Let the processes go when all of them are ready; return the lines of all."""
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
    return [line for process in processes for line in lines_of(process)]


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


def stop_at_some_moment(path: Path, how: signal.Signals, after_s: float) -> int:
    """Run the endless writer, stop it; return how many captures it said are stored by then, at least."""
    process = start(ENDLESS, path)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(after_s)
    process.send_signal(how)
    output, _ = process.communicate(timeout=60)
    whole = [line for line in output.split("\n")[:-1] if line]
    return int(whole[-1]) + 1 if whole else 0


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
            assert store.verify() == []
            captures = store.totals().captures
            assert acknowledged <= captures <= acknowledged + 1
            acknowledged = captures
            # what was noted for the gate stands and falls with its capture
            assert store.ledger() == ([Entry("x.example", "sent", captures, 5 * captures)] if captures else [])
            assert sum(map(len, store.visit_rows(0)[1])) == captures
            for content in range(max(captures - 3, 0), captures):
                last = store.last_good(f"{content}")
                assert last is not None
                assert last.sentences == ("A sentence.",) * 50
                assert store.seen(f"{content}") is not None
                visit = store.visit(hash_key(f"{content}"))
                assert visit is not None
                assert visit.capture_id == last.id
                assert store.stored_body(hash_key(f"{content}")) is not None

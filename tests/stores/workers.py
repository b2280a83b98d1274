"""Processes that work on one store at the same time, or until they are killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from datetime import UTC, datetime

from sameish.models import Capture, Fingerprint, State, VerdictKind
from sameish.stores.base import Store
from sameish.stores.gate_state import Entry, hash_key

COMMON = """
import signal
import sys
from datetime import UTC, datetime, timedelta
from sameish.models import Capture, Fingerprint, State, Verdict, VerdictKind
from sameish.stores.base import Query
from sameish.stores.gate_state import Asked, Entry, Note, StoredBody, Updates, Visit, hash_key

# a child of a shell's background job would be deaf to it
signal.signal(signal.SIGINT, signal.default_int_handler)

def opened(target):
    if "://" in target:
        from sameish.stores.postgres import PostgresStore
        return PostgresStore(target, scheme="text:1")
    from sameish.stores.sqlite import SqliteStore
    return SqliteStore(target, scheme="text:1")

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
with opened(path) as store:
    for content in range(1, 201):
        simhash = content * 0x9E3779B97F4A7C15 % 2**64 ^ (me % 2 if near else me * 0xFFFF)
        print(content, observe(store, f"{me}/{content}", content, simhash, near).kind, flush=True)
"""
)

LEASES = (
    COMMON
    + """
sys.stdin.readline()
with opened(path) as store:
    for key_hash in range(100):
        if store.lease(key_hash, sys.argv[2], NOON, NOON + timedelta(seconds=9)):
            print(key_hash, flush=True)
"""
)

LEDGER = (
    COMMON
    + """
sys.stdin.readline()
with opened(path) as store:
    for number in range(100):
        before = store.revision()
        store.note(Note(Asked("x.example"), lambda verdict, known: Updates(
            b"%d" % (1 + int(known.site.state if known.site else 0)),
            ledger=(Entry("x.example", "sent", 1, number), Entry(f"{number}.example", "saved:rule", 2)))))
        assert store.revision() > before
"""
)

PAGES = (
    COMMON
    + """
import random
import sameish
from sameish import Page
sys.stdin.readline()
me, pages = int(sys.argv[2]), int(sys.argv[3])
WORDS = [f"{a}{b}{c}" for a in ("ba", "ko", "mi", "ru", "te", "lo") for b in ("na", "ri", "so", "du", "ve") for c in ("l", "n", "r", "s", "x")]

def page(number):
    chance = random.Random(number)
    text = ". ".join(" ".join(chance.choices(WORDS, k=12)).capitalize() for _ in range(12))
    return f"<main><h1>Page {number}</h1><p>{text}.</p></main>"

with sameish.open(path) as detector:
    for number in range(pages):
        content = number if number % 2 else (me + 1) * 1_000_000 + number  # every second content is everybody's
        url = f"https://site{me}.example/{number}"
        print(content, detector.observe(Page(page(content), url)).kind, flush=True)
"""
)

ENDLESS = (
    COMMON
    + """
with opened(path) as store:
    content = store.totals().captures
    while True:
        observe(store, f"{content}", content, content * 0x9E3779B97F4A7C15 % 2**64, True)
        print(content, flush=True)
        content += 1
"""
)


EXPIRING = (
    COMMON
    + """
with opened(path) as store:
    store.expire(before=NOON + timedelta(days=9_999), told=lambda done: print(done.captures, flush=True))
"""
)


FULL = (
    COMMON
    + """
import resource
from sameish import StoreUnavailable

def limited(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

with opened(path) as store:
    content = 0
    for size in (200_000, 900_000, 3_000_000):  # of any file, the log too: then the disk is as good as full
        limited(size)
        try:
            while True:
                observe(store, f"{content}", content, content * 0x9E3779B97F4A7C15 % 2**64, True)
                content += 1
        except StoreUnavailable as error:
            print(error, flush=True)
        for work in (lambda: store.expire(before=NOON - timedelta(days=9)), store.totals):
            try:
                work()
            except StoreUnavailable as error:
                print(error, flush=True)
        limited(resource.RLIM_INFINITY)
        assert store.totals().captures == content
        assert store.verify() == []
        store._empty_log()
    print(content, flush=True)
"""
)


def captures(count: int) -> list[Capture]:
    """Judged captures of as many pages."""

    def one(number: int) -> Capture:
        fingerprint = Fingerprint(
            number, None, (number + 1).to_bytes(16, "big"), b"sketch", 40, State.CONTENT, "text:1"
        )
        return Capture(f"{number}", f"{number}", "x.example", datetime(2024, 1, 1, tzinfo=UTC), b"b", 1000, 200, fingerprint,
                       verdict=VerdictKind.NEW, sentences=("One.",))  # fmt: skip

    return [one(number) for number in range(count)]


def start(script: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    )


def lines_of(process: subprocess.Popen[str]) -> list[str]:
    output, errors = process.communicate(timeout=600)
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


def stop_at_some_moment(target: object, how: signal.Signals, after_s: float) -> int:
    """Run the endless writer, stop it; return how many captures it said are stored by then, at least."""
    process = start(ENDLESS, target)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(after_s)
    process.send_signal(how)
    try:
        output, _ = process.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        # Python itself drops an interrupt that meets it in a weakref callback ("Exception ignored in"): once more
        process.send_signal(how)
        output, _ = process.communicate(timeout=20)
    whole = [line for line in output.split("\n")[:-1] if line]
    return int(whole[-1]) + 1 if whole else 0


def check_after_a_stop(store: Store, acknowledged: int) -> int:
    """All that the endless writer acknowledged is there, at most one more, and each whole; return how many there are."""
    assert store.verify() == []
    captures = store.totals().captures
    assert acknowledged <= captures <= acknowledged + 1
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
    return captures

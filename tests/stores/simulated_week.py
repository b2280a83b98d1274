"""A week of crawling, made up: what a store is asked and told by a crawler, without pages to read.

Run as a program in a process of its own, so that its memory is that of the store: `simulated_week.py FILE OBSERVATIONS`.
Captures expire after a twentieth of the week, as if a crawl of months ran with an expiry of 30 days. Prints samples as lines
of JSON: which observation, bytes of the file and its log, bytes of memory; last a line with the sums.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections import Counter, deque
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sameish.judging.verdict import History, judge
from sameish.models import Capture, Fingerprint, State, Verdict
from sameish.settings import DEFAULT, StoreSection
from sameish.stores.base import Candidates, Query
from sameish.stores.gate_state import Asked, Entry, Note, StoredBody, Updates, Visit, hash_key
from sameish.stores.sqlite import SqliteStore

BEGIN, WEEK = datetime(2026, 1, 1, tzinfo=UTC), timedelta(days=7)
LIVES = 20  # so many times the week is as long as a capture lives
SITES = 50
_WORD = 0x9E3779B97F4A7C15


@dataclass
class Crawler:
    """Half of its pages are new, the others were seen not long ago; a third of these has changed since."""

    observations: int
    chance: random.Random = field(default_factory=lambda: random.Random(5))  # noqa: S311 - events, no secrets
    pages: int = 0

    def __post_init__(self) -> None:
        self.recent: deque[tuple[int, int]] = deque(maxlen=max(self.observations // LIVES // 4, 10))

    def page(self) -> tuple[int, int]:
        """Return the next page and its version."""
        if not self.recent or self.chance.random() < 0.5:
            self.pages += 1
            page, version = self.pages, 0
        else:
            page, version = self.chance.choice(self.recent)
            version += self.chance.random() < 0.3
        self.recent.append((page, version))
        return page, version

    def capture(self, number: int) -> Capture:
        """Return the capture of an observation."""
        page, version = self.page()
        content = page * 1_000 + version
        fingerprint = Fingerprint(
            content * _WORD % 2**64, 7, content.to_bytes(16, "big"), sketch(content), 400, State.CONTENT, "text:1"
        )
        site = f"s{page % SITES}.example"
        url = f"https://{site}/{page}"
        at = BEGIN + WEEK * (number / self.observations)
        sentences = tuple(f"Sentence {line} of {content}." for line in range(10))
        return Capture(url, url, site, at, number.to_bytes(16, "big"), 50_000, 200, fingerprint, f"Page {page}",
                       etag=f'"{version}"', markdown="\n\n".join(sentences), sentences=sentences)  # fmt: skip


def sketch(content: int) -> bytes:
    """Return a sketch of 40 sentences that no other content has."""
    hashes = sorted(((content << 8 | line) * _WORD % 2**48).to_bytes(6, "little") for line in range(40))
    return b"\0" + (content * _WORD % 2**64).to_bytes(8, "little") + b"".join(hashes)


def query(of: Capture) -> Query:
    """Return what the detector asks for a page under the settings that it has by itself."""
    print_, lookup = of.fingerprint, DEFAULT.lookup
    return Query(of.key, of.fetched_at, of.body_digest, print_.scheme, print_.digest, print_.simhash, lookup.within, of.site,
                 limit=lookup.candidates)  # fmt: skip


def note(of: Capture) -> Note:
    """Return what a gate notes of a page: when it is due, the sums of the ledger, the body."""
    number = hash_key(of.key)
    visit = Visit(
        number,
        number,
        of.site,
        of.url,
        of.fetched_at + timedelta(hours=8),
        50_000,
        of.fingerprint.digest,
        None,
        b"s" * 60,
    )
    body = StoredBody(number, of.site, of.url, 200, (), of.fingerprint.sketch * 4, of.fetched_at)
    updates = Updates(b"rules" * 100, (visit,), (Entry(of.site, "fetched", 1, 50_000),), body=body)
    return Note(Asked(of.site, (number,)), lambda *_: updates)


def sample(path: Path, number: int) -> dict[str, int]:
    """Return what the store takes on the disk and this process in memory."""
    files = (path, path.with_name(f"{path.name}-wal"))
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return {
        "observation": number,
        "disk": sum(file.stat().st_size for file in files if file.exists()),
        "memory": pages * os.sysconf("SC_PAGE_SIZE"),
    }


def crawl(path: Path, observations: int) -> None:
    """Crawl for a week and print samples."""
    life = observations // LIVES
    settings = StoreSection(body_budget_bytes=20 * life)
    crawler, heard, expired = Crawler(observations), Counter[str](), 0
    began, cpu = time.monotonic(), time.process_time()
    with SqliteStore(path, scheme="text:1", settings=settings) as store:
        for number in range(observations):
            one = crawler.capture(number)

            def judged(found: Candidates, one: Capture = one) -> Verdict:
                others = {other.id: other for other in (*found.equal, *found.near)}
                history = History(found.stored, found.last, tuple(others.values()), found.earlier)
                return judge(one.fingerprint, one.sentences or (), history, DEFAULT.judging)

            heard[store.observe(one, query(one), judged, note(one)).kind] += 1
            if number % (life // 10) == 0:
                print(json.dumps(sample(path, number)), flush=True)  # noqa: T201 - it is a program
            if number % (life // 5) == 0:
                expired += store.expire(before=one.fetched_at - WEEK / LIVES).captures
        sums = {"heard": heard, "expired": expired, "left": store.totals().captures, "faults": store.verify()}
    print(json.dumps({**sums, "seconds": time.monotonic() - began, "cpu": time.process_time() - cpu}), flush=True)  # noqa: T201 - it is a program


if __name__ == "__main__":
    crawl(Path(sys.argv[1]), int(sys.argv[2]))

"""How fast a URL is decided on before the fetch, beside a million known pages; how fast and how large they are loaded."""

from __future__ import annotations

import random
import resource
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

import sameish
from benchmarks.timing import share_below
from sameish.detector import Detector
from sameish.models import FetchDecision
from sameish.revisit.state import Visits
from sameish.stores.gate_state import Asked, Known, Note, Updates, Visit, hash_key
from sameish.urls.keys import url_key

_PAGES, _BATCH, _ASKED = 1_000_000, 20_000, 20_000
_NOW = datetime(2026, 5, 1, tzinfo=UTC)


def run() -> None:
    """Print the time to load, the memory that it takes, and percentiles of single decisions."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "known.db"
        with sameish.open(place, clock=lambda: _NOW) as detector:
            _fill(detector)
        with sameish.open(place, clock=lambda: _NOW) as detector:
            before, start = _memory(), time.process_time()
            gate = detector.gate
            print(
                f"  loading {_PAGES:,} known pages: {time.process_time() - start:.2f} s CPU, {_memory() - before:.0f} MB more"
            )
            draw = random.Random(7)
            known = [_url(draw.randrange(_PAGES)) for _ in range(_ASKED)]
            _time("known URLs", gate.decide, known)
            _time("known URLs, counted in the ledger", detector.decide, known)
            _time("new URLs", gate.decide, [_url(_PAGES + number) for number in range(_ASKED)])
            _time("other spellings of known URLs", gate.decide, [f"{url}&utm_source=x" for url in known])


def _time(name: str, decide: Callable[[str], FetchDecision], urls: list[str]) -> None:
    times = []
    for url in urls:
        began = time.perf_counter()
        decide(url)
        times.append(1e6 * (time.perf_counter() - began))
    print(f"  {name}: p50 {share_below(times, 0.5):.1f} us, p99 {share_below(times, 0.99):.1f} us")


def _url(number: int) -> str:
    return f"https://site-{number % 1000}.example/section-{number % 7}/article?id={number}"


def _fill(detector: Detector) -> None:
    for start in range(0, _PAGES, _BATCH):
        visits = tuple(_visit(number) for number in range(start, start + _BATCH))

        def write(_: object, __: Known, visits: tuple[Visit, ...] = visits) -> Updates:
            return Updates(visits=visits)

        detector.store.note(Note(Asked(""), write))


def _visit(number: int) -> Visit:
    url = _url(number)
    key = hash_key(url_key(url))
    due = _NOW + timedelta(hours=1 + number % 20)
    return Visit(key, key, f"site-{number % 1000}.example", url, due, 30_000, digest=bytes(16), state=_STATE)


def _schedule() -> bytes:
    seen = int(_NOW.timestamp()) - 3600
    return msgspec.msgpack.encode(Visits(last_visit=seen, last_try=seen, due_at=seen + 90_000, interval_s=86_400))


_STATE = _schedule()


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

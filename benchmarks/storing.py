"""How many observations a second a store takes, reading left out."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sameish
from benchmarks.pages import sample
from sameish.detector import Detector


def run() -> None:
    """Print observations a second for each store."""
    where, pages = sample(400)
    for name in ("memory", "SQLite"):
        with _store(name) as detector:
            walks = [detector._walk(page) for page in pages]  # noqa: SLF001  # the store alone is measured
            start, wall = time.process_time(), time.perf_counter()
            for walk in walks:
                detector.store.observe(walk.capture, walk.query, walk.judge)
            cpu, took = time.process_time() - start, time.perf_counter() - wall
        print(
            f"  {name:7} {len(pages) / took:7.0f} observations a second, {1000 * cpu / len(pages):.2f} ms of CPU each ({where})"
        )


@contextmanager
def _store(name: str) -> Iterator[Detector]:
    with tempfile.TemporaryDirectory() as folder:
        target = ":memory:" if name == "memory" else Path(folder) / "bench.db"
        with sameish.open(target) as detector:
            yield detector

"""What a fingerprint costs, beside a bare parse and beside the extraction that most pipelines begin with."""

from __future__ import annotations

import importlib.util
import itertools
import statistics
import time
from collections.abc import Callable

import sameish
from benchmarks.pages import sample
from benchmarks.timing import interleaved, table
from sameish import Page
from sameish.reading import dom


def run() -> None:
    """Print CPU time a page and a comparison."""
    where, pages = sample(200)
    pages = [page for page in pages if page.header("content-encoding") is None]
    size = statistics.mean(len(page.body) for page in pages)
    print(f"  {len(pages)} pages of {where}, {size / 1000:.0f} kB on average; one thread")
    rows = interleaved(
        {
            "bare parse": lambda page: dom.parse(_text(page)),
            "fingerprint": sameish.fingerprint,
            "fingerprint, classic": lambda page: sameish.fingerprint(page, "classic"),
            "extract, with Markdown": sameish.extract,
            **_peers(),
        },
        pages,
    )
    table(rows, "bare parse")
    if _PEER in rows:
        print(f"  fingerprint is {rows[_PEER] / rows['fingerprint']:.1f} times faster than trafilatura")
    else:
        print("  trafilatura is not installed (it is in the dependency group bench), so that it is not compared")
    _compare(pages)


_PEER = "trafilatura to Markdown"


def _peers() -> dict[str, Callable[[Page], object]]:
    if importlib.util.find_spec("trafilatura") is None:
        return {}
    import trafilatura  # noqa: PLC0415 - a peer that only measuring needs

    return {_PEER: lambda page: trafilatura.extract(page.body, output_format="markdown")}


def _text(page: Page) -> str:
    return page.body if isinstance(page.body, str) else page.body.decode("utf-8", "replace")


def _compare(pages: list[Page]) -> None:
    prints = [sameish.fingerprint(page) for page in pages]
    took = []
    for a, b in itertools.pairwise(prints):
        start = time.perf_counter()
        sameish.compare(a, b)
        took.append(1e6 * (time.perf_counter() - start))
    took.sort()
    print(
        f"  compare two stored fingerprints: p50 {took[len(took) // 2]:.0f} us, p99 {took[len(took) * 99 // 100]:.0f} us"
    )
    sizes = sorted(len(one.to_bytes()) for one in prints)
    print(f"  a stored fingerprint: median {sizes[len(sizes) // 2]} bytes, most {sizes[-1]}")

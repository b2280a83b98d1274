"""How fast, how large and how exact the index of near hashes is, beside faiss at the same exactness and a plain scan.

1,000,000 clustered hashes; SAMEISH_BENCH_HASHES=10000000 takes 5 GB of memory and some minutes.
"""

from __future__ import annotations

import os
import random
import statistics
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import share_below
from sameish.index.hamming_index import HammingIndex
from sameish.index.scanning import scan
from sameish.index.scoped_index import RowArrays, Scope, ScopedIndex

_HASHES = int(os.environ.get("SAMEISH_BENCH_HASHES", "1000000"))
_QUERIES, _TRIED = 1_000, 15
_SITES = 1_000
_FAISS = ((4, 16), (3, 21), (5, 12))  # bands and bits of each

Hashes: TypeAlias = NDArray[np.uint64]
Engine: TypeAlias = Callable[[int], NDArray[np.int64]]
"""From the number of a query to the rows that it finds."""


def run() -> None:
    """Print build, memory, percentiles of single look-ups, and how many neighbours were lost."""
    draw = np.random.default_rng(1)
    hashes = _clustered(_HASHES, draw)
    queries = _flipped(hashes[draw.integers(0, _HASHES, _QUERIES)], draw, 3)
    index = _timed("sameish", lambda: HammingIndex(hashes, np.arange(_HASHES)))
    print(f"    {index.size_bytes() / _HASHES:.1f} bytes a hash with its id")
    grown = _timed("sameish, 1,000 at a time", lambda: _grown(hashes))
    print(f"    then {len(grown.segments())} segments")
    peers = _peers(hashes)
    for within in (3, 8):
        _compare(hashes, queries, within, {"sameish": index, "sameish, grown": grown}, peers)
    del grown, peers
    _on_sites(hashes, queries, draw)


def _clustered(count: int, draw: np.random.Generator) -> Hashes:
    """Return hashes in groups of five, 0 to 4 bits from what each group began with, in random order."""
    hashes = np.repeat(draw.integers(0, 1 << 64, count // 5 + 1, dtype=np.uint64), 5)[:count]
    return _flipped(hashes[draw.permutation(count)], draw, 4)


def _flipped(hashes: Hashes, draw: np.random.Generator, most: int) -> Hashes:
    for _ in range(most):
        bits = np.uint64(1) << draw.integers(0, 64, len(hashes), dtype=np.uint64)
        hashes = hashes ^ np.where(draw.random(len(hashes)) < 0.6, bits, np.uint64(0))
    return hashes


def _timed(name: str, build: Callable[[], Any]) -> Any:
    start = time.process_time()
    built = build()
    print(f"  {name}: built of {_HASHES:,} in {time.process_time() - start:.2f} s CPU")
    return built


def _grown(hashes: Hashes) -> HammingIndex:
    index = HammingIndex()
    for start in range(0, len(hashes), 1_000):
        index.extend(hashes[start : start + 1_000], np.arange(start, min(start + 1_000, len(hashes))))
    index.settle()
    return index


def _peers(hashes: Hashes) -> dict[tuple[int, int], Any]:
    """Return faiss indexes by number and bits of bands, none where faiss is not installed."""
    try:
        import faiss  # noqa: PLC0415  # a peer that the rest does without
    except ImportError:
        print("  faiss is not installed (it is in the dependency group `bench`)")
        return {}
    faiss.omp_set_num_threads(1)
    peers = {}
    for bands, bits in _FAISS:
        peer = peers[bands, bits] = faiss.IndexBinaryMultiHash(64, bands, bits)
        _timed(f"faiss {bands} x {bits}", partial(peer.add, _bytes(hashes)))
    return peers


def _bytes(hashes: Hashes) -> NDArray[np.uint8]:
    return hashes.view(np.uint8).reshape(len(hashes), 8)


def _compare(
    hashes: Hashes,
    queries: Hashes,
    within: int,
    indexes: Mapping[str, HammingIndex],
    peers: Mapping[tuple[int, int], Any],
) -> None:
    numbers = queries.tolist()
    engines = {name: _engine(index, numbers, within) for name, index in indexes.items()}
    if peers:
        name, peer = _best_peer(queries, within, peers)
        engines[name] = peer
    engines["scan"] = lambda at: scan(hashes, numbers[at], within)[0]
    took, lost = _interleaved(engines)
    print(f"  within {within} bits, {_QUERIES:,} queries, microseconds:")
    base = statistics.median(took["sameish"])
    for name, times in took.items():
        middle = statistics.median(times)
        print(
            f"    {name:24} p50 {middle:9.1f}  p99 {share_below(times, 0.99):9.1f}  {middle / base:8.2f} x sameish, "
            f"{lost[name]} neighbours lost"
        )
    start = time.perf_counter()
    indexes["sameish"].search_many(queries, within)
    print(f"    search_many: {1e6 * (time.perf_counter() - start) / _QUERIES:.1f} a query")


def _engine(index: HammingIndex, numbers: list[int], within: int) -> Engine:
    return lambda at: index.search(numbers[at], within)[0]


def _best_peer(queries: Hashes, within: int, peers: Mapping[tuple[int, int], Any]) -> tuple[str, Engine]:
    """Return the configuration that is fastest of those that lose nothing within a distance."""
    tried: list[tuple[float, str, Engine]] = []
    rows = [_bytes(queries[at : at + 1]) for at in range(len(queries))]
    for (bands, bits), peer in peers.items():
        flips = -(-(within + 1) // bands) - 1  # exact where within <= bands * (flips + 1) - 1

        def engine(at: int, peer: Any = peer, flips: int = flips) -> NDArray[np.int64]:
            peer.nflip = flips
            return np.asarray(peer.range_search(rows[at], within + 1)[2])  # its radius is strict

        times = []
        for at in range(_TRIED):
            start = time.perf_counter()
            engine(at)
            times.append(time.perf_counter() - start)
        tried.append((statistics.median(times), f"faiss {bands} x {bits}, {flips} flips", engine))
    return min(tried, key=lambda one: one[0])[1:]


def _interleaved(engines: Mapping[str, Engine]) -> tuple[dict[str, list[float]], dict[str, int]]:
    """Return microseconds of every query and how many neighbours were lost; the last engine is taken for the truth."""
    shuffler, names, truth = random.Random(1), list(engines), list(engines)[-1]
    took: dict[str, list[float]] = {name: [] for name in engines}
    lost = dict.fromkeys(engines, 0)
    for at in range(_QUERIES):
        shuffler.shuffle(names)
        found = {}
        for name in names:
            start = time.perf_counter()
            found[name] = engines[name](at)
            took[name].append(1e6 * (time.perf_counter() - start))
        for name in names:
            lost[name] += len(np.setdiff1d(found[truth], found[name]))
    return took, lost


def _on_sites(hashes: Hashes, queries: Hashes, draw: np.random.Generator) -> None:
    """Print what look-ups on one site take, half of all rows being on one large site."""
    sites = np.where(draw.random(_HASHES) < 0.5, 0, draw.integers(1, _SITES, _HASHES))
    index = ScopedIndex()
    rows = RowArrays(np.arange(_HASHES), hashes, sites, np.arange(_HASHES), np.arange(_HASHES))

    def fill() -> None:
        index.extend_arrays(rows)
        index.settle()

    _timed("with sites, pages and times", fill)
    print(f"    {index.size_bytes() / _HASHES:.1f} bytes a row")
    for name, scope in {
        "everywhere": Scope(),
        f"on a site of {_HASHES // 2 // _SITES:,}": Scope(site=5),
        f"on a site of {_HASHES // 2:,}": Scope(site=0),
        "the 100 most recent of a site": Scope(site=0, recent=100),
    }.items():
        times = []
        for query in queries.tolist():
            start = time.perf_counter()
            index.search(query, 8, scope)
            times.append(1e6 * (time.perf_counter() - start))
        print(f"    within 8 bits {name}: p50 {statistics.median(times):.0f} us, p99 {share_below(times, 0.99):.0f} us")

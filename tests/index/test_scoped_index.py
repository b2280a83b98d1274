"""The index finds exactly what a look at every row finds."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.index.data import hashes_of, queries_of

from sameish.index import hamming_index, scoped_index
from sameish.index.scanning import CHUNK
from sameish.index.scoped_index import Row, RowArrays, Scope, ScopedIndex

TOP = 1 << 63
ALL = (1 << 64) - 1

hashes = st.integers(0, ALL) | st.sampled_from([0, 1, 3, TOP, TOP | 1, ALL, ALL - 1])
rows = st.lists(st.tuples(hashes, st.integers(0, 2), st.integers(0, 2), st.integers(0, 4)), max_size=40)
scopes = st.builds(
    Scope,
    site=st.none() | st.integers(0, 3),
    since=st.none() | st.integers(0, 5),
    other_than=st.none() | st.integers(0, 3),
    recent=st.none() | st.integers(0, 6),
)


def brute_force(stored: list[Row], simhash: int, within: int, scope: Scope) -> list[tuple[int, int]]:
    inside = [
        row
        for row in stored
        if (scope.site is None or row.site == scope.site)
        and (scope.since is None or row.fetched_at >= scope.since)
        and (scope.other_than is None or row.page != scope.other_than)
    ]
    if scope.recent is not None:
        inside = sorted(inside, key=lambda row: (row.fetched_at, row.id), reverse=True)[: scope.recent]
    found = sorted(((row.simhash ^ simhash).bit_count(), row.page, -row.id) for row in inside)
    best: dict[int, tuple[int, int]] = {}
    for distance, page, negative in found:
        if distance <= within:
            best.setdefault(page, (-negative, distance))
    return list(best.values())


def search(index: ScopedIndex, simhash: int, within: int, scope: Scope | None = None) -> list[tuple[int, int]]:
    ids, distances = index.search(simhash, within, scope)
    return list(zip(ids.tolist(), distances.tolist(), strict=True))


@given(rows, hashes, st.integers(0, 64), scopes)
def test_finds_what_a_look_at_every_row_finds(
    values: list[tuple[int, int, int, int]], simhash: int, within: int, scope: Scope
) -> None:
    stored = [Row(number, *value) for number, value in enumerate(values, start=1)]
    index = ScopedIndex(stored[: len(stored) // 2])
    for row in stored[len(stored) // 2 :]:
        index.add(row)
    assert search(index, simhash, within, scope) == brute_force(stored, simhash, within, scope)


def test_finds_across_chunks_and_growth() -> None:
    near = {5: 0b1, CHUNK - 1: 0b11, CHUNK: 0b0, 2 * CHUNK + 7: 0b111}
    far = ALL ^ 0xFF
    index = ScopedIndex(Row(i, near.get(i, far), 0, i, i) for i in range(CHUNK))
    for i in range(CHUNK, 2 * CHUNK + 10):
        index.add(Row(i, near.get(i, far), 0, i, i))
    assert len(index) == 2 * CHUNK + 10
    assert search(index, 0, 3) == [(CHUNK, 0), (5, 1), (CHUNK - 1, 2), (2 * CHUNK + 7, 3)]


def test_nothing_is_found_in_an_empty_index() -> None:
    assert search(ScopedIndex(), 0, 64) == []
    assert search(ScopedIndex(), 0, 64, Scope(recent=3)) == []


@pytest.mark.parametrize("bad", [-1, 1 << 64])
def test_a_hash_that_does_not_fit_changes_nothing(bad: int) -> None:
    index = ScopedIndex([Row(1, 7, 0, 0, 0)])
    with pytest.raises(OverflowError):
        index.extend([Row(2, 7, 0, 0, 0), Row(3, bad, 0, 0, 0)])
    assert search(index, 7, 0) == [(1, 0)]


def test_a_page_is_found_once_by_its_nearest_and_then_latest_row() -> None:
    pages = [(0b11, 1), (0b1, 1), (0b1, 1), (0b11, 1), (0, 2), (0b1, 0)]
    index = ScopedIndex(Row(number, simhash, 0, page, 0) for number, (simhash, page) in enumerate(pages))
    assert search(index, 0, 3) == [(4, 0), (5, 1), (2, 1)]


@given(rows, st.lists(st.integers(0, 45)), hashes, st.integers(0, 64), scopes, st.booleans())
def test_scopes_hold_across_segments_and_removals(
    values: list[tuple[int, int, int, int]], gone: list[int], simhash: int, within: int, scope: Scope, background: bool
) -> None:
    stored = [Row(number, *value) for number, value in enumerate(values, start=1)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hamming_index, "TAIL", 4)
        patch.setattr(scoped_index, "CHUNK", 3)  # sites of more rows are found by tables
        index = ScopedIndex(stored[:10], background=background)
        for start in range(10, len(stored), 3):
            index.extend(stored[start : start + 3])
        assert index.remove(gone) == len({row.id for row in stored} & set(gone))
        left = [row for row in stored if row.id not in gone]
        assert search(index, simhash, within, scope) == brute_force(left, simhash, within, scope)
        index.settle()
    assert search(index, simhash, within, scope) == brute_force(left, simhash, within, scope)
    assert sorted(index.ids().tolist()) == [row.id for row in left]


@pytest.mark.parametrize(
    "scope", [Scope(site=7), Scope(site=0), Scope(since=900), Scope(site=3, recent=100), Scope(recent=70)]
)
def test_scopes_of_many_rows(scope: Scope) -> None:
    draw = np.random.default_rng(1)
    count = 90_000
    simhashes = hashes_of("clustered", count)
    sites = np.where(draw.random(count) < 0.6, 0, draw.integers(0, 50, count))
    pages, times = draw.integers(0, 30_000, count), draw.integers(0, 1000, count)
    index = ScopedIndex()
    index.extend_arrays(RowArrays(np.arange(count), simhashes, sites, pages, times))
    index.settle()
    columns = [column.tolist() for column in (simhashes, sites, pages, times)]
    stored = [Row(number, *values) for number, values in enumerate(zip(*columns, strict=True))]
    for query in queries_of(simhashes, 5):
        assert search(index, query, 8, scope) == brute_force(stored, query, 8, scope)


def test_readers_see_whole_batches_while_one_writes() -> None:
    index, done = ScopedIndex(), threading.Event()
    seen: list[int] = []

    def read() -> None:
        while not done.is_set():
            ids, distances = index.search(42, 0)
            assert ids.tolist() == list(range(len(ids)))
            assert not distances.any()
            seen.append(len(ids) % 10)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    until, number = time.monotonic() + 0.3, 0
    while time.monotonic() < until and number < 60_000:
        index.extend([Row(number + i, 42, 0, number + i, 0) for i in range(10)])
        number += 10
    done.set()
    for reader in readers:
        reader.join()
    assert seen
    assert set(seen) == {0}

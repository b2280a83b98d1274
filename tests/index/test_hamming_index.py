"""The index holds what was put in and not taken out, whatever is merged meanwhile and whoever reads."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.index.data import KINDS, hashes_of, queries_of

from sameish.index import hamming_index, segment
from sameish.index.hamming_index import HammingIndex
from sameish.index.segment import Columns, Segment, next_merge
from sameish.index.signed import to_signed, to_unsigned

TOP = 1 << 63
ALL = (1 << 64) - 1
HASHES = st.integers(0, ALL) | st.sampled_from([0, 1, 3, TOP, TOP | 1, ALL, ALL - 1])
STEPS = st.lists(
    st.tuples(st.just("extend"), st.lists(HASHES, min_size=1, max_size=30))
    | st.tuples(st.just("remove"), st.lists(st.integers(0, 150), max_size=40)),
    max_size=14,
)


def by_hand(stored: dict[int, int], simhash: int, within: int) -> list[tuple[int, int]]:
    found = sorted(((one ^ simhash).bit_count(), number) for number, one in stored.items())
    return [(number, distance) for distance, number in found if distance <= within]


def search(index: HammingIndex, simhash: int, within: int) -> list[tuple[int, int]]:
    ids, distances = index.search(simhash, within)
    return list(zip(ids.tolist(), distances.tolist(), strict=True))


@given(STEPS, st.booleans(), st.data())
def test_what_was_put_in_and_not_taken_out_is_found(
    steps: list[tuple[str, list[int]]], background: bool, data: st.DataObject
) -> None:
    stored: dict[int, int] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hamming_index, "TAIL", 8)
        index = HammingIndex(background=background)
        number = 0
        for what, values in steps:
            if what == "extend":
                ids = list(range(number, number + len(values)))
                number += len(values)
                index.extend(values, ids)
                stored.update(zip(ids, values, strict=True))
            else:
                known = set(values) & set(stored)
                assert index.remove(values) == len(known)
                stored = {one: value for one, value in stored.items() if one not in known}
            assert len(index) == len(stored)
            query, within = data.draw(HASHES), data.draw(st.integers(0, 64))
            assert search(index, query, within) == by_hand(stored, query, within)
        index.settle()
        queries = [0, TOP, *list(stored.values())[:3]]
        for within in (0, 3, 12, 40):
            starts, found, distances = index.search_many(queries, within)
            for query, (begin, end) in zip(queries, pairwise(starts.tolist()), strict=True):
                many = list(zip(found[begin:end].tolist(), distances[begin:end].tolist(), strict=True))
                assert many == search(index, query, within) == by_hand(stored, query, within)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_lost_at_any_distance_with_rows_removed(kind: str, rounds: Callable[[int], int]) -> None:
    hashes = hashes_of(kind, 60_000)
    index = HammingIndex(hashes[:40_000], np.arange(40_000))
    for start in range(40_000, 60_000, 2_500):
        index.extend(hashes[start : start + 2_500], np.arange(start, start + 2_500))
    gone = np.random.default_rng(3).choice(60_000, 6_000, replace=False)
    assert index.remove(gone) == 6_000
    queries = queries_of(hashes, rounds(60))
    here = np.ones(60_000, np.bool_)
    here[gone] = False
    for within in range(13):
        starts, many, _ = index.search_many(queries, within)
        for number, query in enumerate(queries):
            true = np.flatnonzero((np.bitwise_count(hashes ^ np.uint64(query)) <= within) & here)
            assert np.array_equal(np.sort(index.search(query, within)[0]), true)
            assert np.array_equal(np.sort(many[starts[number] : starts[number + 1]]), true)
    index.settle()


def test_readers_lose_nothing_while_rows_come_and_go(
    monkeypatch: pytest.MonkeyPatch, rounds: Callable[[int], int]
) -> None:
    monkeypatch.setattr(hamming_index, "TAIL", 64)  # a merge every few steps
    stay = hashes_of("clustered", 3_000)
    index, done = HammingIndex(stay, np.arange(3_000)), threading.Event()
    removed_below, faults = 3_000, list[str]()

    def read(seed: int) -> None:
        draw = random.Random(seed)  # noqa: S311  # guards no secret
        while not done.is_set():
            query, within = int(stay[draw.randrange(3_000)]), draw.randrange(13)
            gone = removed_below  # taken out before the search began
            alone = draw.random() < 0.9
            found = (index.search(query, within)[0] if alone else index.search_many([query], within).ids).tolist()
            true = set(np.flatnonzero(np.bitwise_count(stay ^ np.uint64(query)) <= within).tolist())
            if lost := true - set(found):
                faults.append(f"lost within {within} of {query:#x}: {lost}")
            if any(3_000 <= number < gone for number in found):
                faults.append("found what was taken out")
            if len(set(found)) < len(found):
                faults.append("found twice")

    readers = [threading.Thread(target=read, args=(seed,)) for seed in range(2)]
    for reader in readers:
        reader.start()
    until, number = time.monotonic() + 0.2 * rounds(50), 3_000
    while time.monotonic() < until and not faults:
        index.extend(hashes_of("clustered", 50, number % 7), np.arange(number, number + 50))
        number += 50
        if number % 500 == 0:
            index.remove(np.arange(removed_below, number - 400))
            removed_below = number - 400
    done.set()
    for reader in readers:
        reader.join()
    index.settle()
    assert not faults, faults[0]
    assert len(index) == 3_000 + number - removed_below
    assert number > 4_000


def test_what_is_taken_out_while_it_is_merged_stays_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hamming_index, "TAIL", 8)
    merging, may_end, merge = threading.Event(), threading.Event(), Segment.merged

    def slowly(*arguments: object) -> Segment:
        built = merge(*arguments)  # type: ignore[arg-type]  # passed on as they are
        merging.set()
        assert may_end.wait(10)
        return built

    monkeypatch.setattr(segment.Segment, "merged", slowly)
    index = HammingIndex()
    index.extend([7] * 20, list(range(20)))
    assert merging.wait(10)
    assert index.remove([3, 4]) == 2
    index.extend([7], [20])
    may_end.set()
    index.settle()
    assert index.segments()[0].tables is not None
    assert index.search(7, 0)[0].tolist() == [0, 1, 2, *range(5, 21)]


def test_all_that_is_merged_may_be_gone_when_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hamming_index, "TAIL", 8)
    merging, may_end, merge = threading.Event(), threading.Event(), Segment.merged

    def slowly(*arguments: object) -> Segment:
        merging.set()
        assert may_end.wait(10)
        return merge(*arguments)  # type: ignore[arg-type]  # passed on as they are

    monkeypatch.setattr(segment.Segment, "merged", slowly)
    index = HammingIndex()
    index.extend([7] * 20, list(range(20)))
    assert merging.wait(10)
    assert index.remove(list(range(20))) == 20
    may_end.set()
    index.settle()
    assert len(index) == 0
    assert search(index, 7, 64) == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_merge_that_fails_loses_nothing_and_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hamming_index, "TAIL", 8)

    def fail(*_: object) -> Segment:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(segment.Segment, "merged", fail)
        index = HammingIndex()
        index.extend([7] * 20, list(range(20)))
        index.settle()
        assert len(search(index, 7, 0)) == 20
    index.extend([7], [20])
    index.settle()
    assert [one.tables is not None for one in index.segments()] == [True, False]
    assert len(search(index, 7, 0)) == 21


@pytest.mark.parametrize("bad", [-1, 1 << 64])
def test_a_hash_that_does_not_fit_changes_nothing(bad: int) -> None:
    index = HammingIndex([7], [1])
    with pytest.raises(OverflowError):
        index.extend([7, bad], [2, 3])
    with pytest.raises(ValueError, match="different lengths"):
        index.extend([7, 8], [2])
    assert search(index, 7, 0) == [(1, 0)]


def test_nothing_is_found_in_an_empty_index() -> None:
    assert search(HammingIndex(), 0, 64) == []
    assert HammingIndex().search_many([1, 2], 3).starts.tolist() == [0, 0, 0]
    assert HammingIndex([1], [1]).search_many([], 3).starts.tolist() == [0]


@pytest.mark.parametrize("rows", [0, 5, 40_000])
def test_a_negative_distance_is_refused(rows: int) -> None:
    index = HammingIndex(range(rows), range(rows))
    with pytest.raises(ValueError, match="-1 bits"):
        index.search(5, -1)
    with pytest.raises(ValueError, match="-1 bits"):
        index.search_many([5], -1)


@given(st.lists(st.integers(1, 3), min_size=1, max_size=200))
def test_few_segments_stay_and_rows_are_rewritten_a_few_times(sizes: list[int]) -> None:
    segments: list[Segment] = []
    rewritten = 0
    for size in sizes:
        segments.append(sized(size))
        while sources := next_merge(segments, 1 << 30):
            start = segments.index(sources[0])
            total = sum(one.live for one in sources)
            rewritten += total
            segments[start : start + len(sources)] = [sized(total, tabled=True)]
    levels = sum(sizes).bit_length()
    assert sum(one.live for one in segments) == sum(sizes)
    assert len(segments) <= levels
    assert rewritten <= 2 * levels * sum(sizes)


def test_no_segment_grows_beyond_what_its_entries_can_count() -> None:
    full, more = sized(90, tabled=True), sized(95, tabled=True)
    assert next_merge([full, more], 150) == []
    assert len(next_merge([full, more], 200)) == 2


def sized(size: int, *, tabled: bool = False) -> Segment:
    one = Segment.scanned(Columns(np.zeros(size, np.uint64), np.arange(size)))
    return Segment.merged([one], (), 0) if tabled else one


@pytest.mark.parametrize(
    ("unsigned", "signed"), [(0, 0), (1, 1), (TOP - 1, TOP - 1), (TOP, -TOP), (ALL, -1), (ALL - 1, -2)]
)
def test_twins(unsigned: int, signed: int) -> None:
    assert to_signed(unsigned) == signed
    assert to_unsigned(signed) == unsigned


@given(st.integers(0, ALL))
def test_twins_there_and_back(value: int) -> None:
    assert to_unsigned(to_signed(value)) == value
    assert -TOP <= to_signed(value) < TOP


@pytest.mark.parametrize("value", [-1, 1 << 64])
def test_no_twin_of_what_is_not_unsigned(value: int) -> None:
    with pytest.raises(ValueError, match="no unsigned"):
        to_signed(value)


@pytest.mark.parametrize("value", [TOP, -TOP - 1])
def test_no_twin_of_what_is_not_signed(value: int) -> None:
    with pytest.raises(ValueError, match="no signed"):
        to_unsigned(value)

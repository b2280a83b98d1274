"""Tables find what a look at every hash finds, on kind data and on unkind."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.index.data import KINDS, Hashes, brute_force, hashes_of, queries_of

from sameish.index import tables
from sameish.index.bands import Widths
from sameish.index.tables import Tables

ROWS = 1500
WIDTHS = ((13, 13, 13, 13, 12), (16, 16, 16, 16), (22, 21, 21))
DISTANCES = (*range(13), 13, 20, 64)


@pytest.fixture(params=["as it is", "never scanned", "some at a time"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param != "as it is":
        monkeypatch.setattr(tables, "_PROBE_ROWS", 0)  # few rows are scanned as soon as there are many probes
    if request.param == "some at a time":
        monkeypatch.setattr(tables, "_STEP", 100)
        monkeypatch.setattr(tables, "_FOUND", 2)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("widths", WIDTHS)
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_lost_and_nothing_is_made_up(kind: str, widths: Widths) -> None:
    hashes = hashes_of(kind, ROWS)
    built, queries = Tables.of(hashes, widths), queries_of(hashes, 10)
    simhashes = np.array(queries, np.uint64)
    true = np.array([np.bitwise_count(hashes ^ query) for query in simhashes])
    for within in DISTANCES:
        for query, distances in zip(queries, true, strict=True):
            rows, found = built.near(query, within)
            assert sorted(rows.tolist()) == np.flatnonzero(distances <= within).tolist()
            assert found.tolist() == distances[rows].tolist()
        which, rows, found = built.near_many(simhashes, within)
        assert np.all(np.diff(which) >= 0)
        expected = np.argwhere(true <= within)
        assert sorted(zip(which.tolist(), rows.tolist(), strict=True)) == [tuple(one) for one in expected.tolist()]
        assert found.tolist() == true[which, rows].tolist()


@given(st.lists(st.integers(0, (1 << 64) - 1) | st.sampled_from([0, 1 << 63, (1 << 64) - 1]), max_size=60), st.data())
def test_any_hashes(values: list[int], data: st.DataObject) -> None:
    hashes: Hashes = np.array(values, np.uint64)
    near = [value ^ 1 << data.draw(st.integers(0, 63)) for value in values[:3]]
    query = data.draw(st.sampled_from([*near, *values, 0, 1 << 63]))
    within = data.draw(st.integers(0, 14))
    built = Tables.of(hashes, WIDTHS[0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "_PROBE_ROWS", data.draw(st.sampled_from([0, 48])))
        rows, distances = built.near(query, within)
    assert dict(zip(rows.tolist(), distances.tolist(), strict=True)) == brute_force(hashes, query, within)
    assert len(set(rows.tolist())) == len(rows)


def test_folding_brings_no_two_hashes_farther_apart() -> None:
    one, other = hashes_of("uniform", 5000, 3), hashes_of("uniform", 5000, 4)
    folded = tables._folded(one) ^ tables._folded(other)
    assert np.all(np.bitwise_count(folded) <= np.bitwise_count(one ^ other))
    assert not np.any(folded & np.uint64(0xFFFFFFFF))


@pytest.mark.parametrize("widths", WIDTHS)
def test_every_row_has_one_entry_in_each_band(widths: Widths) -> None:
    hashes = hashes_of("clustered", ROWS)
    built = Tables.of(hashes, widths)
    assert built.offsets[-1] == len(built.entries) == ROWS * len(widths)
    assert np.all(np.diff(built.offsets.astype(np.int64)) >= 0)
    rows = (built.entries & np.uint64(0xFFFFFFFF)).reshape(len(widths), ROWS)
    assert np.array_equal(np.sort(rows, axis=1), np.tile(np.arange(ROWS, dtype=np.uint64), (len(widths), 1)))

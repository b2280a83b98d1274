"""A site's rows and the latest rows, as a look at every row finds them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sameish.index.postings import latest, latest_unsorted, span
from sameish.index.scanning import Rows

TIMES = st.lists(st.integers(0, 9), max_size=80)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 9))), st.integers(0, 5), st.none() | st.integers(0, 10))
def test_a_span_holds_the_rows_of_a_site_not_before_a_time(
    rows: list[tuple[int, int]], site: int, since: int | None
) -> None:
    rows.sort()
    sites, times = (np.array([row[number] for row in rows], np.int64) for number in (0, 1))
    expected = [at for at, row in enumerate(rows) if row[0] == site and (since is None or row[1] >= since)]
    assert list(range(*span(sites, times, site, since))) == expected


@given(st.integers(0, 400), st.sets(st.integers(0, 400)), st.integers(0, 50), st.data())
def test_the_latest_of_those_chosen(size: int, refused: set[int], count: int, data: st.DataObject) -> None:
    order: Rows | range = range(size) if data.draw(st.booleans()) else np.arange(size)[::-1]
    chosen = [row for row in np.asarray(order).tolist() if row not in refused]
    found = latest(order, lambda rows: ~np.isin(rows, list(refused)), count)
    assert found.tolist() == chosen[max(len(chosen) - count, 0) :]


def test_the_latest_are_found_without_a_look_at_many() -> None:
    looked_at = []

    def chosen(rows: np.ndarray[tuple[int], np.dtype[np.intp]]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        looked_at.append(len(rows))
        return np.ones(len(rows), np.bool_)

    assert latest(np.arange(1_000_000), chosen, 100).tolist() == list(range(999_900, 1_000_000))
    assert sum(looked_at) < 1000


@given(TIMES, st.integers(0, 90))
def test_the_latest_of_rows_in_no_order_with_all_of_the_last_time(times: list[int], count: int) -> None:
    found = latest_unsorted(np.array(times, np.int64), np.arange(len(times)), count).tolist()
    by_time = sorted(range(len(times)), key=lambda row: times[row], reverse=True)[:count]
    assert set(found) == {row for row in range(len(times)) if by_time and times[row] >= times[by_time[-1]]}

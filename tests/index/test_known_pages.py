from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish.index import known_pages
from sameish.index.known_pages import KnownPage, KnownPages, Row

HASHES = st.integers(0, (1 << 64) - 1)
ROWS = st.lists(
    st.tuples(HASHES, st.one_of(st.integers(0, 5), HASHES), st.integers(-(1 << 62), 1 << 62), st.integers(0, 1 << 40)),
    max_size=40,
)


def by_hand(rows: list[Row]) -> dict[int, KnownPage]:
    known: dict[int, KnownPage] = {}
    for page, of_class, due, size in rows:
        before = known.get(of_class)
        if before is None or before.page == page or due >= before.due:
            known[of_class] = KnownPage(due, page, min(size, (1 << 32) - 1))
    return known


@given(ROWS, st.integers(1, 7))
def test_of_each_class_the_page_due_last_is_found(rows: list[Row], size: int) -> None:
    batches = [rows[at : at + size] for at in range(0, len(rows), size)]
    distinct = {row[0]: row for row in rows}
    known = KnownPages(batches)
    for page, of_class, due, _ in distinct.values():
        found = known.get(of_class)
        assert found is not None
        assert found.due >= due
        assert found.due > due or found.page == page or any(r[1] == of_class and r[2] == due for r in rows)


@given(ROWS, st.data())
def test_pages_put_in_one_by_one_are_found_before_and_after_they_are_merged(
    rows: list[Row], data: st.DataObject
) -> None:
    split = data.draw(st.integers(0, len(rows)))
    first = list({row[1]: row for row in rows[:split]}.values())
    known, expected = KnownPages([first]), by_hand(first)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(known_pages, "_MOST_RECENT", data.draw(st.integers(0, 5)))
        for row in rows[split:]:
            if data.draw(st.booleans()):
                known.put(row)
                expected = by_hand([(one.page, of, one.due, one.size) for of, one in expected.items()] + [row])
            else:
                known.discard(row[1])
                expected.pop(row[1], None)
            assert known.get(row[1]) == expected.get(row[1])
    for row in rows:
        assert known.get(row[1]) == expected.get(row[1])


def test_what_is_not_known_is_not_found() -> None:
    draw = random.Random(1)  # noqa: S311  # the same numbers in every run
    rows = [(draw.getrandbits(64), draw.getrandbits(64), n, n) for n in range(1000)]
    known = KnownPages([rows[:500], rows[500:]])
    assert len(known) == 1000
    assert all(known.get(row[1]) == KnownPage(row[2], row[0], row[3]) for row in rows)
    assert all(known.get(draw.getrandbits(64)) is None for _ in range(1000))
    assert KnownPages().get(0) is None


def test_a_page_due_earlier_stands_for_its_class_only_if_it_did_before() -> None:
    known = KnownPages([[(1, 7, 100, 10)]])
    known.put((2, 7, 50, 20))
    assert known.get(7) == KnownPage(100, 1, 10)
    known.put((1, 7, 50, 20))
    assert known.get(7) == KnownPage(50, 1, 20)
    known.put((2, 7, 50, 30))
    assert known.get(7) == KnownPage(50, 2, 30)

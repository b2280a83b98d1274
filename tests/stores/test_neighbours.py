"""Entries in arrays are entries; of what was deleted nothing is found, and little is read to know it."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish.stores.neighbours import Entry, EntryArrays, Neighbours, places
from sameish.stores.rows import DamagedRow
from sameish.stores.seldom import Seldom
from sameish.stores.sqlite import SqliteStore
from sameish.stores.sqlite.freshness import FreshNeighbours

SITES = ("x.example", "y.example", "z.example")
ENTRIES = st.lists(
    st.tuples(
        st.integers(1, 2),
        st.integers(0, 255),
        st.sampled_from(SITES),
        st.integers(0, 4),
        st.integers(-(10**15), 10**15),
    ),
    max_size=30,
)


@given(ENTRIES, ENTRIES, st.integers(0, 255), st.none() | st.sampled_from(SITES))
def test_entries_are_the_same_in_arrays(
    first: list[tuple[int, int, str, int, int]],
    second: list[tuple[int, int, str, int, int]],
    simhash: int,
    site: str | None,
) -> None:
    rows = [Entry(row[0], number, *row[1:]) for number, row in enumerate([*first, *second])]
    alone, together = Neighbours(rows), Neighbours()
    together.extend_arrays([arrays(rows[: len(first)]), arrays(rows[len(first) :])])
    for scheme in (1, 2, 3):
        found = [each.search(scheme, simhash, 2, 99, site=site) for each in (alone, together)]
        assert found[0] == found[1]
    assert sorted(together.ids().tolist()) == list(range(len(rows)))
    together.remove([0, 2, 99])
    assert sorted(together.ids().tolist()) == [number for number in range(len(rows)) if number not in (0, 2)]
    together.retain(np.array([99, 0, 5, 3]))
    assert sorted(together.ids().tolist()) == [number for number in (3, 5) if number < len(rows)]


def arrays(rows: list[Entry]) -> EntryArrays:
    columns = (np.array([row[number] for row in rows], np.int64) for number in (0, 1, 2, 4, 5))
    schemes, ids, simhashes, pages, at = columns
    return EntryArrays(*places([row.site for row in rows]), schemes, ids, simhashes.view(np.uint64), pages, at)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store of 300 captures of 20 sites, some not good, some without a simhash, of one kind of everything wide."""
    path, draw = tmp_path / "crawl.db", Random(1)  # noqa: S311  # guards no secret
    SqliteStore(path, scheme="text:1").close()
    db = sqlite3.connect(path)
    db.execute("INSERT INTO scheme (id, name) VALUES (1, 'text:1'), (2, 'text:2')")
    db.execute("INSERT INTO page (id, key) VALUES (1, 'a'), (2, 'b'), (3, 'c')")
    for number in range(1, 301):
        row = [number, 1 + number % 3, 1 + number % 2, f"site{number % 20}.example", -number, number % 7 > 0]
        simhash = None if number % 11 == 0 else draw.getrandbits(64) - (1 << 63)
        db.execute(
            "INSERT INTO capture (id, page_id, scheme_id, site, fetched_at, good, simhash, state, digest, fingerprint,"
            " verdict, body_digest, body_bytes, status, url, title)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, 'content', x'', x'', 'new', x'', 1, 200, '', '')",
            [*row, simhash],
        )
    db.commit()
    db.close()
    return path


def everything(neighbours: Neighbours) -> list[tuple[int, str, list[tuple[int, int]]]]:
    return [
        (scheme, f"site{site}.example", neighbours.search(scheme, 5, 64, 99, site=f"site{site}.example"))
        for scheme in (1, 2)
        for site in range(20)
    ]


def row_by_row(db: sqlite3.Connection) -> Neighbours:
    rows = db.execute(
        "SELECT scheme_id, id, simhash, site, page_id, fetched_at FROM capture WHERE good AND simhash NOT NULL"
    )
    return Neighbours(Entry(row[0], row[1], row[2] % (1 << 64), *row[3:]) for row in rows.fetchall())


def test_an_index_is_loaded_as_it_is_stored(path: Path) -> None:
    db = sqlite3.connect(path)
    assert everything(FreshNeighbours().follow(db)) == everything(row_by_row(db))
    db.close()


def test_an_index_is_loaded_row_by_row_where_a_site_is_too_much_text(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("UPDATE capture SET site = 'site1.example' WHERE id % 20 <> 2")
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 2000)  # of statements too
    with pytest.raises(sqlite3.DataError):
        db.execute("SELECT group_concat(simhash) FROM capture GROUP BY site").fetchall()
    assert everything(FreshNeighbours().follow(db)) == everything(row_by_row(db))
    db.close()


@pytest.mark.parametrize("column", ["scheme_id", "simhash", "page_id", "fetched_at"])
@pytest.mark.parametrize("value", ["'text'", "1.5", "x'00'"])
def test_what_is_no_number_is_named(path: Path, column: str, value: str) -> None:
    db = sqlite3.connect(path)
    db.execute(f"UPDATE capture SET {column} = {value} WHERE id = 20")  # noqa: S608  # of this test
    for known in (FreshNeighbours(), followed(db, last_id=15)):
        with pytest.raises(DamagedRow, match="capture 20 is damaged"):
            known.follow(db)
    db.close()


def followed(db: sqlite3.Connection, last_id: int) -> FreshNeighbours:
    """Neighbours that know the first captures."""
    fresh = FreshNeighbours()
    fresh._generation, fresh._last_id = 0, last_id
    assert db.execute("SELECT generation FROM meta").fetchone() == (0,)
    return fresh


def test_what_is_deleted_is_taken_out_and_the_rest_not_read_again(path: Path) -> None:
    db, fresh, asked = sqlite3.connect(path, isolation_level=None), FreshNeighbours(), list[str]()
    before = fresh.follow(db)
    db.execute("DELETE FROM capture WHERE id BETWEEN 40 AND 60")
    db.execute("UPDATE meta SET generation = generation + 1")
    db.set_trace_callback(asked.append)
    after = fresh.follow(db)
    db.set_trace_callback(None)
    assert after is before
    assert everything(after) == everything(row_by_row(db))
    assert len(asked) == 3  # the generation, the ids that are left, what is new
    assert not any("group_concat(simhash)" in one for one in asked)
    db.close()


@pytest.mark.parametrize("recent", [None, 100])
def test_what_others_delete_is_never_found_however_seldom_it_is_taken_out(path: Path, recent: int | None) -> None:
    db, fresh, asked = sqlite3.connect(path, isolation_level=None), FreshNeighbours(), list[str]()
    number, scheme, simhash = db.execute("SELECT id, scheme_id, simhash FROM capture WHERE id = 50").fetchone()

    def search(known: Neighbours) -> list[tuple[int, int]]:
        return known.search(scheme, simhash % 2**64, 64, 1_000, recent=recent)

    assert number in {found for found, _ in fresh.find(db, search, is_of_recent=recent is not None)}
    fresh._cleaning = Seldom(iter([0.0, 1_000.0, *range(1_001, 1_100)]).__next__)  # it took long a moment ago
    with fresh._cleaning.timed():
        pass
    db.execute("DELETE FROM capture WHERE id BETWEEN 40 AND 60")
    db.execute("UPDATE meta SET generation = generation + 1")
    expected = search(row_by_row(db))
    assert fresh.find(db, search, is_of_recent=recent is not None) == expected
    db.set_trace_callback(asked.append)
    assert fresh.find(db, search, is_of_recent=recent is not None) == expected
    assert not any("group_concat(id)" in one for one in asked)  # it was taken out, and is not looked for again
    db.close()


def test_others_deletions_that_do_not_matter_are_left_for_later(path: Path) -> None:
    db, fresh, asked = sqlite3.connect(path, isolation_level=None), FreshNeighbours(), list[str]()
    scheme, simhash = db.execute("SELECT scheme_id, simhash FROM capture WHERE id = 20").fetchone()

    def search(known: Neighbours) -> list[tuple[int, int]]:
        return known.search(scheme, simhash % 2**64, 0, 1)

    expected = fresh.find(db, search)
    fresh._cleaning = Seldom(iter([0.0, 1_000.0, *range(1_001, 1_100)]).__next__)
    with fresh._cleaning.timed():
        pass
    db.execute("DELETE FROM capture WHERE id BETWEEN 40 AND 60")
    db.execute("UPDATE meta SET generation = generation + 1")
    db.set_trace_callback(asked.append)
    assert fresh.find(db, search) == expected
    assert not any("group_concat(id)" in one for one in asked)
    db.close()

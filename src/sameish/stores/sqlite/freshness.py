"""The in-memory index of a file that other processes write too."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

from sameish.index.scanning import Numbers
from sameish.stores.neighbours import EntryArrays, Neighbours, places
from sameish.stores.rows import DamagedRow
from sameish.stores.seldom import Seldom
from sameish.stores.sqlite import numbers
from sameish.stores.sqlite.statements import SQL

Matches: TypeAlias = list[tuple[int, int]]
"""Pairs (id, distance)."""
_BATCH = 50_000  # rows as Python objects at a time, some 20 MB


class FreshNeighbours:
    """Neighbours that follow a file. Schemes are known here by their number.

    Only committed rows of others and of earlier transactions are ever taken in, so nothing has to be taken back. Rows that
    others delete are taken out now and then, as that needs a look at all ids, and before anything depends on it.
    """

    def __init__(self) -> None:
        self._generation: int | None = None
        self._last_id = 0
        self._is_stale = False
        self._neighbours = Neighbours()
        self._cleaning = Seldom()

    def find(
        self, db: sqlite3.Connection, search: Callable[[Neighbours], Matches], *, is_of_recent: bool = False
    ) -> Matches:
        """Return what a search finds in the transaction that `db` is in; to be called before it writes.

        `is_of_recent`: it looks among so many of the most recent, which what is gone must not be.
        """
        found = search(self.follow(db, clean=is_of_recent))
        if self._is_stale and not _are_there(db, found):
            found = search(self.follow(db))
        return found

    def follow(self, db: sqlite3.Connection, *, clean: bool = True) -> Neighbours:
        """Return the neighbours, `clean`: without any that are gone."""
        (generation,) = numbers.sure(db, "generation")
        if self._generation is None:
            self._generation = generation
            (last_id,) = numbers.sure(db, "last_id")
            batches = _read_all(db)
        else:
            if generation != self._generation and (clean or self._cleaning.is_due):
                with self._cleaning.timed():
                    self._neighbours.retain(_ids(db))
                self._generation = generation
            batches, last_id = _read(db.execute(SQL["findable_after"], {"id": self._last_id}))
        self._neighbours.extend_arrays(batches)
        self._last_id = max(self._last_id, last_id)
        self._is_stale = generation != self._generation
        return self._neighbours


def _are_there(db: sqlite3.Connection, found: Matches) -> bool:
    ids = json.dumps([number for number, _ in found])
    (count,) = db.execute(SQL["count_of"], {"ids": ids}).fetchone()
    return bool(count == len(found))


def _ids(db: sqlite3.Connection) -> Numbers:
    return _parsed(of_site for (of_site,) in db.execute(SQL["findable_ids"]))


def _read_all(db: sqlite3.Connection) -> list[EntryArrays]:
    try:
        return list(_read_sites(db.execute(SQL["findable"])))
    except (sqlite3.DataError, DamagedRow):  # some 40 million captures of a site are too much text; or name the damage
        return _read(db.execute(SQL["findable_after"], {"id": 0}))[0]


def _read_sites(rows: Iterable[tuple[Any, ...]]) -> Iterator[EntryArrays]:
    batch, count = [], 0
    for row in rows:
        if row[2]:
            raise DamagedRow(f"captures of {row[0]} are damaged")
        batch.append(row)
        count += row[1]
        if count >= _BATCH:
            yield _of_sites(batch)
            batch, count = [], 0
    if batch:
        yield _of_sites(batch)


def _of_sites(sites: Sequence[tuple[Any, ...]]) -> EntryArrays:
    names, counts, _, *columns = zip(*sites, strict=True)
    schemes, ids, simhashes, pages, at = map(_parsed, columns)
    return EntryArrays(
        names, np.repeat(np.arange(len(names)), counts), schemes, ids, simhashes.view(np.uint64), pages, at
    )


def _parsed(texts: Iterable[str]) -> Numbers:
    """Return the numbers of texts, which are separated by commas."""
    return np.fromstring(",".join(texts), np.int64, sep=",")


def _read(rows: sqlite3.Cursor) -> tuple[list[EntryArrays], int]:
    """Return what can be found of the rows, and the id of the last of all, 0 if there is none."""
    batches, last_id = [], 0
    while batch := rows.fetchmany(_BATCH):
        last_id = batch[-1][0]
        batches.append(_arrays([row for row in batch if row[-1] and row[2] is not None]))
    return batches, last_id


def _arrays(rows: Sequence[tuple[Any, ...]]) -> EntryArrays:
    ids, schemes, simhashes, sites, pages, at, _ = zip(*rows, strict=True) if rows else ((),) * 7
    own = np.array(ids, np.int64)
    return EntryArrays(
        *places(sites),
        _numbers(schemes, own),
        own,
        _numbers(simhashes, own).view(np.uint64),
        _numbers(pages, own),
        _numbers(at, own),
    )


def _numbers(values: Sequence[Any], ids: Numbers) -> Numbers:
    array = np.array(values) if values else np.empty(0, np.int64)
    if array.dtype != np.int64:  # SQLite keeps text in a column of numbers
        wrong = next(place for place, value in enumerate(values) if not isinstance(value, int))
        raise DamagedRow(f"capture {ids[wrong]} is damaged ({values[wrong]!r} is no number)")
    return array

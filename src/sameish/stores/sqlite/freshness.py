"""The in-memory index of a file that other processes write too."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

from sameish.index.hamming_index import to_unsigned
from sameish.stores.neighbours import Entry, Neighbours
from sameish.stores.rows import DamagedRow
from sameish.stores.sqlite.statements import SQL

_BATCH = 50_000  # rows as Python objects at a time, some 20 MB


class FreshNeighbours:
    """Neighbours that follow a file. Schemes are known here by their number.

    Only committed rows of others and of earlier transactions are ever taken in, so nothing has to be taken back.
    """

    def __init__(self) -> None:
        self._generation: int | None = None
        self._last_id = 0
        self._neighbours = Neighbours()

    def follow(self, db: sqlite3.Connection) -> Neighbours:
        """Return the neighbours as of the transaction that `db` is in; to be called before it writes."""
        (generation,) = db.execute(SQL["generation"]).fetchone()
        if generation != self._generation:
            (last_id,) = db.execute(SQL["last_id"]).fetchone()
            self._neighbours = _all_neighbours(db)
            self._generation, self._last_id = generation, last_id
        elif rows := db.execute(SQL["findable_after"], {"id": self._last_id}).fetchall():
            self._neighbours.extend(_entries(rows))
            self._last_id = rows[-1][0]
        return self._neighbours


def _all_neighbours(db: sqlite3.Connection) -> Neighbours:
    neighbours, rows = Neighbours(), db.execute(SQL["findable"])
    while batch := rows.fetchmany(_BATCH):
        neighbours.extend(_entries(batch))
    return neighbours


def _entries(rows: Iterable[Any]) -> Iterator[Entry]:
    number = 0
    try:
        for number, scheme, simhash, site, page, at, good in rows:
            if good and simhash is not None:
                yield Entry(scheme, number, to_unsigned(simhash), site, page, at)
    except TypeError as error:  # SQLite keeps text in a column of numbers
        raise DamagedRow(f"capture {number} is damaged ({error})") from error

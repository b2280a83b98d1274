"""Near look-ups: by SQL, or from an index in memory that follows the database."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

import psycopg

from sameish.index.hamming_index import to_signed, to_unsigned
from sameish.models import Capture
from sameish.stores.neighbours import Entry, Neighbours
from sameish.stores.postgres.probing import probes
from sameish.stores.postgres.statements import SQL
from sameish.stores.rows import DamagedRow, SqlRow, capture_of

CLOSE = 7
"""Up to this distance SQL is asked: it finds 17 values a block in its indexes. Beyond it has to look at nearly all."""
_FEW = 4
"""So many look-ups farther away are left to SQL as well: who asks for little does not read all hashes first."""
_BATCH = 50_000  # rows as Python objects at a time, some 20 MB


@dataclass(frozen=True, slots=True)
class Sought:
    """What is near: the arguments of `Store.near`, and `.own_key`, the digest of the key whose captures are left out."""

    simhash: int
    scheme: str
    within: int
    limit: int
    site: str | None
    since: int
    recent: int | None = None
    own_key: bytes | None = None


class Neighbourhood:
    """Finds near captures; for any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked = 0
        self._generation: int | None = None
        self._last_id = 0
        self._neighbours = Neighbours()

    def find(self, db: psycopg.Connection, sought: Sought) -> list[tuple[Capture, int]]:
        """Return captures without texts and their distances, as `Store.near` orders them."""
        if sought.within <= CLOSE and sought.recent is None:
            return _by_blocks(db, sought)
        with self._lock:
            self._asked += 1
            few = self._asked <= _FEW
        if few or sought.recent is not None:
            return _by_scan(db, sought)
        return self._in_memory(db, sought)

    def _in_memory(self, db: psycopg.Connection, sought: Sought) -> list[tuple[Capture, int]]:
        own = None
        if sought.own_key is not None:
            row = db.execute(SQL["page_id"], {"key": sought.own_key}).fetchone()
            own = None if row is None else int(row[0])
        with self._lock:
            scheme = self._follow(db, sought.scheme)
            found = self._neighbours.search(
                scheme, sought.simhash, sought.within, sought.limit,
                site=sought.site, since=sought.since, other_than=own,
            )  # fmt: skip
        return with_captures(db, found)

    def _follow(self, db: psycopg.Connection, scheme: str) -> int | None:
        """Take in what was committed since; return the number of a scheme. To be called before the transaction writes.

        Ids rise in the order of the commits, so nothing below the last one is still to come.
        """
        row = db.execute(SQL["generation_and_scheme"], {"scheme": scheme}).fetchone()
        if row is None:
            raise DamagedRow("the table meta is damaged (it is empty)")
        generation, number = row
        if generation != self._generation:
            self._neighbours, self._last_id = Neighbours(), 0
            self._generation = generation
        while rows := db.execute(SQL["findable_after"], {"id": self._last_id, "limit": _BATCH}).fetchall():
            self._neighbours.extend(_entry(row) for row in rows if row[2] is not None)
            self._last_id = rows[-1][0]
            if len(rows) < _BATCH:
                break
        return None if number is None else int(number)


def _entry(row: SqlRow) -> Entry:
    number, scheme, simhash, site, page, at = row
    return Entry(scheme, number, to_unsigned(simhash), site, page, at)


def _values(sought: Sought) -> dict[str, object]:
    return {
        "simhash": to_signed(sought.simhash),
        "scheme": sought.scheme,
        "within": sought.within,
        "limit": max(sought.limit, 0),
        "site": sought.site,
        "since": sought.since,
        "key": sought.own_key,
    }


def _by_blocks(db: psycopg.Connection, sought: Sought) -> list[tuple[Capture, int]]:
    blocks = {f"block_{number}": values for number, values in enumerate(probes(sought.simhash, sought.within), 1)}
    return _with_distances(db.execute(SQL["near_by_blocks"], _values(sought) | blocks))


def _by_scan(db: psycopg.Connection, sought: Sought) -> list[tuple[Capture, int]]:
    return _with_distances(db.execute(SQL["near_by_scan"], _values(sought) | {"recent": sought.recent}))


def _with_distances(rows: psycopg.Cursor) -> list[tuple[Capture, int]]:
    return [(capture_of(row[:-1]), int(row[-1])) for row in rows]


def with_captures(db: psycopg.Connection, found: Sequence[tuple[int, int]]) -> list[tuple[Capture, int]]:
    """Return captures without texts for ids, in the order of the (id, distance) pairs, but for those deleted meanwhile."""
    if not found:
        return []
    rows = db.execute(SQL["by_ids"], {"ids": [number for number, _ in found]})
    by_id = {row[0]: capture_of(row) for row in rows}
    return [(by_id[number], distance) for number, distance in found if number in by_id]

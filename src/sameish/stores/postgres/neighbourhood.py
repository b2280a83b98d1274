"""Near look-ups: by SQL, or from an index in memory that follows the database."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import psycopg

from sameish.index.scanning import Numbers
from sameish.index.signed import to_signed
from sameish.models import Capture
from sameish.stores.neighbours import EntryArrays, Neighbours, places
from sameish.stores.postgres.probing import probes
from sameish.stores.postgres.statements import SQL
from sameish.stores.rows import SqlRow, capture_of
from sameish.stores.seldom import Seldom

CLOSE = 8
"""Up to this distance SQL is asked: it looks up at most 188 values in its indexes. Beyond there are soon thousands."""
_FEW = 4
"""So many look-ups farther away are left to SQL as well: who asks for little does not read all hashes first."""
EVER = -(2**63)
_BATCH = 50_000  # rows as Python objects at a time, some 20 MB


@dataclass(frozen=True, slots=True)
class Scope:
    """Among which captures to look, as in `Query`; `.scheme` and `.own_page` by number.

    `.since`: in microseconds. `.own_page`: whose captures are left out, 0: none. `.generation`: of the store now.
    """

    scheme: int
    limit: int
    site: str | None = None
    since: int = EVER
    recent: int | None = None
    own_page: int = 0
    generation: int = 0

    def values(self) -> dict[str, object]:
        """Return what queries ask for."""
        return {
            "scheme_id": self.scheme,
            "limit": max(self.limit, 0),
            "site": self.site,
            "since": self.since,
            "recent": self.recent,
            "page_id": self.own_page,
        }


class Neighbourhood:
    """Finds near captures; for any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked = 0
        self._generation = -1
        self._last_id = 0
        self._neighbours = Neighbours()
        self._cleaning = Seldom()

    def find(self, db: psycopg.Connection, simhash: int, within: int, scope: Scope) -> list[tuple[Capture, int]]:
        """Return captures without texts and their distances, as `Store.near` orders them.

        To be called before the transaction writes.
        """
        if within <= CLOSE and scope.recent is None:
            return _by_blocks(db, simhash, within, scope)
        if scope.recent is not None or self._is_asked_little():
            return _by_scan(db, simhash, within, scope)
        found, is_stale = self._search(db, simhash, within, scope, clean=False)
        captures = _with_captures(db, found)
        if is_stale and len(captures) < len(found):
            captures = _with_captures(db, self._search(db, simhash, within, scope, clean=True)[0])
        return captures

    def _search(
        self, db: psycopg.Connection, simhash: int, within: int, scope: Scope, *, clean: bool
    ) -> tuple[list[tuple[int, int]], bool]:
        """Return pairs (id, distance), and whether some may be gone; `clean`: none is that was when the transaction began."""
        with self._lock:
            self._follow(db, scope.generation, clean=clean)
            found = self._neighbours.search(
                scope.scheme, simhash, within, scope.limit,
                site=scope.site, since=scope.since, other_than=scope.own_page,
            )  # fmt: skip
            return found, scope.generation > self._generation

    def _is_asked_little(self) -> bool:
        with self._lock:
            self._asked += 1
            return self._asked <= _FEW

    def _follow(self, db: psycopg.Connection, generation: int, *, clean: bool) -> None:
        """Take in what was committed since. Ids rise in the order of the commits: nothing below the last is still to come.

        What others deleted is taken out now and then, as that needs a look at all ids, and where it has to be `clean`.
        """
        # an older one was read before another thread was here
        if generation > self._generation and (clean or not self._last_id or self._cleaning.is_due):
            if self._last_id:
                with self._cleaning.timed():
                    self._neighbours.retain(_ids(db))
            self._generation = generation
        while rows := db.execute(SQL["findable_after"], {"id": self._last_id, "limit": _BATCH}).fetchall():
            self._neighbours.extend_arrays([_arrays([row for row in rows if row[2] is not None])])
            self._last_id = rows[-1][0]
            if len(rows) < _BATCH:
                break


def _ids(db: psycopg.Connection) -> Numbers:
    rows = db.execute(SQL["findable_ids"]).fetchall()
    return np.fromstring(rows[0][0], np.int64, sep=",")


def _arrays(rows: Sequence[SqlRow]) -> EntryArrays:
    ids, schemes, simhashes, sites, pages, at = zip(*rows, strict=True) if rows else ((),) * 6
    numbers = (np.array(column, np.int64) for column in (schemes, ids, simhashes, pages, at))
    of_schemes, of_ids, twins, of_pages, times = numbers
    return EntryArrays(*places(sites), of_schemes, of_ids, twins.view(np.uint64), of_pages, times)


def _by_blocks(db: psycopg.Connection, simhash: int, within: int, scope: Scope) -> list[tuple[Capture, int]]:
    blocks = {f"block_{number}": values for number, values in enumerate(probes(simhash, within), 1)}
    values = scope.values() | blocks | {"simhash": to_signed(simhash), "within": within}
    return _with_distances(db.execute(SQL["near_by_blocks"], values))


def _by_scan(db: psycopg.Connection, simhash: int, within: int, scope: Scope) -> list[tuple[Capture, int]]:
    query = SQL["near_by_scan"] if scope.site is None else SQL["near_on_site"]
    return _with_distances(db.execute(query, scope.values() | {"simhash": to_signed(simhash), "within": within}))


def _with_distances(rows: psycopg.Cursor) -> list[tuple[Capture, int]]:
    return [(capture_of(row[:-1]), int(row[-1])) for row in rows]


def _with_captures(db: psycopg.Connection, found: Sequence[tuple[int, int]]) -> list[tuple[Capture, int]]:
    """Return captures without texts for ids, in the order of the (id, distance) pairs, but for those deleted meanwhile."""
    if not found:
        return []
    rows = db.execute(SQL["by_ids"], {"ids": [number for number, _ in found]})
    by_id = {row[0]: capture_of(row) for row in rows}
    return [(by_id[number], distance) for number, distance in found if number in by_id]

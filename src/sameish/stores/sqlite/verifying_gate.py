"""What can be checked of what is kept for the gate, as faults in words."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from operator import index as whole

from sameish.stores.sqlite.file import read_marks
from sameish.stores.sqlite.gate_rows import body_of, dropped_of, entry_of, site_state_of, visit_of
from sameish.stores.sqlite.rows import DamagedRow, SqlRow, reading
from sameish.stores.sqlite.statements import SQL
from sameish.stores.values import from_micros

_DIGEST_BYTES = 16


def faults(db: sqlite3.Connection) -> Iterator[str]:
    """Yield the faults, table by table."""
    revision = read_marks(db).revision
    yield from _each(db, "all_visits", partial(_visit, revision))
    yield from _each(db, "all_site_states", partial(_site_state, revision))
    yield from _each(db, "ledger", _entry)
    yield from _each(db, "all_dropped", _dropped)
    yield from _each(db, "all_leases", _lease)
    yield from _each(db, "all_bodies", partial(_body, revision))
    noted, counted = db.execute(SQL["body_bytes"]).fetchone()[0], db.execute(SQL["counted_body_bytes"]).fetchone()[0]
    if noted != counted:
        yield f"the bodies take {counted} bytes, noted are {noted}"


def _each(db: sqlite3.Connection, query: str, check: Callable[[SqlRow], Iterator[str]]) -> Iterator[str]:
    for row in db.execute(SQL[query]):
        try:
            yield from check(row)
        except DamagedRow as damage:
            yield str(damage)


def _visit(highest: int, row: SqlRow) -> Iterator[str]:
    *columns, revision, lost = row
    visit = visit_of(columns)
    if visit.digest is not None and len(visit.digest) != _DIGEST_BYTES:
        yield f"visit {row[0]}: its digest has {len(visit.digest)} bytes"
    if visit.body_bytes < 0:
        yield f"visit {row[0]}: its body has {visit.body_bytes} bytes"
    if lost:
        yield f"visit {row[0]}: its capture {visit.capture_id} is not there"
    yield from _revision(f"visit {row[0]}", revision, highest)


def _revision(what: str, revision: object, highest: int) -> Iterator[str]:
    if not isinstance(revision, int) or not 0 < revision <= highest:
        yield f"{what}: its revision {revision} is none; the last one is {highest}"


def _site_state(highest: int, row: SqlRow) -> Iterator[str]:
    state = site_state_of(row)
    yield from _revision(f"the state of site {state.site}", state.revision, highest)


def _entry(row: SqlRow) -> Iterator[str]:
    entry_of(row)
    yield from ()


def _dropped(row: SqlRow) -> Iterator[str]:
    dropped_of(row)
    yield from ()


def _lease(row: SqlRow) -> Iterator[str]:
    key_hash, _, until = row
    with reading(f"lease {key_hash}"):
        from_micros(whole(until))
    yield from ()


def _body(highest: int, row: SqlRow) -> Iterator[str]:
    *columns, size_bytes, revision = row
    body = body_of(columns)
    stored = len(row[4]) + len(row[5])
    if stored != size_bytes:
        yield f"the body of {body.url}: it takes {stored} bytes, noted are {size_bytes}"
    yield from _revision(f"the body of {body.url}", revision, highest)

"""Everything about a store that can be checked, as faults in words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import psycopg

from sameish.stores import gate_checks
from sameish.stores.checks import capture_faults, listing, unseen_fault
from sameish.stores.gate_checks import Check, faults_of
from sameish.stores.postgres.connections import read_marks
from sameish.stores.postgres.lookup import digest_of
from sameish.stores.postgres.statements import SQL
from sameish.stores.rows import SqlRow
from sameish.stores.verification import Count, States

_BATCH = 1_000  # rows at a time; those of bodies are large


def faults(db: psycopg.Connection, states: States, count: Count) -> list[str]:
    """Return the faults; what the server itself cannot read ends the search as an error."""
    db.execute(SQL["read_tables_only"])
    found: list[str] = []
    for check in (partial(_captures, count), _twins, partial(_pages, count), partial(_gate, states, count)):
        with listing(found):
            found.extend(check(db))
    return list(dict.fromkeys(found))


def _rows(db: psycopg.Connection, query: bytes) -> Iterator[SqlRow]:
    """Yield rows of which only some are in memory at a time."""
    with db.cursor("checked", withhold=False) as cursor:
        cursor.itersize = _BATCH
        cursor.execute(query)
        yield from cursor


def _captures(count: Count, db: psycopg.Connection) -> Iterator[str]:
    for row in count.of(_rows(db, SQL["all_captures"])):
        for fault in capture_faults(row):
            yield f"capture {row[0]}: {fault}"


def _twins(db: psycopg.Connection) -> Iterator[str]:
    for first, last in db.execute(SQL["duplicates"]):
        yield f"captures {first} and {last}: the same capture twice"


def _pages(count: Count, db: psycopg.Connection) -> Iterator[str]:
    for number, page in db.execute(SQL["orphans"]):
        yield f"capture {number}: its page {page} is not there"
    for key, digest in count.of(_rows(db, SQL["all_pages"])):
        if digest != digest_of(key):
            yield f"page {key}: it stands under the digest of another key"
    for (key,) in db.execute(SQL["empty_pages"]):
        yield f"page {key}: there is no capture of it"
    for key, last_seen, fetched in db.execute(SQL["unseen_pages"]):
        yield unseen_fault(key, last_seen, fetched)


def _gate(states: States, count: Count, db: psycopg.Connection) -> Iterator[str]:
    revision = read_marks(db).revision
    asked: tuple[tuple[bytes, Check], ...] = (
        (SQL["all_visits"], partial(gate_checks.check_visit, states)),
        (SQL["all_site_states"], partial(gate_checks.check_site_state, states)),
        (SQL["ledger"], gate_checks.check_entry),
        (SQL["all_dropped"], gate_checks.check_dropped),
        (SQL["all_leases"], gate_checks.check_lease),
        (SQL["all_bodies"], gate_checks.check_body),
    )
    for query, check in asked:
        yield from faults_of(check, count.of(_rows(db, query)), revision)
    noted, counted = db.execute(SQL["body_bytes"]).fetchone(), db.execute(SQL["counted_body_bytes"]).fetchone()
    yield from gate_checks.check_body_bytes(*(noted or (0,)), *(counted or (0,)))

"""The part of a store in a file that the gate uses."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from datetime import datetime

from sameish.models import Capture, Verdict
from sameish.stores.gate_rows import body_of, dropped_of, entry_of, site_state_of, visit_of, visit_rows_of
from sameish.stores.gate_state import (
    Asked,
    Dropped,
    Entry,
    Known,
    Note,
    SiteState,
    StoredBody,
    Updates,
    Visit,
    VisitRow,
)
from sameish.stores.gate_values import ready, signed
from sameish.stores.rows import storable
from sameish.stores.sqlite import gate_writing, lookup
from sameish.stores.sqlite.file import READ, WRITE, SqliteFile, read_marks
from sameish.stores.sqlite.statements import SQL
from sameish.stores.values import to_micros

_BATCH = 10_000  # rows as Python objects at a time, some 2 MB
_END = 2**63 - 1


class SqliteGate(SqliteFile):
    """A `GateStore` in one file."""

    def note(self, note: Note) -> Updates:
        """Read, let the note say what to write, and write it; see `GateStore.note`."""
        with self._transaction(WRITE) as db:
            return self._noted(db, note, None, None)

    def _noted(self, db: sqlite3.Connection, note: Note, verdict: Verdict | None, capture_id: int | None) -> Updates:
        updates = ready(note.write(verdict, _known(db, note.asked)), capture_id)
        gate_writing.write(db, note.asked.site, updates, self._settings)
        return updates

    def visit_rows(self, after: int) -> tuple[int, Iterator[list[VisitRow]]]:
        """Return the revision now, and the rows of visits written after one; see `GateStore.visit_rows`."""
        with self._transaction(READ) as db:
            revision = read_marks(db).revision
        return revision, self._batches(after, revision)

    def _batches(self, after: int, until: int) -> Iterator[list[VisitRow]]:
        """Walk through the covering index, a transaction a batch; what is written meanwhile lies behind `until`."""
        place = (after, _END, _END, _END, _END)
        while True:
            with self._transaction(READ) as db:
                rows = db.execute(SQL["visit_rows"], (*place, until, _BATCH)).fetchall()
                batch = visit_rows_of(rows)
            if not batch:
                return
            key_hash, class_hash, due_at, body_bytes, revision = rows[-1]
            place = (revision, class_hash, due_at, body_bytes, key_hash)
            yield batch

    def site_states(self, after: int) -> list[SiteState]:
        """Return the states of sites written after a revision."""
        with self._transaction(READ) as db:
            return [site_state_of(row) for row in db.execute(SQL["site_states"], {"after": after})]

    def revision(self) -> int:
        """Return a number that has risen if anything was written for the gate; see `GateStore.revision`."""
        return self._marks_now().revision

    def generation(self) -> int:
        """Return a number that has risen if anything was deleted by `forget`."""
        return self._marks_now().generation

    def visit(self, key_hash: int) -> Visit | None:
        """Return what is known of a key."""
        number = signed(key_hash)
        with self._transaction(READ) as db:
            return _visit(db, number)

    def visits_of(
        self,
        site: str,
        limit: int,
        *,
        after: int = 0,
        text: str | None = None,
        classes: Iterable[int] | None = None,
    ) -> list[Visit]:
        """Return at most so many visits of a site, those written last first; see `GateStore.visits_of`."""
        asked = {
            "site": storable(site),
            "limit": max(limit, 0),
            "after": after,
            "text": None if text is None else storable(text),
            "classes": None if classes is None else json.dumps([signed(one) for one in classes]),
        }
        with self._transaction(READ) as db:
            return [visit_of(row) for row in db.execute(SQL["visits_of"], asked)]

    def capture(self, number: int) -> Capture | None:
        """Return a capture by its id, without texts."""
        with self._transaction(READ) as db:
            return lookup.capture(db, number)

    def ledger(self) -> list[Entry]:
        """Return the sums of the ledger by site and name."""
        with self._transaction(READ) as db:
            return [entry_of(row) for row in db.execute(SQL["ledger"])]

    def dropped(self, *, site: str | None = None, rules: Iterable[str] | None = None) -> list[Dropped]:
        """Return what was dropped, oldest first; see `GateStore.dropped`."""
        asked = {
            "site": None if site is None else storable(site),
            "rules": None if rules is None else json.dumps([storable(rule) for rule in rules]),
        }
        with self._transaction(READ) as db:
            return [dropped_of(row) for row in db.execute(SQL["dropped"], asked)]

    def stored_body(self, key_hash: int) -> StoredBody | None:
        """Return the body kept for a key, None without one."""
        number = signed(key_hash)
        with self._transaction(READ) as db:
            row = db.execute(SQL["stored_body"], {"key_hash": number}).fetchone()
            return None if row is None else body_of(row)

    def lease(self, key_hash: int, owner: str, now: datetime, until: datetime) -> bool:
        """Take, or prolong, the lease of a key for an owner; see `GateStore.lease`."""
        number, begins, ends = signed(key_hash), to_micros(now), to_micros(until)
        with self._transaction(WRITE) as db:
            return gate_writing.take_lease(db, number, owner, begins, ends)

    def release(self, key_hash: int, owner: str) -> None:
        """Give a lease back; one that is another's, or nobody's, is left alone."""
        held = {"key_hash": signed(key_hash), "owner": storable(owner)}
        with self._transaction(WRITE) as db:
            db.execute(SQL["release_lease"], held)


def _known(db: sqlite3.Connection, asked: Asked) -> Known:
    row = db.execute(SQL["site_state"], {"site": storable(asked.site)}).fetchone()
    found = {number: _visit(db, signed(number)) for number in asked.key_hashes}
    visits = {number: visit for number, visit in found.items() if visit is not None}
    return Known(None if row is None else site_state_of(row), visits)


def _visit(db: sqlite3.Connection, number: int) -> Visit | None:
    row = db.execute(SQL["visit"], {"key_hash": number}).fetchone()
    return None if row is None else visit_of(row)

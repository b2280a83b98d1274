"""The part of a store in a database that the gate uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

import psycopg

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
from sameish.stores.postgres import gate_writing, lookup
from sameish.stores.postgres.connections import WRITE, PostgresConnections
from sameish.stores.postgres.locks import WRITING
from sameish.stores.postgres.statements import SQL
from sameish.stores.values import to_micros

_BATCH = 10_000  # rows as Python objects at a time, some 2 MB
_END = 2**63 - 1


class PostgresGate(PostgresConnections):
    """A `GateStore` in a database."""

    def note(self, note: Note) -> Updates:
        """Read, let the note say what to write, and write it; see `GateStore.note`."""
        with self._transaction(WRITE) as db:
            db.execute(WRITING)
            return self._noted(db, note)

    def _noted(self, db: psycopg.Connection, note: Note) -> Updates:
        return self._write(db, note.asked.site, note.write(None, _known(db, note.asked)), None)

    def _told(self, db: psycopg.Connection, note: Note | None, verdict: Verdict) -> Updates:
        """Let a note say what to write with the capture that was judged."""
        return Updates() if note is None else note.write(verdict, _known(db, note.asked))

    def _write(self, db: psycopg.Connection, site: str, updates: Updates, capture_id: int | None) -> Updates:
        """Write what a note has said, and return it as it was written."""
        written = ready(updates, capture_id)
        gate_writing.write(db, site, written, self._settings)
        return written

    def visit_rows(self, after: int) -> tuple[int, Iterator[list[VisitRow]]]:
        """Return the revision now, and the rows of visits written after one; see `GateStore.visit_rows`."""
        revision = self._marks_now().revision
        return revision, self._batches(after, revision)

    def _batches(self, after: int, until: int) -> Iterator[list[VisitRow]]:
        """Walk through the covering index, a transaction a batch; what is written meanwhile lies behind `until`.

        Revisions rise in the order of the commits, so nothing up to `until` is still to come.
        """
        names = ("key_hash", "class_hash", "due_at", "body_bytes", "revision")
        place = dict.fromkeys(names, _END) | {"revision": after}
        while True:
            with self._reading() as db:
                rows = db.execute(SQL["visit_rows"], place | {"until": until, "limit": _BATCH}).fetchall()
                batch = visit_rows_of(rows)
            if not batch:
                return
            place = dict(zip(names, rows[-1], strict=True))
            yield batch

    def site_states(self, after: int) -> list[SiteState]:
        """Return the states of sites written after a revision."""
        with self._reading() as db:
            return [site_state_of(row) for row in db.execute(SQL["site_states"], {"after": after})]

    def revision(self) -> int:
        """Return a number that has risen if anything was written for the gate; see `GateStore.revision`.

        It takes one question to the server.
        """
        return self._marks_now().revision

    def generation(self) -> int:
        """Return a number that has risen if anything was deleted by `forget`."""
        return self._marks_now().generation

    def visit(self, key_hash: int) -> Visit | None:
        """Return what is known of a key."""
        asked = {"key_hashes": [signed(key_hash)]}
        with self._reading() as db:
            row = db.execute(SQL["visits"], asked).fetchone()
            return None if row is None else visit_of(row)

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
            "site": site,
            "limit": max(limit, 0),
            "after": after,
            "text": text,
            "classes": None if classes is None else [signed(one) for one in classes],
        }
        with self._reading() as db:
            return [visit_of(row) for row in db.execute(SQL["visits_of"], asked)]

    def capture(self, number: int) -> Capture | None:
        """Return a capture by its id, without texts."""
        with self._reading() as db:
            return lookup.capture(db, number)

    def ledger(self) -> list[Entry]:
        """Return the sums of the ledger by site and name."""
        with self._reading() as db:
            return [entry_of(row) for row in db.execute(SQL["ledger"])]

    def dropped(self, *, site: str | None = None, rules: Iterable[str] | None = None) -> list[Dropped]:
        """Return what was dropped, oldest first; see `GateStore.dropped`."""
        asked = {"site": site, "rules": None if rules is None else list(rules)}
        with self._reading() as db:
            return [dropped_of(row) for row in db.execute(SQL["dropped"], asked)]

    def stored_body(self, key_hash: int) -> StoredBody | None:
        """Return the body kept for a key, None without one."""
        asked = {"key_hash": signed(key_hash)}
        with self._reading() as db:
            row = db.execute(SQL["stored_body"], asked).fetchone()
            return None if row is None else body_of(row)

    def lease(self, key_hash: int, owner: str, now: datetime, until: datetime) -> bool:
        """Take, or prolong, the lease of a key for an owner; see `GateStore.lease`."""
        lease = {"key_hash": signed(key_hash), "owner": owner, "now": to_micros(now), "until": to_micros(until)}
        with self._transaction(WRITE) as db:
            db.execute(SQL["drop_old_leases"], {"now": lease["now"]})
            return db.execute(SQL["take_lease"], lease).rowcount == 1

    def release(self, key_hash: int, owner: str) -> None:
        """Give a lease back; one that is another's, or nobody's, is left alone."""
        held = {"key_hash": signed(key_hash), "owner": owner}
        with self._transaction(WRITE) as db:
            db.execute(SQL["release_lease"], held)


def _known(db: psycopg.Connection, asked: Asked) -> Known:
    numbers = [signed(number) for number in asked.key_hashes]
    row = db.execute(SQL["site_state"], {"site_digest": lookup.digest_of(asked.site)}).fetchone()
    found = [visit_of(one) for one in db.execute(SQL["visits"], {"key_hashes": numbers})] if numbers else []
    return Known(None if row is None else site_state_of(row), {visit.key_hash: visit for visit in found})

"""The store itself: what is done in each transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from operator import attrgetter
from types import TracebackType
from typing import Self

import psycopg

from sameish.models import Capture, Verdict
from sameish.settings import StoreSection
from sameish.stores import expiry
from sameish.stores.base import Candidates, Expired, Judge, Query, Seen, Sighting, SiteCount, StoreInfo, StoreTotals
from sameish.stores.expiry import Told
from sameish.stores.gate_state import Note
from sameish.stores.postgres import bulk, expiring, lookup, summary, verifying, writing
from sameish.stores.postgres.connections import READ_ALIKE, WRITE
from sameish.stores.postgres.gate import PostgresGate
from sameish.stores.postgres.locks import WRITING, locks_of
from sameish.stores.postgres.neighbourhood import EVER, Neighbourhood, Scope
from sameish.stores.postgres.statements import SQL
from sameish.stores.rows import onward, pack_texts, row_of_sighting, seen_of_row, sighting_of_row
from sameish.stores.values import check_storable, to_micros
from sameish.stores.verification import ANY_STATES, Checked, Count, States


class PostgresStore(PostgresGate):
    """A `Store` in a PostgreSQL database, in the schema `sameish`. Threads share the object; every process opens its own.

    Args:
        target: address of the database, such as `postgresql://user@host/database`.
        scheme: that will be asked for; None where nothing is compared, only looked at or deleted.
        settings: what is kept.
        timeout_s: how long to wait for others who write, and how long one who stands still may keep others waiting.
        create: make a store where there is none.

    Raises:
        StoreUnavailable: the database cannot be reached, read or written now.
        SchemaOutdated: the store was written by another version.
        SchemeMismatch: it holds other schemes only, and `settings.several_schemes` is off.
        StoreError: it is something else, or damaged.
    """

    def __init__(
        self,
        target: str,
        *,
        scheme: str | None = None,
        settings: StoreSection | None = None,
        timeout_s: float = 30.0,
        create: bool = True,
    ) -> None:
        super().__init__(target, scheme, settings or StoreSection(), timeout_s, create=create)
        self._neighbourhood = Neighbourhood()

    def candidates(self, query: Query) -> Candidates:
        """Return what a query finds; writes nothing."""
        with self._reading() as db:
            return lookup.candidates(db, self._neighbourhood, query)

    def observe(self, capture: Capture, query: Query, judge: Judge, note: Note | None = None) -> Verdict:
        """Look up, judge and remember as one atomic step; see `Store.observe`."""
        check_storable(capture)
        texts = pack_texts(capture, self._settings)  # before the locks: it takes as long as all the rest
        with self._transaction(WRITE, locks_of(query)) as db:
            verdict = judge(lookup.candidates(db, self._neighbourhood, query))
            db.execute(WRITING)
            known = lookup.numbers(db, lookup.digest_of(capture.key), capture.fingerprint.scheme)
            scheme = self._scheme_id(db, capture.fingerprint.scheme, known.scheme)
            updates = self._told(db, note, verdict)  # before an id is used up: it may raise
            number = writing.remember(db, capture, verdict, texts, known.page, scheme)
            if note is not None:
                self._write(db, note.asked.site, updates, number)
        return verdict

    def add_many(self, captures: Sequence[Capture]) -> list[int]:
        """Store captures that were judged before, as one atomic step; see `Store.add_many`."""
        rows = [bulk.row_to_add(one, pack_texts(one, self._settings)) for one in captures]
        with self._transaction(WRITE) as db:
            db.execute(WRITING)
            names = dict.fromkeys(one.fingerprint.scheme for one in captures)
            schemes = {name: self._scheme_id(db, name, lookup.numbers(db, None, name).scheme) for name in names}
            return bulk.add(db, rows, schemes)

    def _scheme_id(self, db: psycopg.Connection, name: str, number: int | None) -> int:
        return writing.scheme_id(db, name, number, self._settings, self._address.shown)

    def not_modified(
        self, key: str, at: datetime, etag: str | None, last_modified: str | None, note: Note | None = None
    ) -> None:
        """Note a 304; see `Store.not_modified`."""
        micros = to_micros(at)
        with self._transaction(WRITE) as db:
            db.execute(WRITING)
            writing.not_modified(db, key, micros, etag, last_modified)
            if note is not None:
                self._noted(db, note)

    def seen(self, key: str) -> Seen | None:
        """Return what is known of a key, None if it never answered well."""
        with self._reading() as db:
            row = db.execute(SQL["seen"], {"key": lookup.digest_of(key)}).fetchone()
            return None if row is None else seen_of_row(row)

    def last_good(self, key: str) -> Capture | None:
        """Return the latest good capture of a key with its Markdown and sentences, as far as they are kept."""
        with self._reading() as db:
            return lookup.last_good(db, key)

    def captures_after(self, number: int, *, scheme: str, limit: int) -> list[Capture]:
        """Return good captures of a scheme in the order of their ids; see `Store.captures_after`."""
        with self._reading() as db:
            return lookup.captures_after(db, number, scheme, limit)

    def walk_captures(self, number: int, *, limit: int) -> list[Capture]:
        """Return captures of any state and scheme with their texts, lowest id first; see `Store.walk_captures`."""
        with self._reading() as db:
            return lookup.captures_above(db, number, limit)

    def walk_sightings(self, number: int, *, limit: int) -> list[Sighting]:
        """Return what is seen of keys whose number is above another; see `Store.walk_sightings`."""
        with self._reading() as db:
            rows = db.execute(SQL["sightings_above"], {"id": number, "limit": max(limit, 0)})
            return onward([sighting_of_row(row) for row in rows], number, attrgetter("number"))

    def take_sightings(self, sightings: Sequence[Sighting]) -> None:
        """Take over what another store saw of keys; see `Store.take_sightings`."""
        rows = [{**row_of_sighting(one), "key": lookup.digest_of(one.seen.key)} for one in sightings]
        with self._transaction(WRITE) as db:
            db.execute(WRITING)
            for row in rows:
                db.execute(SQL["take_sighting"], row)

    def near(
        self,
        simhash: int,
        *,
        scheme: str,
        within: int,
        limit: int,
        site: str | None = None,
        since: datetime | None = None,
    ) -> list[tuple[Capture, int]]:
        """Return good captures and their Hamming distances, nearest first; see `Store.near`."""
        scope = Scope(0, limit, site, EVER if since is None else to_micros(since))
        with self._reading() as db:
            return lookup.near(db, self._neighbourhood, simhash, scheme, within, scope)

    def forget(self, *, key: str | None = None, site: str | None = None, before: datetime | None = None) -> int:
        """Delete captures that match *all* given conditions; see `Store.forget`."""
        if key is None and site is None and before is None:
            raise ValueError("forget needs a key, a site or a time; nothing was deleted")
        micros = None if before is None else to_micros(before)
        with self._transaction(WRITE) as db:
            db.execute(WRITING)
            return writing.forget(db, key, site, micros)

    def expire(
        self, *, before: datetime | None = None, site_budget: int | None = None, told: Told | None = None
    ) -> Expired:
        """Delete captures for their age and over the budget of their site; see `Store.expire`."""
        micros = expiry.checked(before, site_budget)
        work = expiring.Batches(self._reading, partial(self._transaction, WRITE))
        done = expiry.run(expiry.sweeps(work, self.sites, micros, site_budget), told)
        if done.captures:
            with self._transaction(WRITE) as db:
                db.execute(WRITING)
                db.execute(SQL["forget_schemes"])
        return done

    def totals(self, site: str | None = None) -> StoreTotals:
        """Return sums over the store, or over the captures of a site."""
        with self._transaction(READ_ALIKE) as db:
            return summary.totals(db) if site is None else summary.totals_of(db, site)

    def sites(self) -> list[SiteCount]:
        """Return how much there is of each site that has captures, by name."""
        with self._reading() as db:
            return summary.sites(db)

    def info(self) -> StoreInfo:
        """Return what the store is; the size is that of its tables and their indexes."""
        with self._transaction(READ_ALIKE) as db:
            return summary.info(db, self._address.shown)

    def verify(self, *, states: States = ANY_STATES, told: Checked | None = None) -> list[str]:
        """Check everything that can be checked; see `Store.verify`."""
        with self._transaction(READ_ALIKE) as db:
            return verifying.faults(db, states, Count(told))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

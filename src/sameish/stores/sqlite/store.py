"""The store itself: what is done in each transaction."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from operator import attrgetter
from types import TracebackType
from typing import Self

from sameish.errors import StoreError
from sameish.models import Capture, Verdict
from sameish.settings import StoreSection
from sameish.stores import expiry
from sameish.stores.base import Candidates, Expired, Judge, Query, Seen, Sighting, SiteCount, StoreInfo, StoreTotals
from sameish.stores.expiry import Told
from sameish.stores.gate_state import Note
from sameish.stores.neighbours import Neighbours
from sameish.stores.rows import onward, pack_texts, row_of_sighting, seen_of_row, sighting_of_row, storable
from sameish.stores.sqlite import expiring, lookup, summary, verifying, writing
from sameish.stores.sqlite.file import READ, WRITE
from sameish.stores.sqlite.freshness import FreshNeighbours
from sameish.stores.sqlite.gate import SqliteGate
from sameish.stores.sqlite.opening import scheme_names
from sameish.stores.sqlite.statements import SQL
from sameish.stores.values import check_storable, judged_before, refuse_strange_scheme, to_micros
from sameish.stores.verification import ANY_STATES, Checked, Count, States


class SqliteStore(SqliteGate):
    """A `Store` in one file. Threads share the object; every process opens the file for itself.

    Args:
        path: of the file; made if it does not exist or is empty. Its folder must exist.
        scheme: that will be asked for; None where nothing is compared, only looked at or deleted.
        settings: what is kept.
        timeout_s: how long to wait for others who write.

    Raises:
        StoreUnavailable: the file cannot be reached, read or written now.
        SchemaOutdated: it was written by another version.
        SchemeMismatch: it holds other schemes only, and `settings.several_schemes` is off.
        StoreError: it is something else, or damaged.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        scheme: str | None = None,
        settings: StoreSection | None = None,
        timeout_s: float = 30.0,
    ) -> None:
        super().__init__(path, scheme, settings or StoreSection(), timeout_s)
        self._fresh = FreshNeighbours()

    def candidates(self, query: Query) -> Candidates:
        """Return what a query finds; writes nothing."""
        with self._transaction(READ) as db:
            return lookup.candidates(db, self._fresh, query)

    def observe(self, capture: Capture, query: Query, judge: Judge, note: Note | None = None) -> Verdict:
        """Look up, judge and remember as one atomic step; see `Store.observe`."""
        check_storable(capture)
        texts = pack_texts(capture, self._settings)  # before the lock: it takes as long as all the rest
        with self._transaction(WRITE) as db:
            found = lookup.candidates(db, self._fresh, query)
            verdict = judge(found)
            scheme = self._scheme_id(db, capture.fingerprint.scheme)
            number = writing.remember(db, capture, verdict, texts, scheme)
            if note is not None:
                self._noted(db, note, verdict, number)
        return verdict

    def add_many(self, captures: Sequence[Capture]) -> list[int]:
        """Store captures that were judged before, as one atomic step; see `Store.add_many`."""
        packed = [(one, judged_before(one), pack_texts(one, self._settings)) for one in captures]
        with self._transaction(WRITE) as db:
            schemes = {one.fingerprint.scheme: self._scheme_id(db, one.fingerprint.scheme) for one in captures}
            return [
                writing.remember(db, one, verdict, texts, schemes[one.fingerprint.scheme])
                for one, verdict, texts in packed
            ]

    def _scheme_id(self, db: sqlite3.Connection, scheme: str) -> int:
        known = lookup.scheme_id(db, scheme)
        if known is not None:
            return known
        held = scheme_names(db)
        refuse_strange_scheme(scheme, held, self._settings, str(self._path))
        return writing.insert_scheme(db, scheme)

    def not_modified(
        self, key: str, at: datetime, etag: str | None, last_modified: str | None, note: Note | None = None
    ) -> None:
        """Note a 304; see `Store.not_modified`."""
        micros = to_micros(at)
        with self._transaction(WRITE) as db:
            writing.not_modified(db, key, micros, etag, last_modified)
            if note is not None:
                self._noted(db, note, None, None)

    def seen(self, key: str) -> Seen | None:
        """Return what is known of a key, None if it never answered well."""
        with self._transaction(READ) as db:
            row = db.execute(SQL["seen"], {"key": storable(key)}).fetchone()
            return None if row is None else seen_of_row(row)

    def last_good(self, key: str) -> Capture | None:
        """Return the latest good capture of a key with its Markdown and sentences, as far as they are kept."""
        with self._transaction(READ) as db:
            return lookup.last_good(db, key)

    def captures_after(self, number: int, *, scheme: str, limit: int) -> list[Capture]:
        """Return good captures of a scheme in the order of their ids; see `Store.captures_after`."""
        with self._transaction(READ) as db:
            return lookup.captures_after(db, number, scheme, limit)

    def walk_captures(self, number: int, *, limit: int) -> list[Capture]:
        """Return captures of any state and scheme with their texts, lowest id first; see `Store.walk_captures`."""
        with self._transaction(READ) as db:
            return lookup.captures_above(db, number, limit)

    def walk_sightings(self, number: int, *, limit: int) -> list[Sighting]:
        """Return what is seen of keys whose number is above another; see `Store.walk_sightings`."""
        with self._transaction(READ) as db:
            rows = db.execute(SQL["sightings_above"], {"id": number, "limit": max(limit, 0)})
            return onward([sighting_of_row(row) for row in rows], number, attrgetter("number"))

    def take_sightings(self, sightings: Sequence[Sighting]) -> None:
        """Take over what another store saw of keys; see `Store.take_sightings`."""
        rows = [row_of_sighting(one) for one in sightings]
        with self._transaction(WRITE) as db:
            db.executemany(SQL["take_sighting"], rows)

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
        after, where = None if since is None else to_micros(since), None if site is None else storable(site)
        with self._transaction(READ) as db:
            number = lookup.scheme_id(db, scheme)
            search = partial(
                Neighbours.search, scheme=number, simhash=simhash, within=within, limit=limit, site=where, since=after
            )
            found = self._fresh.find(db, search)
            return lookup.with_captures(db, found)

    def forget(self, *, key: str | None = None, site: str | None = None, before: datetime | None = None) -> int:
        """Delete captures that match *all* given conditions; see `Store.forget`."""
        if key is None and site is None and before is None:
            raise ValueError("forget needs a key, a site or a time; nothing was deleted")
        micros = None if before is None else to_micros(before)
        with self._transaction(WRITE) as db:
            deleted, changed = writing.forget(db, key, site, micros)
        if changed:
            self._empty_log()
        return deleted

    def expire(
        self, *, before: datetime | None = None, site_budget: int | None = None, told: Told | None = None
    ) -> Expired:
        """Delete captures for their age and over the budget of their site; see `Store.expire`."""
        micros = expiry.checked(before, site_budget)
        work = expiring.Batches(self._transaction)
        done = expiry.run(expiry.sweeps(work, self.sites, micros, site_budget), told)
        if done.captures:
            with self._transaction(WRITE) as db:
                db.execute(SQL["forget_schemes"])
        if done.rows:
            self._empty_log()
        return done

    def totals(self, site: str | None = None) -> StoreTotals:
        """Return sums over the store, or over the captures of a site."""
        with self._transaction(READ) as db:
            return summary.totals(db) if site is None else summary.totals_of(db, storable(site))

    def sites(self) -> list[SiteCount]:
        """Return how much there is of each site that has captures, by name."""
        with self._transaction(READ) as db:
            return summary.sites(db)

    def info(self) -> StoreInfo:
        """Return what the store is; the size is that of the file and its log."""
        with self._transaction(READ) as db:
            return summary.info(db, self._path)

    def verify(self, *, states: States = ANY_STATES, told: Checked | None = None) -> list[str]:
        """Check everything that can be checked; see `Store.verify`."""
        found: list[str] = []
        try:
            with self._transaction(READ) as db:
                found += verifying.faults(db, states, Count(told))
        except StoreError:
            if not found:  # else only the end of the transaction met the damage that is listed
                raise
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

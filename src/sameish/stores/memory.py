"""A store that lives as long as the program: for tests, for trying out, and for one crawl in one process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from types import TracebackType
from typing import Self

from sameish.errors import ReadingError
from sameish.models import Capture, Fingerprint, Verdict
from sameish.settings import StoreSection
from sameish.stores import expiry, memory_expiry
from sameish.stores.base import Candidates, Expired, Judge, Query, Seen, Sighting, SiteCount, StoreInfo, StoreTotals
from sameish.stores.expiry import Told
from sameish.stores.gate_state import Note, hash_key
from sameish.stores.memory_gate import MemoryGate
from sameish.stores.memory_gate_tables import Forgotten, GateTables
from sameish.stores.memory_tables import Tables, identity
from sameish.stores.values import (
    as_kept,
    check_storable,
    is_good,
    judged_before,
    refuse_strange_scheme,
    seen_again,
    to_micros,
)
from sameish.stores.verification import ANY_STATES, Checked, Count, States

SCHEMA_VERSION = 2
_TARGET = ":memory:"


class MemoryStore(MemoryGate):
    """A `Store` in memory; one lock, so any number of threads may use it.

    Args:
        settings: what is kept.
    """

    def __init__(self, *, settings: StoreSection | None = None) -> None:
        super().__init__(settings or StoreSection(), _TARGET)
        self._tables = Tables()
        self._next_id = 1

    def candidates(self, query: Query) -> Candidates:
        """Return what a query finds; writes nothing."""
        with self._guard:
            return self._tables.candidates(query)

    def observe(self, capture: Capture, query: Query, judge: Judge, note: Note | None = None) -> Verdict:
        """Look up, judge and remember as one atomic step; see `Store.observe`."""
        check_storable(capture)
        with self._guard:
            verdict = judge(self._tables.candidates(query))
            stored = self._tables.ids.get(identity(capture))
            kept = self._kept(capture, verdict) if stored is None else None
            write = None if note is None else self._noted(note, verdict, stored or self._next_id)[1]
            # what can fail is done: from here on all is written
            if kept is not None:
                self._tables.add(kept, self._next_id)
                self._next_id += 1
            if write is not None:
                write()
            return verdict

    def add_many(self, captures: Sequence[Capture]) -> list[int]:
        """Store captures that were judged before, as one atomic step; see `Store.add_many`."""
        verdicts = [judged_before(capture) for capture in captures]
        with self._guard:
            held = sorted(self._tables.schemes)
            for scheme in dict.fromkeys(capture.fingerprint.scheme for capture in captures):
                refuse_strange_scheme(scheme, tuple(held), self._settings, _TARGET)
                held.append(scheme)
            return [self._add(capture, verdict) for capture, verdict in zip(captures, verdicts, strict=True)]

    def _add(self, capture: Capture, verdict: Verdict) -> int:
        stored = self._tables.ids.get(identity(capture))
        if stored is not None:
            return stored
        self._tables.add(as_kept(capture, verdict, self._settings), self._next_id)
        self._next_id += 1
        return self._next_id - 1

    def _kept(self, capture: Capture, verdict: Verdict) -> Capture:
        held = tuple(sorted(self._tables.schemes))
        refuse_strange_scheme(capture.fingerprint.scheme, held, self._settings, _TARGET)
        return as_kept(capture, verdict, self._settings)

    def not_modified(
        self, key: str, at: datetime, etag: str | None, last_modified: str | None, note: Note | None = None
    ) -> None:
        """Note a 304; see `Store.not_modified`."""
        to_micros(at)
        with self._guard:
            if note is not None:
                self._noted(note, None, None)[1]()
            page = self._tables.pages.get(key)
            if page is not None and page.seen is not None:
                page.see(seen_again(page.seen, at, etag, last_modified))
                page.not_modified += 1

    def seen(self, key: str) -> Seen | None:
        """Return what is known of a key, None if it never answered well."""
        with self._guard:
            page = self._tables.pages.get(key)
            return None if page is None else page.seen

    def last_good(self, key: str) -> Capture | None:
        """Return the latest good capture of a key with its Markdown and sentences, as far as they are kept."""
        with self._guard:
            page = self._tables.pages.get(key)
            latest = None if page is None else page.latest()
            return None if latest is None else self._tables.with_texts(latest)

    def capture(self, number: int) -> Capture | None:
        """Return a capture by its id, without texts."""
        with self._guard:
            return self._tables.captures.get(number)

    def captures_after(self, number: int, *, scheme: str, limit: int) -> list[Capture]:
        """Return good captures of a scheme in the order of their ids; see `Store.captures_after`."""
        with self._guard:
            known = self._tables.captures
            wanted = (
                capture
                for at in sorted(known)
                if at > number and is_good(capture := known[at]) and capture.fingerprint.scheme == scheme
            )
            return list(islice(wanted, max(limit, 0)))

    def walk_captures(self, number: int, *, limit: int) -> list[Capture]:
        """Return captures of any state and scheme with their texts, lowest id first; see `Store.walk_captures`."""
        with self._guard:
            above = (one for one in self._tables.captures if one > number)
            return [self._tables.with_texts(one) for one in islice(above, max(limit, 0))]

    def walk_sightings(self, number: int, *, limit: int) -> list[Sighting]:
        """Return what is seen of keys whose number is above another; see `Store.walk_sightings`."""
        with self._guard:
            pages = [page for page in self._tables.pages.values() if page.seen is not None and page.number + 1 > number]
        found = sorted(pages, key=lambda page: page.number)[: max(limit, 0)]
        return [Sighting(page.number + 1, page.seen, page.not_modified) for page in found if page.seen is not None]

    def take_sightings(self, sightings: Sequence[Sighting]) -> None:
        """Take over what another store saw of keys; see `Store.take_sightings`."""
        for one in sightings:
            to_micros(one.seen.last_seen)
        with self._guard:
            for one in sightings:
                page = self._tables.pages.get(one.seen.key)
                if page is not None and page.seen is not None:
                    page.see(one.seen)
                    page.not_modified = max(page.not_modified, one.not_modified)

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
        after = None if since is None else to_micros(since)
        with self._guard:
            tables = self._tables
            found = tables.neighbours.search(scheme, simhash, within, limit, site=site, since=after)
            return [(tables.captures[number], distance) for number, distance in found]

    def forget(self, *, key: str | None = None, site: str | None = None, before: datetime | None = None) -> int:
        """Delete captures that match *all* given conditions; see `Store.forget`."""
        if key is None and site is None and before is None:
            raise ValueError("forget needs a key, a site or a time; nothing was deleted")
        if before is not None:
            to_micros(before)
        with self._guard:
            old = self._tables

            def doomed(capture: Capture) -> bool:
                return (
                    (key is None or capture.key == key)
                    and (site is None or capture.site == site)
                    and (before is None or capture.fetched_at < before)
                )

            self._tables = old.without(doomed)
            deleted = len(old.captures) - len(self._tables.captures)
            emptied = frozenset(hash_key(page) for page in old.pages if page not in self._tables.pages)
            self._gate.forget(Forgotten(key, site, before, emptied), self._tables.captures, deleted=deleted > 0)
            return deleted

    def expire(
        self, *, before: datetime | None = None, site_budget: int | None = None, told: Told | None = None
    ) -> Expired:
        """Delete captures for their age and over the budget of their site, at once; see `Store.expire`."""
        micros = expiry.checked(before, site_budget)
        with self._guard:
            done = self._expire(micros, site_budget)
        if done.rows and told is not None:
            told(done)
        return done

    def _expire(self, before: int | None, site_budget: int | None) -> Expired:
        old = self._tables
        aged = frozenset(() if before is None else memory_expiry.aged(old, before))
        surplus = memory_expiry.surplus(old, site_budget, aged)
        if aged or surplus:
            self._tables = old.without(lambda capture: capture.id in aged or capture.id in surplus)
        emptied = frozenset(hash_key(page) for page in old.pages if page not in self._tables.pages)
        visits, dropped = self._gate.expire(emptied, before, self._tables.captures, deleted=bool(aged or surplus))
        return Expired(len(aged), len(surplus), len(emptied), visits, dropped)

    def totals(self, site: str | None = None) -> StoreTotals:
        """Return sums over the store, or over the captures of a site."""
        with self._guard:
            return self._tables.totals(site)

    def sites(self) -> list[SiteCount]:
        """Return how much there is of each site that has captures, by name."""
        with self._guard:
            return self._tables.sites()

    def info(self) -> StoreInfo:
        """Return what the store is; the size is that of fingerprints, texts and bodies."""
        with self._guard:
            tables = self._tables
            times = [capture.fetched_at for capture in tables.captures.values()]
            return StoreInfo(
                kind="memory",
                target=_TARGET,
                schema_version=SCHEMA_VERSION,
                schemes=dict(tables.schemes),
                captures=len(times),
                size_bytes=tables.size_bytes() + self._gate.body_bytes,
                first_fetched=min(times, default=None),
                last_fetched=max(times, default=None),
            )

    def verify(self, *, states: States = ANY_STATES, told: Checked | None = None) -> list[str]:
        """Check that every fingerprint survives being written, and what is kept for the gate; see `Store.verify`."""
        with self._guard:
            captures, count = self._tables.captures, Count(told)
            return [*_faults(count.of(captures.values())), *self._gate.faults(captures, states, count)]

    def close(self) -> None:
        """Let everything go; a closed store refuses further calls, but for `close`."""
        self._guard.shut(self._let_go)

    def _let_go(self) -> None:
        self._tables = Tables()
        self._gate = GateTables()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _faults(captures: Iterable[Capture]) -> Iterator[str]:
    for capture in captures:
        try:
            same = Fingerprint.from_bytes(capture.fingerprint.to_bytes()) == capture.fingerprint
        except (ReadingError, ValueError) as error:
            yield f"capture {capture.id}: {error}"
        else:
            if not same:
                yield f"capture {capture.id}: its fingerprint changes when it is written"

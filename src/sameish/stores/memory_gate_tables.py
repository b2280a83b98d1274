"""What a `MemoryStore` holds for the gate."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice, takewhile
from typing import NamedTuple

from sameish.settings import StoreSection
from sameish.stores.gate_state import Asked, Dropped, Entry, Known, SiteState, StoredBody, Updates, Visit, hash_key
from sameish.stores.gate_values import PackedBody, is_empty, pack_body, signed, unpack_frame, unpack_headers
from sameish.stores.values import to_micros
from sameish.stores.verification import Count, States, state_faults


class KeptBody(NamedTuple):
    """A body: what is said of it, and itself packed."""

    about: StoredBody
    packed: PackedBody

    def unpacked(self) -> StoredBody:
        """Return it as it was handed over."""
        return replace(self.about, body=unpack_frame(self.packed.frame), headers=unpack_headers(self.packed.headers))


class Forgotten(NamedTuple):
    """What to forget: the conditions of `Store.forget`, and the hashes of keys that lost their last capture by it."""

    key: str | None
    site: str | None
    before: datetime | None
    emptied: frozenset[int]

    def takes(self, key_hash: int, site: str, at: datetime | None = None) -> bool:
        """Return whether something goes that has a time, or has none and so goes without a condition on time only."""
        if key_hash in self.emptied:
            return True
        return (
            (self.key is None or hash_key(self.key) == key_hash)
            and (self.site is None or self.site == site)
            and (self.before is None or (at is not None and at < self.before))
        )


def _is_idle(visit: Visit, captures: Container[int], before: int) -> bool:
    return (visit.capture_id is None or visit.capture_id not in captures) and to_micros(visit.due_at) < before


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@dataclass(slots=True)
class GateTables:
    """The tables for the gate; whoever uses them holds the lock of the store.

    `.visits` and `.written`, the revision of each, have the order of writing; so has `.by_site` for each site, and `.bodies`.
    """

    revision: int = 0
    generation: int = 0
    visits: dict[int, Visit] = field(default_factory=dict)
    written: dict[int, int] = field(default_factory=dict)
    by_site: dict[str, dict[int, None]] = field(default_factory=dict)
    states: dict[str, SiteState] = field(default_factory=dict)
    ledger: dict[tuple[str, str], Entry] = field(default_factory=dict)
    dropped: dict[int, Dropped] = field(default_factory=dict)
    bodies: dict[int, KeptBody] = field(default_factory=dict)
    body_bytes: int = 0
    leases: dict[int, tuple[str, datetime]] = field(default_factory=dict)

    def known(self, asked: Asked) -> Known:
        """Return what a note is told."""
        for number in asked.key_hashes:
            signed(number)
        visits = {number: self.visits[number] for number in asked.key_hashes if number in self.visits}
        return Known(self.states.get(asked.site), visits)

    def prepare(self, asked: Asked, updates: Updates, settings: StoreSection) -> Callable[[], None]:
        """Do all of a write that can fail; the rest is what is returned."""
        packed = None if updates.body is None else pack_body(updates.body, settings)
        return lambda: self._write(asked.site, updates, packed, settings.body_budget_bytes)

    def _write(self, site: str, updates: Updates, packed: PackedBody | None, budget: int) -> None:
        if is_empty(updates):
            return
        self.revision += 1
        if updates.site_state is not None:
            self.states[site] = SiteState(site, updates.site_state, self.revision)
        for visit in updates.visits:
            self._visit(visit)
        for number, class_hash in updates.reclassed.items():
            visit_there = self.visits.get(number)
            if visit_there is not None and visit_there.class_hash != class_hash:
                self._visit(replace(visit_there, class_hash=class_hash))
        self._add(updates.ledger)
        for number in updates.restored:
            self.dropped.pop(number, None)
        self.dropped.update((one.key_hash, one) for one in updates.dropped)
        if updates.body is not None:
            self._keep_body(updates.body, packed, budget)

    def _visit(self, visit: Visit) -> None:
        self._remove_visit(visit.key_hash)
        self.visits[visit.key_hash] = visit
        self.written[visit.key_hash] = self.revision
        self.by_site.setdefault(visit.site, {})[visit.key_hash] = None

    def _remove_visit(self, number: int) -> None:
        old = self.visits.pop(number, None)
        if old is not None:
            del self.written[number], self.by_site[old.site][number]

    def _add(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            place = entry.site, entry.name
            old = self.ledger.get(place, Entry(*place, requests=0))
            self.ledger[place] = Entry(*place, old.requests + entry.requests, old.size_bytes + entry.size_bytes)

    def _keep_body(self, body: StoredBody, packed: PackedBody | None, budget: int) -> None:
        self._remove_body(body.key_hash)
        if packed is not None:
            self.bodies[body.key_hash] = KeptBody(replace(body, body=b"", headers=()), packed)
            self.body_bytes += packed.size_bytes
        while self.body_bytes > budget:
            self._remove_body(next(iter(self.bodies)))

    def _remove_body(self, number: int) -> None:
        old = self.bodies.pop(number, None)
        if old is not None:
            self.body_bytes -= old.packed.size_bytes

    def visits_of(
        self, site: str, limit: int, after: int, text: str | None, classes: frozenset[int] | None
    ) -> list[Visit]:
        """Return visits of a site, those written last first; see `GateStore.visits_of`."""
        latest = takewhile(lambda number: self.written[number] > after, reversed(self.by_site.get(site, {})))
        found = (self.visits[number] for number in latest)
        if classes is not None:
            found = (visit for visit in found if visit.class_hash in classes)
        if text is not None:
            sought = _bytes(text)
            found = (visit for visit in found if sought in _bytes(visit.url).lower())  # of bytes: of ASCII only
        return list(islice(found, max(limit, 0)))

    def lease(self, key_hash: int, owner: str, now: datetime, until: datetime) -> bool:
        """Take or prolong a lease; those that have run out are dropped on the way."""
        self.leases = {number: lease for number, lease in self.leases.items() if lease[1] > now}
        if self.leases.get(key_hash, (owner, until))[0] != owner:
            return False
        self.leases[key_hash] = owner, until
        return True

    def forget(self, forgotten: Forgotten, captures: Container[int], *, deleted: bool) -> None:
        """Delete what goes; captures are those left. `deleted`: some captures went, whatever else does."""
        visits = [number for number, one in self.visits.items() if forgotten.takes(number, one.site)]
        bodies = [n for n, (one, _) in self.bodies.items() if forgotten.takes(n, one.site, one.fetched_at)]
        dropped = [number for number, one in self.dropped.items() if forgotten.takes(number, one.site)]
        whole = forgotten.site if forgotten.key is None and forgotten.before is None else None
        if not (deleted or visits or bodies or dropped or whole in self.states):
            return
        self._delete(visits, bodies, dropped, captures)
        if whole is not None:
            self.states.pop(whole, None)

    def expire(
        self, emptied: frozenset[int], before: int | None, captures: Container[int], *, deleted: bool
    ) -> tuple[int, int]:
        """Delete what is kept of keys without a capture left, and for its age (`before` in microseconds) what has none.

        Returns how many visits and dropped URLs went for their age. `captures` are those left; `deleted`: some went.
        """
        idle = [] if before is None else [n for n, one in self.visits.items() if _is_idle(one, captures, before)]
        old = [] if before is None else [n for n, one in self.dropped.items() if to_micros(one.at) < before]
        idle, old = ([number for number in numbers if number not in emptied] for numbers in (idle, old))
        if deleted or idle or old:
            tables = (self.visits, self.bodies, self.dropped)
            visits, bodies, dropped = ([number for number in table if number in emptied] for table in tables)
            self._delete(visits + idle, bodies, dropped + old, captures)
        return len(idle), len(old)

    def _delete(
        self, visits: Iterable[int], bodies: Iterable[int], dropped: Iterable[int], captures: Container[int]
    ) -> None:
        """Delete rows, and take from visits the captures that are gone; whoever holds a copy will notice."""
        self.revision += 1
        self.generation += 1
        for number in visits:
            self._remove_visit(number)
        for number in bodies:
            self._remove_body(number)
        for number in dropped:
            del self.dropped[number]
        for visit in list(self.visits.values()):
            if visit.capture_id is not None and visit.capture_id not in captures:
                self._visit(replace(visit, digest=None, capture_id=None))

    def faults(self, captures: Container[int], states: States, count: Count) -> Iterator[str]:
        """Check that visits name captures that are there, and that states and bodies can be read; yield the faults in words."""
        for number, visit in count.of(self.visits.items()):
            if visit.capture_id is not None and visit.capture_id not in captures:
                yield f"visit {number}: its capture {visit.capture_id} is not there"
            yield from state_faults(f"visit {number}", states.visit, visit.state)
        for site, state in count.of(self.states.items()):
            yield from state_faults(f"the state of site {site}", states.site, state.state)
        for number, kept in count.of(self.bodies.items()):
            try:
                kept.unpacked()
            except ValueError as error:
                yield f"body {number}: it cannot be read: {error}"

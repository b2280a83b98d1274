"""The part of a `MemoryStore` that the gate uses: each call takes the lock and asks the tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from sameish.index.signed import to_signed
from sameish.models import Verdict
from sameish.settings import StoreSection
from sameish.stores.gate_state import Dropped, Entry, Note, SiteState, StoredBody, Updates, Visit, VisitRow
from sameish.stores.gate_values import ready, signed
from sameish.stores.guard import Guard
from sameish.stores.memory_gate_tables import GateTables
from sameish.stores.values import to_micros, to_utc

_BATCH = 10_000


class MemoryGate:
    """A `GateStore` in memory."""

    def __init__(self, settings: StoreSection, target: str) -> None:
        self._settings = settings
        self._guard = Guard(target)
        self._gate = GateTables()

    def note(self, note: Note) -> Updates:
        """Read, let the note say what to write, and write it; see `GateStore.note`."""
        with self._guard:
            updates, write = self._noted(note, None, None)
            write()
            return updates

    def _noted(self, note: Note, verdict: Verdict | None, capture_id: int | None) -> tuple[Updates, Callable[[], None]]:
        """Ask a note and do all that can fail; the rest is what is returned."""
        updates = ready(note.write(verdict, self._gate.known(note.asked)), capture_id)
        return updates, self._gate.prepare(note.asked, updates, self._settings)

    def visit_rows(self, after: int) -> tuple[int, Iterator[list[VisitRow]]]:
        """Return the revision now, and the rows of visits written after one; see `GateStore.visit_rows`."""
        with self._guard:
            wanted = [number for number, revision in self._gate.written.items() if revision > after]
            return self._gate.revision, self._batches(wanted)

    def _batches(self, wanted: list[int]) -> Iterator[list[VisitRow]]:
        for start in range(0, len(wanted), _BATCH):
            with self._guard:
                visits = self._gate.visits
                there = [visits[number] for number in wanted[start : start + _BATCH] if number in visits]
            yield [(one.key_hash, one.class_hash, to_micros(one.due_at), one.body_bytes) for one in there]

    def site_states(self, after: int) -> list[SiteState]:
        """Return the states of sites written after a revision."""
        with self._guard:
            found = [state for state in self._gate.states.values() if state.revision > after]
        return sorted(found, key=lambda state: state.revision)

    def revision(self) -> int:
        """Return a number that has risen if anything was written for the gate; see `GateStore.revision`."""
        self._refuse_if_closed()
        return self._gate.revision

    def generation(self) -> int:
        """Return a number that has risen if anything was deleted by `forget`."""
        self._refuse_if_closed()
        return self._gate.generation

    def _refuse_if_closed(self) -> None:
        if self._guard.enter_at_once():
            self._guard.leave()

    def visit(self, key_hash: int) -> Visit | None:
        """Return what is known of a key."""
        signed(key_hash)
        with self._guard:
            return self._gate.visits.get(key_hash)

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
        wanted = None if classes is None else frozenset(classes)
        for number in wanted or ():
            signed(number)
        with self._guard:
            return self._gate.visits_of(site, limit, after, text, wanted)

    def ledger(self) -> list[Entry]:
        """Return the sums of the ledger by site and name."""
        with self._guard:
            return [entry for _, entry in sorted(self._gate.ledger.items())]

    def dropped(self, *, site: str | None = None, rules: Iterable[str] | None = None) -> list[Dropped]:
        """Return what was dropped, oldest first; see `GateStore.dropped`."""
        asked = None if rules is None else frozenset(rules)
        with self._guard:
            found = [
                one
                for one in self._gate.dropped.values()
                if (site is None or one.site == site) and (asked is None or one.rule in asked)
            ]
        return sorted(found, key=lambda one: (one.at, to_signed(one.key_hash)))

    def stored_body(self, key_hash: int) -> StoredBody | None:
        """Return the body kept for a key, None without one."""
        signed(key_hash)
        with self._guard:
            kept = self._gate.bodies.get(key_hash)
            return None if kept is None else kept.unpacked()

    def lease(self, key_hash: int, owner: str, now: datetime, until: datetime) -> bool:
        """Take, or prolong, the lease of a key for an owner; see `GateStore.lease`."""
        signed(key_hash)
        with self._guard:
            return self._gate.lease(key_hash, owner, to_utc(now), to_utc(until))

    def release(self, key_hash: int, owner: str) -> None:
        """Give a lease back; one that is another's, or nobody's, is left alone."""
        signed(key_hash)
        with self._guard:
            held = self._gate.leases.get(key_hash)
            if held is not None and held[0] == owner:
                del self._gate.leases[key_hash]

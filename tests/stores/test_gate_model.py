"""What a store keeps for the gate agrees with plain dictionaries, whatever is done to it in whatever order."""

from __future__ import annotations

import random
import tempfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from tests.postgres_server import Databases

from sameish.models import Capture, Fingerprint, State, Verdict, VerdictKind
from sameish.settings import StoreSection
from sameish.stores.base import Expired, Query, Store
from sameish.stores.gate_state import (
    Asked,
    Dropped,
    Entry,
    Known,
    Note,
    StoredBody,
    Updates,
    Visit,
    hash_key,
)
from sameish.stores.memory import MemoryStore
from sameish.stores.postgres import PostgresStore
from sameish.stores.sqlite import SqliteStore

EPOCH = datetime(2024, 1, 1, tzinfo=UTC)
SITES = {"a": "x.example", "b": "x.example", "c": "x.example", "d": "y.example"}
KEYS, HASHES = sorted(SITES), {key: hash_key(key) for key in SITES}
SETTINGS = StoreSection(body_budget_bytes=6_000)
NOISE = random.Random(1).randbytes(700)  # noqa: S311 - bytes that do not compress, no secret

keys = st.sampled_from(KEYS)
times = st.integers(0, 5).map(lambda seconds: EPOCH + timedelta(seconds=seconds))
visits = st.builds(
    lambda key, class_hash, due, digest: Visit(HASHES[key], class_hash, SITES[key], key, due, 5, digest, None, b"s"),
    keys, st.sampled_from([0, 1, 1 << 63, (1 << 64) - 1]), times, st.sampled_from([None, b"d" * 16]),
)  # fmt: skip
dropped = st.builds(
    lambda key, rule, at: Dropped(HASHES[key], SITES[key], key, rule, at),
    keys,
    st.sampled_from(["case", "slash"]),
    times,
)
bodies = st.builds(
    lambda key, size, at: StoredBody(HASHES[key], SITES[key], key, 200, (), NOISE[:size], at),
    keys, st.integers(0, 700), times,
)  # fmt: skip
hashes = keys.map(HASHES.__getitem__)
updates = st.builds(
    Updates,
    st.sampled_from([None, None, b"1", b"2"]),
    st.lists(visits, max_size=2).map(tuple),
    st.lists(st.builds(Entry, st.sampled_from(["x.example", "z"]), st.just("n"), st.integers(0, 2)), max_size=2).map(
        tuple
    ),
    st.lists(dropped, max_size=2).map(tuple),
    st.lists(hashes, max_size=1).map(tuple),
    st.dictionaries(hashes, st.integers(0, 1), max_size=1),
    st.none() | bodies,
)


class Model:
    """The protocol, as directly as it can be written; the revision is not foretold, only that it rises."""

    def __init__(self) -> None:
        self.captures: dict[tuple[str, datetime], int] = {}
        self.seen: dict[str, datetime] = {}
        self.visits: dict[int, Visit] = {}
        self.states: dict[str, bytes] = {}
        self.ledger: dict[tuple[str, str], int] = {}
        self.dropped: dict[int, Dropped] = {}
        self.leases: dict[int, tuple[str, datetime]] = {}
        self.bodies: dict[int, StoredBody] = {}

    def known(self, asked: Asked) -> tuple[bytes | None, dict[int, Visit]]:
        return self.states.get(asked.site), {n: self.visits[n] for n in asked.key_hashes if n in self.visits}

    def write(self, site: str, updates: Updates, capture_id: int | None) -> None:
        if updates.site_state is not None:
            self.states[site] = updates.site_state
        for visit in updates.visits:
            self.visits[visit.key_hash] = replace(visit, capture_id=capture_id if visit.digest else None)
        for number, class_hash in updates.reclassed.items():
            if number in self.visits:
                self.visits[number] = replace(self.visits[number], class_hash=class_hash)
        for entry in updates.ledger:
            self.ledger[entry.site, entry.name] = self.ledger.get((entry.site, entry.name), 0) + entry.requests
        for number in updates.restored:
            self.dropped.pop(number, None)
        self.dropped |= {one.key_hash: one for one in updates.dropped}

    def lease(self, key_hash: int, owner: str, now: datetime, until: datetime) -> bool:
        holder, ends = self.leases.get(key_hash, (owner, until))
        if holder != owner and ends > now:
            return False
        self.leases[key_hash] = owner, until
        return True

    def forget(self, key: str | None, site: str | None, before: datetime | None) -> int:
        def matches(name: str) -> bool:
            return key in (None, name) and site in (None, SITES[name])

        doomed = [one for one in self.captures if matches(one[0]) and (before is None or one[1] < before)]
        emptied_keys = self.delete(doomed)
        for name in KEYS:
            emptied = name in emptied_keys
            body = self.bodies.get(HASHES[name])
            if emptied or (matches(name) and before is None):
                self.visits.pop(HASHES[name], None)
                self.dropped.pop(HASHES[name], None)
            if body and (emptied or (matches(name) and (before is None or body.fetched_at < before))):
                del self.bodies[HASHES[name]]
        if key is None and before is None and site is not None:
            self.states.pop(site, None)
        self.loosen()
        return len(doomed)

    def delete(self, doomed: list[tuple[str, datetime]]) -> set[str]:
        for one in doomed:
            del self.captures[one]
        emptied = {name for name, _ in doomed} - {name for name, _ in self.captures}
        for name in emptied:
            del self.seen[name]
        return emptied

    def loosen(self) -> None:
        ids = set(self.captures.values())
        for number, visit in self.visits.items():
            if visit.capture_id is not None and visit.capture_id not in ids:
                self.visits[number] = replace(visit, digest=None, capture_id=None)

    def sees(self, key: str, moment: datetime) -> None:
        self.seen[key] = max(self.seen.get(key, moment), moment)

    def expire(self, before: datetime) -> Expired:
        latest = {name: max(at for other, at in self.captures if other == name) for name in self.seen}
        lasting = {(name, at) for name, at in latest.items() if self.seen[name] >= before}
        doomed = [one for one in self.captures if one[1] < before and one not in lasting]
        emptied = self.delete(doomed)
        for name in emptied:
            for table in (self.visits, self.dropped, self.bodies):
                table.pop(HASHES[name], None)
        self.loosen()
        idle = [n for n, visit in self.visits.items() if visit.capture_id is None and visit.due_at < before]
        old = [n for n, one in self.dropped.items() if one.at < before]
        for number in idle:
            del self.visits[number]
        for number in old:
            del self.dropped[number]
        return Expired(aged=len(doomed), pages=len(emptied), visits=len(idle), dropped=len(old))


class Agreement(RuleBasedStateMachine):
    """Does the same to a store and to the model, and keeps a copy of the rows as a gate does."""

    def opened(self, path: Path) -> Store:
        raise NotImplementedError

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.store = self.opened(Path(self.folder.name) / "x.db")
        self.model = Model()
        self.next_id = 1
        self.copy: dict[int, tuple[int, int, int]] = {}
        self.copied = (0, 0)

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            self.folder.cleanup()

    def noting(self, site: str, written: Updates) -> Note:
        asked = Asked(site, tuple(HASHES.values()))

        def write(_: Verdict | None, told: Known) -> Updates:
            assert (told.site and told.site.state, told.visits) == self.model.known(asked)
            return written

        return Note(asked, write)

    def wrote(self, site: str, written: Updates, capture_id: int | None) -> None:
        self.model.write(site, written, capture_id)
        if written.body is not None:  # which bodies a budget leaves is another test's; here none comes back changed
            self.model.bodies[written.body.key_hash] = written.body
            kept = {number: self.store.stored_body(number) for number in self.model.bodies}
            self.model.bodies = {number: body for number, body in self.model.bodies.items() if kept[number]}

    @rule(key=keys, moment=times, written=updates)
    def observe(self, key: str, moment: datetime, written: Updates) -> None:
        fingerprint = Fingerprint(None, None, b"d" * 16, b"", 9, State.CONTENT, "text:1")
        capture = Capture(key, key, SITES[key], moment, b"b", 1, 200, fingerprint)
        query = Query(key, moment, b"b", "text:1")
        self.store.observe(capture, query, lambda _: Verdict(VerdictKind.NEW), self.noting(SITES[key], written))
        if (key, moment) not in self.model.captures:
            self.model.captures[key, moment] = self.next_id
            self.next_id += 1
        self.model.sees(key, moment)
        self.wrote(SITES[key], written, self.model.captures[key, moment])

    @rule(key=keys, moment=times, written=updates, as_304=st.booleans())
    def note(self, key: str, moment: datetime, written: Updates, as_304: bool) -> None:
        note = self.noting(SITES[key], written)
        if as_304:
            self.store.not_modified(key, moment, None, None, note)
            if key in self.model.seen:
                self.model.sees(key, moment)
        else:
            self.store.note(note)
        self.wrote(SITES[key], written, None)

    @rule(number=hashes, owner=st.sampled_from("12"), now=times, lasts=st.integers(0, 4))
    def lease(self, number: int, owner: str, now: datetime, lasts: int) -> None:
        # a clock that goes back could find a lease that was dropped as run out: both then say it is free
        self.model.leases = {at: one for at, one in self.model.leases.items() if one[1] > now}
        until = now + timedelta(seconds=lasts)
        assert self.store.lease(number, owner, now, until) == self.model.lease(number, owner, now, until)

    @rule(number=hashes, owner=st.sampled_from("12"))
    def release(self, number: int, owner: str) -> None:
        self.store.release(number, owner)
        if self.model.leases.get(number, (None,))[0] == owner:
            del self.model.leases[number]

    @rule(key=st.none() | keys, site=st.sampled_from([None, "x.example", "y.example"]), before=st.none() | times)
    def forget(self, key: str | None, site: str | None, before: datetime | None) -> None:
        if key is None and site is None and before is None:
            return
        assert self.store.forget(key=key, site=site, before=before) == self.model.forget(key, site, before)

    @rule(before=times)
    def expire(self, before: datetime) -> None:
        assert self.store.expire(before=before) == self.model.expire(before)

    @rule()
    def verify(self) -> None:
        assert self.store.verify() == []

    @invariant()
    def agrees(self) -> None:
        if not hasattr(self, "store"):
            return
        store, model = self.store, self.model
        assert {number: store.visit(number) for number in model.visits} == model.visits
        assert {state.site: state.state for state in store.site_states(0)} == model.states
        assert {(entry.site, entry.name): entry.requests for entry in store.ledger()} == model.ledger
        assert {one.key_hash: one for one in store.dropped()} == model.dropped
        assert {
            number: store.stored_body(number) for number in HASHES.values() if store.stored_body(number)
        } == model.bodies
        for site in ("x.example", "y.example"):
            assert set(store.visits_of(site, 9)) == {visit for visit in model.visits.values() if visit.site == site}

    @invariant()
    def a_copy_that_follows_the_revision_is_never_stale(self) -> None:
        if not hasattr(self, "store"):
            return
        revision, generation = self.store.revision(), self.store.generation()
        if generation != self.copied[1]:
            self.copy, self.copied = {}, (0, generation)
        if revision != self.copied[0]:
            read, batches = self.store.visit_rows(self.copied[0])
            self.copy |= {row[0]: row[1:] for row in chain.from_iterable(batches)}
            self.copied = read, generation
            assert read == revision
        micros = {
            number: round((visit.due_at - EPOCH).total_seconds() * 1e6) for number, visit in self.model.visits.items()
        }
        start = int(EPOCH.timestamp()) * 1_000_000
        expected = {n: (visit.class_hash, start + micros[n], 5) for n, visit in self.model.visits.items()}
        assert self.copy == expected


class MemoryAgreement(Agreement):
    """The store in memory."""

    def opened(self, path: Path) -> Store:  # noqa: ARG002 - nothing is written
        return MemoryStore(settings=SETTINGS)


class SharedAgreement(Agreement):
    """A store that outlives the object; now and then it is opened anew, or another process has it too."""

    def made(self, path: Path) -> str:
        raise NotImplementedError

    def at(self, target: str) -> Store:
        raise NotImplementedError

    def opened(self, path: Path) -> Store:
        self.target = self.made(path)
        return self.at(self.target)

    @rule()
    def open_anew(self) -> None:
        self.store.close()
        self.store = self.at(self.target)

    @rule()
    def go_through_another_door(self) -> None:
        if not hasattr(self, "other"):
            self.other = self.at(self.target)
        self.store, self.other = self.other, self.store

    def teardown(self) -> None:
        if hasattr(self, "other"):
            self.other.close()
        super().teardown()


class SqliteAgreement(SharedAgreement):
    """The store in a file."""

    def made(self, path: Path) -> str:
        return str(path)

    def at(self, target: str) -> Store:
        return SqliteStore(target, scheme="text:1", settings=SETTINGS)


class PostgresAgreement(SharedAgreement):
    """The store in a database; `databases` is set by the test."""

    databases: Databases

    def made(self, path: Path) -> str:  # noqa: ARG002 - nothing is written there
        return self.databases.new()

    def at(self, target: str) -> Store:
        return PostgresStore(target, scheme="text:1", settings=SETTINGS)


@pytest.mark.parametrize("machine", [MemoryAgreement, SqliteAgreement])
def test_what_is_kept_for_the_gate_agrees_with_dictionaries(machine: type[Agreement]) -> None:
    run_state_machine_as_test(machine, settings=settings(stateful_step_count=30))


def test_what_is_kept_for_the_gate_agrees_with_dictionaries_in_a_database(databases: Databases) -> None:
    PostgresAgreement.databases = databases
    few = max(settings().max_examples // 5, 1)  # each step asks the server many times
    run_state_machine_as_test(PostgresAgreement, settings=settings(stateful_step_count=30, max_examples=few))

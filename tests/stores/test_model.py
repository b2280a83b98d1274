"""A store agrees with a plain list of captures, whatever is done to it in whatever order."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from tests.postgres_server import Databases

from sameish.models import Capture, Fingerprint, State, Verdict, VerdictKind
from sameish.settings import StoreSection
from sameish.stores.base import Candidates, Expired, Query, Seen, Store, StoreTotals
from sameish.stores.memory import MemoryStore
from sameish.stores.postgres import PostgresStore
from sameish.stores.sqlite import SqliteStore

EPOCH = datetime(2024, 1, 1, tzinfo=UTC)
GOOD = {State.CONTENT, State.PARTIAL, State.THIN, State.NOT_HTML}
ALL = (1 << 64) - 1
SITES = {"a": "x.example", "b": "x.example", "c": "x.example", "d": "y.example"}
KEYS, SCHEMES = sorted(SITES), ("text:1", "classic:1")

times = st.integers(0, 5).map(lambda seconds: EPOCH + timedelta(seconds=seconds))
simhashes = st.sampled_from([None, 0, 1, 3, 7, 1 << 63, ALL, ALL - 1])
validators = st.sampled_from([None, "1", "2"])
captures = st.builds(
    lambda key, moment, body, simhash, digest, state, scheme, etag: Capture(
        key, f"https://{key}", SITES[key], moment, body, 100, 200,
        Fingerprint(simhash, None, digest, b"s", 9, state, scheme), etag=etag, sentences=(f"{key} {moment}",), markdown=key,
    ),
    st.sampled_from(KEYS), times, st.sampled_from([b"1", b"2"]), simhashes, st.sampled_from([b"1" * 16, b"2" * 16]),
    st.sampled_from([*GOOD, State.CONTENT, State.CONTENT, State.BLOCKED, State.ERROR]), st.sampled_from(SCHEMES), validators,
)  # fmt: skip
scopes = st.fixed_dictionaries(
    {
        "within": st.sampled_from([0, 1, 2, 8, 63, 64]),
        "site": st.none() | st.sampled_from(["x.example", "y.example", "z.example"]),
        "since": st.none() | times,
        "recent": st.none() | st.integers(0, 5),
        "limit": st.integers(0, 4) | st.just(32),
    }
)


def bare(capture: Capture) -> Capture:
    return replace(capture, markdown=None, sentences=None)


def distance(capture: Capture, simhash: int) -> int:
    assert capture.fingerprint.simhash is not None
    return (capture.fingerprint.simhash ^ simhash).bit_count()


class Model:
    """The protocol, as directly as it can be written."""

    def __init__(self) -> None:
        self.captures: list[Capture] = []
        self.seen: dict[str, Seen] = {}
        self.known: list[str] = []
        self.not_modified: Counter[str] = Counter()

    def good(self, key: str | None = None) -> list[Capture]:
        return [c for c in self.captures if c.fingerprint.state in GOOD and key in (None, c.key)]

    def candidates(self, query: Query) -> Candidates:
        identity = (query.key, query.fetched_at, query.body_digest)
        stored = [c for c in self.captures if (c.key, c.fetched_at, c.body_digest) == identity]
        findable = [
            c
            for c in self.good()
            if c.fingerprint.scheme == query.scheme
            and c.key != query.key
            and (query.since is None or c.fetched_at >= query.since)
        ]
        equal = [c for c in findable if c.fingerprint.digest == query.digest]
        last = self.last(query.key, query.fetched_at, query.scheme) or self.last(query.key, query.fetched_at)
        return Candidates(
            stored=bare(stored[0]) if stored else None,
            last=None if last is None else replace(last, markdown=None),
            equal=tuple(map(bare, self.one_a_key(sorted(equal, key=self.first_known_then_latest))[: query.limit])),
            near=() if query.simhash is None else tuple(c for c, _ in self.near(findable, query.simhash, query)),
            earlier=None if last is None or last.fingerprint.digest == query.digest else self.earlier(query),
        )

    def earlier(self, query: Query) -> Capture | None:
        found = [
            bare(c)
            for c in self.good(query.key)
            if c.fingerprint.scheme == query.scheme
            and c.fingerprint.digest == query.digest
            and c.fetched_at <= query.fetched_at
        ]
        return max(found, key=lambda c: c.id or 0, default=None)

    def first_known_then_latest(self, capture: Capture) -> tuple[int, int]:
        return self.known.index(capture.key), -(capture.id or 0)

    @staticmethod
    def one_a_key(captures: list[Capture]) -> list[Capture]:
        first: dict[str, Capture] = {}
        for capture in captures:
            first.setdefault(capture.key, capture)
        return list(first.values())

    def last(self, key: str, moment: datetime, scheme: str | None = None) -> Capture | None:
        good = [c for c in self.good(key) if scheme in (None, c.fingerprint.scheme)]
        before = [c for c in good if c.fetched_at <= moment]
        if before:
            return max(before, key=lambda c: (c.fetched_at, c.id))
        return min(good, key=lambda c: (c.fetched_at, -(c.id or 0)), default=None)

    def near(self, findable: list[Capture], simhash: int, query: Query) -> list[tuple[Capture, int]]:
        scope = [c for c in findable if c.fingerprint.simhash is not None and query.site in (None, c.site)]
        if query.recent is not None:
            scope = sorted(scope, key=lambda c: (c.fetched_at, c.id), reverse=True)[: query.recent]
        found = self.one_a_key(sorted(scope, key=lambda c: (distance(c, simhash), *self.first_known_then_latest(c))))
        pairs = [(bare(c), distance(c, simhash)) for c in found]
        return [(c, bits) for c, bits in pairs if bits <= query.within][: query.limit]

    def see(self, news: Seen) -> None:
        if news.key not in self.seen or news.last_seen >= self.seen[news.key].last_seen:
            self.seen[news.key] = news

    def forget(self, doomed: Callable[[Capture], bool]) -> int:
        before = len(self.captures)
        self.captures = [c for c in self.captures if not doomed(c)]
        self.known = [key for key in self.known if any(c.key == key for c in self.captures)]
        for key in KEYS:
            if not self.good(key):
                self.seen.pop(key, None)
                self.not_modified.pop(key, None)
        return before - len(self.captures)

    def expire(self, before: datetime | None, budget: int | None) -> Expired:
        """One capture after the other goes, as long as one must."""
        pages, aged, surplus = {c.key for c in self.captures}, 0, 0
        for capture in list(self.captures):
            lasting = capture == self.last(capture.key, datetime.max.replace(tzinfo=UTC))
            if before is not None and capture.fetched_at < before:
                aged += self.forget(lambda c: c is capture and not (lasting and self.seen[c.key].last_seen >= before))  # noqa: B023
        for site in set(SITES.values()) if budget is not None else ():
            while len(of_site := [c for c in self.captures if c.site == site]) > (budget or 0):
                places = {c.id or 0: self.place(c) for c in of_site}
                doomed = min(of_site, key=lambda c: (-places[c.id or 0], c.fetched_at, c.id or 0))
                if places[doomed.id or 0] == 1:
                    break
                surplus += self.forget(lambda c: c is doomed)  # noqa: B023
        return Expired(aged, surplus, len(pages - {c.key for c in self.captures}))

    def place(self, capture: Capture) -> int:
        good = capture.fingerprint.state in GOOD
        alike = [c for c in self.captures if c.key == capture.key and (c.fingerprint.state in GOOD) == good]
        return sum((c.fetched_at, c.id or 0) >= (capture.fetched_at, capture.id or 0) for c in alike) + 1 - good

    def totals(self) -> StoreTotals:
        counts = Counter(str(c.verdict) for c in self.captures)
        return StoreTotals(
            captures=len(self.captures),
            pages=len({c.key for c in self.captures}),
            sites=len({c.site for c in self.captures}),
            contents=len({c.fingerprint.digest for c in self.good()}),
            not_modified=self.not_modified.total(),
            by_verdict=counts,
            bytes_by_verdict={kind: 100 * count for kind, count in counts.items()},
        )


class Agreement(RuleBasedStateMachine):
    """Does the same to a store and to the model."""

    def opened(self, path: Path) -> Store:
        raise NotImplementedError

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.store = self.opened(Path(self.folder.name) / "x.db")
        self.model = Model()
        self.next_id = 1

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            self.folder.cleanup()

    @rule(capture=captures, scope=scopes, fails=st.sampled_from([False] * 9 + [True]))
    def observe(self, capture: Capture, scope: dict[str, object], fails: bool) -> None:
        query = self.query(capture, scope)
        expected = self.model.candidates(query)
        matches = expected.equal + expected.near
        verdict = Verdict(VerdictKind.DUPLICATE if matches else VerdictKind.NEW, match=matches[0] if matches else None)

        def judge(found: Candidates) -> Verdict:
            assert found == expected
            if fails:
                raise InterruptedError
            return verdict

        if fails:
            with pytest.raises(InterruptedError):
                self.store.observe(capture, query, judge)
            return
        assert self.store.observe(capture, query, judge) is verdict
        if expected.stored is None:
            match = matches[0].id if matches else None
            self.model.captures.append(replace(capture, id=self.next_id, verdict=verdict.kind, match_id=match))
            self.next_id += 1
            if capture.key not in self.model.known:
                self.model.known.append(capture.key)
            if capture.fingerprint.state in GOOD:
                self.model.see(Seen(capture.key, capture.url, capture.site, capture.fetched_at, capture.etag, None))

    @staticmethod
    def query(capture: Capture, scope: dict[str, object]) -> Query:
        print_ = capture.fingerprint
        asked = Query(
            capture.key, capture.fetched_at, capture.body_digest, print_.scheme, print_.digest, print_.simhash
        )
        return replace(asked, **scope)  # type: ignore[arg-type]  # a strategy does not say which name has which type

    @rule(capture=captures, scope=scopes)
    def candidates(self, capture: Capture, scope: dict[str, object]) -> None:
        query = self.query(capture, scope)
        assert self.store.candidates(query) == self.model.candidates(query)

    @rule(simhash=simhashes.filter(lambda value: value is not None), scheme=st.sampled_from(SCHEMES), scope=scopes)
    def near(self, simhash: int, scheme: str, scope: dict[str, object]) -> None:
        query = self.query(self.nobody(scheme), {**scope, "recent": None})
        findable = [
            c
            for c in self.model.good()
            if c.fingerprint.scheme == scheme and (query.since is None or c.fetched_at >= query.since)
        ]
        found = self.store.near(
            simhash, scheme=scheme, within=query.within, limit=query.limit, site=query.site, since=query.since
        )
        assert found == self.model.near(findable, simhash, query)

    @staticmethod
    def nobody(scheme: str) -> Capture:
        fingerprint = Fingerprint(None, None, b"0" * 16, b"", 0, State.EMPTY, scheme)
        return Capture("nobody", "", "", EPOCH, b"", 0, 200, fingerprint)

    @rule(key=st.sampled_from(KEYS), moment=times, etag=validators, last_modified=validators)
    def a_304(self, key: str, moment: datetime, etag: str | None, last_modified: str | None) -> None:
        self.store.not_modified(key, moment, etag, last_modified)
        old = self.model.seen.get(key)
        if old is not None:
            self.model.not_modified[key] += 1
            news = replace(
                old, last_seen=moment, etag=etag or old.etag, last_modified=last_modified or old.last_modified
            )
            self.model.see(news)

    @rule(
        key=st.none() | st.sampled_from(KEYS),
        site=st.none() | st.sampled_from(["x.example", "y.example"]),
        before=st.none() | times,
    )
    def forget(self, key: str | None, site: str | None, before: datetime | None) -> None:
        if key is None and site is None and before is None:
            return

        def doomed(c: Capture) -> bool:
            return key in (None, c.key) and site in (None, c.site) and (before is None or c.fetched_at < before)

        assert self.store.forget(key=key, site=site, before=before) == self.model.forget(doomed)

    @rule(before=st.none() | times, budget=st.none() | st.integers(1, 5))
    def expire(self, before: datetime | None, budget: int | None) -> None:
        if before is not None or budget is not None:
            assert self.store.expire(before=before, site_budget=budget) == self.model.expire(before, budget)

    @invariant()
    def agrees(self) -> None:
        if not hasattr(self, "store"):
            return
        assert self.store.totals() == self.model.totals()
        for key in KEYS:
            assert self.store.seen(key) == self.model.seen.get(key)
            assert self.store.last_good(key) == self.model.last(key, datetime.max.replace(tzinfo=UTC))

    @rule()
    def verify(self) -> None:
        assert self.store.verify() == []


class MemoryAgreement(Agreement):
    """The store in memory."""

    def opened(self, path: Path) -> Store:  # noqa: ARG002 - nothing is written
        return MemoryStore(settings=StoreSection(several_schemes=True))


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
        return SqliteStore(target, scheme="text:1", settings=StoreSection(several_schemes=True))


class PostgresAgreement(SharedAgreement):
    """The store in a database; `databases` is set by the test."""

    databases: Databases

    def made(self, path: Path) -> str:  # noqa: ARG002 - nothing is written there
        return self.databases.new()

    def at(self, target: str) -> Store:
        return PostgresStore(target, scheme="text:1", settings=StoreSection(several_schemes=True))


@pytest.mark.parametrize("machine", [MemoryAgreement, SqliteAgreement])
def test_a_store_agrees_with_a_list(machine: type[Agreement]) -> None:
    run_state_machine_as_test(machine, settings=settings(stateful_step_count=30))


def test_a_store_agrees_with_a_list_in_a_database(databases: Databases) -> None:
    PostgresAgreement.databases = databases
    few = max(settings().max_examples // 5, 1)  # each step asks the server many times
    run_state_machine_as_test(PostgresAgreement, settings=settings(stateful_step_count=30, max_examples=few))

"""What the protocol of a store promises to the gate, for every store."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from itertools import chain
from typing import Any

import pytest

from sameish.errors import StoreError
from sameish.models import Capture, Fingerprint, State, Verdict, VerdictKind
from sameish.stores.base import Candidates, Expired, Query, Store
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
    hash_key,
)
from sameish.stores.verification import States

OpenStore = Callable[..., Store]
NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
TEXT = "text:1"
SITE, ELSEWHERE = "x.example", "elsewhere.example"
TOP = (1 << 64) - 1
HASHES = (0, 1, (1 << 63) - 1, 1 << 63, TOP)


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def visit(key: str | int = "a", *, site: str = SITE, **more: Any) -> Visit:
    number = key if isinstance(key, int) else hash_key(key)
    return replace(Visit(number, 7, site, f"https://{site}/{key}", at(60), 100, state=b"state"), **more)


def dropped(key: str | int = "d", *, site: str = SITE, rule: str = "query:sid", seconds: float = 0) -> Dropped:
    number = key if isinstance(key, int) else hash_key(key)
    return Dropped(number, site, f"https://{site}/{key}", rule, at(seconds), b"request")


def body(key: str | int = "a", content: bytes = b"<html>", *, site: str = SITE, seconds: float = 0) -> StoredBody:
    number = key if isinstance(key, int) else hash_key(key)
    headers = (("content-type", "text/html"), ("x-name", "Ünï\udc80"), ("x-name", ""))
    return StoredBody(number, site, f"https://{site}/{key}", 200, headers, content, at(seconds))


def noting(updates: Updates, *keys: str, site: str = SITE) -> Note:
    return Note(Asked(site, tuple(map(hash_key, keys))), lambda _, __: updates)


def write(store: Store, *, site: str = SITE, **updates: Any) -> Updates:
    return store.note(noting(Updates(**updates), site=site))


def known(store: Store, *hashes: int, site: str = SITE) -> Known:
    heard: list[Known] = []

    def hear(_: Verdict | None, told: Known) -> Updates:
        heard.append(told)
        return Updates()

    store.note(Note(Asked(site, hashes), hear))
    return heard[0]


def rows(store: Store, after: int = 0) -> dict[int, tuple[int, int, int]]:
    found = list(chain.from_iterable(store.visit_rows(after)[1]))
    assert len({row[0] for row in found}) == len(found)
    return {key: (class_hash, due_at, size) for key, class_hash, due_at, size in found}


def observe(store: Store, key: str, seconds: float = 0, note: Note | None = None, **more: Any) -> Verdict:
    state, site = more.get("state", State.CONTENT), more.get("site", SITE)
    fingerprint = Fingerprint(5, 9, b"d" * 16, b"sketch", 40, state, more.get("scheme", TEXT))
    capture = Capture(key, f"https://{site}/{key}", site, at(seconds), b"body", 1000, 200, fingerprint)
    query = Query(key, capture.fetched_at, b"body", fingerprint.scheme, fingerprint.digest, 5)
    return store.observe(capture, query, more.get("judge", judge), note)


def judge(found: Candidates) -> Verdict:
    return Verdict(VerdictKind.NEW if found.last is None else VerdictKind.UNCHANGED, match=found.last)


def everything(store: Store) -> tuple[object, ...]:
    sites = (SITE, ELSEWHERE)
    visits = [set(store.visits_of(site, 99)) for site in sites]
    bodies = [store.stored_body(hash_key(key)) for key in "abc"]
    marks = store.revision(), store.generation()
    kept = store.site_states(0), store.ledger(), store.dropped(), bodies
    return store.totals(), marks, visits, rows(store), *kept


# hashes


def test_a_key_has_one_hash_everywhere_and_always() -> None:
    assert hash_key("https://example.com/") == 0x5B55279CB72EBA14
    assert 0 <= hash_key("\ud800") <= TOP
    assert len({hash_key(f"{number}") for number in range(1000)}) == 1000


# note


def test_an_empty_store_knows_nothing(store: Store) -> None:
    assert known(store, 1, TOP) == Known()
    revision, batches = store.visit_rows(0)
    assert (revision, list(batches)) == (0, [])
    assert (store.revision(), store.generation()) == (0, 0)
    assert (store.site_states(0), store.ledger(), store.dropped(), store.visits_of(SITE, 9)) == ([], [], [], [])
    assert (store.visit(1), store.stored_body(1), store.capture(1)) == (None, None, None)


def test_a_note_is_told_its_site_and_the_visits_it_asked_for(store: Store) -> None:
    write(store, site_state=b"rules", visits=(visit("a"), visit("b"), visit("c", site=ELSEWHERE)))
    write(store, site=ELSEWHERE, site_state=b"others")
    told = known(store, hash_key("a"), hash_key("c"), hash_key("unknown"))
    assert told.site == SiteState(SITE, b"rules", 1)
    assert told.visits == {hash_key("a"): visit("a"), hash_key("c"): visit("c", site=ELSEWHERE)}
    assert known(store, site="nowhere.example") == Known()


def test_a_note_returns_what_was_written(store: Store) -> None:
    written = write(store, visits=(visit(due_at=at(9).astimezone(timezone(timedelta(hours=5)))),), site_state=b"s")
    assert written == Updates(b"s", (visit(due_at=at(9)),))
    there = store.visit(hash_key("a"))
    assert there is not None
    assert there.due_at.utcoffset() == timedelta(0)


@pytest.mark.parametrize("key_hash", HASHES)
@pytest.mark.parametrize("class_hash", HASHES)
def test_all_of_a_visit_comes_back(store: Store, key_hash: int, class_hash: int) -> None:
    given = Visit(
        key_hash, class_hash, SITE, "https://x.example/é", at(0.000001), 1 << 40, b"d" * 16, 99, bytes(range(256))
    )
    write(store, visits=(given,))
    assert store.visit(key_hash) == given
    assert known(store, key_hash).visits == {key_hash: given}
    assert store.visits_of(SITE, 9) == [given]
    assert rows(store) == {key_hash: (class_hash, 1_714_564_800_000_001, 1 << 40)}


def test_a_visit_replaces_the_older_one(store: Store) -> None:
    write(store, visits=(visit("a"), visit("b")))
    write(store, visits=(visit("a", class_hash=8, site=ELSEWHERE),))
    assert store.visit(hash_key("a")) == visit("a", class_hash=8, site=ELSEWHERE)
    assert store.visits_of(SITE, 9) == [visit("b")]
    assert store.visits_of(ELSEWHERE, 9) == [visit("a", class_hash=8, site=ELSEWHERE)]


def test_visits_of_a_site_begin_with_those_written_last(store: Store) -> None:
    for key in ("a", "b", "c", "a"):
        write(store, visits=(visit(key),))
    write(store, visits=(visit("d", site=ELSEWHERE),))
    assert store.visits_of(SITE, 9) == [visit("a"), visit("c"), visit("b")]
    assert store.visits_of(SITE, 2) == [visit("a"), visit("c")]
    assert store.visits_of(SITE, 0) == store.visits_of(SITE, -1) == store.visits_of("nowhere.example", 9) == []


def test_visits_of_a_site_are_found_by_a_text_in_the_url_and_by_their_class(store: Store) -> None:
    here = [visit("a?Ref=1", class_hash=TOP), visit("b?ref=2"), visit("ÉTÉ?x=%72", class_hash=1 << 63), visit("c")]
    for one in (*here, visit("d?ref=3", site=ELSEWHERE, class_hash=TOP)):
        write(store, visits=(one,))
    assert store.visits_of(SITE, 9, text="ref") == [here[1], here[0]]
    assert store.visits_of(SITE, 9, text="%") == [here[2]]
    assert store.visits_of(SITE, 9, text="É".lower()) == []
    assert store.visits_of(SITE, 9, classes=(TOP, 1 << 63)) == [here[2], here[0]]
    assert store.visits_of(SITE, 9, text="ref", classes=[7]) == [here[1]]
    assert store.visits_of(SITE, 1, text="ref") == [here[1]]
    revision = store.revision()
    write(store, visits=(here[1],))
    assert store.visits_of(SITE, 9, after=revision) == store.visits_of(SITE, 9, after=revision, text="ref") == [here[1]]
    assert store.visits_of(SITE, 9, after=store.revision()) == store.visits_of(SITE, 9, after=revision, text="a?") == []
    assert store.visits_of(SITE, 9, classes=()) == store.visits_of(SITE, 9, text="nowhere") == []


def test_reclassed_visits_are_written_anew_and_only_those(store: Store) -> None:
    write(store, visits=(visit("a"), visit("b"), visit("c")))
    revision = store.revision()
    write(store, visits=(visit("d"),), reclassed={hash_key(key): 8 for key in ("a", "d", "never")} | {hash_key("b"): 7})
    due, classes = 1_714_564_860_000_000, {"a": 8, "b": 7, "c": 7, "d": 8}
    assert rows(store) == {hash_key(key): (number, due, 100) for key, number in classes.items()}
    assert set(rows(store, revision)) == {hash_key("a"), hash_key("d")}


# revision


def test_the_revision_rises_with_what_is_written_and_nothing_else(store: Store) -> None:
    revision = store.revision()
    writes: list[dict[str, Any]] = [
        {"site_state": b""},
        {"visits": (visit(),)},
        {"ledger": (Entry(SITE, "n", 0),)},
        {"dropped": (dropped(),)},
        {"restored": (1,)},
        {"reclassed": {1: 2}},
        {"body": body()},
    ]
    for updates in writes:
        write(store, **updates)
        assert store.revision() > revision, updates
        revision = store.revision()
    known(store)
    observe(store, "a", note=noting(Updates()))
    store.lease(1, "me", at(0), at(9))
    store.release(1, "me")
    assert store.revision() == revision
    assert store.generation() == 0


def test_rows_and_states_after_a_revision_are_those_written_since(store: Store) -> None:
    write(store, visits=(visit("a"), visit("b")), site_state=b"1")
    revision, batches = store.visit_rows(0)
    assert revision == store.revision()
    assert len(list(batches)) == 1
    write(store, visits=(visit("b"), visit("c")))
    write(store, site=ELSEWHERE, site_state=b"2")
    assert set(rows(store, revision)) == {hash_key("b"), hash_key("c")}
    assert store.site_states(revision) == [SiteState(ELSEWHERE, b"2", revision + 2)]
    assert [state.site for state in store.site_states(0)] == [SITE, ELSEWHERE]
    assert rows(store, store.revision()) == {}
    write(store, site_state=b"3")
    assert [state.site for state in store.site_states(0)] == [ELSEWHERE, SITE]


def test_rows_come_in_batches_between_which_others_write(store: Store) -> None:
    many = 25_000
    write(store, visits=tuple(visit(number) for number in range(many)))
    revision, batches = store.visit_rows(0)
    first = next(batches)
    assert 0 < len(first) < many
    write(store, visits=tuple(visit(number, class_hash=8) for number in range(many, many + 10)))
    write(store, visits=(visit(first[0][0], class_hash=8),))
    found = [first, *batches]
    assert all(found)
    assert {row[0] for row in chain.from_iterable(found)} >= set(range(many))
    again = rows(store, revision)
    assert set(again) == {first[0][0], *range(many, many + 10)}
    assert {class_hash for class_hash, _, _ in again.values()} == {8}


def test_a_walk_that_is_left_holds_nothing(store: Store) -> None:
    write(store, visits=tuple(visit(number) for number in range(11_000)))
    _, batches = store.visit_rows(0)
    next(batches)
    write(store, visits=(visit(),))
    store.forget(site=SITE)
    assert rows(store) == {}
    store.close()
    with pytest.raises(StoreError, match="closed"):
        list(batches)


# observe and not_modified with a note


def test_a_note_is_written_with_its_capture(store: Store) -> None:
    heard: list[tuple[Verdict | None, Known]] = []

    def hear(verdict: Verdict | None, told: Known) -> Updates:
        heard.append((verdict, told))
        return Updates(b"s", (visit("a", digest=b"d" * 16), visit("b"), visit("c", digest=b"e" * 16, capture_id=77)))

    observe(store, "other")
    verdict = observe(store, "a", note=Note(Asked(SITE, (hash_key("a"),)), hear))
    assert verdict.kind is VerdictKind.NEW
    assert heard == [(verdict, Known())]
    there = [store.visit(hash_key(key)) for key in "abc"]
    assert [one and one.capture_id for one in there] == [2, None, 77]
    one = store.capture(2)
    assert one is not None
    assert (one.key, one.id, one.markdown, one.sentences) == ("a", 2, None, None)


def test_the_note_of_a_capture_that_is_stored_is_written_too(store: Store) -> None:
    observe(store, "a")
    observe(store, "b")
    verdict = observe(store, "a", note=noting(Updates(visits=(visit("a", digest=b"d" * 16),))))
    assert verdict.kind is VerdictKind.UNCHANGED
    there = store.visit(hash_key("a"))
    assert there is not None
    assert there.capture_id == 1
    assert store.totals().captures == 2
    assert store.verify() == []


def test_a_304_writes_its_note_whatever_the_key(store: Store) -> None:
    observe(store, "a")
    for key in ("a", "unknown"):
        heard: list[Verdict | None] = []

        def hear(verdict: Verdict | None, _: Known, key: str = key, heard: list[Verdict | None] = heard) -> Updates:
            heard.append(verdict)
            return Updates(visits=(visit(key, digest=b"d" * 16),))

        store.not_modified(key, at(5), None, None, Note(Asked(SITE), hear))
        assert heard == [None]
        assert store.visit(hash_key(key)) == visit(key, digest=b"d" * 16)
    assert store.totals().not_modified == 1


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_note_that_raises_leaves_the_store_as_it_was(store: Store, error: type[BaseException]) -> None:
    observe(store, "b", note=noting(Updates(b"s", (visit("b"),))))
    before = everything(store)

    def raising(*_: object) -> Updates:
        raise error

    note = Note(Asked(SITE), raising)
    calls: list[Callable[[], object]] = [
        lambda: observe(store, "a", note=note),
        lambda: observe(store, "b", note=note),
        lambda: store.not_modified("b", at(9), "1", None, note),
        lambda: store.note(note),
    ]
    for call in calls:
        with pytest.raises(error):
            call()
    assert everything(store) == before
    assert store.seen("a") is None
    observe(store, "a", note=noting(Updates(visits=(visit("a", digest=b"d" * 16),))))
    there = store.visit(hash_key("a"))
    assert there is not None
    assert there.capture_id == 2


def test_a_judge_that_raises_writes_no_note(store: Store) -> None:
    def raising(_: Candidates) -> Verdict:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        observe(store, "a", note=noting(Updates(b"s")), judge=raising)
    with pytest.raises(StoreError):
        observe(store, "a", scheme=TEXT, note=noting(Updates(b"s", (visit(class_hash=-1),))))
    assert (store.site_states(0), store.revision(), store.totals().captures) == ([], 0, 0)


def test_a_refused_scheme_writes_no_note(store: Store) -> None:
    observe(store, "a")
    with pytest.raises(StoreError, match="never compared"):
        observe(store, "b", scheme="classic:1", note=noting(Updates(b"s")))
    assert store.site_states(0) == []


def test_a_note_must_not_call_the_store(store: Store) -> None:
    for call in (lambda: known(store), store.revision, lambda: store.visit(1)):

        def calling(*_: object, call: Callable[[], object] = call) -> Updates:
            call()
            return Updates()

        with pytest.raises(StoreError, match="note"):
            store.note(Note(Asked(SITE), calling))
    assert store.revision() == 0


UNFIT: list[dict[str, Any]] = [
    {"visits": (visit(-1),)},
    {"visits": (visit(1 << 64),)},
    {"visits": (visit(class_hash=1 << 64),)},
    {"visits": (visit(due_at=datetime(2024, 1, 1)),)},  # noqa: DTZ001 - the fault
    {"visits": (visit(body_bytes=1 << 63),)},
    {"reclassed": {-1: 1}},
    {"reclassed": {1: -1}},
    {"restored": (1 << 64,)},
    {"dropped": (dropped(-1),)},
    {"dropped": (replace(dropped(), at=datetime(2024, 1, 1)),)},  # noqa: DTZ001 - the fault
    {"body": body(-1)},
    {"body": replace(body(), fetched_at=datetime(2024, 1, 1))},  # noqa: DTZ001 - the fault
    {"body": replace(body(), status=1 << 63)},
    {"ledger": (Entry(SITE, "n", 1 << 63),)},
    {"ledger": (Entry(SITE, "n", 1, 1 << 63),)},
]


@pytest.mark.parametrize("unfit", UNFIT)
def test_what_no_store_can_hold_is_refused_whole(store: Store, unfit: dict[str, Any]) -> None:
    before = everything(store)
    with pytest.raises(StoreError):
        write(store, **{"site_state": b"s", **unfit})
    assert everything(store) == before


@pytest.mark.parametrize("number", [-1, 1 << 64])
def test_a_hash_that_is_none_is_refused(store: Store, number: int) -> None:
    calls: list[Callable[[], object]] = [
        lambda: store.visit(number),
        lambda: store.stored_body(number),
        lambda: store.lease(number, "me", at(0), at(1)),
        lambda: store.release(number, "me"),
        lambda: known(store, number),
    ]
    for call in calls:
        with pytest.raises(StoreError, match="no unsigned 64-bit"):
            call()


def test_text_that_is_no_unicode_is_stored(store: Store) -> None:
    lone = "a\ud800"
    write(store, site=lone, site_state=b"s", visits=(visit(1, site=lone),), ledger=(Entry(lone, lone),))
    write(store, dropped=(dropped(1, site=lone, rule=lone),), body=body(1, site=lone))
    assert known(store, 1, site=lone).site is not None
    assert len(store.visits_of(lone, 9)) == len(store.dropped(site=lone, rules=[lone])) == 1
    assert store.stored_body(1) is not None
    assert store.lease(1, lone, at(0), at(9))
    store.forget(site=lone)
    assert (rows(store), store.dropped(), store.stored_body(1), known(store, site=lone).site) == ({}, [], None, None)


# ledger


def test_the_ledger_adds_up(store: Store) -> None:
    write(store, ledger=(Entry(SITE, "sent"), Entry(SITE, "saved:not_due", 2, 500), Entry(SITE, "sent", 1, 70)))
    write(store, ledger=(Entry(ELSEWHERE, "sent", 0, 0), Entry(SITE, "sent", 3)))
    assert store.ledger() == [
        Entry(ELSEWHERE, "sent", 0, 0),
        Entry(SITE, "saved:not_due", 2, 500),
        Entry(SITE, "sent", 5, 70),
    ]


def test_the_ledger_is_exact_whatever_many_threads_add(store: Store) -> None:
    def add() -> None:
        for number in range(50):
            write(store, ledger=(Entry(SITE, "sent", 1, number),))

    threads = [threading.Thread(target=add) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.ledger() == [Entry(SITE, "sent", 300, 6 * sum(range(50)))]
    assert store.revision() == 300


# dropped


def test_dropped_urls_are_listed_oldest_first_and_given_back(store: Store) -> None:
    one, two = dropped("a", seconds=5), dropped("b", seconds=1, rule="case")
    three = dropped(TOP, site=ELSEWHERE, seconds=3, rule='path_param:"é", query:sid')
    write(store, dropped=(one, two, three))
    assert store.dropped() == [two, three, one]
    assert store.dropped(site=SITE) == [two, one]
    assert store.dropped(rules=["query:sid"]) == [one]
    assert store.dropped(rules=(rule for rule in (three.rule, "case"))) == [two, three]
    assert store.dropped(site=SITE, rules=[three.rule]) == store.dropped(rules=[]) == []
    write(store, dropped=(replace(one, rule="case"),), restored=(two.key_hash, TOP, 99))
    assert store.dropped() == [replace(one, rule="case")]


def test_what_is_dropped_and_restored_at_once_stays_dropped(store: Store) -> None:
    write(store, dropped=(dropped("a"),))
    write(store, dropped=(dropped("a", rule="case"),), restored=(hash_key("a"),))
    assert store.dropped() == [dropped("a", rule="case")]


# bodies


@pytest.mark.parametrize("content", [b"", b"x", bytes(range(256)) * 4000, b"<p>text</p>" * 9000])
def test_a_body_comes_back_as_it_was(store: Store, content: bytes) -> None:
    write(store, body=body(TOP, content))
    assert store.stored_body(TOP) == body(TOP, content)
    write(store, body=replace(body(TOP, b"newer"), status=404, headers=()))
    assert store.stored_body(TOP) == replace(body(TOP, b"newer"), status=404, headers=())
    assert store.verify() == []


def test_bodies_are_kept_within_the_budget_and_the_oldest_go_first(open_store: OpenStore) -> None:
    store = open_store(body_budget_bytes=60_000)
    noise = [os.urandom(4_000) for _ in range(40)]

    def kept() -> list[int]:
        return [number for number in range(40) if store.stored_body(number) is not None]

    for number in range(14):
        write(store, body=body(number, noise[number]))
    assert kept() == list(range(14))
    write(store, body=body(0, noise[0]))  # now the youngest
    for number in range(14, 16):
        write(store, body=body(number, noise[number]))
    assert kept() == [0, *range(3, 16)]
    for number in range(16, 40):
        write(store, body=body(number, noise[number]))
    assert kept() == list(range(26, 40))
    assert store.verify() == []
    write(store, body=body(39, b"small"))
    write(store, body=body(1, noise[1][:3000]))
    assert kept() == [1, *range(26, 40)]
    assert store.verify() == []


def test_a_body_too_large_is_not_kept_and_takes_the_older_one_away(open_store: OpenStore) -> None:
    store = open_store(body_budget_bytes=60_000)
    write(store, body=body("a", b"small"))
    write(store, body=body("b", b"a" * 100_000))  # compresses well
    write(store, body=body("a", os.urandom(6_001)), visits=(visit("a"),))
    assert store.stored_body(hash_key("a")) is None
    assert store.stored_body(hash_key("b")) is not None
    assert store.visit(hash_key("a")) == visit("a")
    assert store.verify() == []


def test_no_body_is_kept_where_the_settings_say_so(open_store: OpenStore) -> None:
    store = open_store(keep_bodies=False)
    write(store, body=body(), site_state=b"s")
    assert store.stored_body(hash_key("a")) is None
    assert store.site_states(0) == [SiteState(SITE, b"s", 1)]


def test_the_size_of_a_store_counts_bodies(store: Store) -> None:
    before = store.info().size_bytes
    write(store, body=body("a", os.urandom(300_000)))
    assert store.info().size_bytes >= before + 200_000


# leases


def test_of_two_owners_one_has_the_lease_until_it_runs_out(store: Store) -> None:
    assert store.lease(TOP, "me", at(0), at(10))
    assert not store.lease(TOP, "other", at(5), at(15))
    assert store.lease(TOP, "me", at(5), at(20))
    assert not store.lease(TOP, "other", at(19.999999), at(30))
    assert store.lease(1, "other", at(5), at(15))
    assert store.lease(TOP, "other", at(20), at(30))
    assert not store.lease(TOP, "me", at(21), at(30))


def test_a_lease_is_given_back_by_its_owner_only(store: Store) -> None:
    store.release(1, "me")
    assert store.lease(1, "me", at(0), at(10))
    store.release(1, "other")
    assert not store.lease(1, "other", at(1), at(10))
    store.release(1, "me")
    assert store.lease(1, "other", at(1), at(10))


def test_of_many_threads_one_gets_the_lease(store: Store) -> None:
    start, got, lock = threading.Barrier(8), [], threading.Lock()

    def ask(number: int) -> None:
        start.wait()
        for key_hash in range(20):
            if store.lease(key_hash, f"{number}", at(0), at(10)):
                with lock:
                    got.append(key_hash)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == list(range(20))


# forget


def fill(store: Store) -> None:
    """Two keys on one site, one on another: each with a capture, a visit, a body and a dropped URL of the same key."""
    for seconds, (key, site) in enumerate((("a", SITE), ("b", SITE), ("c", ELSEWHERE)), 1):
        updates = Updates(
            b"rules",
            (visit(key, site=site, digest=b"d" * 16),),
            (Entry(site, "sent"),),
            (dropped(key, site=site, seconds=seconds),),
            body=body(key, site=site, seconds=seconds),
        )
        observe(store, key, seconds, noting(updates, site=site), site=site)
    write(store, visits=(visit("uncaptured"),), dropped=(dropped("never fetched", seconds=9),))


def left(store: Store) -> dict[str, str]:
    keys = {"a": "a", "b": "b", "c": "c", "uncaptured": "u", "never fetched": "n"}
    listed = {one.key_hash for one in store.dropped()}
    return {
        "visits": "".join(short for key, short in keys.items() if store.visit(hash_key(key))),
        "rows": "".join(short for key, short in keys.items() if hash_key(key) in rows(store)),
        "bodies": "".join(short for key, short in keys.items() if store.stored_body(hash_key(key))),
        "dropped": "".join(short for key, short in keys.items() if hash_key(key) in listed),
        "states": "".join("x" if state.site == SITE else "e" for state in store.site_states(0)),
    }


ALL_LEFT = {"visits": "abcu", "rows": "abcu", "bodies": "abc", "dropped": "abcn", "states": "xe"}


@pytest.mark.parametrize(
    ("conditions", "deleted", "expected"),
    [
        ({"key": "a"}, 1, {"visits": "bcu", "rows": "bcu", "bodies": "bc", "dropped": "bcn"}),
        ({"key": "uncaptured"}, 0, {"visits": "abc", "rows": "abc"}),
        ({"key": "never fetched"}, 0, {"dropped": "abc"}),
        ({"key": "unknown"}, 0, {}),
        ({"key": "a", "site": ELSEWHERE}, 0, {}),
        ({"key": "a", "site": SITE}, 1, {"visits": "bcu", "rows": "bcu", "bodies": "bc", "dropped": "bcn"}),
        ({"site": SITE}, 2, {"visits": "c", "rows": "c", "bodies": "c", "dropped": "c", "states": "e"}),
        ({"site": ELSEWHERE}, 1, {"visits": "abu", "rows": "abu", "bodies": "ab", "dropped": "abn", "states": "x"}),
        ({"before": at(2)}, 1, {"visits": "bcu", "rows": "bcu", "bodies": "bc", "dropped": "bcn"}),
        ({"before": at(1)}, 0, {}),
        ({"before": at(99)}, 3, {"visits": "u", "rows": "u", "bodies": "", "dropped": "n"}),
        ({"site": SITE, "before": at(2)}, 1, {"visits": "bcu", "rows": "bcu", "bodies": "bc", "dropped": "bcn"}),
        ({"site": SITE, "before": at(99)}, 2, {"visits": "cu", "rows": "cu", "bodies": "c", "dropped": "cn"}),
        ({"key": "b", "before": at(2)}, 0, {}),
        ({"key": "b", "before": at(3)}, 1, {"visits": "acu", "rows": "acu", "bodies": "ac", "dropped": "acn"}),
    ],
)
def test_forget_takes_what_is_kept_for_the_gate(
    store: Store, conditions: dict[str, Any], deleted: int, expected: dict[str, str]
) -> None:
    fill(store)
    assert left(store) == ALL_LEFT
    marks, ledger = (store.revision(), store.generation()), store.ledger()
    assert store.forget(**conditions) == deleted
    assert left(store) == ALL_LEFT | expected
    changed = bool(expected)
    assert (store.revision() > marks[0], store.generation() > marks[1]) == (changed, changed)
    assert store.ledger() == ledger
    assert store.verify() == []


def test_what_stays_of_a_key_goes_on(store: Store) -> None:
    observe(store, "a", 1, noting(Updates(visits=(visit("a", digest=b"d" * 16),), body=body("a", seconds=1))))
    observe(store, "a", 5, state=State.ERROR)
    revision = store.revision()
    assert store.forget(before=at(3)) == 1
    assert store.visit(hash_key("a")) == visit("a", digest=None, capture_id=None)
    assert store.stored_body(hash_key("a")) is None
    assert set(rows(store, revision)) == {hash_key("a")}
    assert store.verify() == []


def test_a_body_goes_by_its_own_time(store: Store) -> None:
    observe(store, "a", 1, noting(Updates(body=body("a", seconds=1))))
    observe(store, "a", 5)
    write(store, body=body("b", seconds=6))
    store.forget(before=at(3))
    assert (store.stored_body(hash_key("a")), store.stored_body(hash_key("b"))) == (None, body("b", seconds=6))
    generation = store.generation()
    assert store.forget(key="b", before=at(9)) == 0
    assert store.stored_body(hash_key("b")) is None
    assert store.generation() > generation


def test_room_is_counted_anew_after_bodies_are_forgotten(open_store: OpenStore) -> None:
    store = open_store(body_budget_bytes=60_000)
    for number in range(14):
        write(store, body=body(number, os.urandom(4_000), seconds=number))
    store.forget(before=at(7))
    for number in range(14, 21):
        write(store, body=body(number, os.urandom(4_000), seconds=number))
    assert [number for number in range(21) if store.stored_body(number)] == list(range(7, 21))
    assert store.verify() == []


# verify, close


def test_verify_finds_no_fault_in_a_sound_store(store: Store) -> None:
    fill(store)
    store.lease(1, "me", at(0), at(9))
    write(store, visits=tuple(visit(number, class_hash=number) for number in HASHES))
    assert store.verify() == []


def test_verify_misses_the_capture_of_a_visit(store: Store) -> None:
    write(store, visits=(visit(5, digest=b"d" * 16, capture_id=9),))
    assert store.verify() == ["visit 5: its capture 9 is not there"]


def test_verify_names_states_that_cannot_be_read(store: Store) -> None:
    write(store, site_state=b"\xff", visits=(visit(5, state=b"\xff"), visit(6, state=b"sound")))
    faults = store.verify(states=States(site=bytes.decode, visit=bytes.decode))
    assert [fault.partition(": what was learned cannot be read: ")[0] for fault in faults] == [
        "visit 5",
        f"the state of site {SITE}",
    ]
    assert store.verify() == []


def test_verify_tells_how_far_it_is(store: Store) -> None:
    write(store, visits=tuple(visit(number) for number in range(450)))
    told: list[int] = []
    assert store.verify(told=told.append) == []
    assert told == sorted(told)
    assert told[0] == 0
    assert told[-1] >= 400


def test_a_closed_store_refuses(store: Store) -> None:
    store.close()
    calls: list[Callable[[], object]] = [
        lambda: known(store),
        lambda: store.visit_rows(0),
        lambda: store.site_states(0),
        store.revision,
        store.generation,
        lambda: store.visit(1),
        lambda: store.visits_of(SITE, 1),
        lambda: store.capture(1),
        store.ledger,
        store.dropped,
        lambda: store.stored_body(1),
        lambda: store.lease(1, "me", at(0), at(1)),
        lambda: store.release(1, "me"),
    ]
    for call in calls:
        with pytest.raises(StoreError, match="closed"):
            call()


def test_the_revision_does_not_wait_for_others_in_the_store(store: Store) -> None:
    write(store, site_state=b"s")
    inside, done = threading.Event(), threading.Event()

    def slow(*_: object) -> Updates:
        inside.set()
        assert done.wait(10)
        return Updates(b"t")

    thread = threading.Thread(target=lambda: store.note(Note(Asked(SITE), slow)))
    thread.start()
    assert inside.wait(10)
    assert (store.revision(), store.generation()) == (1, 0)
    done.set()
    thread.join()
    assert store.revision() == 2


# expire


def keep(store: Store, key: str, seconds: float, state: State = State.CONTENT) -> None:
    """Observe a page and note what a gate notes of it: a visit that names the capture, and a body."""
    fingerprint = Fingerprint(0, None, b"d" * 16, b"", 9, state, TEXT)
    one = Capture(key, key, SITE, at(seconds), b"b", 1, 200, fingerprint)
    noted = Updates(visits=(visit(key, digest=b"d" * 16, due_at=at(seconds)),), body=body(key, seconds=seconds))
    query = Query(key, one.fetched_at, b"b", TEXT)
    store.observe(one, query, lambda _: Verdict(VerdictKind.NEW), noting(noted))


def test_what_is_kept_for_the_gate_expires_with_the_page(store: Store) -> None:
    for key, seconds in (("a", 1), ("a", 5), ("b", 1), ("c", 1)):
        keep(store, key, seconds)
    store.not_modified("c", at(6), None, None)
    write(store, dropped=(dropped("b"), dropped("d", seconds=1), dropped("e", seconds=9)), site_state=b"rules",
          ledger=(Entry(SITE, "fetched"),))  # fmt: skip
    write(store, visits=(visit("idle", due_at=at(1)), visit("waiting", due_at=at(9))))
    before = store.generation()
    assert store.expire(before=at(4)) == Expired(aged=2, pages=1, visits=1, dropped=1)
    assert store.generation() > before
    assert rows(store).keys() == {hash_key(key) for key in ("a", "c", "waiting")}
    assert {one.key_hash for one in store.dropped()} == {hash_key("e")}
    assert [key for key in "abc" if store.stored_body(hash_key(key))] == ["a", "c"]
    last = store.visit(hash_key("a"))
    assert last is not None
    assert store.capture(last.capture_id or 0) is not None
    assert ([one.state for one in store.site_states(0)], store.ledger()) == ([b"rules"], [Entry(SITE, "fetched")])
    assert store.verify() == []


def test_a_visit_whose_capture_is_expired_keeps_neither_its_id_nor_its_digest(store: Store) -> None:
    keep(store, "a", 1)
    keep(store, "a", 9, State.ERROR)
    write(store, visits=(visit("a", capture_id=1, digest=b"d" * 16, due_at=at(99)),))
    store.expire(before=at(5))
    assert store.visit(hash_key("a")) == visit("a", due_at=at(99))
    assert (store.stored_body(hash_key("a")), store.verify()) == (body("a", seconds=9), [])


def test_a_url_that_led_to_an_expired_page_does_not_name_its_capture_any_more(store: Store) -> None:
    keep(store, "a", 1)
    last = store.visit(hash_key("a"))
    assert last is not None
    for key, due in (("leads-to-a", 2), ("waits-and-leads-to-a", 9)):
        write(store, visits=(visit(key, capture_id=last.capture_id, digest=b"d" * 16, due_at=at(due)),))
    assert store.expire(before=at(5)) == Expired(aged=1, pages=1, visits=1)
    assert store.visit(hash_key("leads-to-a")) is None
    assert store.visit(hash_key("waits-and-leads-to-a")) == visit("waits-and-leads-to-a", due_at=at(9))
    assert store.verify() == []


def test_an_expiry_that_finds_nothing_leaves_copies_valid(store: Store) -> None:
    keep(store, "a", 5)
    write(store, dropped=(dropped("d", seconds=5),))
    before = store.generation(), store.revision()
    assert store.expire(before=at(5), site_budget=1) == Expired()
    assert (store.generation(), store.revision()) == before

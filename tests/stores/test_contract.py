"""What the protocol of a store promises, for every store."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from sameish.errors import SchemeMismatch, StoreError
from sameish.models import Capture, Fingerprint, State, Verdict, VerdictKind
from sameish.stores.base import Candidates, Expired, Query, Seen, Sighting, SiteCount, Store, StoreTotals

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
TEXT, CLASSIC = "text:1", "classic:1"
ALL = (1 << 64) - 1
BAD = (State.EMPTY, State.BLOCKED, State.ERROR)
GOOD = (State.CONTENT, State.PARTIAL, State.THIN, State.NOT_HTML)

OpenStore = Callable[..., Store]


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def capture(
    key: str = "a",
    seconds: float = 0,
    *,
    digest: int = 1,
    simhash: int | None = 0,
    state: State = State.CONTENT,
    scheme: str = TEXT,
    **more: Any,
) -> Capture:
    fingerprint = Fingerprint(simhash, 9, bytes([digest]) * 16, b"sketch", 40, state, scheme)
    given = Capture(key, f"https://x.example/{key}", "x.example", at(seconds), b"body", 1000, 200, fingerprint)
    return replace(given, **more)


def query(of: Capture, **more: Any) -> Query:
    fingerprint = of.fingerprint
    asked = Query(of.key, of.fetched_at, of.body_digest, fingerprint.scheme, fingerprint.digest, fingerprint.simhash)
    return replace(asked, **more)


def judge(found: Candidates) -> Verdict:
    others = found.equal + found.near
    if others:
        return Verdict(VerdictKind.DUPLICATE, match=others[0])
    return Verdict(VerdictKind.NEW if found.last is None else VerdictKind.UPDATED)


def put(store: Store, *captures: Capture) -> None:
    for one in captures:
        store.observe(one, query(one), judge)


def ids(captures: tuple[Capture, ...]) -> list[int | None]:
    return [one.id for one in captures]


def everything(store: Store, *keys: str) -> tuple[object, ...]:
    seen = tuple((store.seen(key), store.last_good(key)) for key in keys)
    return store.totals(), replace(store.info(), size_bytes=0), store.near(0, scheme=TEXT, within=64, limit=99), *seen


# candidates


def test_an_empty_store_finds_nothing(store: Store) -> None:
    assert store.candidates(query(capture(), within=64)) == Candidates()


def test_candidates_write_nothing(store: Store) -> None:
    put(store, capture())
    before = everything(store, "a", "b")
    store.candidates(query(capture("b", 5), within=64))
    assert everything(store, "a", "b") == before


@pytest.mark.parametrize("state", State)
def test_stored_is_the_very_capture(store: Store, state: State) -> None:
    one = capture(state=state, sentences=("s",), markdown="m")
    put(store, one)
    stored = store.candidates(query(one)).stored
    assert stored is not None
    assert (stored.key, stored.fetched_at, stored.body_digest) == (one.key, one.fetched_at, one.body_digest)
    assert (stored.markdown, stored.sentences) == (None, None)


@pytest.mark.parametrize("other", [{"key": "b"}, {"fetched_at": at(0.000001)}, {"body_digest": b"other"}])
def test_stored_is_no_other_capture(store: Store, other: dict[str, Any]) -> None:
    put(store, capture())
    assert store.candidates(query(capture(), **other)).stored is None


def test_stored_knows_a_time_in_another_zone(store: Store) -> None:
    put(store, capture())
    elsewhere = NOON.astimezone(timezone(timedelta(hours=5, minutes=30)))
    assert store.candidates(query(capture(), fetched_at=elsewhere)).stored is not None


def test_last_is_the_latest_not_after_else_the_earliest_after(store: Store) -> None:
    put(store, capture(seconds=30), capture(seconds=10), capture(seconds=20))
    found = {seconds: store.candidates(query(capture(seconds=seconds))).last for seconds in (5, 10, 15, 25, 99)}
    assert {seconds: last and last.fetched_at for seconds, last in found.items()} == {
        5: at(10), 10: at(10), 15: at(10), 25: at(20), 99: at(30),
    }  # fmt: skip


def test_last_of_two_fetched_together_is_the_one_observed_later(store: Store) -> None:
    put(store, capture(seconds=10, body_digest=b"z"), capture(seconds=10, body_digest=b"a"))
    for seconds in (5, 10, 15):
        last = store.candidates(query(capture(seconds=seconds))).last
        assert last is not None
        assert (last.id, last.body_digest) == (2, b"a")


@pytest.mark.parametrize("state", BAD)
def test_last_passes_over_captures_that_are_not_good(store: Store, state: State) -> None:
    put(store, capture(seconds=1), capture(seconds=2, state=state))
    last = store.candidates(query(capture(seconds=3))).last
    assert last is not None
    assert last.fetched_at == at(1)
    put(store, capture("b", state=state))
    assert store.candidates(query(capture("b", 3))).last is None


@pytest.mark.parametrize("state", GOOD)
def test_last_takes_every_good_state_of_any_scheme_however_old(open_store: OpenStore, state: State) -> None:
    store = open_store(several_schemes=True)
    put(store, capture(state=state, scheme=CLASSIC, sentences=("One.", "Two."), markdown="m"))
    last = store.candidates(query(capture(seconds=5), since=at(3))).last
    assert last is not None
    assert (last.fingerprint.state, last.fingerprint.scheme) == (state, CLASSIC)
    assert last.sentences == ("One.", "Two.")


def test_last_prefers_the_scheme_that_is_asked_for(open_store: OpenStore) -> None:
    store = open_store(several_schemes=True)
    put(store, capture(seconds=10), capture(seconds=20, scheme=CLASSIC), capture(seconds=30))
    for scheme, seconds, expected in (
        (TEXT, 25, at(10)), (CLASSIC, 40, at(20)), (CLASSIC, 15, at(20)), (TEXT, 40, at(30)), (TEXT, 5, at(10)),
        ("unheard:1", 25, at(20)), ("unheard:1", 5, at(10)),
    ):  # fmt: skip
        last = store.candidates(query(capture(seconds=seconds, scheme=scheme))).last
        assert last is not None
        assert last.fetched_at == expected, (scheme, seconds)


def test_an_earlier_capture_says_the_same_as_the_page_again(store: Store) -> None:
    put(store, capture(seconds=1), capture(seconds=2), capture(seconds=3, digest=2), capture("b", 4))
    found = store.candidates(query(capture(seconds=9)))
    assert found.earlier is not None
    assert (found.earlier.id, found.earlier.sentences) == (2, None)
    assert store.candidates(query(capture(seconds=9, digest=2))).earlier is None  # the last itself says so
    assert store.candidates(query(capture(seconds=9, digest=3))).earlier is None
    assert store.candidates(query(capture(seconds=0.5))).earlier is None
    assert store.candidates(query(capture(seconds=9), digest=None)).earlier is None
    assert store.candidates(query(capture("c", 9))).earlier is None


def test_an_often_fetched_page_crowds_no_other_out(store: Store) -> None:
    put(store, *(capture("often", seconds) for seconds in range(40)), capture("further", 50, simhash=1))
    put(store, capture("as near", 60), capture("often", 70, simhash=0b11))
    found = store.candidates(query(capture("b", 99), within=3, limit=3))
    assert ids(found.near) == [40, 42, 41]
    assert ids(found.equal) == [43, 41, 42]
    assert [one.id for one, _ in store.near(0, scheme=TEXT, within=3, limit=3)] == [40, 42, 41]
    assert ids(store.candidates(query(capture("b", 99), within=3, limit=3, since=at(45))).near) == [42, 41, 43]


def test_the_key_known_longest_stands_first_whatever_is_forgotten_of_it(store: Store) -> None:
    put(store, capture("b", 1, state=State.BLOCKED), capture("c", 2), capture("b", 3))
    store.forget(before=at(2))
    put(store, capture("d", 4))
    found = store.candidates(query(capture("a", 9)))
    assert (ids(found.equal), ids(found.near)) == ([3, 2, 4], [3, 2, 4])
    put(store, capture("c", 5))
    store.forget(before=at(3))
    found = store.candidates(query(capture("a", 9)))
    assert (ids(found.equal), ids(found.near)) == ([3, 5, 4], [3, 5, 4])


def test_equal_are_other_keys_with_the_digest_first_known_first(store: Store) -> None:
    put(store, capture("b", 9), capture("c", 1), capture("a", 2), capture("d", digest=2))
    put(store, capture("e", site="elsewhere.example", sentences=("s",), markdown="m"))
    found = store.candidates(query(capture("a", 20), site="x.example")).equal
    assert ids(found) == [1, 2, 5]
    assert all(one.sentences is None and one.markdown is None for one in found)


def test_equal_and_near_keep_to_since_scheme_and_limit(open_store: OpenStore) -> None:
    store = open_store(several_schemes=True)
    put(store, capture("b", 1), capture("c", 2), capture("d", 3), capture("e", 4, scheme=CLASSIC))
    for more, expected in (
        ({}, [1, 2, 3]),
        ({"since": at(2)}, [2, 3]),
        ({"limit": 2}, [1, 2]),
        ({"limit": 0}, []),
        ({"scheme": CLASSIC}, [4]),
        ({"scheme": "unheard:1"}, []),
    ):
        found = store.candidates(query(capture("a", 9), within=3, **more))
        assert ids(found.equal) == expected, more
        assert ids(found.near) == expected, more


@pytest.mark.parametrize("state", BAD)
def test_equal_and_near_leave_out_captures_that_are_not_good(store: Store, state: State) -> None:
    put(store, capture("b", state=state))
    found = store.candidates(query(capture(), within=64))
    assert (found.equal, found.near) == ((), ())
    assert store.near(0, scheme=TEXT, within=64, limit=9) == []


def test_nothing_is_found_by_what_is_not_asked(store: Store) -> None:
    put(store, capture("b"), capture("c", simhash=None, digest=3))
    assert store.candidates(query(capture(), digest=None)).equal == ()
    assert store.candidates(query(capture(), simhash=None, within=64)).near == ()
    assert ids(store.candidates(query(capture(), within=64)).near) == [1]


def test_near_is_inclusive_nearest_first_then_lowest_id(store: Store) -> None:
    put(store, capture("b", simhash=0b111), capture("c", simhash=1 << 63), capture("d", simhash=1))
    put(store, capture("e", simhash=0), capture("f", simhash=0b1111), capture("a", 5, simhash=0))
    found = store.candidates(query(capture(), within=3)).near
    assert ids(found) == [4, 2, 3, 1]
    assert all(one.fingerprint.simhash == number for one, number in zip(found, [0, 1 << 63, 1, 7], strict=True))


@pytest.mark.parametrize("simhash", [0, 1, ALL, ALL - 1, 1 << 63, (1 << 63) - 1])
def test_near_counts_all_64_bits(store: Store, simhash: int) -> None:
    put(store, capture("b", simhash=simhash))
    asked = capture(simhash=simhash ^ (1 << 63) ^ 1)
    assert ids(store.candidates(query(asked, within=2)).near) == [1]
    assert store.candidates(query(asked, within=1)).near == ()
    assert store.candidates(query(capture(simhash=simhash ^ ALL), within=63)).near == ()
    assert [d for _, d in store.near(simhash ^ ALL, scheme=TEXT, within=64, limit=1)] == [64]


def test_near_keeps_to_a_site(store: Store) -> None:
    put(store, capture("b"), capture("c", site="elsewhere.example"))
    assert ids(store.candidates(query(capture(), site="x.example")).near) == [1]
    assert ids(store.candidates(query(capture(), site="elsewhere.example")).near) == [2]
    assert ids(store.candidates(query(capture(), site="nowhere.example")).near) == []
    assert ids(store.candidates(query(capture())).near) == [1, 2]


def test_recent_counts_what_near_could_return(store: Store) -> None:
    put(store, capture("b", 30), capture("c", 10), capture("d", 20), capture("e", 20, simhash=ALL))
    put(store, capture("a", 40), capture("f", 50, site="elsewhere.example"))
    for recent, expected in ((0, []), (1, [1]), (2, [1]), (3, [1, 3]), (4, [1, 2, 3]), (None, [1, 2, 3])):
        found = store.candidates(query(capture("a", 99), site="x.example", recent=recent, within=8))
        assert ids(found.near) == expected, recent


# observe


def test_observe_returns_the_verdict_and_keeps_it(store: Store) -> None:
    put(store, capture("b"))
    given = capture(id=77, verdict=VerdictKind.NEW, match_id=88)
    verdict = store.observe(given, query(given), judge)
    assert verdict.kind is VerdictKind.DUPLICATE
    stored = store.candidates(query(given)).stored
    assert stored is not None
    assert (stored.id, stored.verdict, stored.match_id) == (2, VerdictKind.DUPLICATE, 1)


def test_observe_shows_the_judge_what_candidates_finds(store: Store) -> None:
    put(store, capture("b", sentences=("s",)), capture("a", 1), capture("c", simhash=3, digest=2))
    asked = query(capture("a", 9), within=4)
    shown: list[Candidates] = []
    expected = store.candidates(asked)
    store.observe(capture("a", 9), asked, lambda found: shown.append(found) or Verdict(VerdictKind.NEW))  # type: ignore[func-returns-value]  # a lambda of two steps
    assert shown == [expected]


def test_all_of_a_capture_comes_back(store: Store) -> None:
    given = capture(
        "https://x.example/?q=é\x00",
        -1e9,
        simhash=ALL,
        title="Naïve 标题 🙂",
        canonical_url="https://x.example/c",
        etag='W/"1"',
        last_modified="Wed, 01 May 2024 12:00:00 GMT",
        markdown="# Titel\n\n\x00 " * 100,
        sentences=("Ein Satz.", "", "with\nline\x00break", "🙂"),
        status=203,
        body_bytes=1 << 40,
        body_digest=bytes(range(20)),
    )
    put(store, given)
    last = store.last_good(given.key)
    assert last == replace(given, id=1, verdict=VerdictKind.NEW)
    assert last is not None
    assert last.fetched_at.utcoffset() == timedelta(0)


@pytest.mark.parametrize("lone", ["\ud800", "a\udfffb"])
def test_text_that_is_no_unicode_is_stored(store: Store, lone: str) -> None:
    given = capture(lone, title=lone, url=lone, site=lone, etag=lone, markdown=lone, sentences=(lone,))
    put(store, given, replace(given, fetched_at=at(1)))
    last = store.last_good(lone)
    assert last is not None
    assert (last.markdown, last.sentences) == (lone, (lone,))
    assert store.candidates(query(given, site=lone)).stored is not None
    store.not_modified(lone, at(9), lone, None)
    assert store.forget(key=lone, site=lone) == 2


def test_a_capture_that_is_stored_changes_nothing(store: Store) -> None:
    put(store, capture(etag="1"), capture("b", digest=2))
    store.not_modified("a", at(0), "2", None)
    before = everything(store, "a", "b")
    again = replace(capture(), title="other", etag="3", fetched_at=NOON.astimezone(timezone(timedelta(hours=-3))))
    verdict = store.observe(again, query(again), lambda found: Verdict(VerdictKind.UNCHANGED, match=found.stored))
    assert verdict.kind is VerdictKind.UNCHANGED
    assert everything(store, "a", "b") == before


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_a_judge_that_raises_leaves_the_store_as_it_was(store: Store, error: type[BaseException]) -> None:
    put(store, capture("b"))
    before = everything(store, "a", "b")

    def raising(_: Candidates) -> Verdict:
        raise error

    with pytest.raises(error):
        store.observe(capture(), query(capture()), raising)
    assert everything(store, "a", "b") == before
    put(store, capture())
    assert store.totals().captures == 2


def test_a_judge_must_not_call_the_store(store: Store) -> None:
    def calling(_: Candidates) -> Verdict:
        return store.observe(capture("b"), query(capture("b")), judge)

    with pytest.raises(StoreError, match="judge"):
        store.observe(capture(), query(capture()), calling)
    assert store.totals() == StoreTotals()


@pytest.mark.parametrize("markdown", [True, False])
@pytest.mark.parametrize("sentences", [True, False])
def test_texts_are_kept_as_the_settings_say(open_store: OpenStore, markdown: bool, sentences: bool) -> None:
    store = open_store(keep_markdown=markdown, keep_sentences=sentences)
    put(store, capture(markdown="m", sentences=("s",)))
    last = store.last_good("a")
    assert last is not None
    assert (last.markdown, last.sentences) == ("m" if markdown else None, ("s",) if sentences else None)
    assert store.verify() == []


def test_no_sentences_are_not_the_same_as_sentences_not_kept(store: Store) -> None:
    put(store, capture("a", sentences=(), markdown=""), capture("b"))
    last, none = store.last_good("a"), store.last_good("b")
    assert last is not None
    assert none is not None
    assert (last.sentences, last.markdown, none.sentences, none.markdown) == ((), "", None, None)


@pytest.mark.parametrize("bad", [{"simhash": -1}, {"simhash": 1 << 64}, {"fetched_at": datetime(2024, 1, 1)}])  # noqa: DTZ001 - the fault
def test_what_no_store_can_hold_is_refused(store: Store, bad: dict[str, Any]) -> None:
    with pytest.raises(StoreError):
        store.observe(capture(**bad), query(capture()), judge)
    assert store.totals() == StoreTotals()


def test_a_second_scheme_is_refused(store: Store) -> None:
    put(store, capture())
    with pytest.raises(SchemeMismatch, match="never compared") as caught:
        put(store, capture("b", scheme=CLASSIC))
    assert (caught.value.found, caught.value.expected) == ((TEXT,), CLASSIC)
    assert store.totals().captures == 1
    store.forget(key="a")
    put(store, capture("b", scheme=CLASSIC))
    assert store.info().schemes == {CLASSIC: 1}


def test_several_schemes_stand_side_by_side(open_store: OpenStore) -> None:
    store = open_store(several_schemes=True)
    put(store, capture(), capture("b", scheme=CLASSIC), capture("c", scheme=CLASSIC))
    assert store.info().schemes == {TEXT: 1, CLASSIC: 2}
    assert [one.id for one, _ in store.near(0, scheme=CLASSIC, within=0, limit=9)] == [2, 3]


def test_of_many_threads_one_hears_new(store: Store) -> None:
    start, heard, lock = threading.Barrier(8), [], threading.Lock()

    def observe(number: int) -> None:
        start.wait()
        for content in range(20):
            one = capture(f"{number}", content, digest=content, simhash=None)
            kind = store.observe(
                one, query(one), lambda f: Verdict(VerdictKind.DUPLICATE if f.equal else VerdictKind.NEW)
            ).kind
            with lock:
                heard.append((content, kind))

    threads = [threading.Thread(target=observe, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(content for content, kind in heard if kind is VerdictKind.NEW) == list(range(20))
    assert (len(heard), store.totals().captures) == (160, 160)
    assert store.verify() == []


# seen, not_modified, last_good


def test_seen_is_what_the_latest_good_capture_says(store: Store) -> None:
    assert store.seen("a") is None
    put(store, capture(seconds=10, etag="1", last_modified="then"))
    assert store.seen("a") == Seen("a", "https://x.example/a", "x.example", at(10), "1", "then")
    put(store, capture(seconds=5, etag="0", url="older"))
    assert store.seen("a") == Seen("a", "https://x.example/a", "x.example", at(10), "1", "then")
    put(store, capture(seconds=20, url="newer"))
    assert store.seen("a") == Seen("a", "newer", "x.example", at(20), None, None)


@pytest.mark.parametrize("state", BAD)
def test_what_is_not_good_is_not_seen(store: Store, state: State) -> None:
    put(store, capture(seconds=20, state=state, etag="bad"))
    assert store.seen("a") is None
    assert store.last_good("a") is None
    put(store, capture(seconds=10, etag="good"), capture(seconds=30, state=state, etag="bad"))
    seen = store.seen("a")
    assert seen is not None
    assert (seen.last_seen, seen.etag) == (at(10), "good")


def test_a_304_shows_the_key_again_and_may_bring_validators(store: Store) -> None:
    put(store, capture(etag="1", last_modified="then"))
    store.not_modified("a", at(10), None, None)
    assert store.seen("a") == Seen("a", "https://x.example/a", "x.example", at(10), "1", "then")
    store.not_modified("a", at(20).astimezone(timezone(timedelta(hours=2))), "2", None)
    assert store.seen("a") == Seen("a", "https://x.example/a", "x.example", at(20), "2", "then")
    store.not_modified("a", at(30), None, "now")
    assert store.seen("a") == Seen("a", "https://x.example/a", "x.example", at(30), "2", "now")
    assert store.totals().not_modified == 3
    assert store.totals().captures == 1


def test_an_old_304_is_counted_and_changes_nothing(store: Store) -> None:
    put(store, capture(seconds=10, etag="1"))
    store.not_modified("a", at(5), "0", "long ago")
    assert store.seen("a") == Seen("a", "https://x.example/a", "x.example", at(10), "1", None)
    assert store.totals().not_modified == 1


def test_a_304_of_a_key_that_never_answered_well_is_not_counted(store: Store) -> None:
    put(store, capture(state=State.BLOCKED))
    for key in ("a", "unknown"):
        store.not_modified(key, at(10), "1", None)
        assert store.seen(key) is None
    assert store.totals().not_modified == 0
    assert store.verify() == []


def test_last_good_is_the_latest_fetched(store: Store) -> None:
    put(store, capture(seconds=20, markdown="new", sentences=("s",)), capture(seconds=10, markdown="old"))
    put(store, capture(seconds=30, state=State.ERROR))
    last = store.last_good("a")
    assert last is not None
    assert (last.markdown, last.sentences) == ("new", ("s",))
    assert store.last_good("b") is None


# near


def test_near_by_hash(store: Store) -> None:
    put(store, capture("b", 1, simhash=0b11, markdown="m"), capture("c", 2, simhash=0), capture("d", 3, simhash=1))
    put(store, capture("e", 4, site="elsewhere.example"))

    def asked(**more: Any) -> list[tuple[int | None, int]]:
        given = {"scheme": TEXT, "within": 2, "limit": 9, **more}
        found = store.near(0, **given)
        assert all(one.markdown is None and one.sentences is None for one, _ in found)
        return [(one.id, distance) for one, distance in found]

    assert asked() == [(2, 0), (4, 0), (3, 1), (1, 2)]
    assert asked(within=1) == [(2, 0), (4, 0), (3, 1)]
    assert asked(limit=2) == [(2, 0), (4, 0)]
    assert asked(limit=0) == []
    assert asked(site="x.example") == [(2, 0), (3, 1), (1, 2)]
    assert asked(since=at(3)) == [(4, 0), (3, 1)]
    assert asked(scheme=CLASSIC) == []


# forget


def test_forget_deletes_what_matches_all_conditions(store: Store) -> None:
    put(store, capture("a", 1), capture("a", 2), capture("b", 1), capture("c", 1, site="elsewhere.example"))
    assert store.forget(key="a", site="elsewhere.example") == 0
    assert store.forget(key="a", before=at(1)) == 0
    assert store.forget(key="a", before=at(2)) == 1
    assert store.forget(site="x.example", before=at(2)) == 1
    assert store.forget(key="unknown") == 0
    assert store.totals().captures == 2
    assert store.forget(before=at(99)) == 2
    assert store.totals() == StoreTotals()
    assert store.verify() == []


def test_forget_without_a_condition_is_refused(store: Store) -> None:
    put(store, capture())
    with pytest.raises(ValueError, match="nothing was deleted"):
        store.forget()
    assert store.totals().captures == 1


def test_what_is_forgotten_is_found_no_more(store: Store) -> None:
    put(store, capture("a", markdown="m"), capture("b", 5))
    store.not_modified("a", at(9), None, None)
    assert store.forget(key="a") == 1
    assert (store.seen("a"), store.last_good("a")) == (None, None)
    assert store.totals().not_modified == 0
    found = store.candidates(query(capture("c"), within=64))
    assert (ids(found.equal), ids(found.near)) == ([2], [2])
    again = store.candidates(query(capture()))
    assert (again.stored, again.last) == (None, None)
    assert store.verify() == []


def test_seen_stays_while_a_good_capture_is_left(store: Store) -> None:
    put(store, capture(seconds=1), capture(seconds=5, etag="1"), capture(seconds=9, state=State.BLOCKED))
    store.forget(before=at(3))
    seen = store.seen("a")
    assert seen is not None
    assert seen.etag == "1"
    store.forget(before=at(7))
    assert store.seen("a") is None
    assert store.totals().captures == 1
    assert store.verify() == []


def test_ids_are_never_given_twice(store: Store) -> None:
    put(store, capture("a"), capture("b"))
    store.forget(key="b")
    put(store, capture("c", digest=2, simhash=ALL))
    assert ids(store.candidates(query(capture("d", digest=2))).equal) == [3]
    store.forget(site="x.example")
    put(store, capture("a"))
    last = store.last_good("a")
    assert last is not None
    assert last.id == 4


def test_a_match_may_be_forgotten(store: Store) -> None:
    put(store, capture("a"), capture("b"))
    store.forget(key="a")
    last = store.last_good("b")
    assert last is not None
    assert last.match_id == 1
    assert store.verify() == []


# totals, info, verify, close


def test_what_another_store_saw_of_a_key_is_taken_over(store: Store) -> None:
    put(store, capture("a", 5, etag='"a"'), capture("b", 5), capture("wall", 5, state=State.BLOCKED))
    later = Seen("a", "https://x.example/later", "x.example", at(9), '"later"', None)
    news = [Sighting(0, later, 7), Sighting(0, replace(later, key="b", last_seen=at(1)), 2)]
    unknown = [Sighting(0, replace(later, key=key), 1) for key in ("wall", "nobody")]
    for _ in range(2):
        store.take_sightings([*news, *unknown])
    assert (store.seen("a"), store.seen("wall"), store.seen("nobody")) == (later, None, None)
    kept = store.seen("b")
    assert (kept and kept.last_seen, store.totals().not_modified) == (at(5), 9)
    assert [(one.seen.key, one.not_modified) for one in store.walk_sightings(0, limit=9)] == [("a", 7), ("b", 2)]
    (first,) = store.walk_sightings(0, limit=1)
    assert [one.seen.key for one in store.walk_sightings(first.number, limit=9)] == ["b"]
    assert store.verify() == []


def test_all_captures_are_walked_through_with_their_texts(open_store: OpenStore) -> None:
    store = open_store(several_schemes=True)
    put(
        store,
        *(capture(state, state=state, markdown="m", sentences=("s",)) for state in State),
        capture(scheme=CLASSIC),
    )
    found = [*store.walk_captures(0, limit=3), *store.walk_captures(3, limit=99)]
    assert ids(tuple(found)) == list(range(1, len(State) + 2))
    assert {(one.markdown, one.sentences) for one in found[:-1]} == {("m", ("s",))}
    assert store.walk_captures(99, limit=9) == store.walk_captures(0, limit=0) == []


# expire


def fetched(store: Store, key: str) -> list[float]:
    found = [one for one in store.captures_after(0, scheme=TEXT, limit=9_999) if one.key == key]
    return [(one.fetched_at - NOON).total_seconds() for one in found]


def test_captures_expire_by_age(store: Store) -> None:
    put(store, *(capture(key, seconds) for key in "ab" for seconds in (1, 2, 3)), capture("c", 1), capture("b", 9))
    put(store, capture("d", 1, state=State.ERROR))
    heard: list[Expired] = []
    assert store.expire(before=at(3), told=heard.append) == Expired(aged=6, pages=2)
    assert (heard[-1].aged, heard[-1].captures, heard[-1].rows) == (6, 6, 6)
    assert {key: fetched(store, key) for key in "abc"} == {"a": [3], "b": [3, 9], "c": []}
    assert (store.seen("c"), store.totals().pages) == (None, 2)
    assert store.near(0, scheme=TEXT, within=0, limit=9)[0][0].fetched_at == at(3)
    assert store.expire(before=at(3), told=heard.append) == Expired()
    assert len(heard) == 1
    assert store.verify() == []


def test_the_last_good_capture_is_as_old_as_its_page_was_last_seen(store: Store) -> None:
    put(store, *(capture(key, seconds) for key in "abc" for seconds in (1, 2)))
    put(store, capture("b", 8, state=State.ERROR))
    store.not_modified("a", at(9), '"new"', None)
    assert store.expire(before=at(5)) == Expired(aged=5, pages=1)
    assert (fetched(store, "a"), fetched(store, "b"), fetched(store, "c")) == ([2], [], [])
    seen, found = store.seen("a"), store.candidates(query(capture("a", 20, digest=2)))
    assert seen is not None
    assert (seen.last_seen, seen.etag, found.last and found.last.fetched_at) == (at(9), '"new"', at(2))
    assert (store.seen("b"), store.totals().pages) == (None, 2)  # the error is younger, and nothing to compare with
    assert store.expire(before=at(10)) == Expired(aged=2, pages=2)
    assert store.verify() == []


def test_a_site_over_its_budget_keeps_the_newest_of_each_page_first(store: Store) -> None:
    put(store, *(capture("often", seconds) for seconds in range(20)))
    put(store, *(capture(key, seconds) for key in "ab" for seconds in (1, 2)))
    put(store, *(capture("there", seconds, site="y.example") for seconds in range(5)))
    assert store.expire(site_budget=7) == Expired(surplus=17)
    assert {key: fetched(store, key) for key in ("often", "a", "b")} == {
        "often": [17, 18, 19],
        "a": [1, 2],
        "b": [1, 2],
    }
    assert store.expire(site_budget=4) == Expired(surplus=4)
    assert {key: fetched(store, key) for key in ("often", "a", "b")} == {"often": [18, 19], "a": [2], "b": [2]}
    assert len(fetched(store, "there")) == 4
    assert store.verify() == []


def test_no_budget_takes_the_last_good_capture(store: Store) -> None:
    put(store, *(capture(f"{number}", number) for number in range(9)), capture("0", 99, state=State.BLOCKED))
    put(store, capture("wall", 5, state=State.BLOCKED))
    assert store.expire(site_budget=1) == Expired(surplus=2, pages=1)
    assert store.totals().captures == 9
    last = store.last_good("0")
    assert last is not None
    assert last.fetched_at == at(0)


def test_many_captures_expire_a_few_at_a_time(open_store: OpenStore) -> None:
    store = open_store(keep_bodies=False)
    store.add_many(judged(*(capture(f"{number % 700}", number) for number in range(1_500))))
    heard: list[Expired] = []
    assert store.expire(before=at(1_400), site_budget=150, told=heard.append) == Expired(aged=1_400, pages=600)
    assert heard[-1] == Expired(aged=1_400, pages=600)
    assert [one.captures for one in heard] == sorted(one.captures for one in heard)
    assert store.totals().captures == 100
    assert store.verify() == []


def test_an_expiry_may_be_ended(store: Store) -> None:
    store.add_many(judged(*(capture(f"{number}", number) for number in range(1_500))))

    def enough(_: Expired) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        store.expire(before=at(1_500), told=enough)
    assert store.totals().captures in (0, 1_000)  # at once, or after the first five hundred
    assert store.verify() == []
    store.expire(before=at(1_500))
    assert store.totals() == StoreTotals()


def test_an_expired_match_is_named_and_no_id_is_given_twice(store: Store) -> None:
    put(store, capture("a"), capture("b", 5))
    store.expire(before=at(5))
    put(store, capture("c", 6))
    found = store.captures_after(0, scheme=TEXT, limit=9)
    assert [(one.id, one.match_id) for one in found] == [(2, 1), (3, 2)]


def test_a_scheme_whose_captures_are_all_expired_makes_room_for_another(store: Store) -> None:
    put(store, capture())
    store.expire(before=at(1))
    put(store, capture(scheme=CLASSIC))
    assert store.info().schemes == {CLASSIC: 1}


@pytest.mark.parametrize("wrong", [{}, {"site_budget": 0}, {"site_budget": -1, "before": NOON}])
def test_an_expiry_without_a_bound_is_refused(store: Store, wrong: dict[str, Any]) -> None:
    put(store, capture())
    with pytest.raises(ValueError, match="nothing was deleted"):
        store.expire(**wrong)
    with pytest.raises(StoreError, match="no zone"):
        store.expire(before=datetime(2099, 1, 1))  # noqa: DTZ001
    assert store.totals().captures == 1


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-00:01"])
def test_a_time_that_could_not_be_read_back_is_refused(store: Store, text: str) -> None:
    put(store, capture())
    moment = datetime.fromisoformat(text)
    for call in (
        lambda: store.add_many(judged(replace(capture("b"), fetched_at=moment))),
        lambda: store.not_modified(capture().key, moment, None, None),
        lambda: store.take_sightings([Sighting(0, Seen("c", "c", "x.example", moment))]),
    ):
        with pytest.raises(StoreError, match="has no equal in UTC"):
            call()
    assert (store.totals().captures, store.verify()) == (1, [])


def test_others_read_and_write_while_captures_expire(store: Store) -> None:
    store.add_many(judged(*(capture(f"{number}", number) for number in range(3_000))))
    stop = threading.Event()
    written: list[int] = []

    def work() -> None:
        while not stop.is_set():
            put(store, capture(f"new {len(written)}", 5_000 + len(written), digest=2, simhash=ALL))
            written.append(len(written))
            assert store.candidates(query(capture("b", 9_999), within=64)).last is None

    with ThreadPoolExecutor() as pool:
        worker = pool.submit(work)
        done = store.expire(before=at(3_000))
        stop.set()
        worker.result()
    assert done == Expired(aged=3_000, pages=3_000)
    assert store.totals().captures == len(written)
    assert store.verify() == []


def test_totals(store: Store) -> None:
    assert store.totals() == StoreTotals()
    put(
        store,
        capture("a", body_bytes=10),
        capture("b", body_bytes=20),
        capture("a", 5, digest=2, simhash=ALL, body_bytes=40),
    )
    error = capture("c", state=State.ERROR, digest=7, site="elsewhere.example", body_bytes=80)
    store.observe(error, query(error), lambda _: Verdict(VerdictKind.UNDETERMINED))
    assert store.totals() == StoreTotals(
        captures=4,
        pages=3,
        sites=2,
        contents=2,
        not_modified=0,
        by_verdict={"new": 1, "duplicate": 1, "updated": 1, "undetermined": 1},
        bytes_by_verdict={"new": 10, "duplicate": 20, "updated": 40, "undetermined": 80},
    )
    store.not_modified("a", at(9), None, None)
    assert store.totals("x.example") == StoreTotals(
        captures=3,
        pages=2,
        sites=1,
        contents=2,
        not_modified=1,
        by_verdict={"new": 1, "duplicate": 1, "updated": 1},
        bytes_by_verdict={"new": 10, "duplicate": 20, "updated": 40},
    )
    assert (store.totals("elsewhere.example").captures, store.totals("elsewhere.example").contents) == (1, 0)
    assert store.totals("nowhere.example") == StoreTotals()


def test_sites_are_counted_by_name(store: Store) -> None:
    assert store.sites() == []
    put(store, capture("a"), capture("b"), capture("a", 5, digest=2), capture("c", site="elsewhere.example"))
    assert store.sites() == [SiteCount("elsewhere.example", 1, 1), SiteCount("x.example", 3, 2)]
    store.forget(site="x.example")
    assert store.sites() == [SiteCount("elsewhere.example", 1, 1)]


def test_info(store: Store) -> None:
    empty = store.info()
    assert (empty.captures, empty.schemes, empty.first_fetched, empty.last_fetched) == (0, {}, None, None)
    assert empty.kind in ("memory", "sqlite", "postgresql")
    assert empty.target
    put(store, capture("a", 7, markdown="m" * 100_000), capture("b", 3), capture("c", 9, state=State.EMPTY))
    info = store.info()
    assert (info.captures, info.schemes) == (3, {TEXT: 3})
    assert (info.first_fetched, info.last_fetched) == (at(3), at(9))
    assert info.schema_version >= 1
    assert info.size_bytes > 0


def test_verify_finds_no_fault_in_a_sound_store(store: Store) -> None:
    assert store.verify() == []
    put(store, *(capture(f"{state}", simhash=None, state=state, sentences=("s",)) for state in State))
    put(store, capture("a", simhash=ALL), capture("b", simhash=1 << 63), capture("a", 3))
    assert store.verify() == []


def test_a_closed_store_refuses_but_closes_again(store: Store) -> None:
    with store as same:
        assert same is store
    calls: list[Callable[[], object]] = [
        lambda: store.candidates(query(capture())),
        lambda: store.observe(capture(), query(capture()), judge),
        lambda: store.not_modified("a", NOON, None, None),
        lambda: store.seen("a"),
        lambda: store.last_good("a"),
        lambda: store.near(0, scheme=TEXT, within=0, limit=1),
        lambda: store.forget(key="a"),
        store.totals,
        store.info,
        store.verify,
    ]
    for call in calls:
        with pytest.raises(StoreError, match="closed"):
            call()
    store.close()


# captures_after


def test_captures_are_walked_through_in_the_order_in_which_they_were_observed(store: Store) -> None:
    put(store, *(capture(key, at, digest=at + 1) for at, key in enumerate("cabca")))
    walked: list[Capture] = []
    while found := store.captures_after(walked[-1].id or 0 if walked else 0, scheme=TEXT, limit=2):
        assert len(found) <= 2
        walked += found
    assert [one.key for one in walked] == list("cabca")
    assert [one.id for one in walked] == sorted(one.id or 0 for one in walked)
    assert {(one.markdown, one.sentences) for one in walked} == {(None, None)}


def test_only_good_captures_of_the_scheme_are_walked_through(open_store: OpenStore) -> None:
    store = open_store(several_schemes=True)
    put(store, *(capture(state.value, digest=at + 1, state=state) for at, state in enumerate((*GOOD, *BAD))))
    put(store, capture("classic", 9, scheme=CLASSIC))
    assert [one.key for one in store.captures_after(0, scheme=TEXT, limit=99)] == [state.value for state in GOOD]
    assert [one.key for one in store.captures_after(0, scheme=CLASSIC, limit=99)] == ["classic"]
    assert store.captures_after(0, scheme="unknown:1", limit=99) == []
    assert store.captures_after(0, scheme=TEXT, limit=0) == []


# add_many


def judged(*captures: Capture) -> list[Capture]:
    return [replace(one, verdict=one.verdict or VerdictKind.NEW) for one in captures]


def test_captures_that_are_added_are_as_those_that_are_observed(open_store: OpenStore) -> None:
    captures = [
        capture("a", 5, etag="1", sentences=("One.",), markdown="# One"),
        capture("b", 1, digest=2, simhash=ALL, title="t\x00", canonical_url="c"),
        capture("a", 3, etag="2", body_digest=b"older"),
        capture("a", 5, etag="3", body_digest=b"of two fetched together"),
        capture("c", 2, state=State.ERROR, simhash=None, digest=3),
        capture("e\ud800", 1, digest=9, simhash=1 << 63, site="other.example"),
    ]
    observed, added = open_store(), open_store()
    for one in captures:
        observed.observe(one, query(one), lambda _: Verdict(VerdictKind.NEW))
    assert added.add_many(judged(*captures)) == [1, 2, 3, 4, 5, 6]
    assert everything(added, "a", "b", "c", "e\ud800")[0] == everything(observed, "a", "b", "c", "e\ud800")[0]
    assert everything(added, "a", "b", "c", "e\ud800")[2:] == everything(observed, "a", "b", "c", "e\ud800")[2:]
    assert added.verify() == []
    assert added.revision() == 0


def test_a_capture_that_is_stored_is_not_added_again(store: Store) -> None:
    put(store, capture("a"), capture("b", digest=2))
    before = everything(store, "a", "b")
    assert store.add_many(judged(capture("b", digest=2, title="other"), capture("a", etag="9"))) == [2, 1]
    assert everything(store, "a", "b") == before
    assert store.add_many(judged(capture("c"), capture("c"), capture("c", 1), capture("a"))) == [3, 3, 4, 1]
    assert store.add_many([]) == []
    assert store.totals().captures == 4


def test_an_older_capture_that_is_added_is_not_what_was_seen_last(store: Store) -> None:
    put(store, capture("a", 10, etag="new"))
    store.add_many(judged(capture("a", 5, etag="old"), capture("b", 7, etag="b"), capture("b", 6, etag="older")))
    assert [(one and one.etag) for one in map(store.seen, "ab")] == ["new", "b"]


def test_verdict_and_match_are_kept_as_they_are_given(store: Store) -> None:
    [first] = store.add_many(judged(capture("a")))
    [second] = store.add_many([capture("b", verdict=VerdictKind.DUPLICATE, match_id=first, id=77)])
    there = store.capture(second)
    assert there is not None
    assert (there.id, there.verdict, there.match_id) == (second, VerdictKind.DUPLICATE, first)
    assert store.totals().by_verdict == {"new": 1, "duplicate": 1}


@pytest.mark.parametrize("wrong", [{"verdict": None}, {"fetched_at": datetime(2024, 1, 1)}, {"simhash": -1}])  # noqa: DTZ001 - that is what is wrong
def test_what_cannot_be_added_keeps_the_others_out_too(store: Store, wrong: dict[str, Any]) -> None:
    with pytest.raises(StoreError):
        store.add_many([*judged(capture("a")), capture("b", **{"verdict": VerdictKind.NEW, **wrong})])
    assert store.totals().captures == 0


def test_a_strange_scheme_is_not_added(store: Store) -> None:
    put(store, capture("a"))
    with pytest.raises(SchemeMismatch):
        store.add_many(judged(capture("b"), capture("c", scheme=CLASSIC)))
    assert store.totals().captures == 1


def test_two_strange_schemes_are_not_added_together(store: Store) -> None:
    with pytest.raises(SchemeMismatch):
        store.add_many(judged(capture("b"), capture("c", scheme=CLASSIC)))
    assert store.totals().captures == 0
    assert store.info().schemes == {}

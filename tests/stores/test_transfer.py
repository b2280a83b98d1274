"""What a store holds survives the way through a file into a store of any kind."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Any

import psycopg
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.postgres_server import Databases

from sameish.errors import SchemeMismatch, SourceError, StoreUnavailable, TruncatedRecord
from sameish.models import Capture, Fingerprint, State, Verdict, VerdictKind
from sameish.settings import StoreSection
from sameish.stores.base import Query, Store
from sameish.stores.gate_state import Asked, Dropped, Entry, Note, Updates, Visit, hash_key
from sameish.stores.memory import MemoryStore
from sameish.stores.postgres import PostgresStore
from sameish.stores.sqlite import SqliteStore
from sameish.stores.transfer import Imported, export_store, import_store, open_export
from sameish.stores.transfer.lines import HeadLine, Line, SiteLine, encoded

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
SEVERAL = StoreSection(several_schemes=True)
KEYS = ["https://a.example/", "https://b.example/ü", "c"]

words = st.text(max_size=20).map(lambda text: text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
times = st.integers(0, 9).map(lambda micros: NOON + timedelta(days=micros, microseconds=micros))
fingerprints = st.builds(
    Fingerprint,
    simhash=st.none() | st.integers(0, 2**64 - 1),
    structure=st.none() | st.integers(0, 2**64 - 1),
    digest=st.sampled_from([b"1" * 16, b"2" * 16]),
    sketch=st.binary(max_size=30),
    words=st.integers(0, 99),
    state=st.sampled_from(State),
    scheme=st.sampled_from(["text:1", "classic:1"]),
)
captures = st.builds(
    Capture,
    key=st.sampled_from(KEYS),
    url=words,
    site=st.sampled_from(["a.example", ""]),
    fetched_at=times,
    body_digest=st.binary(min_size=1, max_size=16),
    body_bytes=st.integers(0, 2**40),
    status=st.integers(0, 999),
    fingerprint=fingerprints,
    title=words,
    canonical_url=st.none() | words,
    etag=st.none() | words,
    last_modified=st.none() | words,
    markdown=st.none() | st.text(alphabet=st.characters(), max_size=30),
    sentences=st.none() | st.tuples(st.text(alphabet=st.characters(), max_size=9)),
    verdict=st.sampled_from(VerdictKind),
)
hashes = st.integers(0, 2**64 - 1)
visits = st.builds(
    Visit, st.sampled_from(KEYS).map(hash_key), hashes, st.just("a.example"), words, times, st.integers(0, 2**40),
    st.just(b"d" * 16), st.none() | st.integers(1, 6), st.binary(max_size=9),
)  # fmt: skip
updates = st.builds(
    Updates,
    site_state=st.none() | st.binary(max_size=9),
    visits=st.tuples(visits) | st.just(()),
    ledger=st.tuples(
        st.builds(Entry, st.sampled_from(["a.example", ""]), words, st.integers(0, 9), st.integers(0, 2**40))
    ),
    dropped=st.tuples(st.builds(Dropped, hashes, words, words, words, times, st.binary(max_size=9))),
)
scenes = st.lists(st.tuples(captures, st.booleans()), max_size=8)


def fill(
    store: Store, scene: list[tuple[Capture, bool]], noted: list[Updates], again: list[tuple[str, datetime]]
) -> None:
    for capture, matched in scene:
        held = store.walk_captures(0, limit=99)
        match = replace(held[-1]) if matched and held else None
        verdict = Verdict(capture.verdict or VerdictKind.NEW, match)
        query = Query(capture.key, capture.fetched_at, capture.body_digest, capture.fingerprint.scheme)
        store.observe(capture, query, lambda _, verdict=verdict: verdict)  # type: ignore[misc]
    for key, moment in again:
        store.not_modified(key, moment, '"again"', None)
    there = {capture.id for capture in store.walk_captures(0, limit=99)}
    for one in noted:
        known = tuple(replace(v, capture_id=v.capture_id) for v in one.visits if v.capture_id in there)
        store.note(Note(Asked("a.example"), lambda *_, one=one, known=known: replace(one, visits=known)))


def contents(store: Store) -> dict[str, Any]:
    """All that is exported, with captures known by their place."""
    found = store.walk_captures(0, limit=10_000)
    place = {capture.id: number for number, capture in enumerate(found)}
    hashes = (row[0] for row in chain.from_iterable(store.visit_rows(0)[1]))
    held = [visit for visit in map(store.visit, hashes) if visit is not None]
    return {
        "captures": [replace(one, id=place[one.id], match_id=place.get(one.match_id)) for one in found],
        "pages": {one.seen.key: (one.seen, one.not_modified) for one in store.walk_sightings(0, limit=10_000)},
        "sites": {one.site: one.state for one in store.site_states(0)},
        "visits": {one.key_hash: replace(one, capture_id=place.get(one.capture_id)) for one in held},
        "ledger": store.ledger(),
        "dropped": store.dropped(),
    }


def exported(store: Store) -> bytes:
    out = io.BytesIO()
    export_store(store, out, NOON)
    return out.getvalue()


def imported(store: Store, data: bytes, check: Any = bool, **more: Any) -> Imported:
    return import_store(store, open_export(io.BytesIO(data), "x.jsonl.zst"), check, **more)


def check_round_trip(first: Store, others: list[Store]) -> None:
    wanted = contents(first)
    for other in others:
        data = exported(first)
        done = imported(other, data)
        assert contents(other) == wanted
        assert (done.captures, done.new) == (len(wanted["captures"]), len(wanted["captures"]))
        assert replace(imported(other, data), new=done.new) == done
        assert contents(other) == wanted
        assert other.verify() == []
        first = other


SCENE = {
    "scene": scenes,
    "noted": st.lists(updates, max_size=3),
    "again": st.lists(st.tuples(st.sampled_from(KEYS), times), max_size=3),
}


@settings(max_examples=max(settings().max_examples // 3, 1))  # each makes a file
@given(**SCENE)
def test_from_memory_to_a_file_and_back(
    scene: list[tuple[Capture, bool]], noted: list[Updates], again: list[tuple[str, datetime]]
) -> None:
    with MemoryStore(settings=SEVERAL) as first, tempfile.TemporaryDirectory() as folder:
        fill(first, scene, noted, again)
        with SqliteStore(Path(folder) / "x.db", settings=SEVERAL) as second, MemoryStore(settings=SEVERAL) as third:
            check_round_trip(first, [second, third])


def test_from_memory_over_a_file_to_a_database(databases: Databases) -> None:
    @settings(max_examples=max(settings().max_examples // 20, 1))  # each makes a database
    @given(**SCENE)
    def check(scene: list[tuple[Capture, bool]], noted: list[Updates], again: list[tuple[str, datetime]]) -> None:
        with MemoryStore(settings=SEVERAL) as first, tempfile.TemporaryDirectory() as folder:
            fill(first, scene, noted, again)
            with (
                SqliteStore(Path(folder) / "x.db", settings=SEVERAL) as second,
                PostgresStore(databases.new(), settings=SEVERAL) as third,
            ):
                check_round_trip(first, [second, third])
        databases.drop_all()

    check()


# one import


def capture(number: int, **more: Any) -> Capture:
    fingerprint = Fingerprint(number, None, number.to_bytes(16, "big"), b"sketch", 40, State.CONTENT, "text:1")
    given = Capture(f"https://a.example/{number}", f"{number}", "a.example", NOON + timedelta(days=number), b"b", 1000, 200,
                    fingerprint, verdict=VerdictKind.NEW, sentences=(f"Sentence {number}.",))  # fmt: skip
    return replace(given, **more)


@pytest.fixture
def first() -> Iterator[MemoryStore]:
    with MemoryStore() as store:
        for number in range(1, 400):
            match = replace(capture(1), id=number - 1) if number % 3 == 0 else None
            verdict = Verdict(VerdictKind.DUPLICATE if match else VerdictKind.NEW, match)
            one = capture(number, markdown="Text of it. " * number)
            query = Query(one.key, one.fetched_at, one.body_digest, "text:1")
            store.observe(one, query, lambda _, verdict=verdict: verdict)  # type: ignore[misc]
        store.not_modified(capture(5).key, NOON + timedelta(days=99), None, None)
        visit = Visit(1, 2, "a.example", "u", NOON, 9, b"d" * 16, 7, b"state")
        store.note(
            Note(Asked("a.example"), lambda *_: Updates(b"rules", (visit,), (Entry("a.example", "fetched", 9, 90),)))
        )
        yield store


def test_any_damage_is_named_and_what_stands_before_is_whole(
    first: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sameish.stores.transfer.frames._FULL", 20_000)  # more than one frame
    data, wanted = exported(first), contents(first)
    assert data.count(b"\x28\xb5\x2f\xfd") > 5
    for place in range(0, len(data), max(len(data) // 25, 1)):
        flipped = data[:place] + bytes([data[place] ^ 1 << place % 8]) + data[place + 1 :]
        for damaged, error in ((data[:place], SourceError), (flipped, SourceError)):
            with MemoryStore() as store:
                with pytest.raises(error, match=r"x\.jsonl\.zst") as caught:
                    imported(store, damaged)
                assert caught.value.path == "x.jsonl.zst"
                assert isinstance(caught.value.offset, int)
                found = contents(store)["captures"]
                assert found == wanted["captures"][: len(found)]
                if place > 2 * len(data) // 3:
                    assert found
                imported(store, data)  # with the whole file the rest comes after
                assert contents(store) == wanted


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"no json", r"line 3 \(in the frame at byte \d+\): .*; what stands before was imported"),
        (b'{"kind":"capture","id":1}', "line 3 .*missing required field"),
        (b'{"kind":"unheard"}', "line 3 .*unheard"),
        (b'{"a":' * 100_000, "line 3 .*it is nested too deeply; what stands before was imported"),
        (b'{"kind":"end","x":' + b"[" * 100_000, "line 3 "),
        (b'{"kind":"page","key":"k","url":"u","site":"s","last_seen":"2024-01-01T00:00:00"}', "line 3 .*zone"),
        (
            b'{"kind":"dropped","key_hash":"-1","site":"","url":"","rule":"","at":"2024-01-01T00:00:00Z","request":""}',
            "line 3 ",
        ),
        (b'{"kind":"end","lines":9}', "line 3 .*there should be 9 lines before the last"),
    ],
)
def test_a_line_that_is_none_is_named(first: MemoryStore, line: bytes, message: str) -> None:
    lines = zstandard.ZstdDecompressor().decompressobj().decompress(exported(first)).split(b"\n")
    with MemoryStore() as store:
        with pytest.raises(SourceError, match=message):
            imported(store, zstandard.compress(b"\n".join([*lines[:2], line, *lines[3:]])))
        assert store.totals().captures == 1


EARLY, LATE = "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59.999999-00:01"


@pytest.mark.parametrize("moment", [EARLY, LATE])
@pytest.mark.parametrize(
    ("kind", "name"), [("capture", "fetched_at"), ("page", "last_seen"), ("visit", "due_at"), ("dropped", "at")]
)
def test_a_time_that_no_store_could_read_back_is_named_and_not_stored(
    first: MemoryStore, tmp_path: Path, kind: str, name: str, moment: str
) -> None:
    first.note(Note(Asked("a.example"), lambda *_: Updates(dropped=(Dropped(3, "a.example", "u", "r", NOON, b""),))))
    lines = zstandard.ZstdDecompressor().stream_reader(exported(first), read_across_frames=True).read().splitlines()
    number = max(number for number, line in enumerate(lines) if json.loads(line)["kind"] == kind)
    lines[number] = json.dumps(json.loads(lines[number]) | {name: moment}).encode()
    with SqliteStore(tmp_path / "x.db") as store:
        with pytest.raises(SourceError, match=rf"line {number + 1} .*{name} is .*, which has no equal in UTC; what"):
            imported(store, zstandard.compress(b"\n".join(lines)))
        assert (store.info().captures, store.verify()) == (398 if kind == "capture" else 399, [])
        assert exported(store)


def test_a_head_with_a_time_that_is_none_is_refused() -> None:
    head = json.loads(encoded(HeadLine(format=1, made_by="9", made_at=NOON, store="", schema_version=2, schemes={})))
    with pytest.raises(SourceError, match=r"line 1 .*made_at is .*, which has no equal in UTC; nothing was imported"):
        open_export(io.BytesIO(zstandard.compress(json.dumps(head | {"made_at": EARLY}).encode())), "x")


def test_what_is_asked_about_every_line_may_refuse_it(first: MemoryStore) -> None:
    def check(line: Line) -> None:
        if isinstance(line, SiteLine):
            raise ValueError("never seen")  # noqa: TRY004 - what a check raises

    with MemoryStore() as store:
        with pytest.raises(
            SourceError, match=r"x\.jsonl\.zst, line \d+ .*: never seen; what stands before was imported"
        ):
            imported(store, exported(first), check)
        assert (store.totals().captures, store.site_states(0)) == (399, [])


def test_a_fingerprint_that_is_none_is_named_and_what_stands_before_is_stored(first: MemoryStore) -> None:
    lines = zstandard.ZstdDecompressor().decompressobj().decompress(exported(first)).split(b"\n")
    lines[9] = lines[9].replace(b'"fingerprint":"', b'"fingerprint":"AAAA')
    with MemoryStore() as store:
        with pytest.raises(SourceError, match=r"line 10 .* no fingerprint"):
            imported(store, zstandard.compress(b"\n".join(lines)))
        assert store.totals().captures == 8


@pytest.mark.parametrize("data", [b"", b"<html>", b"\x28\xb5\x2f\xfd"])
def test_what_is_no_export_is_refused(data: bytes) -> None:
    with MemoryStore() as store, pytest.raises(SourceError, match=r"x\.jsonl\.zst"):
        imported(store, data)


def test_another_format_or_another_file_is_refused() -> None:
    head = {
        "format": 2,
        "made_by": "9",
        "made_at": "2024-01-01T00:00:00Z",
        "store": "memory",
        "schema_version": 2,
        "schemes": {},
    }
    with MemoryStore() as store:
        with pytest.raises(SourceError, match="has format 2, this version of sameish reads 1"):
            imported(store, zstandard.compress(b'{"kind":"sameish-export",' + json.dumps(head).encode()[1:] + b"\n"))
        with pytest.raises(SourceError, match=r"line 1 .* it is no export of sameish"):
            imported(store, zstandard.compress(b'{"kind":"end","lines":0}\n'))
        with MemoryStore() as empty, pytest.raises(SourceError, match="something follows the last line"):
            imported(store, exported(empty) * 2)


def test_what_is_cut_between_two_frames_is_cut_short(first: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sameish.stores.transfer.frames._FULL", 20_000)
    data = exported(first)
    with (
        MemoryStore() as store,
        pytest.raises(TruncatedRecord, match=r"is cut short after line [\d,]+; what stands before"),
    ):
        imported(store, data[: data.rindex(b"\x28\xb5\x2f\xfd")])


def test_a_store_of_another_scheme_refuses(first: MemoryStore) -> None:
    with MemoryStore() as store:
        store.add_many([replace(capture(1), fingerprint=replace(capture(1).fingerprint, scheme="classic:1"))])
        with pytest.raises(SchemeMismatch, match="several_schemes"):
            imported(store, exported(first))
        assert store.totals().captures == 1


def test_an_import_into_a_store_that_knows_more_keeps_that(first: MemoryStore) -> None:
    mine = Visit(1, 9, "a.example", "mine", NOON)
    strange = Visit(2, 9, "a.example", "strange", NOON, state=b"s")
    first.note(Note(Asked("a.example"), lambda *_: Updates(visits=(strange,))))
    with MemoryStore() as store:
        store.add_many([capture(1), replace(capture(1000), etag='"new"')])
        store.note(
            Note(Asked("a.example"), lambda *_: Updates(b"my rules", (mine,), (Entry("a.example", "fetched", 20, 30),)))
        )
        done = imported(store, exported(first))
        assert (done.captures, done.new, store.totals().captures) == (399, 398, 400)
        # the class of a visit means what the rules of its site say: those of the file are not the rules here
        assert (store.visit(1), store.visit(2), [one.state for one in store.site_states(0)]) == (
            mine,
            None,
            [b"my rules"],
        )
        assert store.ledger() == [Entry("a.example", "fetched", 20, 90)]
        assert store.verify() == []


def test_half_a_surrogate_pair_survives_where_it_is_stored() -> None:
    with MemoryStore() as store, MemoryStore() as other:
        store.add_many([capture(1, markdown="a\udc80b", sentences=("\ud800",), title="\udfff\r\n\0")])
        imported(other, exported(store))
        assert contents(other) == contents(store)


def test_an_export_is_told_of_and_reads_as_lines_of_json(first: MemoryStore) -> None:
    heard: list[Any] = []
    out = io.BytesIO()
    done = export_store(first, out, NOON, heard.append)
    lines = zstandard.ZstdDecompressor().stream_reader(out.getvalue(), read_across_frames=True).read().splitlines()
    assert (done.captures, done.total, done.lines, done.size_bytes) == (399, 399, len(lines), len(out.getvalue()))
    assert heard
    kinds = [json.loads(line)["kind"] for line in lines]
    assert list(dict.fromkeys(kinds)) == ["sameish-export", "capture", "page", "site", "visit", "ledger", "end"]


def test_others_write_while_a_store_is_exported(tmp_path: Path, first: MemoryStore) -> None:
    with SqliteStore(tmp_path / "x.db") as store, SqliteStore(tmp_path / "x.db") as other, MemoryStore() as third:
        imported(store, exported(first))
        out = io.BytesIO()
        export_store(store, out, NOON, lambda _: other.expire(before=NOON + timedelta(days=300)))
        imported(third, out.getvalue())
        assert 100 <= third.totals().captures < 399
        assert third.verify() == []


def test_a_disk_that_is_full_ends_an_import_that_may_be_repeated(tmp_path: Path, first: MemoryStore) -> None:
    data = exported(first)
    with SqliteStore(tmp_path / "x.db") as store:
        (pages,) = store._db.execute("PRAGMA page_count").fetchone()
        store._db.execute(f"PRAGMA max_page_count = {pages + 10}")
        with pytest.raises(StoreUnavailable, match="disk is full"):
            imported(store, data)
        assert store.totals().captures < 399
        assert store.verify() == []
        store._db.execute("PRAGMA max_page_count = 1000000")
        imported(store, data)
        assert contents(store) == contents(first)


def test_a_connection_that_is_cut_ends_an_import_that_may_be_repeated(databases: Databases, first: MemoryStore) -> None:
    data, target = exported(first), databases.new()
    with PostgresStore(target) as store, psycopg.connect(target, autocommit=True) as db:
        db.execute(
            "CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            "IF NEW.id = 100 THEN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(5); END IF; RETURN NEW; END $$; "
            "CREATE TRIGGER cut BEFORE INSERT ON sameish.capture FOR EACH ROW EXECUTE FUNCTION cut()"
        )
        with pytest.raises(StoreUnavailable):
            imported(store, data)
        assert store.totals().captures < 100
        db.execute("DROP TRIGGER cut ON sameish.capture")
        imported(store, data)
        assert contents(store) == contents(first)
        assert store.verify() == []

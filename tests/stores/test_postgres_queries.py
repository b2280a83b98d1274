"""The queries of the store in PostgreSQL: near look-ups agree whichever way they take, and the indexes are used."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.postgres_server import Databases

from sameish.models import Capture, Fingerprint, State, VerdictKind
from sameish.stores import expiry
from sameish.stores.postgres import PostgresStore, neighbourhood
from sameish.stores.postgres.neighbourhood import EVER, Neighbourhood, Scope
from sameish.stores.postgres.probing import probes
from sameish.stores.postgres.statements import SQL
from sameish.stores.postgres.texts import escaped, unescaped
from sameish.stores.values import to_micros

NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)
U64 = st.integers(0, 2**64 - 1)


@given(simhash=U64, flipped=st.sets(st.integers(0, 63)), more=st.integers(0, 8))
def test_a_near_hash_has_a_block_among_the_probes(simhash: int, flipped: set[int], more: int) -> None:
    if len(flipped) + more > 16:
        return
    other = simhash
    for place in flipped:
        other ^= 1 << place
    blocks = [other >> shift & 0xFFFF for shift in (48, 32, 16, 0)]
    asked = probes(simhash, len(flipped) + more)
    assert any(block in values for block, values in zip(blocks, asked, strict=True))


@given(simhash=U64, within=st.integers(0, 16))
def test_no_value_is_asked_for_twice(simhash: int, within: int) -> None:
    for values in probes(simhash, within):
        assert len(values) == len(set(values))
        assert all(0 <= value < 1 << 16 for value in values)


@given(st.text() | st.text("\0\ufdd001\ud800x"))
def test_any_text_comes_back_but_for_lone_surrogates(text: str) -> None:
    assert "\0" not in escaped(text)
    assert unescaped(escaped(text)) == text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@given(st.text("\0\ufdd001"), st.text("\0\ufdd001"))
def test_two_texts_are_never_one(one: str, other: str) -> None:
    assert (escaped(one) == escaped(other)) is (one == other)


def captures(count: int, seed: int = 3) -> list[Capture]:
    chance = Random(seed)  # noqa: S311 - hashes, no secrets
    centres = [chance.getrandbits(64) for _ in range(5)]
    made = []
    for number in range(count):
        simhash = chance.choice(centres)
        for place in chance.sample(range(64), chance.randrange(20)):
            simhash ^= 1 << place
        print_ = Fingerprint(
            None if number % 17 == 0 else simhash, None, bytes([1 + number % 250]) * 16, b"s" * 200, 9,
            State.ERROR if number % 13 == 0 else State.CONTENT, "text:1",
        )  # fmt: skip
        key, site = f"{chance.randrange(count // 3)}", f"{number % 3}.example"
        at = NOON + timedelta(seconds=chance.randrange(50))
        body = number.to_bytes(4, "big")
        made.append(Capture(key, key, site, at, body, 1, 200, print_, verdict=VerdictKind.NEW))
    return made


@pytest.fixture
def filled(databases: Databases) -> Iterator[PostgresStore]:
    with PostgresStore(databases.new()) as store:
        store.add_many(captures(400))
        yield store


@pytest.mark.parametrize("within", [0, 1, 3, 5, 7, 8, 12, 16])
def test_blocks_scan_and_memory_find_the_same(
    filled: PostgresStore, within: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance, store = Random(within), filled  # noqa: S311 - no secrets
    ways = []
    for close, few in ((64, 0), (-1, 1 << 30), (-1, 0)):
        monkeypatch.setattr(neighbourhood, "CLOSE", close)
        monkeypatch.setattr(neighbourhood, "_FEW", few)
        way: list[Any] = []
        chance.seed(within)
        store._neighbourhood = Neighbourhood()
        for one in captures(60):
            simhash = (one.fingerprint.simhash or 0) ^ chance.choice([0, 1 << chance.randrange(64)])
            limit, site = chance.choice([0, 1, 3, 99]), chance.choice([None, one.site])
            since = chance.choice([EVER, to_micros(NOON + timedelta(seconds=25))])
            scope = Scope(1, limit, site, since, own_page=chance.choice([0, chance.randrange(100)]))
            with store._transaction(b"BEGIN") as db:
                found = store._neighbourhood.find(db, simhash, within, scope)
                way.append([(near.id, distance) for near, distance in found])
        ways.append(way)
    assert any(ways[0])
    assert ways[0] == ways[1] == ways[2]


def test_the_index_in_memory_follows_what_others_do(filled: PostgresStore, databases: Databases) -> None:
    assert databases
    with PostgresStore(filled._address.given) as other:

        def found(store: PostgresStore) -> list[int | None]:
            return [one.id for one, _ in store.near(0, scheme="text:1", within=64, limit=1000)]

        for _ in range(6):
            assert found(filled)
        one = replace(captures(400)[1], key="another", url="another", body_digest=b"another")
        [number] = other.add_many([one])
        assert number in found(filled)
        assert other.forget(key="another") == 1
        assert number not in found(filled)
        assert found(filled) == found(other)


def plan_of(store: PostgresStore, query: str, values: dict[str, object]) -> str:
    with store._transaction(b"BEGIN") as db:
        rows = db.execute(b"EXPLAIN (FORMAT JSON) " + SQL[query], values).fetchall()
    return json.dumps(rows[0][0])


@pytest.fixture
def large(databases: Databases) -> Iterator[PostgresStore]:
    """20,000 rows of which the server knows how they are distributed."""
    with PostgresStore(databases.new()) as store:
        with psycopg.connect(store._address.given, autocommit=True) as db:
            db.execute("INSERT INTO sameish.scheme (name) VALUES ('text:1')")
            db.execute(
                "INSERT INTO sameish.page (key, key_digest) "
                "SELECT n::text, sha256(n::text::bytea) FROM generate_series(1, 20000) AS n"
            )
            db.execute(
                "INSERT INTO sameish.capture (page_id, scheme_id, fetched_at, simhash, body_bytes, status, good, state, "
                "verdict, digest, body_digest, site, url, title, fingerprint) SELECT n, 1, n, hashint8extended(n, 1), 1, 200, "
                "true, 'content', 'new', sha256(n::text::bytea), 'b', (n % 500)::text || '.example', 'u', 't', 'f' "
                "FROM generate_series(1, 20000) AS n"
            )
            db.execute(
                "INSERT INTO sameish.visit (key_hash, class_hash, due_at, body_bytes, revision, site, url, state) "
                "SELECT n, n, n, n, n, (n % 500)::text || '.example', 'u', 's' FROM generate_series(1, 20000) AS n"
            )
            db.execute("ANALYZE")
        yield store


NEAR: dict[str, object] = {
    "simhash": 5, "scheme_id": 1, "within": 3, "limit": 32, "site": None, "since": EVER, "page_id": 7,
    **{f"block_{number}": [number] for number in range(1, 5)},
}  # fmt: skip
CASES: list[tuple[str, dict[str, object], list[str]]] = [
    ("near_by_blocks", NEAR, [f"capture_block_{number}" for number in range(1, 5)]),
    ("near_on_site", NEAR | {"site": "1.example", "recent": 100}, ["capture_site"]),
    ("equal", {"digest": b"d", "scheme_id": 1, "page_id": 7, "since": EVER, "limit": 32}, ["capture_digest"]),
    ("numbers", {"key": b"k", "scheme": "text:1"}, ["page_key_digest"]),
    ("stored", {"page_id": 5, "at": 5, "body_digest": b"b"}, ["capture_page_id_fetched_at_body_digest_key"]),
    ("last_not_after", {"page_id": 5, "at": 5, "scheme_id": None}, ["capture_page_id"]),
    ("findable_after", {"id": 19_990, "limit": 50_000}, ["capture_pkey"]),
    ("by_ids", {"ids": [5, 6]}, ["capture_pkey"]),
    ("visits_of", {"site": "1.example", "after": 9, "text": None, "classes": None, "limit": 9}, ["visit_site"]),
    (
        "visit_rows",
        {
            "revision": 19_900,
            "class_hash": 5,
            "due_at": 5,
            "body_bytes": 5,
            "key_hash": 5,
            "until": 19_990,
            "limit": 9,
        },
        ["visit_row"],
    ),
]


def test_queries_look_into_their_indexes(large: PostgresStore) -> None:
    for query, values, used in CASES:
        plan = plan_of(large, query, values)
        assert [index for index in used if index not in plan] == [], query
        assert not re.search(r'"Seq Scan"(?:(?!"Relation Name").)*"Relation Name": "(capture|visit|page)"', plan), query


def test_every_query_is_used_and_every_use_is_a_query() -> None:
    folder = Path(neighbourhood.__file__).parent
    source = "\n".join(path.read_text("utf-8") for path in folder.glob("*.py"))
    used = set(re.findall(r'SQL\["(\w+)"\]', source)) | set(
        re.findall(r'"((?:forget|unsee|loosen|insert)_\w+)"', source)
    )
    used |= set(re.findall(r'sweep\("(\w+)"', Path(expiry.__file__).read_text("utf-8")))
    assert used == set(SQL)

"""Files with random damage: whatever is asked, the answer is right, or an error of the store; `verify` lists what is wrong."""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import sameish
from sameish import Detector, Page, SameishError, StoreError
from sameish.gate.checking import verify
from sameish.stores.base import Store
from sameish.stores.sqlite import SqliteStore

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
TEXT = "Kiln {0}: the potter of {0} fires at {0} past six, and shelf {0} holds {0} bowls that wait for glaze. " * 5
FLIPS = 300


def open_at(path: Path) -> Detector:
    return sameish.open(path, clock=lambda: NOON + timedelta(days=9), keep_bodies=True)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a file with rows in every table but that of leases."""
    path = tmp_path_factory.mktemp("sound") / "crawl.db"
    with sameish.open(path, clock=lambda: NOON, keep_bodies=True) as detector:
        for number in range(20):
            url = f"https://{'ab'[number % 2]}.example/{number % 9}?utm_source={number}"
            detector.observe(page(url, f"pot{'x' * (number % 9)}"))
    return path.read_bytes()


def page(url: str, name: str) -> Page:
    body = f"<title>{name}</title><main><h1>{name}</h1><p>{TEXT.format(name)}</p></main>"
    return Page(body, url, fetched_at=NOON, headers={"ETag": f'"{name}"'})


def flips(size: int) -> Iterator[tuple[int, int]]:
    chance = random.Random(20260501)  # noqa: S311 - not for secrets
    for _ in range(FLIPS):
        yield chance.randrange(100, size), 1 << chance.randrange(8)


def exported(store: Store) -> int:
    captures = store.walk_captures(0, limit=99)
    sightings = store.walk_sightings(0, limit=99)
    visits = [visit for site in ("a.example", "b.example") for visit in store.visits_of(site, 99)]
    return len(captures) + len(sightings) + len(visits) + len(store.ledger()) + len(store.dropped())


def asked(detector: Detector) -> tuple[Callable[[], object], ...]:
    store, url = detector.store, "https://a.example/0?utm_source=4"
    return (
        store.info,
        store.totals,
        store.sites,
        lambda: exported(store),
        lambda: detector.decide(url),
        lambda: detector.gate.copy_of(url),
        lambda: detector.similar(page("https://c.example/", "pot"), within=20),
        lambda: detector.observe(page(url, "another")),
        lambda: detector.expire(before=NOON + timedelta(days=1), site_budget=2),
        lambda: detector.forget(site="b.example"),
    )


def errors(detector: Detector) -> list[StoreError]:
    """Return what questions are refused with; anything else than an error of the store is raised."""
    found: list[StoreError] = []
    for ask in asked(detector):
        try:
            ask()
        except StoreError as error:
            found.append(error)
    return found


def test_random_damage_raises_errors_of_ours_only(sound: bytes, tmp_path: Path) -> None:
    refused = listed = 0
    for number, (at, bit) in enumerate(flips(len(sound))):
        path = tmp_path / f"{number}.db"
        damaged = bytearray(sound)
        damaged[at] ^= bit
        path.write_bytes(damaged)
        try:
            detector = open_at(path)
        except SameishError:
            refused += 1
            continue
        with detector:
            listed += bool(verify(detector.store))
            assert all(error.target == str(path) for error in errors(detector))
        path.unlink()
    assert refused > 0
    assert listed > FLIPS / 10


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            db.execute(statement)


COLUMNS = {
    "UPDATE capture SET url = CAST(x'68ff' AS TEXT) WHERE id = 2": r"capture 2: its url is no text: 'h\\\\xff'",
    "UPDATE capture SET title = x'00' WHERE id = 2": r"capture 2: its title is no text: b'\\x00'",
    "UPDATE capture SET site = CAST(x'ff' AS TEXT) WHERE id = 2": r"capture 2: its site is no text",
    "UPDATE capture SET etag = CAST(x'ff' AS TEXT) WHERE id = 2": r"capture 2: its etag is no text",
    "UPDATE capture SET canonical_url = x'ff' WHERE id = 2": r"capture 2: its canonical_url is no text",
    "UPDATE capture SET status = 'text' WHERE id = 2": r"capture 2: its status is no number: 'text'",
    "UPDATE capture SET body_bytes = 1.5 WHERE id = 2": r"capture 2: its body_bytes is no number: 1.5",
    "UPDATE capture SET body_digest = 'text' WHERE id = 2": r"capture 2: its body_digest is no bytes",
    "UPDATE page SET key = CAST(x'ff' AS TEXT) WHERE id = 1": r"page 1: its key is no text",
    "UPDATE page SET last_modified = CAST(x'ff' AS TEXT) WHERE id = 1": r"page 1: its last_modified is no text",
    "UPDATE page SET not_modified = 'text' WHERE id = 1": r"page 1: its not_modified is no number",
    "UPDATE scheme SET name = CAST(name || x'ff' AS TEXT)": r"scheme 1: its name is no text",
    "UPDATE visit SET url = CAST(x'ff' AS TEXT)": r"visit -?\d+: its url is no text",
    "UPDATE site_state SET site = x'ff' WHERE rowid = 1": r"site_state b'.xff': its site is no text",
    "UPDATE ledger SET name = CAST(x'ff' AS TEXT) WHERE site = 'a.example'": r"ledger a.example: its name is no text",
    "UPDATE body SET url = CAST(x'ff' AS TEXT)": r"body -?\d+: its url is no text",
    "UPDATE meta SET made_by = CAST(x'ff' AS TEXT)": r"meta 1: its made_by is no text",
    "UPDATE meta SET generation = 'text'": r"meta 1: its generation is no number",
    "DELETE FROM meta": r"`marks` .* is damaged \(it is not there\)",
    "UPDATE sqlite_schema SET sql = replace(sql, 'c.etag', 'c.etga') WHERE name = 'capture_row'": r"no such column: c\.etga",
    "UPDATE sqlite_schema SET sql = replace(sql, 'title ', 'titel ') WHERE name = 'capture'": r"no such column: title",
}  # fmt: skip


@pytest.mark.parametrize("damage", COLUMNS)
def test_verify_lists_what_no_command_could_read(sound: bytes, tmp_path: Path, damage: str) -> None:
    path = tmp_path / "crawl.db"
    path.write_bytes(sound)
    change(path, damage)
    with SqliteStore(path) as store:
        faults = store.verify()
    assert any(re.search(COLUMNS[damage], fault) for fault in faults), faults


@pytest.mark.parametrize("damage", [damage for damage in COLUMNS if "scheme SET" not in damage])
def test_such_damage_is_an_error_that_says_what_to_do(sound: bytes, tmp_path: Path, damage: str) -> None:
    path = tmp_path / "crawl.db"
    path.write_bytes(sound)
    change(path, damage)
    with open_at(path) as detector:
        for error in errors(detector):
            assert "is damaged" in str(error)
            assert "`sameish store verify`" in str(error) or "restore it from a copy" in str(error)


def test_a_list_of_tables_that_is_no_text_is_damage(sound: bytes, tmp_path: Path) -> None:
    path = tmp_path / "crawl.db"
    path.write_bytes(sound.replace(b"CREATE TABLE capture (", b"\xc3REATE TABLE capture ("))
    with pytest.raises(StoreError, match=r"crawl\.db is damaged: restore it from a copy"):
        open_at(path)


def test_an_argument_that_is_none_is_no_damage(sound: bytes, tmp_path: Path) -> None:
    path = tmp_path / "crawl.db"
    path.write_bytes(sound)
    with open_at(path) as detector, pytest.raises((AttributeError, TypeError)):
        detector.store.seen(5)  # type: ignore[arg-type]  # as untyped code may

"""Reads of a store; whoever calls holds its lock and is in a transaction."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from functools import partial
from operator import attrgetter

from sameish.models import Capture
from sameish.stores.base import Candidates, Query
from sameish.stores.neighbours import Neighbours
from sameish.stores.rows import DamagedRow, SqlRow, capture_of, onward, storable
from sameish.stores.sqlite import numbers
from sameish.stores.sqlite.freshness import FreshNeighbours
from sameish.stores.sqlite.statements import SQL
from sameish.stores.values import earlier_digest, to_micros

_NO_PAGE = 0  # page numbers begin with 1
_EVER, _END = -(2**63), 2**63 - 1


def page_id(db: sqlite3.Connection, key: str) -> int | None:
    """Return the number of a key."""
    return _id(db, "page_id", {"key": storable(key)})


def scheme_id(db: sqlite3.Connection, name: str) -> int | None:
    """Return the number of a scheme."""
    return _id(db, "scheme_id", {"name": storable(name)})


def _id(db: sqlite3.Connection, query: str, values: dict[str, object]) -> int | None:
    row = numbers.first(db, query, values)
    return None if row is None else row[0]


def candidates(db: sqlite3.Connection, fresh: FreshNeighbours, query: Query) -> Candidates:
    """Return what a query finds."""
    page, scheme = page_id(db, query.key), scheme_id(db, query.scheme)
    stored, last = (None, None) if page is None else (_stored(db, page, query), _last(db, page, scheme, query))
    if scheme is None:
        return Candidates(stored, last)
    own = page or _NO_PAGE
    equal, near = _equal(db, query, own, scheme), _near(db, fresh, query, own, scheme)
    return Candidates(stored, last, equal, near, _earlier(db, query, own, scheme, earlier_digest(query, last)))


def _earlier(db: sqlite3.Connection, query: Query, own: int, scheme: int, digest: bytes | None) -> Capture | None:
    if digest is None:
        return None
    values = {"digest": digest, "scheme_id": scheme, "page_id": own, "at": to_micros(query.fetched_at)}
    row = db.execute(SQL["earlier"], values).fetchone()
    return None if row is None else capture_of(row)


def _stored(db: sqlite3.Connection, page: int, query: Query) -> Capture | None:
    values = {"page_id": page, "at": to_micros(query.fetched_at), "body_digest": query.body_digest}
    row = db.execute(SQL["stored"], values).fetchone()
    return None if row is None else capture_of(row)


def _last_row(db: sqlite3.Connection, page: int, at: int, scheme: int | None = None) -> SqlRow | None:
    values = {"page_id": page, "at": at, "scheme_id": scheme}
    found: SqlRow | None = db.execute(SQL["last_not_after"], values).fetchone()
    return found or db.execute(SQL["first_after"], values).fetchone()


def _last(db: sqlite3.Connection, page: int, scheme: int | None, query: Query) -> Capture | None:
    at = to_micros(query.fetched_at)
    row = (_last_row(db, page, at, scheme) if scheme is not None else None) or _last_row(db, page, at)
    if row is None:
        return None
    _, sentences = _texts(db, row[0])
    return capture_of(row, sentences=sentences)


def _texts(db: sqlite3.Connection, capture: int) -> tuple[bytes | None, bytes | None]:
    row: tuple[bytes | None, bytes | None] | None = db.execute(SQL["texts"], {"id": capture}).fetchone()
    return row or (None, None)


def _equal(db: sqlite3.Connection, query: Query, own: int, scheme: int) -> tuple[Capture, ...]:
    if query.digest is None:
        return ()
    values = {
        "digest": query.digest,
        "scheme_id": scheme,
        "page_id": own,
        "since": _EVER if query.since is None else to_micros(query.since),
        "limit": max(query.limit, 0),
    }
    found = [(number, 0) for (number,) in db.execute(SQL["equal"], values)]
    return tuple(capture for capture, _ in with_captures(db, found))


def _near(db: sqlite3.Connection, fresh: FreshNeighbours, query: Query, own: int, scheme: int) -> tuple[Capture, ...]:
    if query.simhash is None:
        return ()
    since = None if query.since is None else to_micros(query.since)
    site = None if query.site is None else storable(query.site)
    search = partial(
        Neighbours.search, scheme=scheme, simhash=query.simhash, within=query.within, limit=query.limit,
        site=site, since=since, recent=query.recent, other_than=own,
    )  # fmt: skip
    found = fresh.find(db, search, is_of_recent=query.recent is not None)
    return tuple(capture for capture, _ in with_captures(db, found))


def with_captures(db: sqlite3.Connection, found: Sequence[tuple[int, int]]) -> list[tuple[Capture, int]]:
    """Return captures without texts for ids, in the order of the (id, distance) pairs."""
    if not found:
        return []
    ids = json.dumps([number for number, _ in found])
    by_id = {row[0]: row for row in db.execute(SQL["by_ids"], {"ids": ids})}
    if lost := [number for number, _ in found if number not in by_id]:
        raise DamagedRow(f"capture {lost[0]} is damaged (its page is not there)")
    return [(capture_of(by_id[number]), distance) for number, distance in found]


def capture(db: sqlite3.Connection, number: int) -> Capture | None:
    """Return the capture with an id, without texts."""
    row = db.execute(SQL["by_ids"], {"ids": json.dumps([number])}).fetchone()
    return None if row is None else capture_of(row)


def captures_after(db: sqlite3.Connection, number: int, scheme: str, limit: int) -> list[Capture]:
    """Return good captures of a scheme above an id, without texts."""
    values = {"id": number, "scheme_id": scheme_id(db, scheme), "limit": max(limit, 0)}
    found = [capture_of(row) for row in db.execute(SQL["good_after"], values)]
    return onward(found, number, attrgetter("id"))


def captures_above(db: sqlite3.Connection, number: int, limit: int) -> list[Capture]:
    """Return captures of any state and scheme above an id, with all that is kept of them."""
    rows = db.execute(SQL["captures_above"], {"id": number, "limit": max(limit, 0)})
    found = [capture_of(row, markdown=row[-2], sentences=row[-1]) for row in rows]
    return onward(found, number, attrgetter("id"))


def last_good(db: sqlite3.Connection, key: str) -> Capture | None:
    """Return the latest good capture of a key with all that is kept of it."""
    page = page_id(db, key)
    row = None if page is None else _last_row(db, page, _END)
    if row is None:
        return None
    markdown, sentences = _texts(db, row[0])
    return capture_of(row, markdown=markdown, sentences=sentences)

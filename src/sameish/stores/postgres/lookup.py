"""Reads of a store; whoever calls is in a transaction."""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b
from operator import attrgetter
from typing import NamedTuple

import psycopg

from sameish.models import Capture
from sameish.stores.base import Candidates, Query
from sameish.stores.postgres.neighbourhood import EVER, Neighbourhood, Scope
from sameish.stores.postgres.statements import SQL
from sameish.stores.postgres.texts import escaped
from sameish.stores.rows import DamagedRow, SqlRow, capture_of, onward
from sameish.stores.values import earlier_digest, to_micros

_NONE = 0  # numbers of pages and schemes begin with 1
_END = 2**63 - 1
_COLUMNS = 19  # of the view capture_row; the texts stand behind them


def digest_of(text: str) -> bytes:
    """Return the 16 bytes under which a key or a site is found."""
    return blake2b(escaped(text).encode(), digest_size=16).digest()


class Numbers(NamedTuple):
    """What stands for a key and a scheme in the tables, None where they are not there; `.generation`: see `Marks`."""

    page: int | None
    scheme: int | None
    generation: int


def numbers(db: psycopg.Connection, key: bytes | None, scheme: str | None) -> Numbers:
    """Return the numbers of a key, given by its digest, and of a scheme."""
    row = db.execute(SQL["numbers"], {"key": key, "scheme": scheme}).fetchone()
    if row is None:
        raise DamagedRow("the table meta is damaged (it is empty)")
    return Numbers(*row)


def candidates(db: psycopg.Connection, neighbourhood: Neighbourhood, query: Query) -> Candidates:
    """Return what a query finds."""
    page, scheme, generation = numbers(db, digest_of(query.key), query.scheme)
    at = to_micros(query.fetched_at)
    since = EVER if query.since is None else to_micros(query.since)
    scope = Scope(scheme or _NONE, query.limit, query.site, since, query.recent, page or _NONE, generation)
    stored = None if page is None else db.execute(SQL["stored"], _identity(page, at, query))
    equal = None if query.digest is None else db.execute(SQL["equal"], scope.values() | {"digest": query.digest})
    near = () if query.simhash is None else neighbourhood.find(db, query.simhash, query.within, scope)
    last = None if page is None else _last(db, page, at, scheme)
    return Candidates(
        stored=next((capture_of(row) for row in stored or ()), None),
        last=last,
        equal=tuple(capture_of(row) for row in equal or ()),
        near=tuple(capture for capture, _ in near),
        earlier=_earlier(db, scope, at, earlier_digest(query, last)),
    )


def _earlier(db: psycopg.Connection, scope: Scope, at: int, digest: bytes | None) -> Capture | None:
    if digest is None:
        return None
    row = db.execute(SQL["earlier"], scope.values() | {"digest": digest, "at": at}).fetchone()
    return None if row is None else capture_of(row)


def _identity(page: int, at: int, query: Query) -> dict[str, object]:
    return {"page_id": page, "at": at, "body_digest": query.body_digest}


def _last_row(db: psycopg.Connection, page: int, at: int, scheme: int | None = None) -> SqlRow | None:
    values = {"page_id": page, "at": at, "scheme_id": scheme}
    return db.execute(SQL["last_not_after"], values).fetchone() or db.execute(SQL["first_after"], values).fetchone()


def _last(db: psycopg.Connection, page: int, at: int, scheme: int | None) -> Capture | None:
    row = (_last_row(db, page, at, scheme) if scheme is not None else None) or _last_row(db, page, at)
    return None if row is None else capture_of(row, sentences=row[_COLUMNS + 1])


def near(
    db: psycopg.Connection, neighbourhood: Neighbourhood, simhash: int, scheme: str, within: int, scope: Scope
) -> list[tuple[Capture, int]]:
    """Return captures of a scheme that are near a hash, and their distances; scheme and generation of the scope are set."""
    _, number, generation = numbers(db, None, scheme)
    return (
        []
        if number is None
        else neighbourhood.find(db, simhash, within, replace(scope, scheme=number, generation=generation))
    )


def capture(db: psycopg.Connection, number: int) -> Capture | None:
    """Return the capture with an id, without texts."""
    row = db.execute(SQL["by_ids"], {"ids": [number]}).fetchone()
    return None if row is None else capture_of(row)


def captures_after(db: psycopg.Connection, number: int, scheme: str, limit: int) -> list[Capture]:
    """Return good captures of a scheme above an id, without texts."""
    values = {"id": number, "scheme_id": numbers(db, None, scheme).scheme, "limit": max(limit, 0)}
    found = [capture_of(row) for row in db.execute(SQL["good_after"], values)]
    return onward(found, number, attrgetter("id"))


def captures_above(db: psycopg.Connection, number: int, limit: int) -> list[Capture]:
    """Return captures of any state and scheme above an id, with all that is kept of them."""
    rows = db.execute(SQL["captures_above"], {"id": number, "limit": max(limit, 0)})
    found = [capture_of(row, markdown=row[_COLUMNS], sentences=row[_COLUMNS + 1]) for row in rows]
    return onward(found, number, attrgetter("id"))


def last_good(db: psycopg.Connection, key: str) -> Capture | None:
    """Return the latest good capture of a key with all that is kept of it."""
    page = numbers(db, digest_of(key), None).page
    row = None if page is None else _last_row(db, page, _END)
    return None if row is None else capture_of(row, markdown=row[_COLUMNS], sentences=row[_COLUMNS + 1])

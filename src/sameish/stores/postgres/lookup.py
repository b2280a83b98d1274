"""Reads of a store; whoever calls is in a transaction."""

from __future__ import annotations

from hashlib import blake2b

import psycopg

from sameish.models import Capture
from sameish.stores.base import Candidates, Query
from sameish.stores.postgres.neighbourhood import Neighbourhood, Sought
from sameish.stores.postgres.statements import SQL
from sameish.stores.postgres.texts import escaped
from sameish.stores.rows import SqlRow, capture_of
from sameish.stores.values import to_micros

EVER, END = -(2**63), 2**63 - 1
_COLUMNS = 19  # of the view capture_row; the texts stand behind them


def digest_of(text: str) -> bytes:
    """Return the 16 bytes under which a key or a site is found."""
    return blake2b(escaped(text).encode(), digest_size=16).digest()


def candidates(db: psycopg.Connection, neighbourhood: Neighbourhood, query: Query) -> Candidates:
    """Return what a query finds."""
    key, at = digest_of(query.key), to_micros(query.fetched_at)
    since = EVER if query.since is None else to_micros(query.since)
    return Candidates(
        stored=_stored(db, key, at, query.body_digest),
        last=_last(db, key, at, query.scheme),
        equal=() if query.digest is None else _equal(db, key, query, query.digest, since),
        near=() if query.simhash is None else _near(db, neighbourhood, key, query, query.simhash, since),
    )


def _stored(db: psycopg.Connection, key: bytes, at: int, body_digest: bytes) -> Capture | None:
    row = db.execute(SQL["stored"], {"key": key, "at": at, "body_digest": body_digest}).fetchone()
    return None if row is None else capture_of(row)


def _last_row(db: psycopg.Connection, key: bytes, at: int, scheme: str | None) -> SqlRow | None:
    values = {"key": key, "at": at, "scheme": scheme}
    return db.execute(SQL["last_not_after"], values).fetchone() or db.execute(SQL["first_after"], values).fetchone()


def _last(db: psycopg.Connection, key: bytes, at: int, scheme: str) -> Capture | None:
    row = _last_row(db, key, at, scheme) or _last_row(db, key, at, None)
    return None if row is None else capture_of(row, sentences=row[_COLUMNS + 1])


def _equal(db: psycopg.Connection, key: bytes, query: Query, digest: bytes, since: int) -> tuple[Capture, ...]:
    limit = max(query.limit, 0)
    values = {"digest": digest, "scheme": query.scheme, "key": key, "since": since, "limit": limit}
    return tuple(capture_of(row) for row in db.execute(SQL["equal"], values))


def _near(
    db: psycopg.Connection, neighbourhood: Neighbourhood, key: bytes, query: Query, simhash: int, since: int
) -> tuple[Capture, ...]:
    sought = Sought(simhash, query.scheme, query.within, query.limit, query.site, since, query.recent, key)
    return tuple(capture for capture, _ in neighbourhood.find(db, sought))


def capture(db: psycopg.Connection, number: int) -> Capture | None:
    """Return the capture with an id, without texts."""
    row = db.execute(SQL["by_ids"], {"ids": [number]}).fetchone()
    return None if row is None else capture_of(row)


def captures_after(db: psycopg.Connection, number: int, scheme: str, limit: int) -> list[Capture]:
    """Return good captures of a scheme above an id, without texts."""
    values = {"id": number, "scheme": scheme, "limit": max(limit, 0)}
    return [capture_of(row) for row in db.execute(SQL["good_after"], values)]


def last_good(db: psycopg.Connection, key: str) -> Capture | None:
    """Return the latest good capture of a key with all that is kept of it."""
    row = _last_row(db, digest_of(key), END, None)
    return None if row is None else capture_of(row, markdown=row[_COLUMNS], sentences=row[_COLUMNS + 1])

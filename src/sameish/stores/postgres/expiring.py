"""Deletes what expires, a few rows at a time; whoever calls is in a transaction and is the one who writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

import psycopg

from sameish.index.signed import to_signed
from sameish.stores.base import Expired
from sameish.stores.gate_state import hash_key
from sameish.stores.postgres import gate_writing
from sameish.stores.postgres.locks import WRITING
from sameish.stores.postgres.statements import SQL


def captures(db: psycopg.Connection, ids: Sequence[int], before: int | None) -> Expired:
    """Delete captures that must go, for their age if there is a time in microseconds, else for the budget."""
    pages = {number: to_signed(hash_key(key)) for number, key in db.execute(SQL["pages_of"], {"ids": list(ids)})}
    deleted = db.execute(SQL["expire_captures"], {"ids": list(ids), "before": before}).rowcount
    if not deleted:
        return Expired()
    db.execute(SQL["next_generation"])
    touched = {"pages": list(pages), "ids": list(ids)}
    emptied = [number for (number,) in db.execute(SQL["empty_among"], touched)]
    db.execute(SQL["unsee_among"], touched)
    db.execute(SQL["delete_pages"], {"pages": emptied})
    gate_writing.forget_keys(db, [pages[number] for number in emptied])
    db.execute(SQL["loosen_among"], touched)
    return Expired(pages=len(emptied), **{"surplus" if before is None else "aged": deleted})


def visits(db: psycopg.Connection, key_hashes: Sequence[int], before: int | None) -> Expired:
    """Delete visits without a capture that were due before a time in microseconds."""
    values = {"key_hashes": list(key_hashes), "before": before}
    return _told(db, Expired(visits=db.execute(SQL["expire_visits"], values).rowcount))


def dropped(db: psycopg.Connection, key_hashes: Sequence[int], before: int | None) -> Expired:
    """Delete URLs that were dropped before a time in microseconds."""
    values = {"key_hashes": list(key_hashes), "before": before}
    return _told(db, Expired(dropped=db.execute(SQL["expire_dropped"], values).rowcount))


def _told(db: psycopg.Connection, done: Expired) -> Expired:
    if done.rows:
        db.execute(SQL["next_generation"])
    return done


_DELETE: Mapping[str, Callable[[psycopg.Connection, Sequence[int], int | None], Expired]] = {
    "captures": captures,
    "visits": visits,
    "dropped": dropped,
}


@dataclass(frozen=True, slots=True)
class Batches:
    """What the store does for an expiry; see `sameish.stores.expiry.Work`."""

    reading: Callable[[], AbstractContextManager[psycopg.Connection]]
    writing: Callable[[], AbstractContextManager[psycopg.Connection]]

    def chosen(self, query: str, values: Mapping[str, object], limit: int) -> list[int]:
        """Return what a query chooses, without keeping others from writing."""
        with self.reading() as db:
            return [number for (number,) in db.execute(SQL[query], {**values, "limit": limit})]

    def delete(self, rows: str, before: int | None, these: Sequence[int]) -> Expired:
        """Delete what still must go."""
        with self.writing() as db:
            db.execute(WRITING)
            return _DELETE[rows](db, these, before)

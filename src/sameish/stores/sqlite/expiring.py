"""Deletes what expires, a few rows at a time; whoever calls is in a transaction that may write."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from sameish.index.signed import to_signed
from sameish.stores.base import Expired
from sameish.stores.rows import hash_of, storable
from sameish.stores.sqlite import numbers
from sameish.stores.sqlite.file import READ, WRITE
from sameish.stores.sqlite.statements import SQL


def captures(db: sqlite3.Connection, ids: Sequence[int], before: int | None) -> Expired:
    """Delete captures that must go, for their age if there is a time in microseconds, else for the budget."""
    pages = {number: to_signed(hash_of(key)) for number, key in db.execute(SQL["pages_of"], {"ids": json.dumps(ids)})}
    deleted = db.execute(SQL["expire_captures"], {"ids": json.dumps(ids), "before": before}).rowcount
    if not deleted:
        return Expired()
    db.execute(SQL["next_generation"])
    touched = {"pages": json.dumps(list(pages)), "ids": json.dumps(ids)}
    emptied = [number for (number,) in db.execute(SQL["empty_among"], touched)]
    db.execute(SQL["unsee_among"], touched)
    db.execute(SQL["delete_pages"], {"pages": json.dumps(emptied)})
    _forget_keys(db, [pages[number] for number in emptied])
    db.execute(SQL["loosen_among"], touched)
    return Expired(pages=len(emptied), **{"surplus" if before is None else "aged": deleted})


def _forget_keys(db: sqlite3.Connection, key_hashes: Sequence[int]) -> None:
    """Delete all that is kept for the gate of keys."""
    hashes = [(number,) for number in key_hashes]
    for query in ("delete_visit", "delete_dropped"):
        db.executemany(SQL[query], hashes)
    _delete_bodies(db, key_hashes)


def _delete_bodies(db: sqlite3.Connection, key_hashes: Sequence[int]) -> None:
    found = (numbers.first(db, "body_size", {"key_hash": number}) for number in key_hashes)
    size_bytes = sum(row[0] for row in found if row is not None)
    if size_bytes:
        (total,) = numbers.sure(db, "body_bytes")
        db.executemany(SQL["delete_body"], [(number,) for number in key_hashes])
        db.execute(SQL["note_body_bytes"], {"size_bytes": total - size_bytes})


def visits(db: sqlite3.Connection, key_hashes: Sequence[int], before: int | None) -> Expired:
    """Delete visits without a capture that were due before a time in microseconds."""
    values = {"key_hashes": json.dumps(key_hashes), "before": before}
    return _told(db, Expired(visits=db.execute(SQL["expire_visits"], values).rowcount))


def dropped(db: sqlite3.Connection, key_hashes: Sequence[int], before: int | None) -> Expired:
    """Delete URLs that were dropped before a time in microseconds."""
    values = {"key_hashes": json.dumps(key_hashes), "before": before}
    return _told(db, Expired(dropped=db.execute(SQL["expire_dropped"], values).rowcount))


def _told(db: sqlite3.Connection, done: Expired) -> Expired:
    if done.rows:
        db.execute(SQL["next_generation"])
    return done


_DELETE: Mapping[str, Callable[[sqlite3.Connection, Sequence[int], int | None], Expired]] = {
    "captures": captures,
    "visits": visits,
    "dropped": dropped,
}


@dataclass(frozen=True, slots=True)
class Batches:
    """What the store does for an expiry; see `sameish.stores.expiry.Work`."""

    transaction: Callable[[str], AbstractContextManager[sqlite3.Connection]]

    def chosen(self, query: str, values: Mapping[str, object], limit: int) -> list[int]:
        """Return what a query chooses, without keeping others from writing."""
        bound = {name: storable(value) if isinstance(value, str) else value for name, value in values.items()}
        with self.transaction(READ) as db:
            return [number for (number,) in db.execute(SQL[query], {**bound, "limit": limit})]

    def delete(self, rows: str, before: int | None, these: Sequence[int]) -> Expired:
        """Delete what still must go."""
        with self.transaction(WRITE) as db:
            return _DELETE[rows](db, these, before)

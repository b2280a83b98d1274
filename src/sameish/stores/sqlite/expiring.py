"""Deletes what expires, a few rows at a time; whoever calls is in a transaction that may write, but for `chosen`."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence

from sameish.index.signed import to_signed
from sameish.stores.base import Expired
from sameish.stores.gate_state import hash_key
from sameish.stores.sqlite.statements import SQL


def chosen(db: sqlite3.Connection, query: str, values: Mapping[str, object], limit: int) -> list[int]:
    """Return the numbers that a query chooses, at most so many."""
    return [number for (number,) in db.execute(query, {**values, "limit": limit})]


def captures(db: sqlite3.Connection, ids: Sequence[int], before: int | None) -> Expired:
    """Delete captures that must go, for their age if there is a time in microseconds, else for the budget."""
    pages = {number: to_signed(hash_key(key)) for number, key in db.execute(SQL["pages_of"], {"ids": json.dumps(ids)})}
    deleted = db.execute(SQL["expire_captures"], {"ids": json.dumps(ids), "before": before}).rowcount
    if not deleted:
        return Expired()
    db.execute(SQL["next_generation"])
    touched = {"pages": json.dumps(list(pages)), "key_hashes": json.dumps(list(pages.values()))}
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
    found = (db.execute(SQL["body_size"], {"key_hash": number}).fetchone() for number in key_hashes)
    size_bytes = sum(row[0] for row in found if row is not None)
    if size_bytes:
        (total,) = db.execute(SQL["body_bytes"]).fetchone()
        db.executemany(SQL["delete_body"], [(number,) for number in key_hashes])
        db.execute(SQL["note_body_bytes"], {"size_bytes": total - size_bytes})


def visits(db: sqlite3.Connection, key_hashes: Sequence[int], before: int) -> Expired:
    """Delete visits without a capture that were due before a time in microseconds."""
    values = {"key_hashes": json.dumps(key_hashes), "before": before}
    return _told(db, Expired(visits=db.execute(SQL["expire_visits"], values).rowcount))


def dropped(db: sqlite3.Connection, key_hashes: Sequence[int], before: int) -> Expired:
    """Delete URLs that were dropped before a time in microseconds."""
    values = {"key_hashes": json.dumps(key_hashes), "before": before}
    return _told(db, Expired(dropped=db.execute(SQL["expire_dropped"], values).rowcount))


def _told(db: sqlite3.Connection, done: Expired) -> Expired:
    if done.rows:
        db.execute(SQL["next_generation"])
    return done

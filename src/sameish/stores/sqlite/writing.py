"""Writes to a store; whoever calls holds its lock and is in a transaction that may write."""

from __future__ import annotations

import sqlite3
from typing import cast

from sameish.models import Capture, Verdict
from sameish.stores.rows import Texts, row_of, storable
from sameish.stores.sqlite import gate_writing, lookup
from sameish.stores.sqlite.statements import SQL
from sameish.stores.values import is_good


def remember(db: sqlite3.Connection, capture: Capture, verdict: Verdict, texts: Texts, scheme: int) -> int:
    """Store a capture and what it says of its key, unless it is stored already; return its id."""
    page = lookup.page_id(db, capture.key)
    if page is None:
        page = _insert(db, "insert_page", {"key": storable(capture.key)})
    row = {**row_of(capture, verdict), "page_id": page, "scheme_id": scheme}
    stored: tuple[int] | None = db.execute(SQL["is_stored"], row).fetchone()
    if stored is not None:
        return stored[0]
    number = _insert(db, "insert_capture", row)
    if texts != (None, None):
        db.execute(SQL["insert_texts"], {"id": number, **texts._asdict()})
    if is_good(capture):
        db.execute(SQL["see_page"], row)
    return number


def insert_scheme(db: sqlite3.Connection, name: str) -> int:
    """Note a scheme and return its number."""
    return _insert(db, "insert_scheme", {"name": storable(name)})


def _insert(db: sqlite3.Connection, query: str, values: dict[str, object]) -> int:
    return cast("int", db.execute(SQL[query], values).lastrowid)  # None only before the first insert of a cursor


def not_modified(db: sqlite3.Connection, key: str, at: int, etag: str | None, last_modified: str | None) -> None:
    """Note a 304 at a time in microseconds."""
    validators = {"etag": etag, "last_modified": last_modified}
    cleaned = {name: None if value is None else storable(value) for name, value in validators.items()}
    db.execute(SQL["not_modified"], {"key": storable(key), "at": at, **cleaned})


def forget(db: sqlite3.Connection, key: str | None, site: str | None, before: int | None) -> tuple[int, bool]:
    """Delete captures that match all given conditions, and what then stands alone or is kept for the gate of them.

    Returns the number of captures, and whether anything was deleted at all.
    """
    values = {
        "key": None if key is None else storable(key),
        "site": None if site is None else storable(site),
        "before": before,
    }
    query = "forget_by_key" if key is not None else "forget_by_site" if site is not None else "forget_by_time"
    deleted = db.execute(SQL[query], values).rowcount
    changed = gate_writing.forget(db, key, site, before) or deleted > 0
    if changed:
        db.execute(SQL["next_generation"])
    if deleted:
        for after in ("unsee_pages", "forget_pages", "forget_schemes", "loosen_visits"):
            db.execute(SQL[after])
    return deleted, changed

"""Writes to a store; whoever calls is in a transaction and is the one who writes (`locks.WRITING`)."""

from __future__ import annotations

import psycopg

from sameish.models import Capture, Verdict
from sameish.settings import StoreSection
from sameish.stores.postgres import gate_writing
from sameish.stores.postgres.lookup import digest_of
from sameish.stores.postgres.statements import SQL
from sameish.stores.rows import Texts, row_of
from sameish.stores.values import is_good, refuse_strange_scheme


def scheme_id(db: psycopg.Connection, name: str, number: int | None, settings: StoreSection, target: str) -> int:
    """Return the number of a scheme, which is noted if it has none.

    Raises:
        SchemeMismatch: the store holds other schemes only, and `settings.several_schemes` is off.
    """
    if number is None:
        refuse_strange_scheme(name, tuple(held for (held,) in db.execute(SQL["scheme_names"])), settings, target)
        return _insert(db, "insert_scheme", {"name": name})
    return number


def remember(
    db: psycopg.Connection, capture: Capture, verdict: Verdict, texts: Texts, page: int | None, scheme: int
) -> int:
    """Store a capture and what it says of its key, unless it is stored already; return its id.

    Args:
        db: the connection.
        capture: as it was observed.
        verdict: on it.
        texts: of it, as they are stored.
        page: the number of its key, None where that is new.
        scheme: the number of its scheme.
    """
    row = {**row_of(capture, verdict), "page_id": page, "scheme_id": scheme}
    stored = None if page is None else db.execute(SQL["is_stored"], row).fetchone()
    if stored is not None:
        return int(stored[0])
    if page is None:
        row["page_id"] = _insert(db, "insert_page", {"key": capture.key, "key_digest": digest_of(capture.key)})
    number = _insert(db, "insert_capture", row)
    if texts != (None, None):
        db.execute(SQL["insert_texts"], {"id": number, **texts._asdict()})
    if is_good(capture):
        db.execute(SQL["see_page"], row)
    return number


def _insert(db: psycopg.Connection, query: str, values: dict[str, object]) -> int:
    row = db.execute(SQL[query], values).fetchone()
    assert row is not None  # noqa: S101 - RETURNING: an insert returns a row or raises
    return int(row[0])


def not_modified(db: psycopg.Connection, key: str, at: int, etag: str | None, last_modified: str | None) -> None:
    """Note a 304 at a time in microseconds."""
    values = {"key": digest_of(key), "at": at, "etag": etag, "last_modified": last_modified}
    db.execute(SQL["not_modified"], values)


def forget(db: psycopg.Connection, key: str | None, site: str | None, before: int | None) -> int:
    """Delete captures that match all given conditions, and what then stands alone or is kept for the gate of them.

    Returns the number of captures.
    """
    values = {"key": None if key is None else digest_of(key), "site": site, "before": before}
    query = "forget_by_key" if key is not None else "forget_by_site" if site is not None else "forget_by_time"
    deleted = db.execute(SQL[query], values).rowcount
    if gate_writing.forget(db, key, site, before) or deleted:
        db.execute(SQL["next_generation"])
    if deleted:
        for after in ("unsee_pages", "forget_pages", "forget_schemes", "loosen_visits"):
            db.execute(SQL[after])
    return deleted

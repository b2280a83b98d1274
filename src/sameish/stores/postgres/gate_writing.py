"""Writes for the gate; whoever calls is in a transaction and is the one who writes (`locks.WRITING`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import psycopg

from sameish.index.signed import to_signed
from sameish.settings import StoreSection
from sameish.stores.gate_rows import row_of_body, row_of_dropped, row_of_entry, row_of_visit
from sameish.stores.gate_state import StoredBody, Updates, hash_key
from sameish.stores.gate_values import is_empty, pack_body
from sameish.stores.postgres.lookup import digest_of
from sameish.stores.postgres.statements import SQL

_SOME = 100  # of the oldest bodies at a time


def write(db: psycopg.Connection, site: str, updates: Updates, settings: StoreSection) -> None:
    """Write updates that are ready, under the next revision."""
    if is_empty(updates):
        return
    revision = _number(db, SQL["next_revision"])
    _write_rows(db, site, updates, revision)
    if updates.body is not None:
        _keep(db, updates.body, settings, revision)


def _write_rows(db: psycopg.Connection, site: str, updates: Updates, revision: int) -> None:
    if updates.site_state is not None:
        state = {"site_digest": digest_of(site), "site": site, "state": updates.site_state, "revision": revision}
        db.execute(SQL["put_site_state"], state)
    _many(db, SQL["put_visit"], (row_of_visit(visit, revision) for visit in updates.visits))
    if updates.reclassed:
        news = {"key_hashes": _signed(updates.reclassed), "class_hashes": _signed(updates.reclassed.values())}
        db.execute(SQL["reclass"], {**news, "revision": revision})
    sums = ({**row_of_entry(entry), "site_digest": digest_of(entry.site)} for entry in updates.ledger)
    _many(db, SQL["add_to_ledger"], sums)
    if updates.restored:
        db.execute(SQL["delete_dropped"], {"key_hashes": _signed(updates.restored)})
    _many(db, SQL["put_dropped"], map(row_of_dropped, updates.dropped))


def _many(db: psycopg.Connection, query: bytes, rows: Iterable[dict[str, object]]) -> None:
    for row in rows:  # `executemany` is a pipeline: see `connections`
        db.execute(query, row)


def _signed(hashes: Iterable[int]) -> list[int]:
    return [to_signed(number) for number in hashes]


def _number(db: psycopg.Connection, query: bytes) -> int:
    row = db.execute(query).fetchone()
    return 0 if row is None else int(row[0])


def _keep(db: psycopg.Connection, body: StoredBody, settings: StoreSection, revision: int) -> None:
    """Put a body in the place of the older one of its key, then delete the oldest of all until the budget is kept."""
    packed = pack_body(body, settings)
    total = _number(db, SQL["body_bytes"]) - _delete(db, [to_signed(body.key_hash)])
    if packed is not None:
        db.execute(SQL["put_body"], row_of_body(body, packed, revision))
        total += packed.size_bytes
    while total > settings.body_budget_bytes and (doomed := _oldest(db, total - settings.body_budget_bytes)):
        total -= _delete(db, doomed)
    db.execute(SQL["note_body_bytes"], {"size_bytes": total})


def _delete(db: psycopg.Connection, key_hashes: list[int]) -> int:
    """Delete bodies; return how many bytes they took."""
    return sum(size for (size,) in db.execute(SQL["delete_bodies"], {"key_hashes": key_hashes}))


def _oldest(db: psycopg.Connection, needed: int) -> list[int]:
    """Return the hashes of some of the oldest bodies, no more than take so many bytes together."""
    doomed, size_bytes = [], 0
    for number, size in db.execute(SQL["oldest_bodies"], {"limit": _SOME}):
        if size_bytes >= needed:
            break
        doomed.append(number)
        size_bytes += size
    return doomed


def forget_keys(db: psycopg.Connection, key_hashes: list[int]) -> None:
    """Delete all that is kept of keys, given by the signed twins of their hashes."""
    for query in (SQL["delete_visits"], SQL["delete_dropped"]):
        db.execute(query, {"key_hashes": key_hashes})
    size_bytes = _delete(db, key_hashes)
    if size_bytes:
        db.execute(SQL["note_body_bytes"], {"size_bytes": _number(db, SQL["body_bytes"]) - size_bytes})


def forget(db: psycopg.Connection, key: str | None, site: str | None, before: int | None) -> bool:
    """Delete what is kept for the gate of what is forgotten; return whether there was anything.

    To be called when captures are deleted and pages without captures are not yet: their keys say what goes.
    """
    matching = {"key_hash": None if key is None else to_signed(hash_key(key)), "site": site, "before": before}
    emptied = {"key_hashes": [to_signed(hash_key(name)) for (name,) in db.execute(SQL["emptied_keys"])]}
    queries: list[tuple[bytes, Mapping[str, object]]] = [
        (SQL["delete_visits"], emptied),
        (SQL["delete_dropped"], emptied),
        (SQL["delete_bodies"], emptied),
    ]
    queries.append((SQL["forget_bodies"], matching))
    if before is None:
        queries += [(SQL["forget_visits"], matching), (SQL["forget_dropped"], matching)]
    if before is None and key is None and site is not None:
        queries.append((SQL["forget_site_state"], {"site_digest": digest_of(site)}))
    deleted = sum(db.execute(query, values).rowcount for query, values in queries)
    db.execute(SQL["count_body_bytes"])
    return deleted > 0

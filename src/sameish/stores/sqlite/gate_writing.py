"""Writes for the gate; whoever calls holds the store's lock and is in a transaction that may write."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from sameish.index.signed import to_signed
from sameish.settings import StoreSection
from sameish.stores.gate_rows import row_of_body, row_of_dropped, row_of_entry, row_of_visit
from sameish.stores.gate_state import Dropped, StoredBody, Updates, Visit, hash_key
from sameish.stores.gate_values import is_empty, pack_body
from sameish.stores.rows import hash_of, storable
from sameish.stores.sqlite import numbers
from sameish.stores.sqlite.file import read_marks
from sameish.stores.sqlite.statements import SQL


def write(db: sqlite3.Connection, site: str, updates: Updates, settings: StoreSection) -> None:
    """Write updates that are ready, under the next revision."""
    if is_empty(updates):
        return
    db.execute(SQL["next_revision"])
    revision = read_marks(db).revision
    if updates.site_state is not None:
        state = {"site": storable(site), "state": updates.site_state, "revision": revision}
        db.execute(SQL["put_site_state"], state)
    _visits(db, updates.visits, updates.reclassed, revision)
    db.executemany(SQL["add_to_ledger"], map(row_of_entry, updates.ledger))
    _dropped(db, updates.restored, updates.dropped)
    if updates.body is not None:
        _keep(db, updates.body, settings, revision)


def _visits(db: sqlite3.Connection, visits: tuple[Visit, ...], reclassed: Mapping[int, int], revision: int) -> None:
    db.executemany(SQL["put_visit"], (row_of_visit(visit, revision) for visit in visits))
    news = (
        {"key_hash": to_signed(key), "class_hash": to_signed(class_hash), "revision": revision}
        for key, class_hash in reclassed.items()
    )
    db.executemany(SQL["reclass"], news)


def _dropped(db: sqlite3.Connection, restored: tuple[int, ...], dropped: tuple[Dropped, ...]) -> None:
    db.executemany(SQL["delete_dropped"], ((to_signed(number),) for number in restored))
    db.executemany(SQL["put_dropped"], map(row_of_dropped, dropped))


def _keep(db: sqlite3.Connection, body: StoredBody, settings: StoreSection, revision: int) -> None:
    """Put a body in the place of the older one of its key, then delete the oldest of all until the budget is kept."""
    packed = pack_body(body, settings)
    (total,) = numbers.sure(db, "body_bytes")
    old = numbers.first(db, "body_size", {"key_hash": to_signed(body.key_hash)})
    if old is not None:
        db.execute(SQL["delete_body"], (to_signed(body.key_hash),))
        total -= old[0]
    if packed is not None:
        db.execute(SQL["put_body"], row_of_body(body, packed, revision))
        total += packed.size_bytes
    if total > settings.body_budget_bytes:
        total -= _make_room(db, total - settings.body_budget_bytes)
    db.execute(SQL["note_body_bytes"], {"size_bytes": total})


def _make_room(db: sqlite3.Connection, needed: int) -> int:
    """Delete the oldest bodies that take so many bytes together; return how many they took."""
    doomed, size_bytes = [], 0
    for number, size in numbers.rows(db, "oldest_bodies"):
        if size_bytes >= needed:
            break
        doomed.append((number,))
        size_bytes += size
    db.executemany(SQL["delete_body"], doomed)
    return size_bytes


def take_lease(db: sqlite3.Connection, key_hash: int, owner: str, now: int, until: int) -> bool:
    """Take or prolong a lease; those that have run out are deleted on the way."""
    db.execute(SQL["drop_old_leases"], {"now": now})
    lease = {"key_hash": key_hash, "owner": storable(owner), "until": until}
    return db.execute(SQL["take_lease"], lease).rowcount == 1


def forget(db: sqlite3.Connection, key: str | None, site: str | None, before: int | None) -> bool:
    """Delete what is kept for the gate of what is forgotten; return whether there was anything.

    To be called when captures are deleted and pages without captures are not yet: their keys say what goes.
    """
    changes = db.total_changes
    matching = {
        "key_hash": None if key is None else to_signed(hash_key(key)),
        "site": None if site is None else storable(site),
        "before": before,
    }
    emptied = [(to_signed(hash_of(name)),) for (name,) in db.execute(SQL["emptied_keys"])]
    for query in ("delete_visit", "delete_dropped", "delete_body"):
        db.executemany(SQL[query], emptied)
    db.execute(SQL["forget_bodies"], matching)
    if before is None:
        db.execute(SQL["forget_visits"], matching)
        db.execute(SQL["forget_dropped"], matching)
        if key is None:
            db.execute(SQL["forget_site_state"], matching)
    deleted = db.total_changes > changes
    db.execute(SQL["count_body_bytes"])
    return deleted

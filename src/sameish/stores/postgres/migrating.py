"""Brings a store of an older format up to the one of this version."""

from __future__ import annotations

from sameish.stores.postgres.address import address_of
from sameish.stores.postgres.locks import OPENING, WRITING
from sameish.stores.postgres.opening import SCHEMA_VERSION, check_version, format_of, no_store, tables_of
from sameish.stores.postgres.statements import migrations
from sameish.stores.postgres.translation import translated


def migrate(target: str, *, timeout_s: float = 30.0) -> tuple[int, int]:
    """Run the migrations that a store has not seen, all or none; return the format before and after.

    Args:
        target: address of the database.
        timeout_s: how long to wait for others who use the store.

    Raises:
        StoreUnavailable: the database cannot be reached, read or written now.
        SchemaOutdated: the store was written by a newer version.
        StoreError: there is none.
    """
    address = address_of(target, timeout_s)
    with translated(address.shown), address.connect() as db, db.transaction():
        db.execute(OPENING)
        db.execute(WRITING)
        names = tables_of(db)
        if not names:
            raise no_store(address)
        found = format_of(db, names, address)
        if found > SCHEMA_VERSION:
            check_version(found, address)
        for number, script in migrations().items():
            if number > found:
                db.execute(script)
        db.execute("UPDATE sameish.meta SET format = %s", (SCHEMA_VERSION,))
    return found, SCHEMA_VERSION

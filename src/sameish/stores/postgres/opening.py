"""Opens a store in a database, or refuses it without changing anything."""

from __future__ import annotations

import psycopg

from sameish._version import __version__
from sameish.errors import SchemaOutdated, StoreError
from sameish.settings import StoreSection
from sameish.stores.postgres.address import Address
from sameish.stores.postgres.locks import OPENING
from sameish.stores.postgres.statements import SQL, schema
from sameish.stores.postgres.translation import translated
from sameish.stores.values import refuse_strange_scheme

SCHEMA_VERSION = 3
_OLDEST_SERVER = 140_000  # the first with bit_count
_TABLES = {
    "meta",
    "scheme",
    "page",
    "capture",
    "capture_text",
    "visit",
    "site_state",
    "ledger",
    "dropped",
    "lease",
    "body",
}


def open_database(address: Address, scheme: str | None, settings: StoreSection, *, create: bool) -> None:
    """Check the store in a database, which is made if there is none.

    Raises:
        StoreUnavailable: the database cannot be reached, read or written now.
        SchemaOutdated: the store was written by another version.
        SchemeMismatch: it holds other schemes only.
        StoreError: it is something else, or damaged; or there is none and `create` is False.
    """
    with translated(address.shown), address.connect() as db, db.transaction():
        _check_server(db, address)
        db.execute(OPENING)
        names = tables_of(db)
        if names:
            check_version(format_of(db, names, address), address)
            _check_tables(names, address)
        else:
            _create(db, address, create=create)
        if scheme is not None:
            held = tuple(str(name) for (name,) in db.execute(SQL["scheme_names"]))
            refuse_strange_scheme(scheme, held, settings, address.shown)


def _check_server(db: psycopg.Connection, address: Address) -> None:
    if db.info.server_version < _OLDEST_SERVER:
        message = f"{address.shown}: PostgreSQL 14 or later is needed, this is {db.info.server_version // 10_000}"
        raise StoreError(message, target=address.shown)
    encoding = db.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        message = f"{address.shown}: the database must have the encoding UTF8, this one has {encoding}"
        raise StoreError(message, target=address.shown)


def tables_of(db: psycopg.Connection) -> set[str]:
    """Return the names of the tables of a store, none where there is none."""
    found = db.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'sameish'")
    return {str(name) for (name,) in found}


def format_of(db: psycopg.Connection, names: set[str], address: Address) -> int:
    """Return the format of a store.

    Raises:
        StoreError: the tables are not those of a store.
    """
    row = db.execute("SELECT format FROM sameish.meta").fetchone() if "meta" in names else None
    if row is None:
        message = f'{address.shown}: the schema "sameish" in it is damaged or of another program. It was not changed'
        raise StoreError(message, target=address.shown)
    return int(row[0])


def check_version(found: int, address: Address) -> None:
    """Refuse a store of another format.

    Raises:
        SchemaOutdated: it is.
    """
    if found == SCHEMA_VERSION:
        return
    newer = found > SCHEMA_VERSION
    what, way = ("a newer", "upgrade sameish") if newer else ("an older", "bring it up with `sameish store migrate`")
    raise SchemaOutdated(
        f"{address.shown} was written by {what} version of sameish (format {found}, this one reads {SCHEMA_VERSION}); "
        f"{way}. It was not changed",
        target=address.shown,
        found=found,
        expected=SCHEMA_VERSION,
    )


def _check_tables(names: set[str], address: Address) -> None:
    missing = ", ".join(sorted(_TABLES - names))
    if missing:
        message = f"{address.shown} is damaged: missing is {missing}. Restore it from a copy; it was not changed"
        raise StoreError(message, target=address.shown)


def _create(db: psycopg.Connection, address: Address, *, create: bool) -> None:
    if not create:
        raise no_store(address)
    db.execute(schema())
    db.execute("INSERT INTO sameish.meta (format, made_by) VALUES (%s, %s)", (SCHEMA_VERSION, __version__))


def no_store(address: Address) -> StoreError:
    """Return the error for a database without a store."""
    message = f"there is no store in {address.shown}; `sameish scan PATH --store {address.shown}` makes one"
    return StoreError(message, target=address.shown)

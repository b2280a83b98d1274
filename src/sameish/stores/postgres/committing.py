"""Whether a transaction stands whose commit nobody answered, as the connection broke."""

from __future__ import annotations

import time
from typing import Any

import psycopg

from sameish.errors import StoreUnavailable
from sameish.stores.postgres.address import Address

NUMBERED = b"SELECT pg_current_xact_id()::text"
"""Gives a transaction its number at once: what writes gets one in any case."""
_STATUS = b"SELECT pg_xact_status(%s::xid8)"
_ASKED_FOR_S, _PAUSE_S = 5.0, 0.02


def number_of(begun: psycopg.Cursor[Any]) -> str:
    """Return the number of a transaction from what its first statements answered, the last of which is `NUMBERED`."""
    while begun.nextset():
        pass
    row = begun.fetchone()
    assert row is not None  # noqa: S101 - a SELECT without FROM returns a row or raises
    return str(row[0])


def commit(db: psycopg.Connection, number: str | None, address: Address) -> None:
    """Commit a transaction; return where it stands, whether or not the answer came.

    Args:
        db: the connection.
        number: of the transaction, as `number_of` returns it; None where nothing was written.
        address: of the database, to ask it over another connection.

    Raises:
        psycopg.Error: nothing of it stands.
        StoreUnavailable: the connection broke, and the database cannot be asked: all of it stands, or nothing.
    """
    try:
        db.execute(b"COMMIT")
    except psycopg.OperationalError:
        if number is None or not db.broken or not _stands(number, address):
            raise


def _stands(number: str, address: Address) -> bool:
    """Ask what became of a transaction, until the server has noticed that its client is gone."""
    until = time.monotonic() + _ASKED_FOR_S
    try:
        with address.connect() as db:
            while (status := _status(db, number)) == "in progress" and time.monotonic() < until:
                time.sleep(_PAUSE_S)
    except (StoreUnavailable, psycopg.OperationalError) as error:
        raise _unknown(address) from error
    if status not in ("committed", "aborted"):
        raise _unknown(address)
    return status == "committed"


def _status(db: psycopg.Connection, number: str) -> str | None:
    row = db.execute(_STATUS, (number,)).fetchone()
    return None if row is None else row[0]


def _unknown(address: Address) -> StoreUnavailable:
    message = f"{address.shown} was lost while it committed: all of it was stored, or nothing; do it again"
    return StoreUnavailable(message, target=address.shown)

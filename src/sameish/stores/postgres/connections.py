"""Connections to a database: a pool of them, one for each caller, one transaction a caller.

No pipelines: psycopg ends one with a Sync and a Flush, and by the Flush the server takes a transaction for busy that stands
still, so that `idle_in_transaction_session_timeout` never ends it (psycopg 3.3, PostgreSQL 18).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from selectors import EVENT_READ, DefaultSelector
from typing import NamedTuple

import psycopg
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool, PoolTimeout

from sameish.errors import StoreUnavailable
from sameish.settings import StoreSection
from sameish.stores.postgres.address import CONNECT_S, address_of
from sameish.stores.postgres.committing import NUMBERED, commit, number_of
from sameish.stores.postgres.entrance import Entrance
from sameish.stores.postgres.locks import locking
from sameish.stores.postgres.opening import open_database
from sameish.stores.postgres.statements import SQL
from sameish.stores.postgres.translation import translated
from sameish.stores.rows import DamagedRow

WRITE = b"BEGIN"
READ_ALIKE = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
"""For several statements that must see the same."""
_CALLERS = 8
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.5, 30.0
_AGAIN_S = 1.0
"""How long to try for a connection where the last time there was none."""


class Marks(NamedTuple):
    """What says whether something was written for the gate, and whether anything was deleted; both only rise."""

    revision: int
    generation: int


class PostgresConnections:
    """Connections to one database; the arguments are those of `PostgresStore`."""

    def __init__(
        self, target: str, scheme: str | None, settings: StoreSection, timeout_s: float, *, create: bool
    ) -> None:
        self._address = address_of(target, timeout_s)
        self._settings = settings
        self._entrance = Entrance(self._address.shown, _CALLERS)
        open_database(self._address, scheme, settings, create=create)
        self._pool = ConnectionPool(
            self._address.given,
            kwargs=self._address.options,
            min_size=0,
            max_size=_CALLERS + 1,  # one for who asks for the marks, which must not wait for the others
            timeout=CONNECT_S,
            reconnect_timeout=CONNECT_S,
            name="sameish",
            open=True,
        )
        self._marks_lock = threading.Lock()
        self._pause_s, self._asked_again_at = 0.0, 0.0

    @contextmanager
    def _transaction(self, begin: bytes, locks: Sequence[int] = ()) -> Iterator[psycopg.Connection]:
        """One caller, one transaction: all of the block or nothing of it, also when it is interrupted."""
        writes = begin is WRITE
        with self._reading() as db:
            begun = db.execute(
                b"; ".join([begin, *([locking(locks)] if locks else []), *([NUMBERED] if writes else [])])
            )
            number = number_of(begun) if writes else None
            yield db
            commit(db, number, self._address)

    @contextmanager
    def _reading(self) -> Iterator[psycopg.Connection]:
        """One caller, one connection; each statement sees what was committed before it."""
        with self._entrance.entered(), translated(self._address.shown):
            db = self._connection()
            try:
                yield db
            finally:
                self._give_back(db)

    def _connection(self) -> psycopg.Connection:
        """Return a connection, one after the other where the database is gone: for a while nobody tries then."""
        left = self._asked_again_at - time.monotonic()
        if left > 0:
            message = f"{self._address.shown} could not be reached just now; it is asked again in {left:.1f} seconds"
            raise StoreUnavailable(message, target=self._address.shown)
        wait_s = _AGAIN_S if self._pause_s else CONNECT_S
        try:
            db = self._pool.getconn(wait_s)
            while _is_cut(db):  # while nobody used it: that is no reason to fail
                db.close()
                self._pool.putconn(db)
                db = self._pool.getconn(wait_s)
        except PoolTimeout:
            self._pause_s = min(max(2 * self._pause_s, _FIRST_PAUSE_S), _LONGEST_PAUSE_S)
            self._asked_again_at = time.monotonic() + self._pause_s
            raise
        self._pause_s = 0.0
        return db

    def _give_back(self, db: psycopg.Connection) -> None:
        """Give a connection back, out of any transaction, or closed."""
        if not _is_idle(db):
            with suppress(psycopg.Error):  # who is cut off is rolled back by the server
                db.execute(b"ROLLBACK")
            if not _is_idle(db):
                db.close()
        self._pool.putconn(db)

    def _marks_now(self) -> Marks:
        """Return the marks, without waiting for others in the store."""
        self._entrance.check()
        with self._marks_lock, translated(self._address.shown):
            db = self._connection()
            try:
                return read_marks(db)
            finally:
                self._give_back(db)

    def close(self) -> None:
        """Release the connections; a closed store refuses further calls, but for `close`."""
        if not self._entrance.closed:
            self._entrance.check()
            self._entrance.closed = True
            self._pool.close()


def _is_idle(db: psycopg.Connection) -> bool:
    return db.info.transaction_status is TransactionStatus.IDLE


def _is_cut(db: psycopg.Connection) -> bool:
    """Return whether the server has said something that nobody asked for: that it ends the connection."""
    with DefaultSelector() as selector:
        selector.register(db.fileno(), EVENT_READ)
        return bool(selector.select(0))


def read_marks(db: psycopg.Connection) -> Marks:
    """Return the marks."""
    row = db.execute(SQL["marks"]).fetchone()
    if row is None:
        raise DamagedRow("the table meta is damaged (it is empty)")
    return Marks(*row)

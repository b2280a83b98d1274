"""A store's file: one connection, one caller at a time, one transaction a caller."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from sameish.errors import StoreError
from sameish.settings import StoreSection
from sameish.stores.guard import Guard
from sameish.stores.sqlite import numbers
from sameish.stores.sqlite.opening import open_file
from sameish.stores.sqlite.translation import FAILURES, translated, translation

_LOGGER = logging.getLogger("sameish.stores")
READ, WRITE = "BEGIN", "BEGIN IMMEDIATE"


class Marks(NamedTuple):
    """What says whether something was written for the gate, and whether anything was deleted; both only rise."""

    revision: int
    generation: int


def read_marks(db: sqlite3.Connection) -> Marks:
    """Return the marks; 3 microseconds, little more than SQLite's own `data_version`, which says less."""
    return Marks(*numbers.sure(db, "marks"))


class SqliteFile:
    """An open file; the arguments are those of `SqliteStore`."""

    def __init__(self, path: str | os.PathLike[str], scheme: str | None, settings: StoreSection, wait_s: float) -> None:
        self._path = Path(path).absolute()  # also makes ":memory:" a name like any other
        self._settings = settings
        self._timeout_s = wait_s
        self._guard = Guard(str(self._path), same_process=True)
        self._db = open_file(self._path, scheme, settings, wait_s)
        self._marks = Marks(0, 0)

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        """One caller, one transaction: all of the block or nothing of it, also when it is interrupted."""
        with self._guard, translated(self._path):
            try:
                self._db.execute(begin)
                yield self._db
                marks = read_marks(self._db) if begin == WRITE else self._marks
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
            self._marks = marks  # not before the commit: what is rolled back must not count

    def _marks_now(self) -> Marks:
        """Return the marks, those known last where another thread is in: this never waits for it."""
        if self._guard.enter_at_once():
            try:
                self._marks = read_marks(self._db)
            except FAILURES as error:  # not `translated`: a context manager would take as long as the query
                raise translation(error, self._path) from error
            finally:
                self._guard.leave()
        return self._marks

    def _empty_log(self) -> None:
        """Write the log back, or what was forgotten could still be read there.

        Not for others who read for long: then a later checkpoint does it, and so where it fails, for the deletion itself
        is done.
        """
        try:
            with self._guard, translated(self._path):
                self._checkpoint()
        except StoreError as error:
            _LOGGER.warning("what was forgotten is deleted, but may still stand in the log of the file: %s", error)

    def _checkpoint(self) -> None:
        try:
            self._db.execute("PRAGMA busy_timeout = 1000")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            self._db.execute(f"PRAGMA busy_timeout = {round(1000 * self._timeout_s)}")

    def close(self) -> None:
        """Release the file; a closed store refuses further calls, but for `close`."""
        if self._guard.closed:
            return
        self._guard.check_process()
        with translated(self._path):
            self._guard.shut(self._db.close)

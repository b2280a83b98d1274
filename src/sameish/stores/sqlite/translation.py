"""The one place where errors of SQLite, and damaged rows, become errors of a store."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sameish.errors import StoreError, StoreUnavailable
from sameish.stores.rows import DamagedRow

_LOCKED = "is locked by another program; try again when it is done, or wait longer (timeout_s)"
_UNAVAILABLE = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_FULL: "cannot grow: the disk is full. Make room and try again; what was acknowledged is stored",
    sqlite3.SQLITE_READONLY: "cannot be written: allow writing to the file and to its folder, or use a copy",
    sqlite3.SQLITE_PERM: "cannot be opened: allow reading and writing the file",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: check that file and folder may be read and written",
    sqlite3.SQLITE_IOERR: (
        "cannot be read or written: the disk reports an error, or a limit (a quota, `ulimit -f`) keeps the file from growing"
    ),
}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_SCHEMA = ("no such ", "malformed database schema")
"""How messages on statements begin that are right, but for tables, views and indexes that are not as they were made."""
_TEXT = "Could not decode to UTF-8"
FAILURES = (sqlite3.Error, DamagedRow, UnicodeDecodeError)
"""What a damaged file leads to. UnicodeDecodeError: a message of SQLite that quotes what is no text, as of its list of tables."""


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raise a `StoreError` that names the file and what to do for every error of SQLite and every damaged row.

    Raises:
        StoreUnavailable: locked, disk full, not readable or not writable.
        StoreError: damaged, or anything else.
    """
    try:
        yield
    except FAILURES as error:
        raise translation(error, path) from error


def translation(error: Exception, path: Path) -> StoreError:
    """Return the error of a store for one of the `FAILURES`."""
    if isinstance(error, DamagedRow):
        return StoreError(f"{path}: {error}; run `sameish store verify`", target=str(path))
    if str(error).startswith(_TEXT):
        return StoreError(f"{path}: a text is damaged ({error}); run `sameish store verify`", target=str(path))
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte; the rest is detail
    if code in _UNAVAILABLE:
        return StoreUnavailable(f"{path} {_UNAVAILABLE[code]} ({error})", target=str(path))
    if code in _DAMAGED or isinstance(error, UnicodeDecodeError) or str(error).startswith(_SCHEMA):
        advice = "restore it from a copy, or begin a new store under another name; nothing was changed"
        return StoreError(f"{path} is damaged: {advice} ({error})", target=str(path))
    return StoreError(f"{path}: {error}", target=str(path))

"""Opens the file of a store, or refuses it without changing a byte."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from sameish._version import __version__
from sameish.errors import SchemaOutdated, StoreError, StoreUnavailable
from sameish.settings import StoreSection
from sameish.stores.rows import reading, text
from sameish.stores.sqlite.statements import SCHEMA, SQL
from sameish.stores.sqlite.translation import translated
from sameish.stores.values import refuse_strange_scheme

SCHEMA_VERSION = 2
APPLICATION_ID = 0x53414D45  # "SAME"
_CAPTURES = {"meta", "scheme", "page", "capture", "capture_text"}
_TABLES = _CAPTURES | {"visit", "site_state", "ledger", "dropped", "lease", "body"}


def open_file(path: Path, scheme: str | None, settings: StoreSection, timeout_s: float) -> sqlite3.Connection:
    """Return a connection to a store, which is made if the file does not exist or is empty.

    Raises:
        StoreUnavailable: the file cannot be reached, read or written now.
        SchemaOutdated: it was written by another version.
        SchemeMismatch: it holds other schemes only.
        StoreError: it is something else, or damaged.
    """
    with translated(path):
        _check_file(path)
        db = sqlite3.connect(path, timeout=timeout_s, isolation_level=None, check_same_thread=False)
        try:
            _enter(db, path, scheme, settings)
            _prepare(db, timeout_s)
        except BaseException:
            db.close()
            raise
    return db


def _check_file(path: Path) -> None:
    try:
        _check_place(path)
        if path.exists() and path.stat().st_size > 0:
            _check_owner(path)
    except OSError as error:  # no permission to look, a name that is too long
        message = (
            f"{path} cannot be reached; check the name, and that file and folder may be read and written ({error})"
        )
        raise StoreUnavailable(message, target=str(path)) from error


def _check_place(path: Path) -> None:
    if "\0" in str(path):
        raise StoreUnavailable(f"{path!r}: check the name, there is a NUL in it", target=str(path))
    if path.is_dir():
        raise StoreUnavailable(f"{path} is a folder; name a file in it, such as {path / 'crawl.db'}", target=str(path))
    if not path.parent.is_dir():
        raise StoreUnavailable(f"{path}: there is no folder {path.parent}; make it first", target=str(path))
    for place in (path.parent, path):
        if place.exists() and not _may_write(place):
            what = "file" if place is path else "folder, where SQLite keeps its log,"
            message = f"{path} cannot be opened: allow reading and writing the {what} or use a copy elsewhere"
            raise StoreUnavailable(message, target=str(path))


def _may_write(place: Path) -> bool:
    """Ask before SQLite does: it would leave a log beside a read-only file that is read-only too and stays in the way."""
    return os.access(place, os.R_OK | os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _check_owner(path: Path) -> None:
    """Look at the file as it lies there.

    `immutable`: nothing is locked, recovered or created, so a file of somebody else stays as it is. Plain `open()` would
    not do: closing it drops the locks that this process holds on the file (sqlite.org/howtocorrupt.html, section 2.2).
    """
    uri = f"file:{quote(str(path))}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(uri, uri=True)) as db:
            db.execute("PRAGMA writable_schema = ON")  # reads the head also of a creation that was cut short
            pages, found = _number(db, "PRAGMA page_count"), _number(db, "PRAGMA application_id")
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_NOTADB:
            raise
        raise _no_database(path) from error
    if pages == 0:  # SQLite takes a file of a few bytes for an empty one
        raise _no_database(path)
    if found != APPLICATION_ID:
        message = f"{path} is a SQLite file of another program; name another file. It was not changed"
        raise StoreError(message, target=str(path))


def _no_database(path: Path) -> StoreError:
    message = f"{path} is no SQLite file, or its head is damaged; name another file. It was not changed"
    return StoreError(message, target=str(path))


def _number(db: sqlite3.Connection, statement: str) -> int:
    return int(db.execute(statement).fetchone()[0])


def _enter(db: sqlite3.Connection, path: Path, scheme: str | None, settings: StoreSection) -> None:
    """Make the store or check it, as one transaction: a creation that is cut short leaves an empty file."""
    db.execute("BEGIN IMMEDIATE")
    names = {str(name) for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if names:
        _check_version(_number(db, "PRAGMA user_version"), path)
        _check_tables(names, path)
        db.execute("DELETE FROM meta WHERE 0")  # on a read-only file BEGIN IMMEDIATE begins a transaction that reads
        _complete(db)
    else:
        _create(db)
    if scheme is not None:
        refuse_strange_scheme(scheme, scheme_names(db), settings, str(path))
    db.execute("COMMIT")


def scheme_names(db: sqlite3.Connection) -> tuple[str, ...]:
    """Return all schemes of which captures are stored.

    Raises:
        DamagedRow: a name is no text.
    """
    with reading("the name of a scheme"):
        return tuple(text(name) for (name,) in db.execute(SQL["scheme_names"]))


def _check_version(found: int, path: Path) -> None:
    if found == SCHEMA_VERSION:
        return
    what, way = ("a newer", "upgrade sameish") if found > SCHEMA_VERSION else ("an older", "open it with that version")
    raise SchemaOutdated(
        f"{path} was written by {what} version of sameish (format {found}, this one reads {SCHEMA_VERSION}); {way}. "
        "It was not changed",
        target=str(path),
        found=found,
        expected=SCHEMA_VERSION,
    )


def _check_tables(names: set[str], path: Path) -> None:
    missing = ", ".join(sorted(_TABLES - names))
    if missing:
        message = f"{path} is damaged: missing is {missing}. Restore it from a copy; it was not changed"
        raise StoreError(message, target=str(path))


def _create(db: sqlite3.Connection) -> None:
    for statement in SCHEMA:
        db.execute(statement)
    db.execute("INSERT INTO meta (one, made_by) VALUES (1, ?)", (__version__,))
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _complete(db: sqlite3.Connection) -> None:
    """Add the indexes that files of this format did not have from the beginning."""
    for statement in SCHEMA:
        if "INDEX IF NOT EXISTS" in statement:
            db.execute(statement)


def _prepare(db: sqlite3.Connection, timeout_s: float) -> None:
    wal = _use_wal(db, time.monotonic() + timeout_s)
    # where a file system has no shared memory the old journal stays, and needs FULL to survive a power cut
    db.execute(f"PRAGMA synchronous = {'NORMAL' if wal else 'FULL'}")
    db.execute("PRAGMA wal_autocheckpoint = 4000")  # 16 MB: a checkpoint waits for the disk
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("PRAGMA secure_delete = ON")  # what is forgotten is overwritten


def _use_wal(db: sqlite3.Connection, until: float) -> bool:
    """Switch to WAL; SQLite does not wait for others here, whatever its time-out."""
    while True:
        try:
            return bool(db.execute("PRAGMA journal_mode = WAL").fetchone()[0] == "wal")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)

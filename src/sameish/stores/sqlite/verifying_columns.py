"""Whether every column of every table holds what its type says: SQLite itself takes anything anywhere."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from typing import NamedTuple

from sameish.stores.rows import SqlRow
from sameish.stores.sqlite.statements import SCHEMA
from sameish.stores.verification import Count

_TYPES: dict[str, tuple[type, str]] = {"INTEGER": (int, "number"), "TEXT": (str, "text"), "BLOB": (bytes, "bytes")}
_VIEW = "capture_row"


class _NoText(str):
    """A text that is no UTF-8, with what is wrong in it as hexadecimal numbers."""

    __slots__ = ()


class _Column(NamedTuple):
    name: str
    type: type
    word: str
    may_lack: bool

    def holds(self, value: object) -> bool:
        return (value is None and self.may_lack) or type(value) is self.type


@contextmanager
def any_text(db: sqlite3.Connection) -> Iterator[None]:
    """Read texts that are no UTF-8, too, so that a check does not end at the first of them."""
    before = db.text_factory
    db.text_factory = _text
    try:
        yield
    finally:
        db.text_factory = before


def _text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return _NoText(raw.decode("utf-8", "backslashreplace"))


@cache
def _tables() -> dict[str, tuple[_Column, ...]]:
    """Return the columns of each table, as this version makes them: a damaged file does not say."""
    with closing(sqlite3.connect(":memory:")) as db:
        for statement in SCHEMA:
            db.execute(statement)
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {name: _columns(db, name) for name in names if not name.startswith("sqlite_")}


def _columns(db: sqlite3.Connection, table: str) -> tuple[_Column, ...]:
    return tuple(
        _Column(name, *_TYPES[kind], may_lack=not (needed or key))
        for _, name, kind, needed, _, key in db.execute(f"PRAGMA table_info({table})")
    )


def tables() -> tuple[str, ...]:
    """Return the names of all tables."""
    return tuple(_tables())


def faults(db: sqlite3.Connection, table: str, count: Count) -> Iterator[str]:
    """Yield what is wrong with the columns of a table; to be called within `any_text`."""
    columns = _tables()[table]
    names = ", ".join(column.name for column in columns)
    for row in count.of(db.execute(f"SELECT {names} FROM {table} NOT INDEXED")):  # noqa: S608 - names of our own schema
        yield from _row_faults(table, columns, row)


def _row_faults(table: str, columns: tuple[_Column, ...], row: SqlRow) -> Iterator[str]:
    for column, value in zip(columns, row, strict=True):
        if not column.holds(value):
            shown = repr(value) if len(repr(value)) < 100 else f"{repr(value)[:100]}..."
            yield f"{table} {row[0]}: its {column.name} is no {column.word}: {shown}"


def view_faults(db: sqlite3.Connection) -> Iterator[str]:
    """Check that the view has all of its columns; raises the error of SQLite where it has not."""
    with closing(sqlite3.connect(":memory:")) as sound:
        for statement in SCHEMA:
            sound.execute(statement)
        wanted = [name for name, *_ in sound.execute(f"SELECT * FROM {_VIEW}").description]  # noqa: S608 - own name
    found = [name for name, *_ in db.execute(f"SELECT * FROM {_VIEW} LIMIT 0").description]  # noqa: S608 - own name
    if found != wanted:
        yield f"the view {_VIEW} is damaged: its columns are {', '.join(found)}"

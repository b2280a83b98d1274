"""Reads of rows that hold numbers only; SQLite keeps anything in any column, and a damaged file lacks rows that must be there."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping

from sameish.stores.rows import DamagedRow, SqlRow
from sameish.stores.sqlite.statements import SQL


def rows(db: sqlite3.Connection, query: str, values: Mapping[str, object] | None = None) -> Iterator[tuple[int, ...]]:
    """Yield the rows of a query.

    Raises:
        DamagedRow: they hold something else than numbers.
    """
    for row in db.execute(SQL[query], values or {}):
        yield _checked(query, row)


def first(db: sqlite3.Connection, query: str, values: Mapping[str, object] | None = None) -> tuple[int, ...] | None:
    """Return the first row of a query, None where there is none.

    Raises:
        DamagedRow: it holds something else than numbers.
    """
    row = db.execute(SQL[query], values or {}).fetchone()
    return None if row is None else _checked(query, row)


def sure(db: sqlite3.Connection, query: str) -> tuple[int, ...]:
    """Return the row that is always there.

    Raises:
        DamagedRow: it is not, or holds something else than numbers.
    """
    return _checked(query, db.execute(SQL[query]).fetchone())


def _checked(query: str, row: SqlRow | None) -> tuple[int, ...]:
    if row is None:
        raise DamagedRow(f"what `{query}` asks for is damaged (it is not there)")
    for value in row:
        if type(value) is not int:
            raise DamagedRow(f"what `{query}` asks for is damaged ({value!r} is no number)")
    return tuple(row)

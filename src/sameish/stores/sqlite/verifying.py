"""Everything about a store that can be checked, as faults in words."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

from sameish.stores.checks import capture_faults, listing, unseen_fault
from sameish.stores.sqlite import verifying_columns, verifying_gate
from sameish.stores.sqlite.statements import SQL
from sameish.stores.verification import Count, States

_Check: TypeAlias = Callable[[sqlite3.Connection], Iterator[str]]


def faults(db: sqlite3.Connection, states: States, count: Count) -> list[str]:
    """Return the faults; a file that SQLite itself cannot read to the end is one more fault."""
    found: list[str] = []
    with verifying_columns.any_text(db):
        for check in _checks(states, count):
            with listing(found):
                _run(check, db, found)
    return list(dict.fromkeys(found))


def _run(check: _Check, db: sqlite3.Connection, found: list[str]) -> None:
    try:
        found.extend(check(db))
    except sqlite3.DatabaseError as error:
        found.append(f"the file is damaged: {error}")


def _checks(states: States, count: Count) -> Iterator[_Check]:
    yield from (_file, _references, partial(_captures, count), _twins, _pages)
    yield from verifying_gate.checks(states, count)
    yield verifying_columns.view_faults
    yield from (partial(verifying_columns.faults, table=table, count=count) for table in verifying_columns.tables())


def _file(db: sqlite3.Connection) -> Iterator[str]:
    for (line,) in db.execute("PRAGMA integrity_check"):
        if line != "ok":
            yield f"the file is damaged: {line}"


def _references(db: sqlite3.Connection) -> Iterator[str]:
    for table, row, parent, _ in db.execute("PRAGMA foreign_key_check"):
        what = "capture" if table == "capture" else "text of capture"
        yield f"{what} {row}: it refers to a {parent} that is not there"


def _captures(count: Count, db: sqlite3.Connection) -> Iterator[str]:
    for row in count.of(db.execute(SQL["all_captures"])):
        for fault in capture_faults(row):
            yield f"capture {row[0]}: {fault}"


def _twins(db: sqlite3.Connection) -> Iterator[str]:
    for first, last in db.execute(SQL["duplicates"]):
        yield f"captures {first} and {last}: the same capture twice"


def _pages(db: sqlite3.Connection) -> Iterator[str]:
    for number, page in db.execute(SQL["orphans"]):
        yield f"capture {number}: its page {page} is not there"
    for (key,) in db.execute(SQL["empty_pages"]):
        yield f"page {key}: there is no capture of it"
    for key, last_seen, fetched in db.execute(SQL["unseen_pages"]):
        yield unseen_fault(key, last_seen, fetched)

"""What can be checked of what is kept for the gate, as faults in words."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from functools import partial

from sameish.stores import gate_checks
from sameish.stores.gate_checks import Check, faults_of
from sameish.stores.sqlite import numbers
from sameish.stores.sqlite.file import read_marks
from sameish.stores.sqlite.statements import SQL
from sameish.stores.verification import Count, States


def checks(states: States, count: Count) -> Iterator[Callable[[sqlite3.Connection], Iterator[str]]]:
    """Yield a check for each table, and one of the sums."""
    for query, check in gate_checks.checks_of(states).items():
        yield partial(_rows, query, check, count)
    yield _body_bytes


def _rows(query: str, check: Check, count: Count, db: sqlite3.Connection) -> Iterator[str]:
    yield from faults_of(check, count.of(db.execute(SQL[query])), read_marks(db).revision)


def _body_bytes(db: sqlite3.Connection) -> Iterator[str]:
    (noted,), (counted,) = numbers.sure(db, "body_bytes"), numbers.sure(db, "counted_body_bytes")
    yield from gate_checks.check_body_bytes(noted, counted)

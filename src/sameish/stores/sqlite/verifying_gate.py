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
    asked: tuple[tuple[str, Check], ...] = (
        (SQL["all_visits"], partial(gate_checks.check_visit, states)),
        (SQL["all_site_states"], partial(gate_checks.check_site_state, states)),
        (SQL["ledger"], gate_checks.check_entry),
        (SQL["all_dropped"], gate_checks.check_dropped),
        (SQL["all_leases"], gate_checks.check_lease),
        (SQL["all_bodies"], gate_checks.check_body),
    )
    for query, check in asked:
        yield partial(_rows, query, check, count)
    yield _body_bytes


def _rows(query: str, check: Check, count: Count, db: sqlite3.Connection) -> Iterator[str]:
    yield from faults_of(check, count.of(db.execute(query)), read_marks(db).revision)


def _body_bytes(db: sqlite3.Connection) -> Iterator[str]:
    (noted,), (counted,) = numbers.sure(db, "body_bytes"), numbers.sure(db, "counted_body_bytes")
    yield from gate_checks.check_body_bytes(noted, counted)

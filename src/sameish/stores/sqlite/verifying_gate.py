"""What can be checked of what is kept for the gate, as faults in words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from sameish.stores import gate_checks
from sameish.stores.gate_checks import faults_of
from sameish.stores.sqlite.file import read_marks
from sameish.stores.sqlite.statements import SQL


def faults(db: sqlite3.Connection) -> Iterator[str]:
    """Yield the faults, table by table."""
    revision = read_marks(db).revision
    yield from faults_of(gate_checks.check_visit, db.execute(SQL["all_visits"]), revision)
    yield from faults_of(gate_checks.check_site_state, db.execute(SQL["all_site_states"]), revision)
    yield from faults_of(gate_checks.check_entry, db.execute(SQL["ledger"]), revision)
    yield from faults_of(gate_checks.check_dropped, db.execute(SQL["all_dropped"]), revision)
    yield from faults_of(gate_checks.check_lease, db.execute(SQL["all_leases"]), revision)
    yield from faults_of(gate_checks.check_body, db.execute(SQL["all_bodies"]), revision)
    noted, counted = db.execute(SQL["body_bytes"]).fetchone()[0], db.execute(SQL["counted_body_bytes"]).fetchone()[0]
    yield from gate_checks.check_body_bytes(noted, counted)

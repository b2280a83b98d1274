"""What can be checked of single rows that are kept for the gate, whatever database they stand in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import index as whole
from typing import TypeAlias

from sameish.stores.gate_rows import body_of, dropped_of, entry_of, site_state_of, visit_of
from sameish.stores.rows import DamagedRow, SqlRow, reading, text
from sameish.stores.values import from_micros
from sameish.stores.verification import States, state_faults

_DIGEST_BYTES = 16
Check: TypeAlias = Callable[[SqlRow, int], Iterator[str]]


def faults_of(check: Check, rows: Iterable[SqlRow], highest: int) -> Iterator[str]:
    """Yield what is wrong with rows.

    Args:
        check: what is asked of each of them.
        rows: as the query for this check returns them.
        highest: the revision of the store.
    """
    for row in rows:
        try:
            yield from check(row, highest)
        except DamagedRow as damage:
            yield str(damage)


def check_visit(states: States, row: SqlRow, highest: int) -> Iterator[str]:
    """Yield the faults of a visit; the last column says whether its capture is missing."""
    *columns, revision, lost = row
    visit = visit_of(columns)
    if visit.digest is not None and len(visit.digest) != _DIGEST_BYTES:
        yield f"visit {row[0]}: its digest has {len(visit.digest)} bytes"
    if visit.body_bytes < 0:
        yield f"visit {row[0]}: its body has {visit.body_bytes} bytes"
    if lost:
        yield f"visit {row[0]}: its capture {visit.capture_id} is not there"
    yield from _revision(f"visit {row[0]}", revision, highest)
    yield from state_faults(f"visit {row[0]}", states.visit, visit.state)


def _revision(what: str, revision: object, highest: int) -> Iterator[str]:
    if not isinstance(revision, int) or not 0 < revision <= highest:
        yield f"{what}: its revision {revision} is none; the last one is {highest}"


def check_site_state(states: States, row: SqlRow, highest: int) -> Iterator[str]:
    """Yield the faults of the state of a site."""
    state = site_state_of(row)
    yield from _revision(f"the state of site {state.site}", state.revision, highest)
    yield from state_faults(f"the state of site {state.site}", states.site, state.state)


def check_entry(row: SqlRow, _: int) -> Iterator[str]:
    """Yield the faults of a sum of the ledger."""
    entry_of(row)
    yield from ()


def check_dropped(row: SqlRow, _: int) -> Iterator[str]:
    """Yield the faults of a URL that was dropped."""
    dropped_of(row)
    yield from ()


def check_lease(row: SqlRow, _: int) -> Iterator[str]:
    """Yield the faults of a lease."""
    key_hash, owner, until = row
    with reading(f"lease {key_hash}"):
        text(owner)
        from_micros(whole(until))
    yield from ()


def check_body(row: SqlRow, highest: int) -> Iterator[str]:
    """Yield the faults of a body."""
    *columns, size_bytes, revision = row
    body = body_of(columns)
    stored = len(row[4]) + len(row[5])
    if stored != size_bytes:
        yield f"the body of {body.url}: it takes {stored} bytes, noted are {size_bytes}"
    yield from _revision(f"the body of {body.url}", revision, highest)


def check_body_bytes(noted: object, counted: object) -> Iterator[str]:
    """Yield a fault where the sum of the sizes of all bodies is not what is noted."""
    if noted != counted:
        yield f"the bodies take {counted} bytes, noted are {noted}"

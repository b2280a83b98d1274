"""The one place where errors of PostgreSQL, and damaged rows, become errors of a store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg_pool import PoolTimeout

from sameish.errors import StoreError, StoreUnavailable
from sameish.stores.rows import DamagedRow

_LOST = "was cut off. What was acknowledged is stored; the store is asked again with the next call"
_LOCKED = "is locked by another program; try again when it is done, or wait longer (timeout_s)"
_FULL = "cannot grow: the disk of the server is full. Make room and try again; what was acknowledged is stored"
_UNAVAILABLE = {  # by the first characters of SQLSTATE: PostgreSQL 18, appendix A
    "08": _LOST,
    "57P": _LOST,  # the server is stopped, has crashed, or does not take connections yet
    "25P03": "ended a transaction that did nothing for too long",
    "25P04": "ended a transaction that took too long",
    "25006": "can only be read: it is a copy that follows another server, or was opened so",
    "28": "does not let this user in; check user and password",
    "3D000": "is not there; make the database first",
    "40": "is busy with others at the same rows; try again",
    "42501": "cannot be written: grant this user what the message says",
    "53100": _FULL,
    "53": "has no room for more work now; try again later",
    "55P03": _LOCKED,
    "57014": "broke off what it was asked, as it took too long",
    "58": "cannot be read or written: the disk of the server reports an error",
}


@contextmanager
def translated(target: str) -> Iterator[None]:
    """Raise a `StoreError` that names the database and what to do for every error of PostgreSQL and every damaged row.

    Raises:
        StoreUnavailable: cut off, stopped, locked, full, not readable or not writable.
        StoreError: damaged, or anything else.
    """
    try:
        yield
    except psycopg.Error as error:
        raise translation(error, target) from error
    except (DamagedRow, UnicodeDecodeError) as damage:  # the latter: a text that is none
        raise StoreError(f"{target}: {damage}; run `sameish store verify`", target=target) from damage


def translation(error: psycopg.Error, target: str) -> StoreError:
    """Return the error of a store for an error of PostgreSQL; `target` is as it may be shown."""
    said = " ".join(str(error).split())
    if isinstance(error, PoolTimeout):
        return StoreUnavailable(f"{target} cannot be reached; check that the server runs ({said})", target=target)
    state = error.sqlstate
    advice = next((what for code, what in _UNAVAILABLE.items() if state and state.startswith(code)), None)
    if advice is None and state is None and isinstance(error, psycopg.OperationalError):
        advice = _LOST  # no answer came, so no code
    if advice is not None:
        return StoreUnavailable(f"{target} {advice} ({said})", target=target)
    if state in ("XX001", "XX002", "42P01", "42703"):  # damaged pages or indexes; a table or a column is missing
        return StoreError(f"{target} is damaged: restore it from a copy ({said})", target=target)
    return StoreError(f"{target}: {said}", target=target)

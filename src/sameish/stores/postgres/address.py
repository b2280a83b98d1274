"""The address of a database, and how a connection to it is set up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from sameish.errors import StoreUnavailable
from sameish.stores.postgres.texts import ADAPTERS
from sameish.stores.targets import shown

CONNECT_S = 5
"""How long to try to get a connection: a server that is started anew takes as long."""


_PLANNING = "-c plan_cache_mode=force_generic_plan -c jit=off"
"""The queries are written so that one plan is good for all values; to plan or to compile takes longer than they do."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a database is.

    `.given`: with the password, for the driver only. `.shown`: for people. `.options`: of each connection, for the driver.
    """

    given: str
    shown: str
    options: dict[str, Any]

    def connect(self) -> psycopg.Connection:
        """Return a connection, set up.

        Raises:
            StoreUnavailable: there is none to be had.
        """
        try:
            return psycopg.connect(self.given, **self.options)
        except psycopg.Error as error:
            said = " ".join(str(error).split())
            message = (
                f"{self.shown} cannot be reached; check address, user and password, and that the server runs ({said})"
            )
            raise StoreUnavailable(message, target=self.shown) from error


def address_of(target: str, timeout_s: float) -> Address:
    """Return the address in a target such as `postgresql://user@host:5432/database`.

    Args:
        target: a connection URI of libpq; what it leaves out comes from the usual variables (PGHOST, PGPASSWORD) and files.
        timeout_s: how long to wait for others who hold a lock, and how long a stopped worker may hold one.

    Raises:
        StoreUnavailable: it is no address.
    """
    given = _parts(target)
    millis = max(round(timeout_s * 1000), 1)
    defaults = {
        "connect_timeout": CONNECT_S,
        "application_name": "sameish",
        "keepalives_idle": 30,
        "keepalives_interval": 10,
        "keepalives_count": 3,
        "tcp_user_timeout": millis,  # a network that is gone says nothing
        "options": f"-c lock_timeout={millis} -c idle_in_transaction_session_timeout={millis} {_PLANNING}",
    }
    options: dict[str, Any] = {name: value for name, value in defaults.items() if name not in given}
    return Address(target, shown(target), options | {"autocommit": True, "context": ADAPTERS})


def _parts(target: str) -> dict[str, Any]:
    """Return what libpq reads in an address."""
    place, _, path = target.partition("?")[0].partition("://")[2].partition("/")
    try:
        # a password with one of these in it would be read as a host or a database, and be told as such in messages
        if "@" in path or place.count("@") > 1:
            raise psycopg.ProgrammingError
        return conninfo_to_dict(target)
    except psycopg.Error:  # its message may repeat the password, so it is told neither here nor as the cause
        message = f"{shown(target)} is no address: postgresql://USER@HOST:PORT/DATABASE, special characters as %XX"
        raise StoreUnavailable(message, target=shown(target)) from None

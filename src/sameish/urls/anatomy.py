"""Taking a canonical key apart and putting it together again, unchanged."""

from __future__ import annotations

from typing import NamedTuple

from sameish.urls.parsing import parts_of


class Anatomy(NamedTuple):
    """A canonical key of the web in its members; `assemble(dissect(key)) == key`."""

    scheme: str
    """`http:`, `https:`."""
    user: str
    """`//`, or `//ann@`."""
    host: str
    port: str
    """`:8080`, or "" for the port of the scheme."""
    path: str
    """From its first `/`; never empty."""
    pieces: tuple[str, ...]
    """Of the query, as they stand between the `&`."""
    tail: str
    """A hash-bang (`#!page`), or ""."""


def dissect(key: str) -> Anatomy | None:
    """Return the members of a canonical key, or None if it is no `http` or `https` URL."""
    if not key.startswith(("http://", "https://")):
        return None
    scheme, authority, rest = parts_of(key)
    address, hash_mark, fragment = rest.partition("#")
    path, _, query = address.partition("?")
    user, at, place = authority[2:].rpartition("@")
    host, port = _host_and_port(place)
    return Anatomy(
        scheme,
        f"//{user}{at}",
        host,
        port,
        path or "/",
        tuple(query.split("&")) if query else (),
        hash_mark + fragment,
    )


def assemble(anatomy: Anatomy) -> str:
    """Return the key of these members."""
    scheme, user, host, port, path, pieces, tail = anatomy
    query = f"?{'&'.join(pieces)}" if pieces else ""
    return f"{scheme}{user}{host}{port}{path}{query}{tail}"


def _host_and_port(place: str) -> tuple[str, str]:
    host, colon, port = place.rpartition(":")
    # the last colon of an IPv6 address is within its brackets
    return (host, colon + port) if colon and not port.endswith("]") else (place, "")

"""Of a page that comes in several variants (`Vary`, RFC 9110, section 12.5.5) a copy answers requests for its own only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any

from sameish.stores.gate_state import StoredBody

NOTE = "sameish-varied"
"""Kept among the headers of a copy: the names of the request's headers that chose the variant, and a digest of their values."""
_CODING = "accept-encoding"
"""Does not matter: copies have no coding."""


def note_of(request: Any, response: Any, ignored: frozenset[str]) -> str | None:
    """Return what is to be kept of a request to know its variant again, None where there is one only, or no two are alike.

    Args:
        request: as it was sent.
        response: to it.
        ignored: names of headers that make no difference, in lower case.
    """
    names = _names(response.headers.get_list("vary"), ignored)
    return f"{','.join(names)} {_digest(request, names)}" if names and "*" not in names else None


def suits(copy: StoredBody, request: Any, ignored: frozenset[str]) -> bool:
    """Tell whether a copy is of the variant that a request would get."""
    headers: Mapping[str, str] = dict(copy.headers)
    if NOTE not in headers:
        return not _names([headers.get("vary", "")], ignored)
    named, _, digest = headers[NOTE].partition(" ")
    return _digest(request, named.split(",")) == digest


def _names(values: Iterable[str], ignored: frozenset[str]) -> list[str]:
    found = {name.strip().lower() for value in values for name in value.split(",")}
    return sorted(found - ignored - {"", _CODING})


def _digest(request: Any, names: Iterable[str]) -> str:
    told = "\n".join(f"{name}: {', '.join(request.headers.get_list(name))}" for name in names)
    return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

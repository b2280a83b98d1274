"""Reading a URL as browsers do, and taking it apart.

Source: WHATWG URL standard (https://url.spec.whatwg.org/), by way of ada-url.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import ada_url

from sameish.errors import ReadingError

WEB_SCHEMES = frozenset({"http:", "https:", "ws:", "wss:", "ftp:"})
"""The special schemes of the WHATWG URL standard that have a host; `file:` is the remaining one."""

# What surrounds a URL that was copied out of a text: C0 controls and everything Unicode calls white space.
_AROUND = "".join(map(chr, range(0x21))) + "".join(c for c in map(chr, range(0x7F, 0x3001)) if c.isspace()) + "\ufeff"
_UNSAFE = re.compile(r"[\x00-\x1f\x7f]")
_PARTS = re.compile(r"([^:]*:)(//[^/?#]*)?(.*)", re.DOTALL)
_PORT = re.compile(r":[0-9]*\Z")
# Servlet containers write the session id directly after the host of their start page; there it makes the URL invalid
# or becomes part of the host name. No host name that resolves has a ";" in it; an "@" after it means a user name.
_SESSION_IN_HOST = re.compile(
    r"([\x00-\x20]*https?:[/\\]*[^/\\?#;]*[^/\\?#;@]);jsessionid=[^/\\?#@]*(?=[/\\?#]|\Z)", re.IGNORECASE
)


class Parts(NamedTuple):
    """A serialised URL in three: `http:`, `//user@host:8080` (or ""), and the rest from the path on, all ASCII."""

    scheme: str
    authority: str
    rest: str


def read(url: str) -> Parts | None:
    """Return the parts of a URL as the WHATWG URL parser serialises it, or None where that parser fails.

    Three repairs: a Java session id directly after the host is removed, since it would spoil the host; dots at the end
    of the host are removed (`example.org.` is the absolute name of `example.org`); text with lone surrogates is read
    as browsers read it (a USVString), white space of any kind around it ignored.

    Raises:
        ReadingError: the argument is no str.
    """
    try:
        href = serialised(url) or serialised(plain(url))
    except TypeError as error:
        raise ReadingError(f"url is {type(url).__name__}, expected str") from error
    if href is None:
        return None
    parts = parts_of(href)
    if (parts.authority.endswith(".") or ".:" in parts.authority) and parts.scheme in WEB_SCHEMES:
        return _without_final_dots(parts)
    return parts


def plain(text: str) -> str:
    """Return text that is no URL in a form that can be stored: stripped, no lone surrogates, no control characters."""
    scalars = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _UNSAFE.sub(lambda found: f"%{ord(found[0]):02X}", scalars.strip(_AROUND))


def serialised(url: str) -> str | None:
    """Return a URL as the WHATWG URL parser serialises it, or None where that parser fails."""
    try:
        href = ada_url.normalize_url(_without_host_session(url))
        # The parser decodes a host: `%3Bjsessionid=` shows only now.
        return ada_url.normalize_url(_without_host_session(href)) if ";jsessionid=" in href else href
    except ValueError:
        return None


def host_of(authority: str) -> str:
    """Return the host of an authority, without user name and port; IPv6 addresses keep their brackets."""
    return _PORT.sub("", authority.removeprefix("//").rpartition("@")[2])


def _without_host_session(url: str) -> str:
    found = _SESSION_IN_HOST.match(url)
    return found[1] + url[found.end() :] if found else url


def parts_of(href: str) -> Parts:
    """Return the parts of a URL that is serialised already (a canonical key, for one): cut, not read again."""
    found = _PARTS.match(href)
    return Parts(found[1], found[2] or "", found[3]) if found else Parts("", "", href)


def _without_final_dots(parts: Parts) -> Parts:
    host = host_of(parts.authority)
    bare = host.rstrip(".")
    before, _, port = parts.authority.rpartition(host)
    # `1.2.3.4..` is a name, `1.2.3.4` an address, `1.2.3.256` nothing at all: ask the parser.
    href = serialised(f"{parts.scheme}{before}{bare}{port}/") if bare else None
    return parts if href is None else Parts(parts.scheme, parts_of(href).authority, parts.rest)

"""Reading a URL as browsers do, and taking the serialised form apart.

Source: WHATWG URL standard (https://url.spec.whatwg.org/), by way of ada-url.
"""

from __future__ import annotations

import re
import sys
from typing import NamedTuple

import ada_url

WEB_SCHEMES = frozenset({"http:", "https:", "ws:", "wss:", "ftp:"})
"""The special schemes of the WHATWG URL standard that have a host; `file:` is the remaining one."""

# What surrounds a URL that was copied out of a text: C0 controls and everything Unicode calls white space.
_AROUND = "".join(map(chr, range(0x21))) + "".join(c for c in map(chr, range(0x7F, 0x3001)) if c.isspace()) + "\ufeff"
_UNSAFE = re.compile(r"[\x00-\x1f\x7f]")
_PARTS = re.compile(r"([^:]*:)(//[^/?#]*)?(.*)", re.DOTALL)
_PORT = re.compile(r":[0-9]*\Z")
# Directly after the host a path parameter makes the URL invalid or becomes part of the host name: servlet containers
# write it there for the start page (RFC 3986, section 3.2.2, would even allow ";" in a name).
_SESSION_IN_HOST = re.compile(r"([\x00-\x20]*https?:[/\\]*[^/\\?#;]*);jsessionid=[^/\\?#;&]*", re.IGNORECASE)


class Parts(NamedTuple):
    """A serialised URL in three: `http:`, `//user@host:8080` (or ""), and the rest from the path on."""

    scheme: str
    authority: str
    rest: str


def serialised(url: str) -> str | None:
    """Return a URL as the WHATWG URL parser serialises it (ASCII only), or None where that parser fails.

    A Java session id directly after the host is removed first, since it would spoil the host. Text with lone
    surrogates is read as browsers read it (a USVString: U+FFFD instead), and white space of any kind around it is
    ignored.
    """
    spoilt = _SESSION_IN_HOST.match(url)
    if spoilt:
        url = spoilt[1] + url[spoilt.end() :]
    return _normalised(url) or _normalised(plain(url))


def plain(text: str) -> str:
    """Return text that is no URL in a form that can be stored: stripped, no lone surrogates, no control characters."""
    scalars = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _UNSAFE.sub(lambda found: f"%{ord(found[0]):02X}", scalars.strip(_AROUND))


def _normalised(url: str) -> str | None:
    try:
        return ada_url.normalize_url(url)
    except ValueError:
        return None


def parts(href: str) -> Parts:
    """Take a serialised URL apart."""
    found = _PARTS.match(href)
    if found is None:
        return Parts("", "", href)
    return Parts(sys.intern(found[1]), found[2] or "", found[3])


def host_of(authority: str) -> str:
    """Return the host of an authority, without user name, port and the dots of an absolute domain name.

    `//user@example.org.:8080` gives `example.org`; IPv6 addresses keep their brackets.
    """
    host = _PORT.sub("", authority.removeprefix("//").rpartition("@")[2])
    return host.rstrip(".") or host

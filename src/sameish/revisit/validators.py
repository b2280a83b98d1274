"""Validators: which of a response to keep, and which to send.

Source: RFC 9110, 8.8 and 13.1. They are sent back exactly as received, to the character: servers compare strings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

import mmh3
from msgspec.structs import replace

from sameish.revisit.dates import http_date
from sameish.revisit.state import Validators, Visits
from sameish.revisit.trust import HostTrust

LONGEST = 512
"""A validator of more characters is not kept."""
# Servers that compress mark the coding in the ETag: Apache httpd (mod_deflate, `DeflateAlterETag`; mod_brotli) by `-gzip`,
# Jetty by `--gzip`. Which one comes depends on the request and on the machine that answers, not on the page.
_CODING = re.compile(r"--?(?:gzip|deflate|br|zstd)(?=\"?\Z)")


class Received(NamedTuple):
    """The validators of a response, None where there is none that can be used, and when the server says the page changed."""

    etag: str | None
    last_modified: str | None
    changed_at: float | None
    """By the clock of whoever asked: the server's clock is read off its Date."""


def url_number(url: str) -> int:
    """Return the number, 64 bits, by which state knows a URL."""
    return int(mmh3.hash64(url.encode("utf-8", "surrogatepass"), signed=False)[0])


def received(headers: Mapping[str, str], at: float) -> Received:
    """Return what the headers of a response say; names in lower case.

    A Last-Modified later than Date (without one: than `at`) is no validator (RFC 9110, 8.8.2.1): it would be "not modified" for
    years. One that is no date is kept, since some servers compare it as text.
    """
    etag, modified = _kept(headers.get("etag")), _kept(headers.get("last-modified"))
    if etag == "*":  # sent back it would ask for any content at all (RFC 9110, 13.1.2)
        etag = None
    named, now = http_date(modified), http_date(headers.get("date"))
    now = at if now is None else now
    if named is not None and named > now:
        return Received(etag, None, None)
    return Received(etag, modified, None if named is None else at - (now - named))


def same_etag(one: str, other: str) -> bool:
    """Whether two ETags name the same content: weak or strong (RFC 9110, 8.8.3.2), compressed one way or another."""
    return bare_etag(one) == bare_etag(other)


def bare_etag(etag: str) -> str:
    """Return what is left of an ETag without the marks of weakness and compression."""
    return _CODING.sub("", etag.removeprefix("W/"))


def is_disputed(sent: Mapping[str, str], new: Received) -> bool:
    """Whether a 304 names other content than it was asked about: another ETag, or a later date where no ETag was sent.

    What it says of is not what is stored (RFC 9111, 4.3.4), so that it proves nothing.

    Args:
        sent: conditional headers of the request, names in lower case.
        new: what the 304 says.
    """
    asked = sent.get("if-none-match")
    if asked is not None:
        return new.etag is not None and not any(same_etag(one, new.etag) for one in (asked, *asked.split(", ")))
    before, now = http_date(sent.get("if-modified-since")), http_date(new.last_modified)
    return before is not None and now is not None and now > before


def replaced(old: Validators, new: Received, owner: int) -> Validators:
    """Return the validators after a full body: the new ones, absent ones too, never one old and one new."""
    return replace(old, etag=new.etag, last_modified=new.last_modified, owner=owner)


def freshened(old: Validators, new: Received, owner: int) -> Validators:
    """Return the validators after a 304: those it carries replace the old, absent ones do not (RFC 9110, 15.4.5).

    All stay where they are another URL's, or where the 304 names another ETag than the one held.
    """
    if owner != old.owner or (old.etag and new.etag and not same_etag(old.etag, new.etag)):
        return old
    return replace(old, etag=new.etag or old.etag, last_modified=new.last_modified or old.last_modified)


def request_headers(page: Visits, host: HostTrust, at: float, *, own_url: bool) -> dict[str, str]:
    """Return the headers that make a request conditional; empty where nothing may be asked that way.

    Both validators where both are to be trusted, exactly as received. A server that gets both looks at the ETag alone (RFC
    9110, 13.2.2): where that is restless and Last-Modified is not, Last-Modified goes alone.

    Args:
        page: with its validators.
        host: whether they tell the truth there.
        at: time of the request.
        own_url: whether the URL is the one that sent them. Another URL of the same page may be a file of another date: it is
            sent the ETag alone.
    """
    if page.not_modified.disputed or at < page.not_modified.off_until or at < host.answers.off_until:
        return {}
    held, headers = page.validators, {}
    if held.etag and at >= held.etag_off_until and host.etag.usable(at):
        headers["If-None-Match"] = held.etag
    if own_url and held.last_modified and at >= held.modified_off_until and host.modified.usable(at):
        alone = at >= held.beside_until and host.modified_alone.usable(at)
        if alone and host.etag.keeps_worse(host.modified):
            return {"If-Modified-Since": held.last_modified}
        if headers or alone:
            headers["If-Modified-Since"] = held.last_modified
    return headers


def _kept(value: str | None) -> str | None:
    """Return a header that will be sent back, or None: control characters would smuggle in another (RFC 9110, 5.5)."""
    return value if value and len(value) <= LONGEST and value.isprintable() else None

"""The canonical key of a URL: equal keys mean the same resource, by rules that hold on every site.

What only holds on some sites (a trailing slash, `www`, http against https, host aliases, parameters without effect) is
never merged here. A key is for comparing; the URL to request is the one that was found.
"""

from __future__ import annotations

import re
from operator import itemgetter

from sameish.urls.parsing import WEB_SCHEMES, plain, read
from sameish.urls.percent import settle
from sameish.urls.sessions import is_session, without_path_session
from sameish.urls.tracking import is_tracking

# An "&amp;" of HTML that was taken over without decoding it.
_ENTITY = re.compile(r"(?:amp;)+")
# Some programs separate parameters by ";" (W3C, HTML 4.01, B.2.2): `utm_source=mail;id=3` is two of them.
_NEXT_MEMBER = re.compile(r";(?=[^;=]+=)")


def url_key(url: str) -> str:
    """Return the canonical key of a URL.

    Never raises on a str: what is no absolute URL is its own key, stripped, with control characters percent-encoded.
    `url_key(url_key(u)) == url_key(u)`.

    In order:

    1. parsed and serialised by the WHATWG URL standard: scheme and host in lower case, IDN in punycode (RFC 5891),
       default port and dot segments removed;
    2. password removed (a key is stored and printed), user name kept; dots at the end of the host removed;
    3. percent-encoding settled (RFC 3986, 6.2.2): unreserved characters decoded, hex digits in upper case;
    4. fragment removed, except a hash-bang (`#!page`), which names a page;
    5. session ids removed from path and query;
    6. tracking parameters and empty ones removed, between ";" too, `amp;b=2` read as `b=2`;
    7. parameters sorted by name; those of one name, and those without "=", keep their order among themselves;
    8. a lone "?" removed.

    `file:` and schemes such as `urn:` or `data:` get steps 1 to 4 and 8 only.

    Raises:
        ReadingError: the argument is no str.
    """
    parts = read(url)
    if parts is None:
        return plain(url)
    scheme, authority, rest = parts
    path, query, hash_bang = _split(settle(rest))
    if "@" in authority:
        authority = _without_password(authority)
    if scheme in WEB_SCHEMES:
        path = _web_path(path)
        query = _web_query(query, path)
    return f"{scheme}{authority}{path}{'?' if query else ''}{query}{hash_bang}"


def _split(rest: str) -> tuple[str, str, str]:
    address, _, fragment = rest.partition("#")
    path, _, query = address.partition("?")
    # A bare "#!" is the usual link to nowhere.
    return path, query, f"#{fragment}" if fragment[:1] == "!" and len(fragment) > 1 else ""


def _without_password(authority: str) -> str:
    user, _, host = authority.removeprefix("//").rpartition("@")
    name = user.partition(":")[0]
    return f"//{name}@{host}" if name else f"//{host}"


def _web_path(path: str) -> str:
    shorter = without_path_session(path)
    if shorter == path:
        return path
    parts = read(f"http://host{shorter}")  # `/a/..;jsessionid=1/` has a dot segment only now
    return parts.rest if parts else shorter


def _web_query(query: str, path: str) -> str:
    if not query:
        return ""
    pieces = [_members(piece) for piece in without_path_session(query).split("&") if piece]
    names = {name.lower() for piece in pieces for name, _ in piece}
    kept = [_without_noise(piece, names, path) for piece in pieces]
    return "&".join([piece for _, piece in sorted(filter(itemgetter(1), kept), key=itemgetter(0))])


def _members(piece: str) -> list[tuple[str, str]]:
    """Return what stands between the ";" of a piece of the query, each with its name; usually that is the piece."""
    if piece.startswith("amp;"):
        piece = _ENTITY.sub("", piece, count=1)
    members = _NEXT_MEMBER.split(piece) if ";" in piece else [piece]
    return [(member.partition("=")[0], member) for member in members]


def _without_noise(members: list[tuple[str, str]], names: set[str], path: str) -> tuple[str, str]:
    """Return what to sort a piece by and the piece without what is noise in it, "" where nothing else is."""
    kept = [
        (name, member) for name, member in members if not _is_noise(name.lower(), member[len(name) + 1 :], names, path)
    ]
    if not kept:
        return "", ""
    name, first = kept[0]
    return (name if "=" in first else ""), ";".join([member for _, member in kept])


def _is_noise(name: str, value: str, names: set[str], path: str) -> bool:
    return is_tracking(name, path) or is_session(name, value, names)

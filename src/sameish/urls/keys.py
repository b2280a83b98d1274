"""The canonical key of a URL: equal keys mean the same resource, by rules that hold on every site.

What only holds on some sites (a trailing slash, `www`, http against https, host aliases, parameters without effect) is
never merged here. A key is for comparing; the URL to request is the one that was found.
"""

from __future__ import annotations

import re

from sameish.urls.parsing import WEB_SCHEMES, host_of, parts, plain, serialised
from sameish.urls.percent import settle
from sameish.urls.sessions import is_session, without_path_session
from sameish.urls.tracking import is_tracking

# An "&amp;" of HTML that was taken over without decoding it.
_ENTITY = re.compile(r"(?:amp;)+")


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
    6. tracking parameters and empty ones removed, `amp;b=2` read as `b=2`;
    7. parameters sorted by name; those of one name, and those without "=", keep their order among themselves;
    8. a lone "?" removed.

    `file:` and schemes such as `urn:` or `data:` get steps 1 to 4 only.
    """
    href = serialised(url)
    if href is None:
        return plain(url)
    scheme, authority, rest = parts(href)
    path, query, hash_bang = _split(settle(rest))
    if "@" in authority:
        authority = _without_password(authority)
    if scheme in WEB_SCHEMES:
        authority = _without_final_dots(scheme, authority)
        path = _web_path(path)
        query = _web_query(query)
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


def _without_final_dots(scheme: str, authority: str) -> str:
    if not authority.endswith(".") and ".:" not in authority:
        return authority
    host = host_of(authority)
    before, _, port = authority.rpartition(":") if not authority.endswith(".") else (authority, "", "")
    candidate = f"{before.rstrip('.')}:{port}" if port else authority.rstrip(".")
    # `1.2.3.4..` is a name, `1.2.3.4` an address, `1.2.3.256` nothing at all: ask the parser.
    href = serialised(f"{scheme}{candidate}/") if host.strip(".") else None
    return parts(href).authority if href else authority


def _web_path(path: str) -> str:
    shorter = without_path_session(path)
    if shorter == path:
        return path
    href = serialised(f"http://host{shorter}")  # `/a/..;jsessionid=1/` has a dot segment only now
    return parts(href).rest if href else shorter


def _web_query(query: str) -> str:
    if not query:
        return ""
    read = [_name_and_piece(piece) for piece in without_path_session(query).split("&")]
    names = {name.lower() for name, _ in read}
    kept = [
        (name if "=" in piece else "", piece) for name, piece in read if piece and not _is_noise(name, piece, names)
    ]
    kept.sort(key=lambda pair: pair[0])
    return "&".join(piece for _, piece in kept)


def _name_and_piece(piece: str) -> tuple[str, str]:
    if piece.startswith("amp;"):
        piece = _ENTITY.sub("", piece, count=1)
    return piece.partition("=")[0], piece


def _is_noise(name: str, piece: str, names: set[str]) -> bool:
    lowered = name.lower()
    return is_tracking(lowered) or is_session(lowered, piece[len(name) + 1 :], names)

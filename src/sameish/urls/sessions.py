"""Session ids in URLs: who asks, not what is asked for.

A name alone decides only where no site gives it another meaning; elsewhere the value must look drawn by lot. Sources:
Jakarta Servlet specification, section 7.1.3 (`jsessionid`); PHP manual, "Passing the Session ID"; Microsoft, "ASP.NET
cookieless sessions" (`(S(...))`); Adobe ColdFusion, `CFID` and `CFTOKEN`; the session rules of the Internet Archive's
`IAURLCanonicalizer`.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

# The value runs on over dots, "!" and ":": application servers append the name of a node (`.node3`, `!-123!456`).
_PATH_PARAMETER = re.compile(r";jsessionid=[^;/?#&]*", re.IGNORECASE)
_ASPNET_SEGMENT = re.compile(r"/\(((?:[AFSX]\([A-Za-z0-9_-]++\))++|[a-z0-5]{24})\)(?=/)")
# X(1) is ASP.NET's own probe for cookies; A, F and S carry ids; without letters before it, the id of ASP.NET 1.x:
# 24 characters out of 32, which hardly ever hold no digit.
_ASPNET_ID = re.compile(r"X\(1\)|[AFS]\([A-Za-z0-9_-]{16}|\A(?=[a-z]*+[0-5])[a-z0-5]{24}\Z")

_SESSION_NAMES = frozenset({"phpsessid", "jsessionid", "oscsid", "zenid"})
_SESSION_VALUE = re.compile(r"(?:[A-Za-z0-9.,_!$:~*+-]|%[0-9A-F]{2}){16,}")
_ASP_NAME = re.compile(r"aspsessionid[a-z]*")
# These also number the talks of a conference and the like, so only values of a digest's length count, with a letter
# and a digit in them. 24 hex digits (an object id of MongoDB) and dashed UUIDs are more often content.
_DOUBTFUL_NAMES = frozenset({"sid", "sessionid", "session_id"})
_DIGEST = re.compile(
    r"(?=[0-9]*+[A-Fa-f])(?=[A-Fa-f]*+[0-9])(?:[0-9A-Fa-f]{16}|[0-9A-Fa-f]{32}|[0-9A-Fa-f]{40}|[0-9A-Fa-f]{64})"
)
_COLDFUSION = frozenset({"cfid", "cftoken"})


def without_path_session(text: str) -> str:
    """Return a path (or query) without `;jsessionid=...` and without the `(S(...))` segments of ASP.NET."""
    if "jsessionid=" in text.lower():
        text = _PATH_PARAMETER.sub("", text)
    return _ASPNET_SEGMENT.sub(_drop_id, text) if "/(" in text else text


def _drop_id(found: re.Match[str]) -> str:
    return "" if _ASPNET_ID.search(found[1]) else found[0]


def is_session(name: str, value: str, names: AbstractSet[str]) -> bool:
    """Tell whether a query parameter is a session id.

    Args:
        name: of the parameter, in lower case.
        value: of the parameter, percent-encoding settled.
        names: all names of the query, in lower case (ColdFusion's two count only together).
    """
    if name in _SESSION_NAMES or _ASP_NAME.fullmatch(name):
        return _SESSION_VALUE.fullmatch(value) is not None
    if name in _DOUBTFUL_NAMES:
        return (name != "sid" or len(value) == 32) and _DIGEST.fullmatch(value) is not None
    return name in _COLDFUSION and names >= _COLDFUSION

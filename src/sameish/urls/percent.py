"""One spelling for each character of a path or query.

Sources: RFC 3986, section 6.2.2 (case of hex digits, unreserved characters) and section 2.1 ("%" itself).
"""

from __future__ import annotations

import re

_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
# Characters that RFC 3986 allows nowhere in a path or query: browsers send them as they are, other clients encode
# them, and servers see the same. "[" and "]" are among them: `a[]=1` and `a%5B%5D=1` are one spelling.
_FORBIDDEN = r"\x00-\x20\"<>\\^`{|}\[\]\x7f-\U0010ffff"
_UNSETTLED = re.compile(f"%(?:[0-9A-Fa-f]{{2}})?|[{_FORBIDDEN}]")


def _settled(code: int) -> str:
    return chr(code) if chr(code) in _UNRESERVED else f"%{code:02X}"


_SETTLED = {f"%{a}{b}": _settled(int(a + b, 16)) for a in "0123456789ABCDEFabcdef" for b in "0123456789ABCDEFabcdef"}
# A "%" that begins no escape must be encoded, or `%%34%31` would become `%41`, and that `A` the next time.
_SETTLED["%"] = "%25"


def settle(text: str) -> str:
    """Return a path, query or fragment with unreserved characters decoded, hex digits in upper case, forbidden encoded.

    Reserved characters stay as they are, encoded or not: `%2F` is no `/`.
    """
    return _UNSETTLED.sub(_settle_one, text)


def _settle_one(found: re.Match[str]) -> str:
    spelling = found[0]
    settled = _SETTLED.get(spelling)
    if settled is None:
        return "".join(f"%{byte:02X}" for byte in spelling.encode("utf-8", "replace"))
    return settled

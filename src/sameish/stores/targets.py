"""Where a store is, as it may be shown."""

from __future__ import annotations

import re

_IN_FRONT = re.compile(r"^([a-z][a-z0-9+.-]*://[^:/?#@]*):.*@", re.IGNORECASE | re.DOTALL)
_AS_PARAMETER = re.compile(r"([?&][^=&#]*pass[^=&#]*=).*", re.IGNORECASE | re.DOTALL)


def shown(target: str) -> str:
    """Return the target without the passwords in it, if it is an address; to be used wherever a target is printed.

    It hides too much rather than too little, for a password may hold any character: all up to the last `@`, and all that
    follows a parameter with a password.

    >>> shown("postgresql://crawler:secret@db.example/crawl?sslpassword=secret")
    'postgresql://crawler:***@db.example/crawl?sslpassword=***'
    >>> shown("crawl.db")
    'crawl.db'
    """
    return _AS_PARAMETER.sub(r"\1***", _IN_FRONT.sub(r"\1:***@", target)) if "://" in target else target

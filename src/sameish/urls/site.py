"""The site a URL belongs to: its registrable domain.

Source: the public suffix list (https://publicsuffix.org/), bundled, both sections: on `github.io` and its like every
subdomain is a site of its own.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Protocol

from sameish.urls.parsing import WEB_SCHEMES, host_of, read

_ADDRESS = re.compile(r"\[[0-9a-f:.]+\]|[0-9]+(?:\.[0-9]+){3}")


class _SuffixList(Protocol):
    def privatesuffix(self, domain: str) -> str | None: ...


def site_of(url: str | None) -> str:
    """Return the site of a URL: the registrable domain in punycode (`https://a.b.example.co.uk/x` -> `example.co.uk`).

    IP addresses and localhost keep a port that is not the scheme's own (`127.0.0.1:8000`, `[::1]:8000`). A host that is
    a public suffix itself, or has no dot, is its own site. A scheme without hosts stands for itself (`file:`, `urn:`).
    None and what is no absolute URL give "". Never raises on a str.
    """
    parts = read(url) if url else None
    if parts is None:
        return ""
    return _site_of_authority(parts.authority) if parts.scheme in WEB_SCHEMES else parts.scheme


@lru_cache(maxsize=16_384)
def _site_of_authority(authority: str) -> str:
    host = host_of(authority)
    if _ADDRESS.fullmatch(host) or host == "localhost":
        return authority.removeprefix("//").rpartition("@")[2]
    return _suffixes().privatesuffix(host) or host


@lru_cache(maxsize=1)
def _suffixes() -> _SuffixList:
    from publicsuffixlist import PublicSuffixList  # noqa: PLC0415 - reading the list takes longer than all other imports

    suffixes: _SuffixList = PublicSuffixList()
    return suffixes

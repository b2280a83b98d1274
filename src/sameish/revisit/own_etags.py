"""ETags that a host makes for each URL: of two URLs with one content, one's ETag is no answer to the other's.

A request with it brings the whole page, and says nothing. `sameish.revisit.shared_etags` finds the opposite.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sameish.revisit.validators import same_etag

_MOST = 1024
"""Contents that are remembered; the one met longest ago is forgotten."""
_ENOUGH = 3
"""Contents that must have come so, and none otherwise."""


@dataclass(slots=True)
class OwnEtags:
    """Where and with which ETag contents of a host came first; how often they came elsewhere with another, or with that one."""

    first: dict[int, tuple[str, str]] = field(default_factory=dict)
    others: int = 0
    equal: int = 0

    def see(self, etag: str | None, url: str, content: int) -> bool:
        """Note a full answer; return whether by now the host makes ETags for each URL.

        Args:
            etag: of the answer, None where it has none.
            url: that answered.
            content: hash of the content.
        """
        if etag:
            before_url, before = self.first.setdefault(content, (url, etag))
            if before_url != url:
                equal = same_etag(before, etag)
                self.equal += equal
                self.others += not equal
            if len(self.first) > _MOST:
                del self.first[next(iter(self.first))]
        return self.others >= _ENOUGH and not self.equal

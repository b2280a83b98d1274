"""What a server was asked for, and how to count it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from tests.crawling.answers import Kind


@dataclass(frozen=True, slots=True)
class Hit:
    """One request as the server saw and answered it; `.target` is path and query, `.sent` the bytes of its body."""

    method: str
    target: str
    at: datetime
    status: int
    kind: Kind
    content: str
    version: str
    sent: int
    none_match: str | None
    modified_since: str | None


@dataclass(frozen=True, slots=True)
class Counts:
    """Requests in the order of their arrival."""

    hits: tuple[Hit, ...]

    def of(self, *kinds: Kind) -> Counts:
        """Only those for pages of these kinds."""
        return self.where(lambda hit: hit.kind in kinds)

    def where(self, test: Callable[[Hit], bool]) -> Counts:
        """Only those that pass a test."""
        return Counts(tuple(hit for hit in self.hits if test(hit)))

    @property
    def contents(self) -> Counts:
        """Only those that were answered with a content (in full or by 304)."""
        return self.of(Kind.CONTENT)

    @property
    def gets(self) -> int:
        """How many GETs, however answered."""
        return sum(hit.method == "GET" for hit in self.hits)

    @property
    def full(self) -> int:
        """How many GETs were answered with status 200 and a body."""
        return sum(hit.method == "GET" and hit.status == 200 for hit in self.hits)

    @property
    def not_modified(self) -> int:
        """How many GETs were answered with 304."""
        return sum(hit.status == 304 for hit in self.hits)

    @property
    def conditional(self) -> int:
        """How many GETs had a validator with them."""
        return sum(hit.none_match is not None or hit.modified_since is not None for hit in self.hits)

    @property
    def bytes(self) -> int:
        """The bytes of all bodies."""
        return sum(hit.sent for hit in self.hits)

    def by_content(self) -> Counter[str]:
        """GETs by the id of the content."""
        return _count(hit.content for hit in self.hits if hit.content)

    def by_url(self) -> Counter[str]:
        """GETs by path and query."""
        return _count(hit.target for hit in self.hits)

    def by_kind(self) -> Counter[str]:
        """GETs by what the URL turned out to be."""
        return _count(str(hit.kind) for hit in self.hits)

    def per_content(self, contents: int) -> float:
        """GETs for a content, a content."""
        return self.contents.gets / contents


def _count(names: Iterable[str]) -> Counter[str]:
    return Counter(names)

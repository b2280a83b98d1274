"""The right verdict for each capture, from what the site knows: which words a page says, and how much of it was given.

Nothing here looks at a page. Where the contract leaves two answers open, both are right: whether some addresses have
one key is a matter of rules that a user may set, and whether a teaser replaces the article it hides is a matter of
taste. So the crawl is judged once for each combination, and every answer that one of them gives is accepted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from sameish.demo.site import Answer, Standing
from sameish.models import VerdictKind


class Category(StrEnum):
    """What a capture is there to show."""

    NEW = "new"
    """An article or document seen for the first time."""
    NOISE = "noise"
    """The same URL with the same words; everything else may have moved."""
    TRACKING = "tracking"
    """The same URL with a parameter that only tells who came from where."""
    EDIT = "edit"
    """The words were changed, and the noise with them."""
    REDESIGN = "redesign"
    """The same URL with the same words in another template."""
    DUPLICATE = "duplicate"
    """Another URL with the same words."""
    LIST = "list"
    """A page that lists articles."""
    REVISIT = "revisit"
    """Nothing was sent: not modified, or the bytes were known."""
    WALL = "wall"
    """A login wall, a teaser or a challenge, and the first capture after it."""
    ERROR = "error"
    """Missing, gone, failed or empty."""


@dataclass(frozen=True, slots=True)
class Expected:
    """The right answer for one capture.

    `.kinds`: the verdicts that are right, mostly one. `.what`: what was done to the page, for a person.
    """

    url: str
    kinds: frozenset[VerdictKind]
    what: str
    category: Category


_TRACKING = re.compile(r"utm_\w+|fbclid|gclid|jsessionid|phpsessid", re.IGNORECASE)
_DOUBTFUL = re.compile(r"sid|share", re.IGNORECASE)


def strict_key(url: str) -> str:
    """Return what URLs have in common that name one page for certain."""
    parts = urlsplit(url)
    path = re.sub(r";jsessionid=[^/]*", "", parts.path, flags=re.IGNORECASE)
    kept = [(name, value) for name, value in parse_qsl(parts.query) if not _TRACKING.fullmatch(name)]
    return urlunsplit((parts.scheme, parts.netloc.lower(), path or "/", urlencode(kept), ""))


def loose_key(url: str) -> str:
    """Return what URLs have in common that name one page on nearly every site."""
    parts = urlsplit(strict_key(url))
    path = re.sub(r"/(?:index\.html)?$", "", parts.path)
    kept = [(name, value) for name, value in parse_qsl(parts.query) if not _DOUBTFUL.fullmatch(name)]
    return urlunsplit(("https", parts.netloc.removeprefix("www."), path, urlencode(sorted(kept)), ""))


class _Ledger:
    """What a perfect product remembers, under one reading of the contract."""

    def __init__(self, key: Callable[[str], str], *, teasers_count: bool) -> None:
        self._key = key
        self._teasers_count = teasers_count
        self._last: dict[str, str] = {}
        self._seen: dict[str, set[str]] = {}

    def judge(self, url: str, answer: Answer) -> set[VerdictKind]:
        """Return the right verdicts and remember the page."""
        if answer.standing is Standing.REFUSED:
            return {VerdictKind.UNDETERMINED}
        key = self._key(url)
        kinds = self._compare(key, answer)
        partial = answer.standing is Standing.PARTIAL
        if not partial or self._teasers_count:
            self._last[key] = answer.wording
            self._seen.setdefault(answer.family, set()).add(answer.wording)
        return kinds | {VerdictKind.UNDETERMINED} if partial else kinds

    def _compare(self, key: str, answer: Answer) -> set[VerdictKind]:
        if key in self._last:
            return {VerdictKind.UNCHANGED if self._last[key] == answer.wording else VerdictKind.UPDATED}
        if answer.wording in self._last.values():
            return {VerdictKind.DUPLICATE}
        kin = self._seen.get(answer.family, set())
        if answer.wording in kin:  # as it was elsewhere some time ago
            return {VerdictKind.DUPLICATE, VerdictKind.NEAR_DUPLICATE}
        if answer.standing is Standing.PARTIAL:
            return {VerdictKind.NEW, VerdictKind.NEAR_DUPLICATE} if kin else {VerdictKind.NEW}
        if answer.family.startswith("planning-notice"):  # one form, filled in twice: who can tell?
            return {VerdictKind.NEW, VerdictKind.NEAR_DUPLICATE}
        return {VerdictKind.NEAR_DUPLICATE} if kin else {VerdictKind.NEW}


class Truth:
    """Judges a crawl capture by capture, under every reading at once."""

    def __init__(self) -> None:
        readings = product((strict_key, loose_key), (True, False))
        self._ledgers = [_Ledger(key, teasers_count=count) for key, count in readings]

    def judge(self, url: str, answer: Answer) -> frozenset[VerdictKind]:
        """Return every right verdict for the next capture."""
        return frozenset().union(*(ledger.judge(url, answer) for ledger in self._ledgers))

"""What a `MemoryStore` holds: captures by id, without their texts, and everything that finds them."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain, islice
from operator import itemgetter
from typing import TypeAlias

from sameish.models import Capture
from sameish.stores.base import Candidates, Query, Seen, SiteCount, StoreTotals
from sameish.stores.neighbours import Entry, Neighbours
from sameish.stores.values import earlier_digest, is_good, seen_of, to_micros

Identity: TypeAlias = tuple[str, datetime, bytes]


def identity(of: Capture | Query) -> Identity:
    """Return what makes a capture one capture; the times are aware."""
    return of.key, of.fetched_at, of.body_digest


@dataclass(slots=True)
class Page:
    """A key: its number, its good captures by scheme as (microseconds, id) in order, and what is seen of it."""

    number: int
    good: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    seen: Seen | None = None
    not_modified: int = 0

    def see(self, news: Seen) -> None:
        """Take the news, unless the key was seen later."""
        if self.seen is None or news.last_seen >= self.seen.last_seen:
            self.seen = news

    def last(self, at: int, scheme: str) -> int | None:
        """Return the id of the good capture latest not after a time, else of the earliest after it.

        Only where there is none of the scheme, of another one.
        """
        good = self.good.get(scheme) or sorted(chain.from_iterable(self.good.values()))
        if not good:
            return None
        not_after = _up_to(good, at) or _up_to(good, good[0][0])
        return good[not_after - 1][1]

    def latest(self) -> int | None:
        """Return the id of the good capture fetched last, of any scheme."""
        return max((good[-1] for good in self.good.values()), default=(0, None))[1]


def _up_to(good: list[tuple[int, int]], at: int) -> int:
    return bisect_right(good, at, key=itemgetter(0))


@dataclass(slots=True)
class Holders:
    """The good captures of one digest: the numbers of their pages in order, and the ids of each page in order."""

    pages: list[int] = field(default_factory=list)
    ids: dict[int, list[int]] = field(default_factory=dict)

    def add(self, page: int, number: int) -> None:
        """Take in a capture with an id higher than all before."""
        if page not in self.ids:
            insort(self.pages, page)
        self.ids.setdefault(page, []).append(number)


class Tables:
    """The tables of a store; whoever uses them holds its lock."""

    def __init__(self) -> None:
        self.captures: dict[int, Capture] = {}
        self.texts: dict[int, tuple[str | None, tuple[str, ...] | None]] = {}
        self.ids: dict[Identity, int] = {}
        self.pages: dict[str, Page] = {}
        self.schemes: Counter[str] = Counter()
        self.by_digest: dict[tuple[str, bytes], Holders] = {}
        self.neighbours = Neighbours()
        self.pages_known = 0

    def add(self, capture: Capture, number: int) -> None:
        """Take in a capture as it is to be stored, under an id higher than all before."""
        page, simhash = self._take_in(capture, number), capture.fingerprint.simhash
        if simhash is not None and is_good(capture):
            at = to_micros(capture.fetched_at)
            entry = Entry(capture.fingerprint.scheme, number, simhash, capture.site, page.number, at)
            self.neighbours.extend((entry,))

    def _take_in(self, capture: Capture, number: int) -> Page:
        at = to_micros(capture.fetched_at)
        self.captures[number] = replace(capture, id=number, markdown=None, sentences=None)
        self.texts[number] = capture.markdown, capture.sentences
        self.ids[identity(capture)] = number
        self.schemes[capture.fingerprint.scheme] += 1
        page = self._page(capture.key)
        if is_good(capture):
            self._make_findable(capture, number, at, page)
        return page

    def _page(self, key: str) -> Page:
        if key not in self.pages:
            self.pages[key] = Page(self.pages_known)
            self.pages_known += 1
        return self.pages[key]

    def _make_findable(self, capture: Capture, number: int, at: int, page: Page) -> None:
        scheme = capture.fingerprint.scheme
        insort(page.good.setdefault(scheme, []), (at, number))
        page.see(seen_of(capture))
        self.by_digest.setdefault((scheme, capture.fingerprint.digest), Holders()).add(page.number, number)

    def with_texts(self, number: int) -> Capture:
        """Return a capture with all that is kept of it."""
        markdown, sentences = self.texts[number]
        return replace(self.captures[number], markdown=markdown, sentences=sentences)

    def without(self, doomed: Callable[[Capture], bool]) -> Tables:
        """Return tables without the doomed captures; what was seen of keys that keep a good one is carried over.

        The neighbours are carried over as well, so these tables are of no more use.
        """
        kept = Tables()
        kept.pages_known = self.pages_known
        for number, capture in self.captures.items():
            if not doomed(capture):
                kept.pages.setdefault(capture.key, Page(self.pages[capture.key].number))
                kept._take_in(self.with_texts(number), number)
        for key, page in kept.pages.items():
            if page.good:
                page.seen, page.not_modified = self.pages[key].seen, self.pages[key].not_modified
        kept.neighbours = self.neighbours
        kept.neighbours.remove([number for number in self.captures if number not in kept.captures])
        return kept

    def candidates(self, query: Query) -> Candidates:
        """Return what a query finds."""
        stored, page = self.ids.get(identity(query)), self.pages.get(query.key)
        number = None if page is None else page.last(to_micros(query.fetched_at), query.scheme)
        last = None if number is None else replace(self.captures[number], sentences=self.texts[number][1])
        return Candidates(
            stored=None if stored is None else self.captures[stored],
            last=last,
            equal=self._equal(query, None if page is None else page.number),
            near=self._near(query, None if page is None else page.number),
            earlier=None if page is None else self._earlier(query, page.number, earlier_digest(query, last)),
        )

    def _earlier(self, query: Query, own: int, digest: bytes | None) -> Capture | None:
        holders = None if digest is None else self.by_digest.get((query.scheme, digest))
        captures = (self.captures[number] for number in reversed(holders.ids.get(own, ()))) if holders else ()
        return next((one for one in captures if one.fetched_at <= query.fetched_at), None)

    def _equal(self, query: Query, own: int | None) -> tuple[Capture, ...]:
        holders = None if query.digest is None else self.by_digest.get((query.scheme, query.digest))
        if holders is None:
            return ()
        latest = (self._latest_since(holders.ids[page], query.since) for page in holders.pages if page != own)
        return tuple(islice((one for one in latest if one is not None), max(query.limit, 0)))

    def _latest_since(self, numbers: list[int], since: datetime | None) -> Capture | None:
        captures = (self.captures[number] for number in reversed(numbers))
        return next((one for one in captures if since is None or one.fetched_at >= since), None)

    def _near(self, query: Query, own: int | None) -> tuple[Capture, ...]:
        if query.simhash is None:
            return ()
        since = None if query.since is None else to_micros(query.since)
        found = self.neighbours.search(
            query.scheme, query.simhash, query.within, query.limit,
            site=query.site, since=since, recent=query.recent, other_than=own,
        )  # fmt: skip
        return tuple(self.captures[number] for number, _ in found)

    def totals(self, site: str | None = None) -> StoreTotals:
        """Return sums over the tables, or over the captures of a site."""
        chosen = [capture for capture in self.captures.values() if site is None or capture.site == site]
        keys = {capture.key for capture in chosen}
        counts: Counter[str] = Counter()
        sizes: Counter[str] = Counter()
        for capture in chosen:
            counts[str(capture.verdict)] += 1
            sizes[str(capture.verdict)] += capture.body_bytes
        return StoreTotals(
            captures=len(chosen),
            pages=len(keys),
            sites=len({capture.site for capture in chosen}),
            contents=len({capture.fingerprint.digest for capture in chosen if is_good(capture)}),
            not_modified=sum(self.pages[key].not_modified for key in keys),
            by_verdict=dict(counts),
            bytes_by_verdict=dict(sizes),
        )

    def sites(self) -> list[SiteCount]:
        """Return how much there is of each site, by name."""
        captures = Counter(capture.site for capture in self.captures.values())
        pages = Counter(site for site, _ in {(capture.site, capture.key) for capture in self.captures.values()})
        return [SiteCount(site, count, pages[site]) for site, count in sorted(captures.items())]

    def size_bytes(self) -> int:
        """Return the size of fingerprints and texts; characters count one."""
        prints = sum(len(capture.fingerprint.to_bytes()) for capture in self.captures.values())
        return prints + sum(len(markdown or "") + sum(map(len, said or ())) for markdown, said in self.texts.values())

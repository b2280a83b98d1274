"""The protocol that every store keeps.

A store does equality look-ups and neighbour look-ups; it does not judge. `observe` joins look-up, judging and writing
in one atomic step, so that of two workers that observe the same content at the same moment one hears `new`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import TracebackType
from typing import Protocol, Self, TypeAlias

from sameish.models import Capture, Verdict
from sameish.stores.gate_state import GateStore, Note
from sameish.stores.verification import ANY_STATES, Checked, States


@dataclass(frozen=True, slots=True)
class Query:
    """Which stored captures could matter for a page.

    `.key`, `.fetched_at`, `.body_digest`: of the page. `.digest`: of its content, None where nothing may be found by it.
    `.simhash`: None where neighbours are not sought. `.scheme`: only captures of this scheme are returned as `equal` or
    `near`. `.within`: Hamming distance, 0..64, inclusive. `.site`: where `near` is sought, None = everywhere.
    `.since`: captures fetched earlier are left out of `equal` and `near`. `.recent`: only so many of the most recently
    fetched captures that `near` could return (of two fetched together the higher id) are searched for it; None: all.
    `.limit`: at most so many in `equal` and in `near`, which hold one capture a key. `.recent` counts captures, not keys.
    """

    key: str
    fetched_at: datetime
    body_digest: bytes
    scheme: str
    digest: bytes | None = None
    simhash: int | None = None
    within: int = 0
    site: str | None = None
    since: datetime | None = None
    recent: int | None = None
    limit: int = 32


@dataclass(frozen=True, slots=True)
class Candidates:
    """The answer to a `Query`.

    Only good captures are found (their state is content, partial, thin or not_html), but for `.stored`.

    `.stored`: this very capture (key, fetched_at, body digest), if it is there already. `.last`: the last good capture of
    the key, the latest one fetched not after the page, else the earliest after it; of two fetched together the one
    observed later; with its sentences. It is of the query's scheme, and only where the key has no good capture of that
    scheme of another one. `.equal`: captures of *other* keys with the same digest, of each key the one observed last
    (highest id), the key known longest first. `.near`: captures of *other* keys within the distance, of each key the
    nearest, of equally near ones the one observed last; nearest first, then the key known longest. A key is known from its
    first capture, whatever its state, until no capture of it is left. `.earlier`: the good capture of the key itself with
    the query's digest and scheme, fetched not after the page, of several the one observed last; sought only where `.last`
    has another digest: the page is back in a state that it had before. All but `.last` come without texts.
    """

    stored: Capture | None = None
    last: Capture | None = None
    equal: tuple[Capture, ...] = ()
    near: tuple[Capture, ...] = ()
    earlier: Capture | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """What is known of a canonical key: the URL last fetched for it, when it last answered well (304 too), validators."""

    key: str
    url: str
    site: str
    last_seen: datetime
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class Sighting:
    """What is seen of a key that answered well, under a number that orders the keys of a store, and its 304 answers."""

    number: int
    seen: Seen
    not_modified: int = 0


@dataclass(frozen=True, slots=True)
class StoreTotals:
    """Sums over a store: captures and body bytes by verdict, and how much is distinct.

    `.pages`: distinct keys. `.contents`: distinct digests among good captures. `.not_modified`: 304 answers noted.
    The mappings hold only verdicts that occur.
    """

    captures: int = 0
    pages: int = 0
    sites: int = 0
    contents: int = 0
    not_modified: int = 0
    by_verdict: Mapping[str, int] = field(default_factory=dict)
    bytes_by_verdict: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SiteCount:
    """How many captures of how many distinct keys there are of a site."""

    site: str
    captures: int
    pages: int


@dataclass(frozen=True, slots=True)
class StoreInfo:
    """What a store is: its kind, where, format, schemes with the number of captures of each, first and last fetch."""

    kind: str
    target: str
    schema_version: int
    schemes: Mapping[str, int]
    captures: int
    size_bytes: int
    first_fetched: datetime | None = None
    last_fetched: datetime | None = None


@dataclass(frozen=True, slots=True)
class Expired:
    """What an expiry deleted.

    `.aged`, `.surplus`: captures, for their age and over the budget of their site. `.pages`: keys that lost their last
    capture by it. `.visits`, `.dropped`: what was kept for the gate of keys without a capture, for its age.
    """

    aged: int = 0
    surplus: int = 0
    pages: int = 0
    visits: int = 0
    dropped: int = 0

    @property
    def captures(self) -> int:
        """All captures deleted."""
        return self.aged + self.surplus

    @property
    def rows(self) -> int:
        """Everything that was deleted for itself."""
        return self.captures + self.visits + self.dropped

    def __add__(self, other: Expired) -> Expired:
        """Return the sums."""
        return Expired(
            self.aged + other.aged,
            self.surplus + other.surplus,
            self.pages + other.pages,
            self.visits + other.visits,
            self.dropped + other.dropped,
        )


Judge: TypeAlias = Callable[[Candidates], Verdict]


class Store(GateStore, Protocol):
    """Remembers captures, and what the gate knows of them. Safe to use from several threads; every error is a `StoreError`.

    A store that holds captures of other schemes only refuses one of a new scheme (`SchemeMismatch`), unless the setting
    `store.several_schemes` is on.
    """

    def candidates(self, query: Query) -> Candidates:
        """Return what a query finds; writes nothing."""
        ...

    def observe(self, capture: Capture, query: Query, judge: Judge, note: Note | None = None) -> Verdict:
        """Look up, judge and remember as one atomic step; return what `judge` said.

        A capture that is already stored is not stored again and changes nothing. Of the capture the store keeps all but
        `.id`, `.verdict` and `.match_id`, which it sets, and the texts that the settings do not keep. A good capture (see
        `Candidates`) also updates what is `Seen` of its key, with the validators as received, unless the key was seen
        later. `judge` raising leaves the store as it was; it must not call the store.

        `note` is read and written in the same step, after judging, also for a capture that is stored already; raising, it
        leaves the store as it was.
        """
        ...

    def add_many(self, captures: Sequence[Capture]) -> list[int]:
        """Store captures that were judged before, as one atomic step; return their ids in their order.

        For moving captures from store to store, many times faster than `observe`: nothing is looked up or judged. Of each
        the store keeps all but `.id`, its `.verdict` and `.match_id` too (which must name captures of this store), and the
        texts that the settings keep. One that is stored already is not stored again; its id is returned. What is `Seen` of
        keys is updated as by `observe`. A capture without a verdict is a `StoreError`, and nothing is stored then.
        """
        ...

    def not_modified(
        self, key: str, at: datetime, etag: str | None, last_modified: str | None, note: Note | None = None
    ) -> None:
        """Note a 304: the key was seen well again; validators that the 304 carries replace the old.

        A 304 from before the key was last seen is counted and changes nothing else. A key that never answered well stays
        unknown, and its 304 is not counted. `note` is read and written in the same step, whatever the key.
        """
        ...

    def seen(self, key: str) -> Seen | None:
        """Return what is known of a key, None if it never answered well."""
        ...

    def last_good(self, key: str) -> Capture | None:
        """Return the latest good capture of a key with its Markdown and sentences, as far as they are kept."""
        ...

    def captures_after(self, number: int, *, scheme: str, limit: int) -> list[Capture]:
        """Return good captures of a scheme without texts whose id is above a number, lowest id first, at most so many.

        Begun at 0 and repeated with the last id, it walks through a store while others write to it.
        """
        ...

    def walk_captures(self, number: int, *, limit: int) -> list[Capture]:
        """Return captures of any state and scheme with their texts whose id is above a number, lowest id first.

        At most so many; walks through a store as `captures_after` does.
        """
        ...

    def walk_sightings(self, number: int, *, limit: int) -> list[Sighting]:
        """Return what is seen of keys whose number is above another, lowest first, at most so many."""
        ...

    def take_sightings(self, sightings: Sequence[Sighting]) -> None:
        """Take over what another store saw of keys, as one atomic step; their numbers there mean nothing here.

        What is not older than what is seen here replaces it, and of 304 answers the larger count stays. A key that never
        answered well here is passed over.
        """
        ...

    def near(
        self,
        simhash: int,
        *,
        scheme: str,
        within: int,
        limit: int,
        site: str | None = None,
        since: datetime | None = None,
    ) -> list[tuple[Capture, int]]:
        """Return good captures without texts and their Hamming distances, one a key, nearest first.

        Which one of a key, the order of equally near ones and the arguments are as in `Candidates.near` and `Query`.
        """
        ...

    def forget(self, *, key: str | None = None, site: str | None = None, before: datetime | None = None) -> int:
        """Delete captures that match *all* given conditions, and what is seen of keys without a good capture left.

        `before`: fetched earlier than this. `.match_id` of a capture that stays may name one that is gone; ids are never
        given twice. Returns the number of captures deleted. Without any condition nothing is deleted and `ValueError` is raised.

        What is kept for the gate goes with them: visit, body and dropped URL of every key that loses its last capture, and
        bodies that match all conditions themselves; without `before` also visits and dropped URLs that do, and the state of
        a site where nothing but the site is given. A visit whose capture is gone keeps neither its id nor its digest. The
        ledger stays: it holds sums, no pages.
        """
        ...

    def expire(
        self,
        *,
        before: datetime | None = None,
        site_budget: int | None = None,
        told: Callable[[Expired], object] | None = None,
    ) -> Expired:
        """Delete captures for their age and over the budget of their site; return how many went.

        A store on disk deletes in transactions of a few hundred rows, so that others read and write meanwhile; what was
        deleted stays so where it is ended early. A store in memory does it at once.

        Args:
            before: captures fetched earlier go, but for the last good one of a key that was seen well since (304 too). With
                them go what else is kept of keys that lose their last capture, and, for the gate, visits without a capture
                that were due earlier and URLs that were dropped earlier.
            site_budget: at least 1; of a site that holds more captures go those that are superseded most: the n-th newest of
                a page before the (n-1)-th newest of any other, then the oldest. The last good capture of a key stays, so
                a site with more pages than its budget keeps one capture of each.
            told: is told the sums after each transaction; what it raises ends the expiry.

        What is said of `forget` on `.match_id`, visits and ids holds here too. Neither named is a `ValueError`.
        """
        ...

    def totals(self, site: str | None = None) -> StoreTotals:
        """Return sums over the store, or over the captures of a site."""
        ...

    def sites(self) -> list[SiteCount]:
        """Return how much there is of each site that has captures, by name."""
        ...

    def info(self) -> StoreInfo:
        """Return what the store is."""
        ...

    def verify(self, *, states: States = ANY_STATES, told: Checked | None = None) -> list[str]:
        """Check everything that can be checked; return the faults in words, an empty list where there are none.

        Args:
            states: what reads the states that are kept for the gate; `sameish.gate.checking.verify` knows it.
            told: is told now and then how many rows were checked.
        """
        ...

    def close(self) -> None:
        """Release what is held; a closed store refuses further calls, but for `close`."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...

"""What a store keeps for the gate: visits, states of sites, the ledger, what was dropped, leases and stored bodies.

All of it is written in the transaction of the capture it belongs to, or in one of its own. Values are opaque bytes where only
the gate reads them. Hashes are 64-bit and unsigned here; a store may keep their signed twins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from typing import Protocol, TypeAlias

from sameish.models import Capture, Verdict


def hash_key(key: str) -> int:
    """Return the unsigned 64-bit hash of a canonical key: BLAKE2b, so that no site can make a URL with the hash of another's.

    Stores find by it what they keep for the gate of a key that is forgotten. Half a microsecond.
    """
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


@dataclass(frozen=True, slots=True)
class Visit:
    """What is known of one canonical key from fetching it.

    `.key_hash`: `hash_key` of the key. `.class_hash`: of the key reduced by the rules of its site; equal for keys that are
    believed to show the same. `.url`: last fetched for it. `.due_at`: when to come again. `.body_bytes`: of the last full
    body, 0 without one. `.digest`, `.capture_id`: of the last good capture of the key, None without one and once that
    capture is forgotten. `.state`: of the schedule and the validators, as the gate encodes it.
    """

    key_hash: int
    class_hash: int
    site: str
    url: str
    due_at: datetime
    body_bytes: int = 0
    digest: bytes | None = None
    capture_id: int | None = None
    state: bytes = b""


@dataclass(frozen=True, slots=True)
class Entry:
    """Requests and bytes to add to the ledger of a site, under a name such as `saved:not_due`; both may be 0."""

    site: str
    name: str
    requests: int = 1
    size_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Dropped:
    """A URL that was not fetched because of a rule, kept so that a revoked rule gives it back.

    `.rule`: the rules that were used, as one text. `.request`: what the caller needs to make the request again.
    """

    key_hash: int
    site: str
    url: str
    rule: str
    at: datetime
    request: bytes = b""


@dataclass(frozen=True, slots=True)
class StoredBody:
    """A body as it was received (content codings taken off), to answer with while its page is not due.

    `.headers`: (lower-case name, value) pairs. A store keeps bodies compressed, within the budget of its settings; those
    written longest ago go first. A body that is larger than a tenth of the budget when compressed, or that the settings do
    not keep, is not kept, and the older one of its key goes all the same: it is no longer what the server would send.
    """

    key_hash: int
    site: str
    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    fetched_at: datetime


@dataclass(frozen=True, slots=True)
class SiteState:
    """The state of a site as the gate encodes it; `.revision` rises with every write to the store, of any site."""

    site: str
    state: bytes
    revision: int


@dataclass(frozen=True, slots=True)
class Known:
    """What a note is told: the state of its site, None without one, and the visits among the asked hashes that are there."""

    site: SiteState | None = None
    visits: Mapping[int, Visit] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Updates:
    """What a note has written; whatever is empty or None stays as it is.

    `.site_state`: of the asked site. `.visits` replace those with the same key hash; a visit without `capture_id` but with a
    `digest` means the capture that is written in the same transaction. `.dropped` replace those with the same key hash.
    `.restored`: hashes of URLs that were dropped before and are given back; they are kept no more. `.reclassed`: new class
    hash by key hash, also of visits that are written with it; keys that were never visited are passed over.
    """

    site_state: bytes | None = None
    visits: tuple[Visit, ...] = ()
    ledger: tuple[Entry, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    restored: tuple[int, ...] = ()
    reclassed: Mapping[int, int] = field(default_factory=dict)
    body: StoredBody | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """What a note wants to know: the state of a site, and visits by key hash."""

    site: str
    key_hashes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """What to read and to write for the gate in one transaction; `.write` must not call the store and may be called again.

    `.write` gets the verdict on the capture of the transaction (None where there is none) and what is known.
    """

    asked: Asked
    write: Callable[[Verdict | None, Known], Updates]


VisitRow: TypeAlias = tuple[int, int, int, int]
"""key hash, class hash, due time in microseconds, body bytes."""


class GateStore(Protocol):
    """The part of a store that the gate uses. `Store.observe` and `Store.not_modified` take a `Note` as well.

    Who keeps a copy in memory asks for the generation, then for everything (`visit_rows(0)`, `site_states(0)`); from then on,
    when the revision has risen, for what was written after the last one, or for everything again if the generation has risen.
    """

    def note(self, note: Note) -> Updates:
        """Read, let the note say what to write, and write it, as one atomic step; return what was written."""
        ...

    def visit_rows(self, after: int) -> tuple[int, Iterator[list[VisitRow]]]:
        """Return the revision now, and in batches the rows of all visits written after a revision (0: all visits).

        What others write while it is read may or may not be among them; it is again when asked with the returned revision.
        The store is free between two batches. A visit that is deleted is in no batch: see `generation`.
        """
        ...

    def site_states(self, after: int) -> list[SiteState]:
        """Return the states of sites written after a revision."""
        ...

    def revision(self) -> int:
        """Return a number that has risen if another program, or this one, wrote anything for the gate; cheap (microseconds).

        It never waits: while another thread is in the store it is the number known last, which counts all that was written
        through this object. Leases do not count.
        """
        ...

    def generation(self) -> int:
        """Return a number that has risen, with the revision, if anything was deleted by `forget`; as cheap as `revision`.

        Then a copy in memory is stale as a whole.
        """
        ...

    def visit(self, key_hash: int) -> Visit | None:
        """Return what is known of a key."""
        ...

    def visits_of(
        self,
        site: str,
        limit: int,
        *,
        after: int = 0,
        text: str | None = None,
        classes: Iterable[int] | None = None,
    ) -> list[Visit]:
        """Return at most so many visits of a site, those written last first; of one transaction in no order.

        Args:
            site: name of the site.
            limit: most visits to return.
            after: revision after which the visit must have been written.
            text: must stand in the URL, whose ASCII capitals are taken for small letters; None: any URL will do.
            classes: class hashes, one of which the visit must have; None: any will do.
        """
        ...

    def capture(self, number: int) -> Capture | None:
        """Return a capture by its id, without texts."""
        ...

    def ledger(self) -> list[Entry]:
        """Return the sums of the ledger by site and name."""
        ...

    def dropped(self, *, site: str | None = None, rules: Iterable[str] | None = None) -> list[Dropped]:
        """Return what was dropped, oldest first: everywhere or on a site, whatever rule or those whose `.rule` is given."""
        ...

    def stored_body(self, key_hash: int) -> StoredBody | None:
        """Return the body kept for a key, None without one."""
        ...

    def lease(self, key_hash: int, owner: str, now: datetime, until: datetime) -> bool:
        """Take, or prolong, the lease of a key for an owner; False where another owner's lease has not run out.

        A lease runs out at `until`: from that moment on it can be taken.
        """
        ...

    def release(self, key_hash: int, owner: str) -> None:
        """Give a lease back; one that is another's, or nobody's, is left alone."""
        ...

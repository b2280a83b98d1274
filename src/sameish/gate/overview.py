"""What a store knows of each site before the fetch: rules, hosts, traps and the ledger, for people.

Read from the store without a gate, which would load every known page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sameish.gate.ledger import Savings, savings_of
from sameish.gate.memory import SiteMemory, recall
from sameish.gate.sites import limits_of
from sameish.revisit.dates import moment
from sameish.revisit.trust import AnswerTrust, ValidatorTrust
from sameish.settings import Settings
from sameish.stores.base import SiteCount, Store
from sameish.stores.gate_state import Entry
from sameish.urls.keys import url_key
from sameish.urls.rule_rows import RuleRow, rows
from sameish.urls.standings import RuleState
from sameish.urls.traps import Suspicion, TrapFamilies, is_trap, suspicions

_MOST_VISITS = 10_000
"""Pages of a site, fetched last, that are looked through for traps: half a second."""
_FAR = 1 << 62


class Trust(StrEnum):
    """How far something that a host says is believed."""

    UNKNOWN = "unknown"
    """Nothing was compared yet; it is used."""
    TRUSTED = "trusted"
    USELESS = "useless"
    """A new one each time for the same content: not used."""
    DISTRUSTED = "distrusted"
    """The same for other content, on two pages: not used for a while."""


@dataclass(frozen=True, slots=True)
class ValidatorRow:
    """What a validator of a host did.

    Args:
        trust: whether it is used.
        kept: answers in which the content was the same, and it too.
        renewed: the content was the same, and it was another.
        followed: both were others.
        caught: pages on which it was the same for other content, since it was last distrusted; on the second it is.
        distrusted_until: when it is used again; None where it is not distrusted.
    """

    trust: Trust
    kept: int
    renewed: int
    followed: int
    caught: int
    distrusted_until: datetime | None


@dataclass(frozen=True, slots=True)
class HostRow:
    """One host, and how far what it says of its pages is believed.

    Args:
        host: with its port, if it names one.
        etag: its ETags.
        last_modified: its Last-Modified beside an ETag.
        last_modified_alone: its Last-Modified where no ETag goes with it.
        not_modified: its 304.
        shared_etags: it was seen to send one ETag for different contents: another URL's is not asked for.
        own_etags: it was seen to make an ETag for each URL of one content: another URL's is not asked for.
        revalidations: how many there were.
    """

    host: str
    etag: ValidatorRow
    last_modified: ValidatorRow
    last_modified_alone: ValidatorRow
    not_modified: Trust
    shared_etags: bool
    own_etags: bool
    revalidations: int


@dataclass(frozen=True, slots=True)
class TrapRow:
    """A family of URLs that is a trap; `.kind`, `.family` as in `sameish.urls.traps.Suspicion`.

    `.fetched`: URLs of it among the pages fetched last. `.skipped`: URLs of it that were dropped and may be given back.
    """

    kind: str
    family: str
    fetched: int
    skipped: int


@dataclass(frozen=True, slots=True)
class SiteOverview:
    """What a store holds of a site, and what its URLs have taught; `.rules_acting` counts rules, not path shapes."""

    site: str
    captures: int
    pages: int
    rules_acting: int
    savings: Savings
    rules: tuple[RuleRow, ...]
    memory: SiteMemory


def overviews(store: Store, settings: Settings, site: str | None = None) -> list[SiteOverview]:
    """Return all sites of a store, those with most captures first, or the one that is asked for, if it is there.

    Of a site whose memory is damaged nothing is known; a warning is logged then.

    Raises:
        StoreError: the store cannot be read.
    """
    counts = {one.site: one for one in store.sites()}
    states = {one.site: one.state for one in store.site_states(0)}
    entries: dict[str, list[Entry]] = {name: [] for name in (*counts, *states)}
    for entry in store.ledger():
        entries.setdefault(entry.site, []).append(entry)
    found = [
        _overview(counts.get(name) or SiteCount(name, 0, 0), states.get(name), own, settings)
        for name, own in entries.items()
        if site in (None, name)
    ]
    return sorted(found, key=lambda one: (-one.captures, one.site))


def _overview(count: SiteCount, state: bytes | None, ledger: list[Entry], settings: Settings) -> SiteOverview:
    memory = SiteMemory() if state is None else recall(count.site, state)
    rules = tuple(rows(memory.rules, limits_of(settings.for_site(count.site))))
    acting = {row.rule for row in rules if row.state is RuleState.ACTIVE}
    savings = savings_of(ledger, settings.ledger)
    return SiteOverview(count.site, count.captures, count.pages, len(acting), savings, rules, memory)


def host_rows(memory: SiteMemory, now: datetime) -> list[HostRow]:
    """Return how far the hosts of a site are believed, by name."""
    at = now.timestamp()
    return [_host_row(name, memory, at) for name in sorted({*memory.hosts, *memory.shared_etags, *memory.own_etags})]


def _host_row(name: str, memory: SiteMemory, at: float) -> HostRow:
    host = memory.host(name)
    return HostRow(
        host=name,
        etag=_validator_row(host.etag, at),
        last_modified=_validator_row(host.modified, at),
        last_modified_alone=_validator_row(host.modified_alone, at),
        not_modified=_trust(host.answers, at, known=host.answers.checks_s > 0),
        shared_etags=name in memory.shared_etags,
        own_etags=name in memory.own_etags,
        revalidations=host.turns,
    )


def _validator_row(trust: ValidatorTrust, at: float) -> ValidatorRow:
    known = trust.kept + trust.renewed + trust.followed > 0
    until = moment(trust.off_until) if trust.off_until > at else None
    how = Trust.USELESS if until is None and trust.useless else _trust(trust, at, known=known)
    return ValidatorRow(how, trust.kept, trust.renewed, trust.followed, len(trust.liars), until)


def _trust(trust: ValidatorTrust | AnswerTrust, at: float, *, known: bool) -> Trust:
    if at < trust.off_until:
        return Trust.DISTRUSTED
    return Trust.TRUSTED if known else Trust.UNKNOWN


def trap_rows(store: Store, site: str, memory: SiteMemory) -> list[TrapRow]:
    """Return the traps of a site, as far as its pages fetched last and the URLs that were dropped show them.

    Raises:
        StoreError: the store cannot be read.
    """
    if not memory.traps.families:
        return []
    fetched = Counter(_traps(memory.traps, (visit.url for visit in store.visits_of(site, _MOST_VISITS))))
    skipped = Counter(_traps(memory.traps, (dropped.url for dropped in store.dropped(site=site))))
    return [TrapRow(*trap, fetched[trap], skipped[trap]) for trap in sorted(fetched.keys() | skipped.keys())]


def _traps(families: TrapFamilies, urls: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield kind and family of each URL that belongs to a trap."""
    for url in urls:
        for found in suspicions(url_key(url)):
            if _is_proven(families, found):
                yield found.kind.value, found.family
                break


def _is_proven(families: TrapFamilies, found: Suspicion) -> bool:
    """Whether the family of a URL is a trap, though this URL may be among those that were fetched before that was known."""
    return any(is_trap(families, [found._replace(number=number)]) for number in (_FAR, -_FAR))

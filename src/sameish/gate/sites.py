"""The sites that the gate has to do with, held in memory as long as they are used."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from sameish.gate.memory import SiteMemory, recall
from sameish.gate.schedules import schedule_of
from sameish.revisit.own_etags import OwnEtags
from sameish.revisit.policy import Policy
from sameish.revisit.shared_etags import SentEtags, sent_etag
from sameish.revisit.state import Visits
from sameish.settings import Settings
from sameish.stores.gate_state import GateStore, SiteState
from sameish.urls.acting import Acting, acting
from sameish.urls.ageing import aged
from sameish.urls.common_digests import CommonDigests
from sameish.urls.keys import url_key
from sameish.urls.links import LinkTargets
from sameish.urls.siblings import Siblings
from sameish.urls.standings import Limits
from sameish.urls.trials import Trials
from sameish.urls.walls import Walls

_MOST_LEARNING = 256
"""Sites whose recent pages are held for comparison at the same time."""
_RECENT_PAGES = 2_000
"""Pages of a site that are looked up in the store at a time."""
_LOOK_S = 0.1
"""How long pages that others have fetched may go unnoticed."""


def limits_of(settings: Settings) -> Limits:
    """Return what a rule must show, as the settings of a site say."""
    return Limits(max_wrong_skip_rate=settings.gate.max_wrong_skip_rate, max_age_days=settings.gate.rule_max_age_days)


def policy_of(settings: Settings) -> Policy:
    """Return how often to come again, as the settings of a site say."""
    gate = settings.gate
    longest = max(gate.longest_interval_s, gate.shortest_interval_s)
    return Policy(first_s=gate.first_interval_s, shortest_s=gate.shortest_interval_s, longest_s=longest)


@dataclass(slots=True)
class RecentPages:
    """The recent pages of a site, and which contents, canonical addresses and ETags are met too often to mean anything."""

    pages: Siblings = field(default_factory=Siblings)
    common: CommonDigests = field(default_factory=CommonDigests)
    walls: Walls = field(default_factory=Walls)
    targets: LinkTargets = field(default_factory=LinkTargets)
    etags: dict[str, SentEtags] = field(default_factory=dict)
    """By host: which of its ETags came with what."""
    own_etags: dict[str, OwnEtags] = field(default_factory=dict)
    """By host: whether what came under several URLs came with one ETag."""
    revision: int = 0
    """Of the store when it was last asked for pages that others have fetched."""
    look_at: float = 0.0

    def shares_etag(self, host: str, etag: str | None, url: str, content: int) -> bool:
        """Note the ETag of a full answer; return whether it came from another URL of the host with other content before."""
        self.etags[host], is_shared = sent_etag(self.etags.get(host, SentEtags()), etag, url, content)
        return is_shared

    def has_own_etags(self, host: str, etag: str | None, url: str, content: int) -> bool:
        """Note the ETag of a full answer; return whether by now the host makes one for each URL."""
        return self.own_etags.setdefault(host, OwnEtags()).see(etag, url, content)


@dataclass(slots=True)
class Site:
    """One site: its memory as of a revision of the store, the rules that act, and what only this process knows.

    `.encoded`: the memory as it is stored. `.turns`: revalidations decided by host, every tenth of which is replaced by a
    check. `.trials`: which skips are audits.
    """

    name: str
    memory: SiteMemory = field(default_factory=SiteMemory)
    encoded: bytes = b""
    acting: Acting = field(default_factory=Acting)
    revision: int = -1
    turns: dict[str, int] = field(default_factory=dict)
    trials: Trials = field(default_factory=Trials)

    def take(self, memory: SiteMemory, encoded: bytes, limits: Limits) -> bool:
        """Take in another memory; return whether other rules act now."""
        before = self.acting
        if memory.rules is not self.memory.rules:
            self.acting = acting(memory.rules, limits, before)
        self.memory, self.encoded = memory, encoded
        return self.acting != before

    def memory_in(self, state: SiteState | None) -> SiteMemory:
        """Return the memory as it stands in the store, read anew if others have written it."""
        if state is None:
            return SiteMemory()
        return self.memory if state.revision == self.revision else recall(self.name, state.state)


class Sites:
    """All sites of a store by name. Whoever uses it holds the gate's lock.

    Args:
        store: where their memories are.
        settings_of: the settings of a site.
        clock: tells how old evidence is when it is taken in.
    """

    def __init__(self, store: GateStore, settings_of: Callable[[str], Settings], clock: Callable[[], datetime]) -> None:
        self._store = store
        self._settings_of = settings_of
        self._clock = clock
        self._sites: dict[str, Site] = {}
        self._recent: OrderedDict[str, RecentPages] = OrderedDict()

    def known(self, name: str) -> Site | None:
        """Return a site of which the store holds a memory, None where nothing was learned yet."""
        return self._sites.get(name)

    def of(self, name: str) -> Site:
        """Return a site, a new one where nothing was learned yet."""
        return self._sites.setdefault(name, Site(name))

    def unsettled(self) -> list[Site]:
        """Return the sites of which pages may be in the wrong class in the store."""
        return [site for site in self._sites.values() if site.memory.unsettled]

    def refresh(self, states: list[SiteState]) -> bool:
        """Take in the memories that were written to the store; return whether other rules act now anywhere."""
        changed = [self._take(state) for state in states]
        return any(changed)

    def _take(self, state: SiteState) -> bool:
        site = self.of(state.site)
        site.revision = max(site.revision, state.revision)
        if state.state == site.encoded:
            return False
        memory, limits = recall(state.site, state.state), limits_of(self._settings_of(state.site))
        rules = aged(memory.rules, self._clock(), limits)
        if rules is not memory.rules:
            lapsed = acting(memory.rules, limits).differing(acting(rules, limits))
            memory = memory.with_rules(rules).with_unsettled(lapsed)
        return site.take(memory, state.state, limits)

    def recent(self, name: str) -> RecentPages:
        """Return the recent pages of a site, also those that others have fetched."""
        found = self._recent.setdefault(name, RecentPages())
        self._recent.move_to_end(name)
        if len(self._recent) > _MOST_LEARNING:
            self._recent.popitem(last=False)
        if time.monotonic() >= found.look_at:
            self._look(name, found)
        return found

    def _look(self, name: str, recent: RecentPages) -> None:
        """Take in what was written to the store since the last look."""
        revision, rules = self._store.revision(), self.of(name).acting
        for visit in reversed(self._store.visits_of(name, _RECENT_PAGES, after=recent.revision)):
            key = url_key(visit.url)
            content = None if visit.digest is None else digest_hash(visit.digest)
            if content is not None and not recent.pages.holds(key, content):
                recent.walls.see(content, key, (schedule_of(visit) or Visits()).last_body, rules)
                recent.pages.add(rules, key, content)
                recent.common.seen(content, key, rules)
        recent.revision, recent.look_at = revision, time.monotonic() + _LOOK_S


def digest_hash(digest: bytes) -> int:
    """Return a 64-bit hash of a content's digest."""
    return int.from_bytes(digest[:8], "little")

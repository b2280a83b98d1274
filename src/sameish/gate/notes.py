"""What is written about a site in one transaction: its memory, visits, and what the ledger tells of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from datetime import datetime

import msgspec

from sameish.gate import memory as site_memory
from sameish.gate.lessons import is_timely
from sameish.gate.memory import SiteMemory
from sameish.gate.schedules import schedule_of, scheduled
from sameish.gate.sites import Site
from sameish.models import Verdict
from sameish.revisit.after import Answer, Doubt, after_fetch
from sameish.revisit.dates import moment
from sameish.revisit.policy import Policy
from sameish.revisit.state import Validators, Visits
from sameish.stores.gate_state import Asked, Entry, Known, Note, Updates, Visit, hash_key
from sameish.urls.acting import Acting, acting
from sameish.urls.learner import Pair, audit, learn
from sameish.urls.links import redirect
from sameish.urls.rules import SiteRules
from sameish.urls.standings import Limits


def in_class(visit: Visit, key: str, rules: Acting) -> Visit:
    """Return a visit in the class that the rules put its key in."""
    return replace(visit, class_hash=hash_key(rules.class_key(key)[0]))


def alias_of(visit: Visit, key: str, url: str, own: Visit | None, at: datetime, policy: Policy) -> Visit:
    """Return the visit of a URL that leads to the page of another visit; validators are not the alias's own.

    Args:
        visit: of the page that it leads to.
        key: canonical key of the URL.
        url: that was redirected.
        own: its visit so far. It may be a page of its own, as when a site under repair sends all to its home page: it is due
            after twice its own interval at the latest, and a URL that was never asked for before as a new page is.
        at: when it was redirected.
        policy: how often to come again.
    """
    schedule, before = schedule_of(visit) or Visits(), schedule_of(own)
    longest = policy.first_s if before is None else 2 * before.interval_s
    interval = round(min(schedule.interval_s, policy.within(longest)))
    due = min(schedule.due_at, int(at.timestamp()) + interval)
    bare = msgspec.structs.replace(schedule, interval_s=interval, due_at=due, validators=Validators())
    return scheduled(replace(visit, key_hash=hash_key(key), url=url), bare)


@dataclass(slots=True, kw_only=True)
class SiteNote(ABC):
    """A note about one site. `.memory`, `.encoded` (None where it did not change) and `.visits` are what it wrote."""

    site: Site
    limits: Limits
    memory: SiteMemory | None = None
    encoded: bytes | None = None
    visits: tuple[Visit, ...] = ()

    def note(self) -> Note:
        """Return what the store is to read and write."""
        return Note(Asked(self.site.name, self._hashes()), self._write)

    def _hashes(self) -> tuple[int, ...]:
        return ()

    @abstractmethod
    def _write(self, verdict: Verdict | None, known: Known) -> Updates: ...

    def _keep(self, before: SiteMemory, memory: SiteMemory) -> Acting:
        """Take a memory as the one to be written; return the rules that act by it."""
        rules = self._acting(memory.rules)
        if memory.rules is not before.rules:
            memory = memory.with_unsettled(self._acting(before.rules).differing(rules))
        self.memory = memory
        self.encoded = None if memory is before else site_memory.encode(memory)
        return rules

    def _acting(self, rules: SiteRules) -> Acting:
        return acting(rules, self.limits, self.site.acting)


@dataclass(slots=True, kw_only=True)
class RedirectNote(SiteNote):
    """Writes that `.url`, of which `.key` is the key, was redirected to the page that `.target` is a visit of."""

    policy: Policy
    url: str
    key: str
    target: Visit
    target_key: str
    at: datetime

    def _hashes(self) -> tuple[int, ...]:
        return (hash_key(self.key),)

    def _write(self, _: Verdict | None, known: Known) -> Updates:
        before = self.site.memory_in(known.site)
        acts = self._keep(before, before.with_rules(redirect(before.rules, self.key, self.target_key, self.at)))
        alias = alias_of(self.target, self.key, self.url, known.visits.get(hash_key(self.key)), self.at, self.policy)
        self.visits = (in_class(alias, self.key, acts),)
        return Updates(self.encoded, self.visits, ledger=(Entry(self.site.name, "redirected"),))


@dataclass(slots=True, kw_only=True)
class UnchangedNote(SiteNote):
    """Writes what a 304 says of a page and its host.

    `.size`: bytes of the body that was not sent. `.pair`: the URL that was asked for and the one whose ETag it was asked with,
    where rules say that they are one page. `.doubt`: why it says nothing of the page, None where it does.
    """

    holder: Visit
    host: str
    policy: Policy
    answer: Answer
    size: int
    pair: Pair | None = None
    doubt: Doubt | None = None

    def _hashes(self) -> tuple[int, ...]:
        return (self.holder.key_hash,)

    def _write(self, _: Verdict | None, known: Known) -> Updates:
        before = self.site.memory_in(known.site)
        visit = known.visits.get(self.holder.key_hash, self.holder)
        last = schedule_of(visit)
        schedule, host = after_fetch(last, before.host(self.host), self.answer, self.policy)
        memory = before.with_host(self.host, host)
        self.visits = (scheduled(visit, schedule),)
        entries = [Entry(visit.site, "asked")]
        if self.doubt is None:
            entries.append(Entry(visit.site, "saved:not_modified", 0, self.size))
        if self.pair is not None and self.doubt is None:
            at = moment(self.answer.at)
            timely = last is not None and is_timely(self.answer.at - last.last_body)
            teach = audit if timely else learn
            memory = memory.with_rules(teach(memory.rules, self.pair, at, self.limits))
            entries.append(Entry(visit.site, "audit" if timely else "audit_undecided"))
        self._keep(before, memory)
        return Updates(self.encoded, self.visits, ledger=tuple(entries))

"""What is written for the gate after a fetch, in the transaction of the capture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import msgspec

from sameish.gate import memory as site_memory
from sameish.gate.lessons import Lesson
from sameish.gate.memory import SiteMemory
from sameish.gate.sites import Site
from sameish.models import Capture, State, Verdict, VerdictKind
from sameish.revisit.after import Answer, after_fetch
from sameish.revisit.policy import Policy
from sameish.revisit.state import Validators, Visits
from sameish.stores.gate_state import Asked, Entry, Known, Note, StoredBody, Updates, Visit, hash_key
from sameish.stores.values import is_good
from sameish.urls.acting import Acting, acting
from sameish.urls.learner import Pair, audit, learn
from sameish.urls.links import canonical, distrust_links, redirect
from sameish.urls.rule_states import Limits
from sameish.urls.rules import SiteRules
from sameish.urls.traps import Suspicion, outcome

_VISITS = msgspec.msgpack.Decoder(Visits)
_ENCODER = msgspec.msgpack.Encoder()


def schedule_of(visit: Visit | None) -> Visits | None:
    """Return the schedule and validators of a visit, None where there is none."""
    return _VISITS.decode(visit.state) if visit is not None and visit.state else None


def scheduled(visit: Visit, schedule: Visits) -> Visit:
    """Return a visit with another schedule."""
    return replace(visit, due_at=datetime.fromtimestamp(schedule.due_at, UTC), state=_ENCODER.encode(schedule))


def in_class(visit: Visit, key: str, rules: Acting) -> Visit:
    """Return a visit in the class that the rules put its key in."""
    return replace(visit, class_hash=hash_key(rules.class_key(key)[0]))


def memory_of(site: Site, known: Known) -> SiteMemory:
    """Return the memory of a site as it stands in the store."""
    if known.site is None:
        return SiteMemory()
    return site.memory if known.site.revision == site.revision else site_memory.decode(known.site.state)


@dataclass(frozen=True, slots=True)
class Fetched:
    """A fetched page and all that was looked up for it before the transaction.

    `.headers`: of the answer, names in lower case. `.sent`: headers of the request, None where they are not known. `.body`: to
    be kept, None where none is. `.site`: as the gate knows it. `.holder`: the page that stands for the class that rules put
    this one in, None where that is the page itself or none of the class ever answered well. `.lessons`: what it teaches.
    `.canonical`: key of the address that it names, if that is another one of its site. `.distrust_links`: so many contents
    name that address that such links mean nothing there. `.suspicions`: traps it may belong to. `.aliases`: keys and URLs
    that were redirected to it.
    """

    capture: Capture
    headers: Mapping[str, str]
    sent: Mapping[str, str] | None
    body: bytes | None
    host: str
    site: Site
    limits: Limits
    policy: Policy
    holder: Visit | None = None
    lessons: tuple[Lesson, ...] = ()
    canonical: str | None = None
    same_as_canonical: bool | None = None
    distrust_links: bool = False
    suspicions: tuple[Suspicion, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class FetchNote:
    """Writes what a fetched page taught; `.memory`, `.encoded` (None where it did not change) and `.visits` are what it wrote."""

    fetched: Fetched
    memory: SiteMemory | None = None
    encoded: bytes | None = None
    visits: tuple[Visit, ...] = field(default_factory=tuple)

    def note(self) -> Note:
        """Return what the store is to read and write with the capture."""
        capture = self.fetched.capture
        hashes = [hash_key(capture.key), *(hash_key(key) for key, _ in self.fetched.aliases)]
        return Note(Asked(capture.site, tuple(hashes)), self._write)

    def _write(self, verdict: Verdict | None, known: Known) -> Updates:
        fetched = self.fetched
        before = memory_of(fetched.site, known)
        memory, entries = _learned(fetched, before)
        own = known.visits.get(hash_key(fetched.capture.key))
        if own is None and verdict is not None:
            memory = _told_of_traps(fetched, memory, verdict)
        schedule, memory = _visited(fetched, own, memory, verdict)
        rules = acting(memory.rules, fetched.limits, fetched.site.acting)
        self.memory, self.visits = memory, tuple(_visits(fetched, own, schedule, rules))
        self.encoded = None if memory is before else site_memory.encode(memory)
        return Updates(
            site_state=self.encoded,
            visits=self.visits,
            ledger=(Entry(fetched.capture.site, "fetched", 1, fetched.capture.body_bytes), *entries),
            body=_body(fetched),
        )


@dataclass(slots=True)
class RedirectNote:
    """Writes that a URL was redirected to a page that is known; the other fields are as in `FetchNote`."""

    alias: Visit
    key: str
    target_key: str
    site: Site
    limits: Limits
    at: datetime
    visit: Visit | None = None
    memory: SiteMemory | None = None
    encoded: bytes | None = None

    def note(self) -> Note:
        """Return what the store is to read and write."""
        return Note(Asked(self.alias.site), self._write)

    def _write(self, _: Verdict | None, known: Known) -> Updates:
        before = memory_of(self.site, known)
        rules = redirect(before.rules, self.key, self.target_key, self.at)
        self.memory = before if rules is before.rules else msgspec.structs.replace(before, rules=rules)
        self.encoded = None if self.memory is before else site_memory.encode(self.memory)
        self.visit = in_class(self.alias, self.key, acting(rules, self.limits, self.site.acting))
        return Updates(site_state=self.encoded, visits=(self.visit,), ledger=(Entry(self.alias.site, "redirected"),))


def alias_of(visit: Visit, key: str, url: str) -> Visit:
    """Return the visit of a URL that leads to the page of another visit; validators are not the alias's own."""
    schedule = schedule_of(visit) or Visits()
    bare = msgspec.structs.replace(schedule, validators=Validators())
    return scheduled(replace(visit, key_hash=hash_key(key), url=url), bare)


@dataclass(slots=True)
class UnchangedNote:
    """Writes what a 304 says of a page and its host; `.visit`, `.memory` and `.encoded` are what it wrote.

    `.pair`: the URL that was asked for and the one whose ETag it was asked with, where rules say that they are one page.
    """

    holder: Visit
    site: Site
    host: str
    limits: Limits
    policy: Policy
    answer: Answer
    pair: Pair | None = None
    visit: Visit | None = None
    memory: SiteMemory | None = None
    encoded: bytes | None = None

    def note(self) -> Note:
        """Return what the store is to read and write."""
        return Note(Asked(self.holder.site, (self.holder.key_hash,)), self._write)

    def _write(self, _: Verdict | None, known: Known) -> Updates:
        before = memory_of(self.site, known)
        visit = known.visits.get(self.holder.key_hash, self.holder)
        schedule, host = after_fetch(schedule_of(visit), before.host(self.host), self.answer, self.policy)
        self.visit, memory = scheduled(visit, schedule), before.with_host(self.host, host)
        entries = [Entry(visit.site, "asked"), Entry(visit.site, "saved:not_modified", 0, visit.body_bytes)]
        if self.pair is not None:
            rules = audit(memory.rules, self.pair, datetime.fromtimestamp(self.answer.at, UTC), self.limits)
            memory = memory if rules is memory.rules else msgspec.structs.replace(memory, rules=rules)
            entries.append(Entry(visit.site, "audit"))
        self.memory = memory
        self.encoded = None if memory is before else site_memory.encode(memory)
        return Updates(site_state=self.encoded, visits=(self.visit,), ledger=tuple(entries))


def _body(fetched: Fetched) -> StoredBody | None:
    capture = fetched.capture
    if fetched.body is None or not is_good(capture):
        return None
    kept = tuple((name, value) for name, value in fetched.headers.items() if name not in _NOT_OF_BODY)
    key = hash_key(capture.key)
    return StoredBody(key, capture.site, capture.url, capture.status, kept, fetched.body, capture.fetched_at)


_NOT_OF_BODY = frozenset({"content-encoding", "transfer-encoding", "content-length", "connection", "set-cookie"})
"""Headers that were true of the bytes on the wire only, or meant for one visitor."""


def _learned(fetched: Fetched, memory: SiteMemory) -> tuple[SiteMemory, list[Entry]]:
    """Return the memory with what the lessons taught, and what of it belongs into the ledger."""
    rules, site, entries = memory.rules, fetched.capture.site, list[Entry]()
    for lesson in fetched.lessons:
        if lesson.is_audit:
            entries.append(Entry(site, "audit"))
        if lesson.pair is None:
            continue
        if lesson.is_audit and not lesson.pair.agree:
            entries.append(Entry(site, "wrong_skip"))
        teach = audit if lesson.is_audit else learn
        rules = teach(rules, lesson.pair, fetched.capture.fetched_at, fetched.limits)
    rules = _told_by_links(fetched, rules)
    if rules is memory.rules:
        return memory, entries
    entries += [Entry(site, "rule_revoked") for _ in _stopped(fetched, memory.rules, rules)]
    return msgspec.structs.replace(memory, rules=rules), entries


def _told_by_links(fetched: Fetched, rules: SiteRules) -> SiteRules:
    if not is_good(fetched.capture):
        return rules
    key, at = fetched.capture.key, fetched.capture.fetched_at
    for alias, _ in fetched.aliases:
        rules = redirect(rules, alias, key, at)
    if fetched.distrust_links:
        return distrust_links(rules)
    if fetched.canonical is None:
        return rules
    return canonical(rules, key, fetched.canonical, fetched.same_as_canonical, at)


def _stopped(fetched: Fetched, before: SiteRules, after: SiteRules) -> set[str]:
    """Return the rules that acted and do not act any more."""
    old, new = (acting(rules, fetched.limits, fetched.site.acting).standings for rules in (before, after))
    return set(old) - set(new)


def _told_of_traps(fetched: Fetched, memory: SiteMemory, verdict: Verdict) -> SiteMemory:
    if not is_good(fetched.capture):
        return memory
    match = verdict.match or fetched.capture
    # an empty month of a calendar has hardly more words than the month's name: one is as little news as the next
    thin = fetched.capture.fingerprint.state is State.THIN
    traps = outcome(
        memory.traps,
        fetched.suspicions,
        brought_new=verdict.kind is VerdictKind.NEW and not thin,
        content=State.THIN.encode() if thin else match.fingerprint.digest,
    )
    return memory if traps is memory.traps else msgspec.structs.replace(memory, traps=traps)


def _visited(
    fetched: Fetched, own: Visit | None, memory: SiteMemory, verdict: Verdict | None
) -> tuple[Visits, SiteMemory]:
    """Return the schedule after the visit, which goes on from that of the class, and the memory with what its host showed."""
    capture = fetched.capture
    answer = Answer(
        capture.url,
        capture.fetched_at.timestamp(),
        capture.status,
        fetched.headers,
        changed=_changed(fetched, verdict),
        good=is_good(capture),
        sent=fetched.sent,
    )
    before = schedule_of(fetched.holder or own)
    schedule, host = after_fetch(before, memory.host(fetched.host), answer, fetched.policy)
    if any(lesson.is_unsettled for lesson in fetched.lessons):
        schedule = msgspec.structs.replace(schedule, due_at=int(answer.at))
    return schedule, memory.with_host(fetched.host, host)


def _changed(fetched: Fetched, verdict: Verdict | None) -> bool | None:
    """Whether the content is another than at the last visit of the class, None where there was none."""
    if fetched.holder is not None:
        return next((None if one.same is None else not one.same for one in fetched.lessons if one.is_audit), None)
    kind = None if verdict is None else verdict.kind
    return True if kind is VerdictKind.UPDATED else False if kind is VerdictKind.UNCHANGED else None


def _visits(fetched: Fetched, own: Visit | None, schedule: Visits, rules: Acting) -> Iterator[Visit]:
    """Yield what is known of the page from now on, and of the URLs that were redirected to it."""
    capture = fetched.capture
    good = is_good(capture)
    if not good and fetched.holder is not None:
        return  # an answer that was no page says nothing about its class
    visit = own or Visit(hash_key(capture.key), 0, capture.site, capture.url, capture.fetched_at)
    if good:
        visit = replace(
            visit,
            url=capture.url,
            body_bytes=capture.body_bytes,
            digest=capture.fingerprint.digest,
            capture_id=None,
        )
    visit = scheduled(in_class(visit, capture.key, rules), schedule)
    yield visit
    if good:
        for key, url in fetched.aliases:
            yield in_class(alias_of(visit, key, url), key, rules)

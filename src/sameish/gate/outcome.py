"""What is written for the gate after a fetch, in the transaction of the capture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import msgspec

from sameish.gate.lessons import Lesson, teaches
from sameish.gate.memory import SiteMemory
from sameish.gate.notes import SiteNote, alias_of, in_class
from sameish.gate.schedules import schedule_of, scheduled
from sameish.models import Capture, State, Verdict, VerdictKind
from sameish.revisit.after import Answer, after_fetch
from sameish.revisit.policy import Policy
from sameish.revisit.state import Visits
from sameish.stores.gate_state import Entry, Known, StoredBody, Updates, Visit, hash_key
from sameish.stores.values import is_good
from sameish.urls.acting import Acting
from sameish.urls.learner import audit, learn, met
from sameish.urls.links import canonical, distrust_links, redirect, translations
from sameish.urls.rules import SiteRules
from sameish.urls.traps import Suspicion, led_on, outcome, suspicions
from sameish.urls.undated import undated


@dataclass(frozen=True, slots=True)
class Fetched:
    """A fetched page and all that was looked up for it before the transaction.

    `.now`: POSIX seconds. `.headers`: of the answer, names in lower case. `.sent`: headers of the request, None where they are
    not known. `.body`: to be kept, None where none is. `.holder`: the page that stands for the class that rules put this one
    in, None where that is the page itself or none of the class ever answered well. `.lessons`: what it teaches.
    `.canonical`: key of the address that it names, if that is another one of its site. `.languages`: aspects in which alone it
    differs from what it names as itself in other languages. `.distrust_links`: so many contents
    name that address that such links mean nothing there. `.lastmod`: what a sitemap says of it.
    `.shares_etag`: its ETag came with other content from another URL of its host before.
    `.own_etags`: its host makes an ETag for each URL.
    `.is_wall`: the site answers this everywhere now.
    `.suspicions`: traps it may belong to. `.linked_from`: key of the page of its site that the request named as its referrer.
    `.aliases`: keys and URLs that were redirected to it.
    """

    capture: Capture
    now: float
    headers: Mapping[str, str]
    sent: Mapping[str, str] | None
    body: bytes | None
    host: str
    policy: Policy
    holder: Visit | None = None
    lessons: tuple[Lesson, ...] = ()
    canonical: str | None = None
    languages: frozenset[str] = frozenset()
    same_as_canonical: bool | None = None
    distrust_links: bool = False
    lastmod: float | None = None
    shares_etag: bool = False
    own_etags: bool = False
    is_wall: bool = False
    suspicions: tuple[Suspicion, ...] = ()
    linked_from: str | None = None
    aliases: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True, kw_only=True)
class FetchNote(SiteNote):
    """Writes what a fetched page taught."""

    fetched: Fetched

    def _hashes(self) -> tuple[int, ...]:
        fetched = self.fetched
        return (hash_key(fetched.capture.key), *(hash_key(key) for key, _ in fetched.aliases))

    def _write(self, verdict: Verdict | None, known: Known) -> Updates:
        fetched = self.fetched
        before = self.site.memory_in(known.site)
        rules, entries = self._learned(before.rules)
        memory = before.with_rules(rules)
        own = known.visits.get(hash_key(fetched.capture.key))
        if own is None and verdict is not None:
            memory = _told_of_traps(fetched, memory, verdict)
        if fetched.shares_etag:
            memory = memory.with_shared_etags(fetched.host)
        if fetched.own_etags:
            memory = memory.with_own_etags(fetched.host)
        schedule, memory = _visited(fetched, own, memory, verdict)
        acts = self._keep(before, memory)
        self.visits = tuple(_visits(fetched, known, schedule, acts))
        return Updates(
            site_state=self.encoded,
            visits=self.visits,
            ledger=(Entry(fetched.capture.site, "fetched", 1, fetched.capture.body_bytes), *entries),
            body=_body(fetched),
        )

    def _learned(self, before: SiteRules) -> tuple[SiteRules, list[Entry]]:
        """Return the rules with what the lessons taught, and what of it belongs into the ledger."""
        rules, site, entries = before, self.site.name, list[Entry]()
        for lesson in self.fetched.lessons:
            if lesson.of_class:
                entries.append(Entry(site, "audit" if lesson.is_audit else "audit_undecided"))
            if lesson.pair is None:
                continue
            if lesson.is_audit and not lesson.pair.agree:
                entries.append(Entry(site, "wrong_skip"))
            teach = audit if lesson.is_audit else learn
            rules = teach(rules, lesson.pair, self.fetched.capture.fetched_at, self.limits)
        rules = _told_by_links(self.fetched, rules)
        if teaches(self.fetched.capture):
            rules = met(rules, self.site.acting, self.fetched.capture.key)
        if rules is not before:
            stopped = self._acting(before).standings.keys() - self._acting(rules).standings.keys()
            entries += [Entry(site, "rule_revoked") for _ in stopped]
        return rules, entries


def _body(fetched: Fetched) -> StoredBody | None:
    capture = fetched.capture
    if fetched.body is None or not is_good(capture):
        return None
    kept = tuple((name, value) for name, value in fetched.headers.items() if name not in _NOT_OF_BODY)
    key = hash_key(capture.key)
    return StoredBody(key, capture.site, capture.url, capture.status, kept, fetched.body, capture.fetched_at)


_NOT_OF_BODY = frozenset({"content-encoding", "transfer-encoding", "content-length", "connection", "set-cookie"})
"""Headers that were true of the bytes on the wire only, or meant for one visitor."""


def _told_by_links(fetched: Fetched, rules: SiteRules) -> SiteRules:
    if not is_good(fetched.capture):
        return rules
    key, at = fetched.capture.key, fetched.capture.fetched_at
    for alias, _ in fetched.aliases:
        rules = redirect(rules, alias, key, at)
    rules = translations(rules, fetched.languages)
    if fetched.distrust_links:
        return distrust_links(rules)
    if fetched.canonical is None:
        return rules
    return canonical(rules, key, fetched.canonical, fetched.same_as_canonical, at)


def _told_of_traps(fetched: Fetched, memory: SiteMemory, verdict: Verdict) -> SiteMemory:
    if not is_good(fetched.capture):
        return memory
    # an empty month of a calendar has hardly more words than the month's name, which is no news; a caption under a photo is
    thin = fetched.capture.fingerprint.state is State.THIN and verdict.kind is not VerdictKind.DUPLICATE
    is_new = verdict.kind is VerdictKind.NEW and not thin
    traps = outcome(
        memory.traps,
        fetched.suspicions,
        brought_new=is_new,
        content=_content_of(fetched.capture),
        similar=thin or verdict.kind is VerdictKind.NEAR_DUPLICATE,
    )
    if is_new and fetched.linked_from is not None:
        # a month with one event in it is nearly like the month before: what it brings is what it leads to
        traps = led_on(traps, suspicions(fetched.linked_from))
    return memory if traps is memory.traps else msgspec.structs.replace(memory, traps=traps)


def _content_of(capture: Capture) -> bytes:
    return undated(capture.sentences or (), capture.key)


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
        lastmod=fetched.lastmod,
        now=fetched.now,
    )
    before = schedule_of(fetched.holder or own)
    schedule, host = after_fetch(before, memory.host(fetched.host), answer, fetched.policy)
    if fetched.is_wall or any(lesson.is_unsettled for lesson in fetched.lessons):
        schedule = msgspec.structs.replace(schedule, due_at=int(answer.at))
    return schedule, memory.with_host(fetched.host, host)


def _changed(fetched: Fetched, verdict: Verdict | None) -> bool | None:
    """Whether the content is another than at the last visit of the class, None where there was none."""
    if fetched.holder is not None:
        return next((None if one.same is None else not one.same for one in fetched.lessons if one.of_class), None)
    kind = None if verdict is None else verdict.kind
    return True if kind is VerdictKind.UPDATED else False if kind is VerdictKind.UNCHANGED else None


def _visits(fetched: Fetched, known: Known, schedule: Visits, rules: Acting) -> Iterator[Visit]:
    """Yield what is known of the page from now on, and of the URLs that were redirected to it."""
    capture = fetched.capture
    good = is_good(capture)
    if not good and fetched.holder is not None:
        return  # an answer that was no page says nothing about its class
    own = known.visits.get(hash_key(capture.key))
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
            before = known.visits.get(hash_key(key))
            alias = alias_of(visit, key, url, before, capture.fetched_at, fetched.policy)
            yield in_class(alias, key, rules)

"""Before the fetch: one URL's walk, in memory, in microseconds.

`decide` reads like this: canonical key -> what the learned rules of its site make of it -> is that known? -> is it due? ->
are its validators honest? A small share of what the rules would skip is fetched all the same, as an audit.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import NamedTuple

from sameish.gate.notes import schedule_of
from sameish.gate.settling import regroup
from sameish.gate.sites import Site, Sites, policy_of
from sameish.gate.words import lasting
from sameish.index.known_pages import KnownPages
from sameish.models import Capture, FetchAction, FetchDecision
from sameish.revisit.before import Step, askable_headers, before_fetch, is_check, is_unchecked
from sameish.revisit.state import Visits
from sameish.revisit.trust import HostTrust
from sameish.settings import Settings
from sameish.stores.gate_state import GateStore, StoredBody, Visit, hash_key
from sameish.stores.seldom import Seldom
from sameish.urls.acting import Acting
from sameish.urls.evidence import day_of
from sameish.urls.keys import url_key
from sameish.urls.parsing import read
from sameish.urls.site import site_of
from sameish.urls.traps import is_trap, suspicions

STATIC_RULE = "static key"
"""The rule of URLs that are spelled differently and have one canonical key."""
_EPOCH, _MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)
_MOST_IN_SITEMAPS = 500_000
_LOOK_S = 0.05
"""How long what others wrote may go unnoticed."""


class _Asked(NamedTuple):
    """A URL of a site and the visit of its class; `.acting` put it there, None where its key is that of the visit."""

    url: str
    site: str
    visit: Visit
    now: datetime
    acting: Acting | None

    @property
    def same(self) -> bool:
        return self.acting is None and self.url == self.visit.url


class Gate:
    """Says before a fetch what to do with a URL, from what was learned. Safe to use from several threads.

    Args:
        store: where all that was learned is kept.
        settings: options; sections by site hold there.
        clock: tells the time now, as an aware datetime.
    """

    def __init__(self, store: GateStore, settings: Settings, clock: Callable[[], datetime]) -> None:
        self.store = store
        self.settings = settings
        self.clock = clock
        self.lock = threading.RLock()
        self.sites = Sites(store, settings.for_site, clock)
        self.known = KnownPages()
        self._sitemaps: dict[int, float] = {}
        # who is due later than that was fetched by a clock that is wrong
        self._longest = round(settings.gate.longest_interval_s * 1e6)
        self._generation = self._revision = -1
        self._reloading = Seldom()
        self._look_at = 0.0
        self.refresh()

    def decide(self, url: str) -> FetchDecision:
        """Say what to do with a URL. Nothing is requested and nothing is stored.

        `skip` and `audit` name the URL that was fetched in its place in `same_as`, and in `rule` what makes the two the same
        (several rules joined by " + "); a page that is not due yet has itself in `same_as` and no rule.
        """
        if time.monotonic() >= self._look_at:
            self.refresh()
        key = url_key(url)
        name = site_of(url)
        site = self.sites.known(name)
        acting = Acting() if site is None else site.acting  # once: another thread may put other rules in their place
        reduced, _ = acting.class_key(key)
        of_class = hash_key(reduced)
        known = self.known.get(of_class)
        if known is None:
            return self._decide_new(key, name, site)
        now = self.clock()
        page = of_class if reduced == key else hash_key(key)
        waits = known.size > 0 and 0 < known.due - _micros(now) <= self._longest and of_class not in self._sitemaps
        if waits and known.page == page and url == key:
            return FetchDecision(
                FetchAction.SKIP, f"not due for {lasting((known.due - _micros(now)) / 1e6)}", same_as=url
            )
        visit = self.store.visit(known.page)
        if visit is None or visit.digest is None:
            return FetchDecision(FetchAction.FETCH, "never answered well")
        asked = _Asked(url, name, visit, now, acting if known.page != page else None)
        return self._skip(asked, known.due / 1e6) if waits else self._decide_known(asked, self._sitemaps.get(of_class))

    def announce(self, url: str, lastmod: float) -> None:
        """Note what a sitemap says of a URL, POSIX seconds: a hint, once it has proved true for the host.

        It is kept in memory, of 500,000 URLs, since a crawl reads the sitemap before the pages.
        """
        of_class = self.class_of(url)
        with self.lock:
            self._sitemaps[of_class] = lastmod
            if len(self._sitemaps) > _MOST_IN_SITEMAPS:
                del self._sitemaps[next(iter(self._sitemaps))]

    def lastmod_of(self, url: str) -> float | None:
        """Return what a sitemap says of a URL, or of one with the same content; None where none says anything."""
        return self._sitemaps.get(self.class_of(url)) if self._sitemaps else None

    def _decide_new(self, key: str, name: str, site: Site | None) -> FetchDecision:
        trap = None if site is None or not site.memory.traps.families else is_trap(site.memory.traps, suspicions(key))
        if trap is None or site is None:
            return FetchDecision(FetchAction.FETCH, "never seen")
        rule = f"trap: {trap.kind}"
        if self._audits(name, lambda share: site.trials.is_due_by(rule, share)):
            return FetchDecision(FetchAction.AUDIT, f"one of those that look like a trap ({trap.family})", rule=rule)
        reason = f"a trap: {trap.kind} ({trap.family}) brought nothing new for long"
        return FetchDecision(FetchAction.SKIP, reason, rule=rule)

    def _decide_known(self, asked: _Asked, lastmod: float | None) -> FetchDecision:
        """Decide on a URL whose class is known; `lastmod` is what a sitemap says of it."""
        site, visit, at = self.sites.of(asked.site), asked.visit, asked.now.timestamp()
        host = host_of_url(visit.url)
        schedule, trust, turn = self._revisit(site, host, visit)
        policy = policy_of(self.settings.for_site(asked.site))
        plan = before_fetch(schedule, trust, asked.url, at, lastmod=lastmod, turn=turn, policy=policy)
        if plan.step is Step.WAIT:
            return self._skip(asked, plan.due_at)
        headers = plan.headers if asked.same else self._headers_of_another(site, host, plan.headers)
        if plan.step is not Step.FETCH:
            self._count_turn(site, host, turn)
        action = FetchAction.REVALIDATE if headers else FetchAction.FETCH
        why = f"seen {lasting(at - schedule.last_visit)} ago; {plan.reason}"
        return FetchDecision(action, why, visit.url, headers)

    def _skip(self, asked: _Asked, due_at: float) -> FetchDecision:
        """Decide on a URL whose class is not due before a time, POSIX seconds: it is not needed, unless as an audit."""
        visit = asked.visit
        if asked.same:
            return FetchDecision(
                FetchAction.SKIP, f"not due for {lasting(due_at - asked.now.timestamp())}", same_as=asked.url
            )
        if asked.acting is None:
            return FetchDecision(FetchAction.SKIP, "the same page by its URL", visit.url, rule=STATIC_RULE)
        rule, audits = self._rule_and_audit(asked.url, asked.site, visit, asked.acting)
        if not rule:  # it was put there by rules that have just ceased to act
            return FetchDecision(FetchAction.FETCH, "never seen")
        if not audits:
            return FetchDecision(FetchAction.SKIP, f"{rule} makes no difference there", visit.url, rule=rule)
        return self._audit(asked, rule)

    def _audit(self, asked: _Asked, rule: str) -> FetchDecision:
        site, host = self.sites.of(asked.site), host_of_url(asked.visit.url)
        schedule, trust, turn = self._revisit(site, host, asked.visit)
        headers = askable_headers(schedule, trust, asked.url, asked.now.timestamp())
        headers = dict(self._headers_of_another(site, host, headers))
        if headers:
            self._count_turn(site, host, turn)
            policy = policy_of(self.settings.for_site(asked.site))
            headers = {} if is_check(turn, policy) or is_unchecked(schedule, policy) else headers
        why = f"to see whether {rule} makes no difference"
        return FetchDecision(FetchAction.AUDIT, why, asked.visit.url, headers, rule)

    def _revisit(self, site: Site, host: str, visit: Visit) -> tuple[Visits, HostTrust, int]:
        """Return schedule, trust in the host, and which revalidation of it is the next."""
        trust = site.memory.host(host)
        return schedule_of(visit) or Visits(), trust, site.turns.get(host, trust.turns)

    def _headers_of_another(self, site: Site, host: str, headers: Mapping[str, str]) -> Mapping[str, str]:
        """Return headers with the ETag of another URL; none where the host was seen to send one ETag for several contents."""
        return {} if host in site.memory.shared_etags else headers

    def _count_turn(self, site: Site, host: str, turn: int) -> None:
        with self.lock:
            site.turns[host] = turn + 1

    def _rule_and_audit(self, url: str, name: str, visit: Visit, acting: Acting) -> tuple[str, bool]:
        """Return the rules by which a URL shows what another shows, as one text, and whether to see if they are right."""
        site = self.sites.of(name)
        reduced, used = acting.same_by(url_key(url), url_key(visit.url))
        today = day_of(self.clock())
        audits = self._audits(name, lambda share: site.trials.is_due(acting, reduced, used, share, today))
        return " + ".join(used), audits

    def _audits(self, name: str, is_due: Callable[[float], bool]) -> bool:
        """Count a skip by a rule; return whether it is to be an audit instead. None are made where the settings want none."""
        share = self.settings.for_site(name).gate.audit_share
        with self.lock:
            return share > 0 and is_due(share)

    def knows(self, key: str, site: str) -> bool:
        """Whether a page is known that has a key, or by the rules that act now the same content."""
        return self.known.get(self._class_of_key(key, site)) is not None

    def holder(self, key: str, site: str) -> Visit | None:
        """Return the visit that stands for the class of a key, its own if that was the last; None where none is known."""
        own = self.store.visit(hash_key(key))
        known = self.known.get(self._class_of_key(key, site))
        if known is None or (own is not None and known.page == own.key_hash):
            return own
        return self.store.visit(known.page)

    def class_of(self, url: str) -> int:
        """Return a number that is equal for URLs that are the same page, by the rules that act now."""
        return self._class_of_key(url_key(url), site_of(url))

    def _class_of_key(self, key: str, site: str) -> int:
        known = self.sites.known(site)
        return hash_key(key if known is None else known.acting.class_key(key)[0])

    def number_of(self, url: str) -> int:
        """Return the number by which a URL's canonical key is known."""
        return hash_key(url_key(url))

    def copy_of(self, url: str) -> StoredBody | None:
        """Return what was stored for a URL, for the one that stands for its class or that it led to; None where nothing was.

        Nor is a body returned that is older than the last good capture, as after a visit by a program that keeps none: the
        validators that are known are not its own, and a 304 to them would say that an old content is the present one.
        """
        known = self.known.get(self.class_of(url))
        page = self.number_of(url) if known is None else known.page
        last = self._last_capture(page)
        if last is not None and hash_key(last.key) != page:  # it was redirected to that page
            page = hash_key(last.key)
            last = self._last_capture(page) or last
        stored = self.store.stored_body(page)
        return None if stored is None or (last is not None and stored.fetched_at < last.fetched_at) else stored

    def _last_capture(self, page: int) -> Capture | None:
        visit = self.store.visit(page)
        return None if visit is None or visit.capture_id is None else self.store.capture(visit.capture_id)

    def size_of(self, url: str) -> int:
        """Return the bytes of the last body that is known of a URL or of one with the same content, 0 where there is none."""
        known = self.known.get(self.class_of(url))
        return 0 if known is None else known.size

    def refresh(self, *, deleted: bool = False) -> None:
        """Take in what others have written to the store; after deletions everything, now and then.

        `deleted`: everything at once. Else what others deleted may be taken for known somewhat longer, in a store of a million
        pages for a minute: an expiry deletes for minutes, and each of its steps would have everything read again.
        """
        with self.lock:
            self._look_at = time.monotonic() + _LOOK_S
            generation = self.store.generation()
            if generation != self._generation and (deleted or self._reloading.is_due):
                self.reload()
                self._generation = generation
                return
            if self.store.revision() == self._revision:
                return
            # the revision comes first: what is written while the rest is read is read again the next time
            revision, batches = self.store.visit_rows(self._revision)
            if self.sites.refresh(self.store.site_states(self._revision)):
                self.reload()
                return
            for row in chain.from_iterable(batches):
                self.known.put(row)
            self._revision = revision

    def reload(self) -> None:
        """Read everything anew."""
        with self.lock, self._reloading.timed():
            self._revision, batches = self.store.visit_rows(0)
            self.sites.refresh(self.store.site_states(0))
            self.known = KnownPages(batches)
            for site in self.sites.unsettled():
                regroup(self.store, self.known, site)


def host_of_url(url: str) -> str:
    """Return the host of a URL with its port, as trust in it is counted; "" where it has none."""
    parts = read(url)
    return "" if parts is None else parts.authority.removeprefix("//").rpartition("@")[2]


def _micros(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICROSECOND

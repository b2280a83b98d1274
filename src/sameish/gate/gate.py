"""Before the fetch: one URL's walk, in memory, in microseconds.

`decide` reads like this: canonical key -> what the learned rules of its site make of it -> is that known? -> is it due? ->
are its validators honest? A small share of what the rules would skip is fetched all the same, as an audit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from sameish.gate.knowledge import Knowledge
from sameish.gate.schedules import schedule_of
from sameish.gate.sites import Site, policy_of
from sameish.gate.words import lasting
from sameish.models import FetchAction, FetchDecision
from sameish.revisit.before import Step, askable_headers, before_fetch, is_check, is_unchecked
from sameish.revisit.state import Visits
from sameish.revisit.trust import HostTrust
from sameish.settings import Settings
from sameish.stores.gate_state import GateStore, Visit, hash_key
from sameish.urls.acting import Acting
from sameish.urls.evidence import day_of
from sameish.urls.keys import url_key
from sameish.urls.parsing import read
from sameish.urls.site import site_of
from sameish.urls.traps import is_trap, suspicions

STATIC_RULE = "static key"
"""The rule of URLs that are spelled differently and have one canonical key."""
_DAMAGED = "when it was seen is not known"
_EPOCH, _MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)


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


class Gate(Knowledge):
    """Says before a fetch what to do with a URL, from what was learned. Safe to use from several threads.

    Args:
        store: where all that was learned is kept.
        settings: options; sections by site hold there.
        clock: tells the time now, as an aware datetime.
    """

    def __init__(self, store: GateStore, settings: Settings, clock: Callable[[], datetime]) -> None:
        super().__init__(store, settings, clock)
        # who is due later than that was fetched by a clock that is wrong
        self._longest = round(settings.gate.longest_interval_s * 1e6)

    def decide(self, url: str) -> FetchDecision:
        """Say what to do with a URL. Nothing is requested and nothing is stored.

        `skip` and `audit` name the URL that was fetched in its place in `same_as`, and in `rule` what makes the two the same
        (several rules joined by " + "); a page that is not due yet has itself in `same_as` and no rule.
        """
        self.look()
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

    def elsewhere(self, url: str) -> FetchDecision | None:
        """Say under which other URL a page that is due can be asked for with conditions, where under this one it cannot.

        A site without ETags answers one URL of a page with 304, and all others with the page. Nothing is counted but a skip.

        Returns:
            A `skip` of this URL that names the other in `same_as`; None where this one is to be fetched, perhaps as an audit.
        """
        key, name = url_key(url), site_of(url)
        visit = self.holder(key, name)
        if visit is None or visit.digest is None or visit.url == url:
            return None
        site, host, at = self.sites.of(name), host_of_url(visit.url), self.clock().timestamp()
        schedule, trust, _ = self._revisit(site, host, visit)
        here = self._headers_of_another(site, host, askable_headers(schedule, trust, url, at))
        if here or not askable_headers(schedule, trust, visit.url, at):
            return None
        if key == url_key(visit.url):
            return FetchDecision(FetchAction.SKIP, "the same page by its URL", visit.url, rule=STATIC_RULE)
        rule, audits = self._rule_and_audit(url, name, visit, site.acting)
        if not rule or audits:
            return None
        return FetchDecision(FetchAction.SKIP, f"{rule} makes no difference there", visit.url, rule=rule)

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
        why = f"seen {lasting(at - schedule.last_visit)} ago; {plan.reason}" if schedule.seen else _DAMAGED
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
        """Return headers with the ETag of another URL; none where that was seen to say nothing.

        That is where the host sends one ETag for several contents, or makes one for each URL.
        """
        memory = site.memory
        return {} if host in memory.shared_etags or host in memory.own_etags else headers

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


def host_of_url(url: str) -> str:
    """Return the host of a URL with its port, as trust in it is counted; "" where it has none."""
    parts = read(url)
    return "" if parts is None else parts.authority.removeprefix("//").rpartition("@")[2]


def _micros(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICROSECOND

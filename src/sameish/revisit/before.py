"""Before a fetch: whether a page is due, and how to ask for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from sameish.revisit.lastmod import usable
from sameish.revisit.policy import DEFAULT, Policy
from sameish.revisit.state import Visits
from sameish.revisit.trust import HostTrust
from sameish.revisit.validators import request_headers, url_number


class Step(StrEnum):
    """What to do: nothing yet, a plain fetch, a conditional one, or an unconditional one in its place."""

    WAIT = "wait"
    FETCH = "fetch"
    REVALIDATE = "revalidate"
    CHECK = "check"


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do with a page, why, when it is due (POSIX seconds, 0 where never seen), and the headers of the request."""

    step: Step
    reason: str
    due_at: float = 0.0
    headers: Mapping[str, str] = field(default_factory=dict)


def before_fetch(
    page: Visits | None,
    host: HostTrust | None,
    url: str,
    at: float,
    *,
    lastmod: float | None = None,
    turn: int | None = None,
    policy: Policy = DEFAULT,
) -> Plan:
    """Say whether a page is due, and how to ask for it.

    Args:
        page: what is known of the page (of its key), None where it was never fetched.
        host: what is known of its host.
        url: that is about to be requested; it need not be the URL that sent the validators.
        at: now, POSIX seconds.
        lastmod: what a sitemap says of the page; a hint, once it has proved true for the host.
        turn: which revalidation of the host this will be, from 0; None: the next after those answered. Whoever has several
            under way counts them, or all would be checks at once.
        policy: the options.
    """
    host = host or HostTrust()
    if page is None:
        return Plan(Step.FETCH, "never fetched")
    due_at, why = _due(page, host, usable(lastmod, at), policy)
    # what happened in the future was dated by a wrong clock: it proves nothing
    if page.last_try <= at < due_at:
        return Plan(Step.WAIT, why, due_at)
    if not page.seen:
        return Plan(Step.FETCH, "never answered well", due_at)
    headers = askable_headers(page, host, url, at)
    if not headers:
        return Plan(Step.FETCH, f"{why}; {_why_unconditional(page)}", due_at)
    if is_unchecked(page, policy):
        return Plan(Step.CHECK, f"{why}; nothing but 304 for {page.not_modified.span_s // 86_400} days", due_at)
    if is_check(host.turns if turn is None else turn, policy):
        return Plan(Step.CHECK, f"{why}; one in {policy.check_every} revalidations is checked", due_at)
    return Plan(Step.REVALIDATE, why, due_at, headers)


def _due(page: Visits, host: HostTrust, lastmod: int | None, policy: Policy) -> tuple[float, str]:
    """Return when a page is due, by its interval and, where it has proved true, the sitemap."""
    if lastmod is None or not page.seen or page.failures:
        return page.due_at, "by its interval" if page.seen and not page.failures else "after a failure"
    later = lastmod > (page.last_visit if page.lastmod is None else page.lastmod)
    if later and host.lastmod.announces:
        return min(page.due_at, page.last_visit + policy.shortest_s), "by its sitemap, which names a change"
    if not later and page.lastmod is not None and host.lastmod.vouches:
        longer = min(2.0 * page.interval_s, policy.longest_s)
        return max(page.due_at, page.last_visit + longer), "by its sitemap, which names no change"
    return page.due_at, "by its interval"


def _why_unconditional(page: Visits) -> str:
    if page.not_modified.disputed:
        return "its 304 named other content than it was asked about"
    held = page.validators
    return "validators that are not to be trusted" if held.etag or held.last_modified else "no validators"


def askable_headers(page: Visits, host: HostTrust, url: str, at: float) -> dict[str, str]:
    """Return the headers that would make a request for a URL conditional, were it not replaced by a check."""
    return request_headers(page, host, at, own_url=page.validators.owner == url_number(url))


def is_unchecked(page: Visits, policy: Policy) -> bool:
    """Whether a page has answered nothing but 304 for so long that a body must be looked at."""
    return page.not_modified.count > 0 and page.not_modified.span_s >= policy.unbroken_304_s


def is_check(turn: int, policy: Policy) -> bool:
    """Whether a revalidation of a host, counted from 0, is replaced by an unconditional fetch."""
    return turn % policy.check_every == policy.check_every - 1

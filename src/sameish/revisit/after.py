"""After a fetch: what is known of a page and its host now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from msgspec.structs import replace

from sameish.revisit.before import askable_headers, is_check, is_unchecked
from sameish.revisit.changes import Changes, observed
from sameish.revisit.dates import retry_after
from sameish.revisit.evidence import Evidence, host_after, lies_of, page_after
from sameish.revisit.lastmod import lastmod_learned, usable
from sameish.revisit.policy import DEFAULT, Policy
from sameish.revisit.schedule import next_interval, retry_interval
from sameish.revisit.state import Visits
from sameish.revisit.trust import HostTrust, answered, confirmed
from sameish.revisit.validators import freshened, is_disputed, received, replaced, url_number

_CLOCKS_APART_S = 3_600
"""Clocks of several workers may differ by so much."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a request.

    `.url`: that was asked and answered. `.at`: when, POSIX seconds. `.headers`: of the response. `.good`: whether a 2xx answer is
    the page (no wall, no soft 404, not empty) and could be read and stored. `.changed`: whether the content is another than at
    the last good visit; None where there is nothing to compare it with. It is not asked for with 304. `.sent`: headers of the
    request, of which only validators matter; None: those that `before_fetch` would have named. `.lastmod`: what a sitemap says,
    POSIX seconds. `.now`: the present, POSIX seconds, where the clock tells it: a visit after it was dated by a wrong clock.
    """

    url: str
    at: float
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    changed: bool | None = None
    good: bool = True
    sent: Mapping[str, str] | None = None
    lastmod: float | None = None
    now: float | None = None


def after_fetch(
    page: Visits | None, host: HostTrust | None, answer: Answer, policy: Policy = DEFAULT
) -> tuple[Visits, HostTrust]:
    """Return what is known of a page and its host after an answer.

    An answer older than the last one changes nothing, unless the last one lies in the future. The validators of a page that
    could not be read or stored are not kept, or its next 304 would stand for content that nobody has.

    Args:
        page: what was known of the page, None where it was never fetched.
        host: what was known of its host.
        answer: what came.
        policy: the options.
    """
    page, host = page or Visits(interval_s=int(policy.first_s)), host or HostTrust()
    if answer.at < page.last_try:
        if answer.now is None or page.last_try <= answer.now + _CLOCKS_APART_S:
            return page, host
        page = _brought_back(page, int(answer.at))
    headers = {name.lower(): value for name, value in answer.headers.items()}
    if answer.status == 304:
        return _not_modified(page, host, answer, headers, policy)
    if not (answer.good and 200 <= answer.status < 300):
        return _failed(page, answer, headers, policy), host
    return _body(page, host, answer, headers, policy)


def _brought_back(page: Visits, at: int) -> Visits:
    """Return a page with what was dated in the future put before a time."""
    return replace(
        page, last_visit=min(page.last_visit, at), last_body=min(page.last_body, at), last_try=min(page.last_try, at)
    )


class Doubt(StrEnum):
    """Why a 304 says nothing of a page."""

    UNKNOWN = "the page never answered well"
    UNASKED = "the request had no conditions"
    DISPUTED = "the server names other content than it was asked about"


def doubt_about(page: Visits | None, host: HostTrust, answer: Answer, policy: Policy = DEFAULT) -> Doubt | None:
    """Return why a 304 does not say that a page is unchanged, None where it does; arguments as for `after_fetch`."""
    page = page or Visits()
    headers = {name.lower(): value for name, value in answer.headers.items()}
    sent = _sent(page, host, answer, policy, askable_headers(page, host, answer.url, answer.at))
    return _doubt(page, answer, sent, headers)


def _doubt(page: Visits, answer: Answer, sent: Mapping[str, str], headers: Mapping[str, str]) -> Doubt | None:
    if not page.seen:
        return Doubt.UNKNOWN
    if not (sent or answer.sent is None):
        return Doubt.UNASKED
    return Doubt.DISPUTED if is_disputed(sent, received(headers, answer.at)) else None


def _sent(
    page: Visits, host: HostTrust, answer: Answer, policy: Policy, askable: Mapping[str, str]
) -> Mapping[str, str]:
    """Return the headers that made the request conditional, in lower case."""
    if answer.sent is not None:
        return {name.lower(): value for name, value in answer.sent.items() if name.lower().startswith("if-")}
    if answer.status != 304 and (is_unchecked(page, policy) or is_check(host.turns, policy)):
        return {}
    return {name.lower(): value for name, value in askable.items()}


def _not_modified(
    page: Visits, host: HostTrust, answer: Answer, headers: Mapping[str, str], policy: Policy
) -> tuple[Visits, HostTrust]:
    askable = askable_headers(page, host, answer.url, answer.at)
    sent = _sent(page, host, answer, policy, askable)
    doubt = _doubt(page, answer, sent, headers)
    if doubt is Doubt.DISPUTED:
        page, host = _failed(page, answer, headers, policy), _turned(page, host, askable, policy)
        return replace(page, not_modified=replace(page.not_modified, disputed=True)), host
    if doubt is not None:
        return _failed(page, answer, headers, policy), host
    at, own = int(answer.at), url_number(answer.url)
    if askable and own == page.validators.owner:
        seconds = float(at - page.last_visit)
        until = at + int(policy.distrust_s)
        host = replace(host, answers=answered(host.answers, seconds, until, conditional=True, changed=False))
    if "if-none-match" in sent:  # it goes first: Last-Modified was not looked at (RFC 9110, 13.2.2)
        host = replace(host, etag=confirmed(host.etag))
    elif "if-modified-since" in sent:
        host = replace(host, modified=confirmed(host.modified))
    before = page.not_modified
    answers = replace(before, count=before.count + 1, first=before.first or at, last=at)
    page, host = _visited(page, _turned(page, host, askable, policy), answer, policy, changed=False)
    if not host.answers.asked_changed:  # nothing says yet that its conditional requests ever find a change
        page = replace(page, due_at=min(page.due_at, at + int(policy.unbroken_304_s)))
    validators = freshened(page.validators, received(headers, answer.at), own)
    return replace(page, validators=validators, not_modified=answers), host


def _body(
    page: Visits, host: HostTrust, answer: Answer, headers: Mapping[str, str], policy: Policy
) -> tuple[Visits, HostTrust]:
    at, owner, new = int(answer.at), url_number(answer.url), received(headers, answer.at)
    askable = askable_headers(page, host, answer.url, answer.at)
    before = page
    host = _turned(page, host, askable, policy)
    held, answers = page.validators, replace(page.not_modified, count=0, first=0, last=0, disputed=False)
    if page.seen and answer.changed is not None:
        conditional = bool(_sent(page, host, answer, policy, askable))
        seen = Evidence(at, answer.changed, new, owner == held.owner, conditional, bool(askable))
        lies = lies_of(page, seen, policy)
        host = host_after(host, page, lies, seen, policy)
        held, answers = page_after(page, lies, at, policy)
        if before.not_modified.count and lies.about_304:  # that nothing changed all that time is not true either
            page = replace(page, changes=Changes(), last_visit=page.last_body)
        elif seen.conditional and seen.changed:
            answers = replace(answers, strikes=0)  # its conditional requests do find changes
    page, host = _visited(page, host, answer, policy, changed=answer.changed if before.seen else None)
    return replace(page, last_body=at, validators=replaced(held, new, owner), not_modified=answers), host


def _turned(page: Visits, host: HostTrust, askable: Mapping[str, str], policy: Policy) -> HostTrust:
    """Return the host after a request that counts among its revalidations: conditional, or a check in its turn."""
    return host if not askable or is_unchecked(page, policy) else replace(host, turns=host.turns + 1)


def _visited(
    page: Visits, host: HostTrust, answer: Answer, policy: Policy, *, changed: bool | None
) -> tuple[Visits, HostTrust]:
    """Return page and host after a good answer, but for validators."""
    at, lastmod = int(answer.at), usable(answer.lastmod, answer.at)
    changes, interval = page.changes, float(page.interval_s)
    if changed is not None:
        host = replace(host, lastmod=lastmod_learned(host.lastmod, page.lastmod, lastmod, changed=changed))
        changes = observed(changes, at - page.last_visit, changed=changed)
    if changes is not page.changes:
        interval = next_interval(changes, interval, policy)
    interval = policy.within(interval)
    page = replace(
        page,
        last_visit=at,
        last_try=at,
        due_at=at + int(interval),
        interval_s=int(interval),
        failures=0,
        lastmod=page.lastmod if lastmod is None else lastmod,
        changes=changes,
    )
    return page, host


def _failed(page: Visits, answer: Answer, headers: Mapping[str, str], policy: Policy) -> Visits:
    """Return a page after an answer that was none: nothing is learned of it but when to try again."""
    failures = min(page.failures + 1, 255)
    wait = retry_interval(
        failures,
        page.interval_s,
        retry_after(headers.get("retry-after"), answer.at),
        policy,
        gone=answer.status in {404, 410},
    )
    at = int(answer.at)
    return replace(page, last_try=at, due_at=at + int(wait), failures=failures)

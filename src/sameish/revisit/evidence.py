"""What a full body says about the validators and the 304 answers that came before it."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from sameish.revisit.policy import DAY, HOUR, Policy
from sameish.revisit.state import NotModified, Validators, Visits
from sameish.revisit.trust import HostTrust, answered, caught, compared
from sameish.revisit.validators import Received, same_etag

_CLOCKS_AND_CACHES_S = HOUR
# A page that is made on request says that it changed just now, each time.
_JUST_NOW_S = 60.0
_FIRST_STRIKE_S = 30 * DAY
_STRIKES = 4


@dataclass(frozen=True, slots=True)
class Evidence:
    """A full body compared with the last one, and what was asked for it.

    `.changed`: the content is another. `.new`: its validators. `.own`: the URL is that of the validators before. `.conditional`:
    they, or some, were sent. `.possible`: something could have been sent. `.at`: time of the answer, whole seconds.
    """

    at: int
    changed: bool
    new: Received
    own: bool
    conditional: bool
    possible: bool

    def etag_stayed(self, old: Validators) -> bool | None:
        """Whether the ETag is the one before, None where that cannot be said."""
        if not (old.etag and self.new.etag):
            return None
        stayed = same_etag(old.etag, self.new.etag)
        # another URL of the page may well have another one; the same one is what it would be asked with
        return stayed if stayed or self.own else None

    def modified_stayed(self, old: Validators) -> bool | None:
        """Whether Last-Modified is the one before, None where that cannot be said."""
        if not (self.own and old.last_modified and self.new.last_modified):
            return None
        return old.last_modified == self.new.last_modified


@dataclass(frozen=True, slots=True)
class Lies:
    """What was found out: the same ETag, the same Last-Modified for other content (`.beside`: while the ETag was another), a 304.

    `.suspected`: the 304 answers went on so long that they count as wrong for this page, without a proof.
    """

    etag: bool = False
    modified: bool = False
    beside: bool = False
    answer: bool = False
    suspected: bool = False

    @property
    def about_304(self) -> bool:
        """Whether the 304 answers before the body, if there were any, were wrong."""
        return self.etag or self.modified or self.answer or self.suspected


def lies_of(page: Visits, seen: Evidence, policy: Policy) -> Lies:
    """Return what a body shows to have been untrue; nothing where its content is the same."""
    if not seen.changed:
        return Lies()
    etag, modified = seen.etag_stayed(page.validators), seen.modified_stayed(page.validators)
    if etag or (modified and etag is None):
        # a 304 in between, which the ETag brought about, may have carried the new date: that lie is the ETag's alone
        return Lies(etag=bool(etag), modified=bool(modified) and not (etag and page.not_modified.count))
    # a date that stood still does not say when the page changed
    changed_at = None if modified else seen.new.changed_at
    looked = seen.own and page.not_modified.count > 0 and not seen.conditional
    return Lies(
        beside=bool(modified),
        answer=looked and _denied(page, changed_at),
        suspected=looked and _too_long(page, seen.at, changed_at, policy),
    )


def page_after(page: Visits, lies: Lies, at: int, policy: Policy) -> tuple[Validators, NotModified]:
    """Return how far the validators of a page may be used from now on; what is received is entered elsewhere."""
    until = at + int(policy.distrust_s)
    held, answers = page.validators, page.not_modified
    held = replace(
        held,
        etag_off_until=until if lies.etag else held.etag_off_until,
        modified_off_until=until if lies.modified else held.modified_off_until,
        beside_until=until if lies.beside else held.beside_until,
    )
    if not (lies.answer or lies.suspected):
        return held, replace(answers, count=0, first=0, last=0, disputed=False)
    # It is tried again, since a page may have changed by chance just before it was looked at; ever more rarely.
    strikes = min(answers.strikes + 1, _STRIKES)
    return held, NotModified(off_until=at + int(_FIRST_STRIKE_S * 2 ** (strikes - 1)), strikes=strikes)


def host_after(host: HostTrust, page: Visits, lies: Lies, seen: Evidence, policy: Policy) -> HostTrust:
    """Return the trust in a host after a body that was compared."""
    until, number, old = seen.at + int(policy.distrust_s), page.validators.owner, page.validators
    etag = compared(host.etag, stayed=seen.etag_stayed(old), changed=seen.changed)
    modified = compared(host.modified, stayed=seen.modified_stayed(old), changed=seen.changed)
    answers, alone = host.answers, host.modified_alone
    if seen.own and seen.possible and not (lies.etag or lies.modified):
        elapsed = float(seen.at - page.last_visit)
        answers = answered(answers, elapsed, until, conditional=seen.conditional, changed=seen.changed)
    return replace(
        host,
        etag=caught(etag, number, until) if lies.etag else etag,
        modified=caught(modified, number, until) if lies.modified else modified,
        modified_alone=caught(alone, number, until) if lies.beside else alone,
        # A file may bear a date from before it was put there, so this alone proves nothing of a host that finds changes.
        answers=caught(answers, number, until) if lies.answer and not host.answers.asked_changed else answers,
    )


def _denied(page: Visits, changed_at: float | None) -> bool:
    """Whether the server itself says that the page had changed before it answered 304."""
    return changed_at is not None and changed_at < page.not_modified.last - _CLOCKS_AND_CACHES_S


def _too_long(page: Visits, at: int, changed_at: float | None, policy: Policy) -> bool:
    """Whether 304 answers went on for days before a change, and nothing says that the page changed after the last one."""
    if page.not_modified.span_s < policy.unbroken_304_s:
        return False
    return changed_at is None or not page.not_modified.last <= changed_at <= at - _JUST_NOW_S

"""Whether a host's validators tell the truth: what they said, compared with what the content did.

A validator can be *useless* (another one for the same content: revalidation never succeeds) or *dangerous* (the same one, or a
304, for other content: a change is missed). The first costs bytes and takes some proof; the second loses content, so one case
is enough for its page, and cases on two pages are enough for the host.
"""

from __future__ import annotations

import math
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from sameish.revisit.lastmod import LastmodTrust

_USELESS = 3
_REMEMBERED = 64
_LIARS = 2
# Looked at after every check, so smaller than one look would ask for.
_SIGNIFICANT = 0.002


class ValidatorTrust(msgspec.Struct, frozen=True, array_like=True):
    """What one validator did on the pages of a host.

    `.kept`, `.renewed`: the content was the same, and the validator too, or not. `.followed`: both were others. `.liars`:
    numbers of pages on which it was caught being the same for other content (fewer than 2). `.off_until`: not used before
    this time.
    """

    kept: int = 0
    renewed: int = 0
    followed: int = 0
    liars: tuple[int, ...] = ()
    off_until: int = 0

    @property
    def useless(self) -> bool:
        """Whether it is nearly always another one for the same content."""
        return self.renewed >= _USELESS and self.renewed >= 4 * self.kept

    def keeps_worse(self, other: ValidatorTrust) -> bool:
        """Whether it is another one for the same content more often than not, and more often than another validator is."""
        restless = self.renewed >= _USELESS and self.renewed > self.kept
        return restless and other.kept >= _USELESS and other.renewed * self.kept < self.renewed * other.kept

    def usable(self, at: float) -> bool:
        """Whether it may be sent to the host at a time."""
        return at >= self.off_until and not self.useless


class AnswerTrust(msgspec.Struct, frozen=True, array_like=True):
    """Whether 304 means what it says on a host: what conditional requests found against what unconditional ones did.

    `.asked_s`, `.asked_changed`: seconds that conditional requests looked back over, and changes that they found. `.checks_s`,
    `.checks_changed`: the same of unconditional requests in their place. `.liars`, `.off_until` as in `ValidatorTrust`.
    """

    asked_s: float = 0.0
    asked_changed: float = 0.0
    checks_s: float = 0.0
    checks_changed: float = 0.0
    liars: tuple[int, ...] = ()
    off_until: int = 0

    @property
    def suspicious(self) -> bool:
        """Whether checks find so many more changes that chance does not explain it.

        On an honest host changes fall on both kinds of request in proportion to the time they look back over (one-sided
        binomial test).
        """
        found = round(self.checks_changed)
        time = self.checks_s + self.asked_s
        if found < _USELESS or not time:
            return False
        total, share = found + round(self.asked_changed), self.checks_s / time
        tail = sum(math.comb(total, n) * share**n * (1 - share) ** (total - n) for n in range(found, total + 1))
        return tail < _SIGNIFICANT


class HostTrust(msgspec.Struct, frozen=True, array_like=True):
    """What is known of the truthfulness of a host, in a bounded number of bytes.

    `.etag`, `.modified`: its validators. `.modified_alone`: Last-Modified where no ETag goes with it. `.answers`: its 304.
    `.lastmod`: its sitemap. `.turns`: revalidations so far, those replaced by a check included.
    """

    etag: ValidatorTrust = ValidatorTrust()
    modified: ValidatorTrust = ValidatorTrust()
    modified_alone: ValidatorTrust = ValidatorTrust()
    answers: AnswerTrust = AnswerTrust()
    lastmod: LastmodTrust = LastmodTrust()
    turns: int = 0


_Trust = TypeVar("_Trust", ValidatorTrust, AnswerTrust)


def compared(trust: ValidatorTrust, *, stayed: bool | None, changed: bool) -> ValidatorTrust:
    """Return the trust in a validator after a body; `stayed` None: it cannot be compared. A lie is for `caught` to note."""
    if stayed is None or (stayed and changed):
        return trust
    return _counted(trust, "followed" if changed else "kept" if stayed else "renewed")


def confirmed(trust: ValidatorTrust) -> ValidatorTrust:
    """Return the trust in a validator after a 304 that it brought about."""
    return _counted(trust, "kept")


def caught(trust: _Trust, page: int, until: int) -> _Trust:
    """Return the trust after a lie on a page; on the second page it ends until a time."""
    liars = tuple(dict.fromkeys((*trust.liars, page)))
    if len(liars) < _LIARS:
        return replace(trust, liars=liars)
    return replace(trust, liars=(), off_until=until)


def answered(trust: AnswerTrust, seconds: float, until: int, *, conditional: bool, changed: bool) -> AnswerTrust:
    """Return the trust in a host's 304 after a request that was, or could have been, conditional.

    Args:
        trust: what was known.
        seconds: time since the visit before.
        until: how long to ask nothing conditional of the host if it now turns out that its 304 is wrong.
        conditional: whether validators were sent.
        changed: whether the content was another.
    """
    if trust.asked_changed + trust.checks_changed >= _REMEMBERED:
        halves = {name: getattr(trust, name) / 2 for name in trust.__struct_fields__[:4]}
        trust = replace(trust, **halves)
    kind = "asked" if conditional else "checks"
    sums = {f"{kind}_s": seconds, f"{kind}_changed": float(changed)}
    trust = replace(trust, **{name: getattr(trust, name) + more for name, more in sums.items()})
    return AnswerTrust(off_until=until) if changed and trust.suspicious else trust


def _counted(trust: ValidatorTrust, name: str) -> ValidatorTrust:
    counts = {"kept": trust.kept, "renewed": trust.renewed, "followed": trust.followed}
    if sum(counts.values()) >= _REMEMBERED:
        counts = {field: count // 2 for field, count in counts.items()}
    counts[name] += 1
    return replace(trust, **counts)

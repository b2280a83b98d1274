"""A sitemap's `lastmod` as a hint, once it has proved true for the host."""

from __future__ import annotations

import msgspec

_DAY = 86_400.0
_PROVED = 3
_PROVED_STILL = 10
_REMEMBERED = 200


class LastmodTrust(msgspec.Struct, frozen=True, array_like=True):
    """What `lastmod` said of pages of a host against what their content did, counted in visits.

    `.moved_changed`, `.moved_same`: it named a later time than at the visit before, and the content was another, or not.
    `.still_changed`, `.still_same`: it named the same time.
    """

    moved_changed: int = 0
    moved_same: int = 0
    still_changed: int = 0
    still_same: int = 0

    @property
    def announces(self) -> bool:
        """Whether a later `lastmod` has meant a change: three times, and twice as often as not."""
        return self.moved_changed >= _PROVED and self.moved_changed >= 2 * self.moved_same

    @property
    def vouches(self) -> bool:
        """Whether, besides, the same `lastmod` has meant no change: ten times, and hardly ever the opposite."""
        return self.announces and self.still_same >= max(_PROVED_STILL, 20 * self.still_changed)


def usable(lastmod: float | None, at: float) -> int | None:
    """Return a `lastmod` in whole seconds, or None where there is none or it lies more than a day ahead."""
    return None if lastmod is None or not 0 < lastmod <= at + _DAY else int(lastmod)


def lastmod_learned(trust: LastmodTrust, before: int | None, now: int | None, *, changed: bool) -> LastmodTrust:
    """Return the trust after a visit.

    Args:
        trust: what was known.
        before: the page's `lastmod` at the visit before, None where not known.
        now: its `lastmod` at this visit.
        changed: whether the content is another than at the visit before.
    """
    if before is None or now is None or now < before:
        return trust
    name = ("moved" if now > before else "still") + ("_changed" if changed else "_same")
    counts = {field: getattr(trust, field) for field in trust.__struct_fields__}
    if sum(counts.values()) >= _REMEMBERED:
        counts = {field: count // 2 for field, count in counts.items()}
    counts[name] += 1
    return LastmodTrust(**counts)

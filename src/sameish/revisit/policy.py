"""The options of revisits, as plain numbers."""

from __future__ import annotations

from dataclasses import dataclass

HOUR = 3_600.0
DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Policy:
    """How often to come again, and how far to believe a server. Lengths of time are seconds, above 0.

    `.first_s`: from the first visit of a page to its second. `.shortest_s`, `.longest_s`: bounds of every interval.
    `.worth_s`: how long a copy must stay fresh, in the mean, for a visit to be worth its cost; the smaller, the more visits
    (see `sameish.revisit.schedule.wanted_interval`). `.check_every`: one in so many revalidations of a host is replaced by
    an unconditional fetch. `.unbroken_304_s`: a page whose unbroken 304 answers span so long is next fetched without
    conditions; two feed readers arrived at 8 days (FreshRSS, Capy Reader). `.distrust_s`: how long a validator that was
    caught lying is not used.
    """

    first_s: float = DAY
    shortest_s: float = HOUR
    longest_s: float = 30 * DAY
    worth_s: float = 2 * HOUR
    check_every: int = 10
    unbroken_304_s: float = 8 * DAY
    distrust_s: float = 90 * DAY

    def within(self, seconds: float) -> float:
        """Return an interval brought within the bounds."""
        return min(max(seconds, self.shortest_s), self.longest_s)


DEFAULT = Policy()

"""What changes between two visits of a page whose text stays the same, as a function of integers alone.

Every draw comes from `getrandbits` of a generator seeded with an integer, the one stream of `random` that is promised
to stay the same in all Python versions; the helpers of that module are not.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

Item = TypeVar("Item")


class Aspect(StrEnum):
    """A part of a page that changes on its own."""

    ADS = "rotating ads"
    NAVIGATION = "changed navigation"
    RELATED = "shuffled related list"
    PIXELS = "tracking pixels"
    FOOTER = "generated-in and last-updated footer"
    NONCES = "CSRF nonces"
    CLASSES = "hashed class and asset names"
    COUNTERS = "view and share counters"
    AGES = "relative times"
    WEATHER = "weather widget"
    COMMENTS = "growing comment thread"
    CONSENT = "cookie banner"


class Draws:
    """A stream of draws that an integer decides."""

    def __init__(self, seed: int) -> None:
        self._bits = random.Random(seed)  # noqa: S311  nothing here is a secret

    def below(self, limit: int) -> int:
        """Return an integer from 0 to limit - 1."""
        return self._bits.getrandbits(32) % limit

    def between(self, low: int, high: int) -> int:
        """Return an integer from low to high, both included."""
        return low + self.below(high - low + 1)

    def pick(self, items: Sequence[Item]) -> Item:
        """Return one of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[Item]) -> list[Item]:
        """Return the items in another order (Fisher and Yates)."""
        rest = list(items)
        for last in range(len(rest) - 1, 0, -1):
            other = self.below(last + 1)
            rest[last], rest[other] = rest[other], rest[last]
        return rest

    def hexadecimal(self, digits: int) -> str:
        """Return a token of hexadecimal digits."""
        return "".join("0123456789abcdef"[self.below(16)] for _ in range(digits))


@dataclass(frozen=True, slots=True)
class Noise:
    """The state of every aspect of one page: how often each has moved on.

    Args:
        seed: of the crawl.
        place: of the page, so that two pages differ at the same visit.
        epochs: how often each aspect has moved, in the order of `Aspect`.
    """

    seed: int
    place: str = ""
    epochs: tuple[int, ...] = (0,) * len(Aspect)

    @classmethod
    def at(cls, seed: int, place: str, visit: int) -> Noise:
        """Return the noise of a visit between which everything moves."""
        return cls(seed, place, (visit,) * len(Aspect))

    def moved(self, aspects: Iterable[Aspect]) -> Noise:
        """Return the noise after some aspects have moved on."""
        moving = set(aspects)
        steps = zip(Aspect, self.epochs, strict=True)
        return replace(self, epochs=tuple(epoch + (aspect in moving) for aspect, epoch in steps))

    def epoch(self, aspect: Aspect) -> int:
        """Return how often an aspect has moved."""
        return self.epochs[list(Aspect).index(aspect)]

    def draws(self, aspect: Aspect, salt: str = "") -> Draws:
        """Return the draws that an aspect uses in its present state."""
        label = f"{aspect.name}|{salt}|{self.place}|{self.epoch(aspect)}"
        return Draws(self.seed << 32 | zlib.crc32(label.encode()))

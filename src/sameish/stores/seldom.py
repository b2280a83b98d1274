"""What takes long is done so seldom that it takes a small share of the time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_SHARE = 0.05
_SHORT_S = 0.01


class Seldom:
    """Says whether something may be done again: at once if it took 10 ms or less, else when it takes 5 % of the time at most.

    Args:
        clock: seconds, rising.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._next = float("-inf")

    @property
    def is_due(self) -> bool:
        """Whether it may be done now."""
        return self._clock() >= self._next

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Measure how long it takes."""
        start = self._clock()
        try:
            yield
        finally:
            now = self._clock()
            self._next = now + (now - start) / _SHARE if now - start > _SHORT_S else now

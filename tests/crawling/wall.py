"""A login wall that stands before all pages for a while."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from tests.crawling.options import WallKind


@dataclass(slots=True)
class _Raised:
    kind: WallKind
    after: int
    length: int | None


class Wall:
    """Counts requests and tells before which of them the wall stands. May be asked by many threads."""

    def __init__(self) -> None:
        self._raised: _Raised | None = None
        self._lock = threading.Lock()

    def raise_it(self, kind: WallKind, after: int, length: int | None) -> None:
        """Stand there from so many requests on, for so many requests (None: until it is lifted)."""
        self._raised = _Raised(kind, after, length)

    def lift(self) -> None:
        """Stand there no more."""
        self._raised = None

    def stops(self) -> WallKind | None:
        """Whether, and how, the wall answers the request that has come now."""
        with self._lock:
            wall = self._raised
            if wall is None or wall.length == 0:
                return None
            if wall.after:
                wall.after -= 1
                return None
            if wall.length is not None:
                wall.length -= 1
            return wall.kind

"""Many callers at a time, but none that a store cannot serve."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sameish.errors import StoreError


class Entrance:
    """Lets so many threads in at a time and refuses, instead of hanging or breaking, what cannot be served.

    Refused are calls to a closed store, calls from within a judge or a note, and calls in a forked child, which must not
    share a connection with its parent.
    """

    def __init__(self, target: str, places: int) -> None:
        self.target = target
        self.closed = False
        self._process = os.getpid()
        self._places = threading.BoundedSemaphore(places)
        self._mine = threading.local()

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Wait for a place, and hold it for the block."""
        self.check()
        with self._places:
            self._refuse_closed()
            self._mine.inside = True
            try:
                yield
            finally:
                self._mine.inside = False

    def check(self) -> None:
        """Refuse what cannot be served."""
        if self._process != os.getpid():
            message = f"{self.target}: this store was opened before the process forked; open it in each process"
            raise StoreError(message, target=self.target)
        if getattr(self._mine, "inside", False):
            raise StoreError(f"{self.target}: a judge or a note called the store that waits for it", target=self.target)
        self._refuse_closed()

    def _refuse_closed(self) -> None:
        if self.closed:
            raise StoreError(f"{self.target}: the store is closed", target=self.target)

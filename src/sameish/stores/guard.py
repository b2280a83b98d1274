"""One caller at a time."""

from __future__ import annotations

import os
import threading
from types import TracebackType

from sameish.errors import StoreError


class Guard:
    """A lock that refuses, instead of hanging or breaking, what a store cannot serve.

    Refused are calls to a closed store, calls from within a judge or a note (which hold the lock) and, with `same_process`,
    calls in a forked child, which must not share an open file with its parent.
    """

    def __init__(self, target: str, *, same_process: bool = False) -> None:
        self.target = target
        self.closed = False
        self._process = os.getpid() if same_process else None
        self._lock = threading.Lock()
        self._owner: int | None = None

    def __enter__(self) -> None:
        self._refuse()
        self._lock.acquire()
        self._begin()

    def enter_at_once(self) -> bool:
        """Enter unless another thread is in, and say whether; `leave` is then the caller's duty."""
        self._refuse()
        if not self._lock.acquire(blocking=False):
            return False
        self._begin()
        return True

    def _refuse(self) -> None:
        if self._process is not None and self._process != os.getpid():
            raise StoreError(
                f"{self.target}: this store was opened before the process forked; open it in each process",
                target=self.target,
            )
        if self._owner == threading.get_ident() and self._lock.locked():
            raise StoreError(f"{self.target}: a judge or a note called the store that waits for it", target=self.target)

    def _begin(self) -> None:
        self._owner = threading.get_ident()
        if self.closed:
            self.leave()
            raise StoreError(f"{self.target}: the store is closed", target=self.target)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()

    def leave(self) -> None:
        """Let the next one in."""
        self._owner = None
        self._lock.release()

"""One caller at a time."""

from __future__ import annotations

import os
import threading
from types import TracebackType

from sameish.errors import StoreError


class Guard:
    """A lock that refuses, instead of hanging or breaking, what a store cannot serve.

    Refused are calls to a closed store, calls from within a judge (which holds the lock) and, with `same_process`,
    calls in a forked child, which must not share an open file with its parent.
    """

    def __init__(self, target: str, *, same_process: bool = False) -> None:
        self.target = target
        self.closed = False
        self._process = os.getpid() if same_process else None
        self._lock = threading.Lock()
        self._owner: int | None = None

    def __enter__(self) -> None:
        me = threading.get_ident()
        if self._process is not None and self._process != os.getpid():
            raise StoreError(
                f"{self.target}: this store was opened before the process forked; open it in each process",
                target=self.target,
            )
        if self._owner == me and self._lock.locked():
            raise StoreError(f"{self.target}: a judge called the store that waits for it", target=self.target)
        self._lock.acquire()
        self._owner = me
        if self.closed:
            self._release()
            raise StoreError(f"{self.target}: the store is closed", target=self.target)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._release()

    def _release(self) -> None:
        self._owner = None
        self._lock.release()

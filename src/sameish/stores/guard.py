"""One caller at a time."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from types import TracebackType

from sameish.errors import StoreError


class Guard:
    """A lock that refuses, instead of hanging or breaking, what a store cannot serve.

    Refused are calls to a closed store, calls from within a judge or a note (which hold the lock) and, with `same_process`,
    calls in a forked child, which must not share an open file with its parent.

    Ctrl-C may come between any two instructions, also between taking the lock and noting that it is taken. So the lock itself
    knows who holds it, and `shut` does not wait for a thread that is interrupted on its way out and closes the store.
    """

    def __init__(self, target: str, *, same_process: bool = False) -> None:
        self.target = target
        self.closed = False
        self._process = os.getpid() if same_process else None
        self._lock = threading.RLock()

    def __enter__(self) -> None:
        self._refuse()
        try:
            self._lock.acquire()
            self._refuse_closed()
        except BaseException:  # an interrupt, too: nobody else would let the next one in
            self.leave()
            raise

    def enter_at_once(self) -> bool:
        """Enter unless another thread is in, and say whether; `leave` is then the caller's duty."""
        self._refuse()
        if not self._lock.acquire(blocking=False):
            return False
        try:
            self._refuse_closed()
        except BaseException:
            self.leave()
            raise
        return True

    def shut(self, release: Callable[[], object]) -> None:
        """Wait for those who are in, release what is held, and refuse everybody from then on.

        A thread that is in itself, since it was interrupted there, is let in again.
        """
        with self._lock:
            self.closed = True
            release()
        self.leave()

    def check_process(self) -> None:
        """Refuse in a forked child."""
        if self._process is not None and self._process != os.getpid():
            raise StoreError(
                f"{self.target}: this store was opened before the process forked; open it in each process",
                target=self.target,
            )

    def _refuse(self) -> None:
        self.check_process()
        if self._is_mine():
            raise StoreError(f"{self.target}: a judge or a note called the store that waits for it", target=self.target)

    def _refuse_closed(self) -> None:
        if self.closed:
            raise StoreError(f"{self.target}: the store is closed", target=self.target)

    def _is_mine(self) -> bool:
        return bool(self._lock._is_owned())  # type: ignore[attr-defined]  # noqa: SLF001 - as threading.Condition asks it

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()

    def leave(self) -> None:
        """Let the next one in."""
        if self._is_mine():
            self._lock.release()

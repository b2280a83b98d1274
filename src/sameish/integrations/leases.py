"""Single flight across processes: a short lease in the store says that a page is being fetched."""

from __future__ import annotations

import threading
import time
import uuid
from datetime import timedelta

from sameish.detector import utc_now
from sameish.stores.gate_state import GateStore

_LASTS = timedelta(seconds=6)
"""What a process holds that died without a word, others wait for no longer."""
_PROLONGED_AFTER_S = 2.0
_REMEMBERED_S = 60.0


class Leases:
    """The leases that one crawl, or one detector, holds. They run by the machine's clock: the crawl's own may stand still.

    Safe to use from several threads.

    Args:
        store: where others see them.
    """

    def __init__(self, store: GateStore) -> None:
        self._store = store
        self._owner = uuid.uuid4().hex
        self._held: dict[int, float] = {}
        self._lock = threading.Lock()
        """Held while a lease is prolonged or given back: one that is given back must not be taken again unawares."""
        self._met_others = float("-inf")

    @property
    def has_company(self) -> bool:
        """Whether another process was met within the last minute."""
        return time.monotonic() - self._met_others < _REMEMBERED_S

    @property
    def held(self) -> tuple[int, ...]:
        """The pages whose leases are held."""
        return tuple(self._held)

    def take(self, page: int) -> bool:
        """Take the lease of a page; False where another process holds it."""
        now = utc_now()
        if not self._store.lease(page, self._owner, now, now + _LASTS):
            self._met_others = time.monotonic()
            return False
        self._held[page] = time.monotonic()
        return True

    def prolong(self, page: int) -> None:
        """Hold on to a lease that would run out soon."""
        with self._lock:
            taken = self._held.get(page)
            if taken is not None and time.monotonic() - taken > _PROLONGED_AFTER_S:
                self.take(page)

    def let_go(self, page: int) -> None:
        """Prolong a lease no more: it runs out by itself. Asks no store."""
        self._held.pop(page, None)

    def release(self, page: int) -> None:
        """Give a lease back, if it is held."""
        with self._lock:
            if self._held.pop(page, None) is not None:
                self._store.release(page, self._owner)

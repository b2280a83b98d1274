"""The other processes that fetch into the same store: leases tell them which pages are under way here."""

from __future__ import annotations

import logging
import threading
import time

from sameish.errors import StoreError
from sameish.integrations.leases import Leases
from sameish.stores.gate_state import GateStore

_LOOK_S = 1.0
"""How often it is looked whether leases have to be prolonged."""
_OFF_S = 60.0
"""How long no leases are taken from a store that refused one: each attempt may wait for whoever holds it."""
_LOGGER = logging.getLogger("sameish.httpx")


class Company:
    """Takes leases, holds on to them in a thread of its own, and gives them back.

    A store that is out of order for a moment costs a request that another process sends as well, no more.

    Args:
        store: where others see the leases.
    """

    def __init__(self, store: GateStore) -> None:
        self._leases = Leases(store)
        self._off_until = float("-inf")
        self._lock = threading.Lock()
        self._is_kept = False

    @property
    def was_met(self) -> bool:
        """Whether another process was met within the last minute."""
        return self._leases.has_company

    def take(self, page: int) -> bool:
        """Take the lease of a page; False where another process holds it."""
        if time.monotonic() < self._off_until:
            return True
        try:
            if not self._leases.take(page):
                return False
        except StoreError as error:
            self._refused(error)
        else:
            self._keep()
        return True

    def let_go(self, page: int) -> None:
        """Let a lease run out, if it is held still. Asks no store."""
        self._leases.let_go(page)

    def release(self, page: int) -> None:
        """Give a lease back, if it is held."""
        try:
            self._leases.release(page)
        except StoreError as error:
            self._refused(error)

    def _refused(self, error: StoreError) -> None:
        self._off_until = time.monotonic() + _OFF_S
        _LOGGER.warning("other processes may fetch the same pages: %s", error)

    def _keep(self) -> None:
        with self._lock:
            if not self._is_kept:
                self._is_kept = True
                threading.Thread(target=self._prolong, name="sameish-leases", daemon=True).start()

    def _prolong(self) -> None:
        """Prolong what is held, and end when nothing is."""
        while True:
            time.sleep(_LOOK_S)
            with self._lock:
                held = self._leases.held
                if not held:
                    self._is_kept = False
                    return
            for page in held:
                try:
                    self._leases.prolong(page)
                except StoreError as error:
                    self._refused(error)

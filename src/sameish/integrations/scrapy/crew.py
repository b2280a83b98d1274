"""The workers that crawl with one store at the same time: how many they are, and which audits are whose.

Each of them decides on every link of a site, so that each would audit the share that one is to audit. There is nobody who
leads: a worker holds the lease of a seat, sees which other seats are taken, and audits its part of the URLs.
"""

from __future__ import annotations

from sameish.integrations.leases import Leases
from sameish.stores.gate_state import hash_key

_SEATS = tuple(hash_key(f"sameish: seat {number} of a crew") for number in range(64))
"""A worker that finds none free audits all, which costs requests and loses nothing."""


class Crew:
    """The place of one worker among those of its store.

    Args:
        leases: of this worker; a seat is kept as long as `muster` is called every few seconds.
    """

    def __init__(self, leases: Leases) -> None:
        self._leases = leases
        self._seat: int | None = None
        self._number, self._size = 0, 1

    def muster(self) -> None:
        """Keep the own seat, or take one, and see which others are taken: all up to the first one that is free.

        Raises:
            StoreError: the store cannot be asked.
        """
        if self._seat is None or not self._leases.take(_SEATS[self._seat]):
            self._seat = next((seat for seat, lease in enumerate(_SEATS) if self._leases.take(lease)), None)
        if self._seat is None:
            self._number, self._size = 0, 1
            return
        below = sum(self._is_taken(seat) for seat in range(self._seat))
        above = next((seat for seat in range(self._seat + 1, len(_SEATS)) if not self._is_taken(seat)), len(_SEATS))
        self._number, self._size = below, below + above - self._seat

    def is_own(self, page: int) -> bool:
        """Whether an audit of a page is for this worker to make, by the page's number."""
        return page % self._size == self._number

    def leave(self) -> None:
        """Give the seat back."""
        if self._seat is not None:
            self._leases.release(_SEATS[self._seat])

    def _is_taken(self, seat: int) -> bool:
        if not self._leases.take(_SEATS[seat]):
            return True
        self._leases.release(_SEATS[seat])
        return False

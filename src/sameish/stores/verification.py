"""What who verifies a store hands to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, TypeVar

Checked: TypeAlias = Callable[[int], object]
"""Is told how many rows were checked so far."""
_OFTEN = 200  # rows; each of them takes some 10 to 100 us
_Row = TypeVar("_Row")


class States(NamedTuple):
    """What reads the states that the gate encodes, of a site and of a visit; each raises ValueError where it cannot."""

    site: Callable[[bytes], object]
    visit: Callable[[bytes], object]


ANY_STATES = States(bytes, bytes)
"""For who does not know how states are encoded."""


@dataclass(slots=True)
class Count:
    """Counts the rows that are checked, and tells of them now and then."""

    told: Checked | None = None
    rows: int = 0

    def of(self, rows: Iterable[_Row]) -> Iterator[_Row]:
        """Yield the rows."""
        for row in rows:
            if self.told is not None and self.rows % _OFTEN == 0:
                self.told(self.rows)
            self.rows += 1
            yield row


def state_faults(what: str, read: Callable[[bytes], object], state: bytes) -> Iterator[str]:
    """Yield a fault where a state cannot be read."""
    try:
        read(state)
    except ValueError as error:
        yield f"{what}: what was learned cannot be read: {error}"

"""States that cannot be read: they are taken for nothing learned, since all of it can be learned again, and it is said."""

from __future__ import annotations

import logging
from functools import lru_cache

_LOGGER = logging.getLogger("sameish.gate")


class DamagedState(ValueError):
    """The bytes of a state are not what the gate wrote."""


@lru_cache(maxsize=1_000)
def warn(what: str, so: str) -> None:
    """Log once that something is damaged, and what that means."""
    _LOGGER.warning("what the store holds of %s is damaged; %s. `sameish store verify` lists all damage", what, so)

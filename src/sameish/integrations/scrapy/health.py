"""What becomes of a crawl whose store is out of order: it goes on without, and asks the store again later."""

from __future__ import annotations

import logging
import time

from sameish.errors import StoreError

_PAUSE_S = 60.0
"""A store that is locked answers only after half a minute, in which the crawl stands still: not with every request."""
_LOGGER = logging.getLogger("sameish.scrapy")


class Health:
    """Whether the store can be used now."""

    def __init__(self) -> None:
        self._well_at = float("-inf")

    @property
    def is_well(self) -> bool:
        """Whether the store may be asked; for a while after it failed it may not."""
        return time.monotonic() >= self._well_at

    def failed(self, what: str, error: Exception) -> None:
        """Log what cannot be done; if the store is the reason, leave it alone for a while."""
        if not isinstance(error, StoreError):
            _LOGGER.warning("%s: %s", what, error)
            return
        self._well_at = time.monotonic() + _PAUSE_S
        _LOGGER.error("%s; the crawl goes on, and does without the store for %d seconds: %s", what, _PAUSE_S, error)

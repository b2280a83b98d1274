"""A cache that is asked for many keys at once, where reckoning them together is much cheaper than one by one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Remembered(Generic[Value]):
    """What was reckoned for strings; begun anew when it holds too many. Threads may share it."""

    def __init__(self, reckon: Callable[[list[str]], Mapping[str, Value]], *, most: int = 65_536, longest: int) -> None:
        """Make an empty one.

        Args:
            reckon: returns the values of those keys that have one.
            most: how many keys are kept.
            longest: keys with more characters have no value.
        """
        self._reckon, self._most, self._longest = reckon, most, longest
        self._known: dict[str, Value | None] = {}

    def look_up(self, keys: Collection[str]) -> dict[str, Value]:
        """Return the values of those keys that have one."""
        known = self._known
        unknown = [key for key in keys if key not in known and len(key) <= self._longest]
        if unknown:
            if len(known) + len(unknown) > self._most:
                # a new one, since another thread may be reading the old
                known = self._known = {}
                unknown = [key for key in keys if len(key) <= self._longest]
            known.update(dict.fromkeys(unknown))
            known.update(self._reckon(unknown))
        return {key: value for key in keys if (value := known.get(key)) is not None}

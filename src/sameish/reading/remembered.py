"""A cache that is asked for many keys at once, where reckoning them together is much cheaper than one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
        self._known: tuple[set[str], dict[str, Value]] = (set(), {})

    def look_up(self, keys: set[str]) -> dict[str, Value]:
        """Return the values of those keys that have one."""
        known, values = self._known
        unknown = keys - known
        if unknown:
            if len(known) + len(unknown) > self._most:
                # new ones, since another thread may be reading the old
                known, values = self._known = (set(), {})
                unknown = keys
            short = [key for key in unknown if len(key) <= self._longest]
            values.update(self._reckon(short))
            known.update(short)
        return {key: values[key] for key in keys & values.keys()}

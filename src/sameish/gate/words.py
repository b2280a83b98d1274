"""How the gate speaks of times."""

from __future__ import annotations

_SIZES = ((86_400.0, "day"), (3_600.0, "hour"), (60.0, "minute"))


def lasting(seconds: float) -> str:
    """Return a length of time in the largest unit that it fills, rounded down: `3 hours`, `less than a minute`."""
    for size, name in _SIZES:
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {name}{'s' if count != 1 else ''}"
    return "less than a minute"

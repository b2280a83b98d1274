"""Amounts in words, for people."""

from __future__ import annotations


def number_of(count: int, noun: str, plural: str = "") -> str:
    """Return a count with its noun: `1 page`, `1,234 pages`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def size_of(count: int) -> str:
    """Return a number of bytes for a person, in powers of ten: `512 bytes`, `4.2 MB`."""
    if count < 1000:
        return number_of(count, "byte")
    size, units = count / 1000, iter(("kB", "MB", "GB", "TB"))
    unit = next(units)
    while size >= 999.95 and unit != "TB":
        size, unit = size / 1000, next(units)
    return f"{size:,.1f} {unit}"


def share_of(part: float, whole: float) -> str:
    """Return a part in percent of the whole: `41%`."""
    return f"{part / whole:.0%}" if whole else "0%"

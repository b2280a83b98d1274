"""64-bit hashes as SQL can hold them: as signed integers with the same bits."""

from __future__ import annotations

_UNSIGNED, _SIGN = 1 << 64, 1 << 63


def to_signed(value: int) -> int:
    """Return the 64-bit integer with the same bits that SQL can hold: 0xffffffffffffffff becomes -1.

    Raises:
        ValueError: the value is outside 0..2**64-1.
    """
    if not 0 <= value < _UNSIGNED:
        raise ValueError(f"{value} is no unsigned 64-bit integer")
    return value - _UNSIGNED if value >= _SIGN else value


def to_unsigned(value: int) -> int:
    """Return the inverse of `to_signed`: -1 becomes 0xffffffffffffffff.

    Raises:
        ValueError: the value is outside -2**63..2**63-1.
    """
    if not -_SIGN <= value < _SIGN:
        raise ValueError(f"{value} is no signed 64-bit integer")
    return value + _UNSIGNED if value < 0 else value

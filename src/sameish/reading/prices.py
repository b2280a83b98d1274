"""Recognises prices: a number beside a currency."""

from __future__ import annotations

import re

_SIGNS = "$€£¥₽₴₹"
_NAMES = ("EUR", "USD", "GBP", "CHF", "JPY", "CNY", "SEK", "NOK", "DKK", "PLN", "kr", "zł")
_ANY = rf"[{_SIGNS}]|\b(?:{'|'.join(_NAMES)})\b"
_PRICE = re.compile(rf"(?:{_ANY})[ \u00a0]?\d|\d[ \u00a0]?(?:{_ANY})")
_DIGIT = re.compile(r"\d")


def holds_price(text: str) -> bool:
    """Tell whether there is a price in a text."""
    # most short texts hold no number and name no currency: plain looks are much quicker than the pattern
    if _DIGIT.search(text) is None or not any(map(text.__contains__, (*_SIGNS, *_NAMES))):
        return False
    return _PRICE.search(text) is not None

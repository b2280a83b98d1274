"""Recognises dates, times and words such as "5 minutes ago": what tells when a page was made."""

from __future__ import annotations

import re

from sameish.reading.noise_words import (
    AGO,
    DATE_LINE,
    DID_UPDATE,
    GLUE,
    JUST_NOW,
    KNOWN,
    LATELY,
    MONTHS,
    RELATIVE,
    RELATIVE_DAYS,
    SEVERAL,
    SURELY_UPDATED,
    THIS,
    UNITS,
    UPDATED,
    WITHIN,
    YEARS,
)

# a day in a month, a month in a year, or all in digits; not `3.5`, `10:00`, `1-2`
_DATE = re.compile(
    r"(?<!\d)(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:\d{4}|\d\d)|\d{1,2} ?[月월] ?\d{1,2} ?[日일])(?!\d)"
)
_TIME = re.compile(r"\d:\d\d")
_SECONDS = re.compile(r"\d:\d\d:\d\d")
_CENTURIES = re.compile(r"\d{3}")
_NUMBER = re.compile(r"\d")
_WORD = re.compile(r"[^\W\d_]+|[%°$€£¥₽=<>]")
_SPACELESS = re.compile("|".join(sorted((word for word in KNOWN if word >= "\u2e80"), key=len, reverse=True)))


def known_words(text: str) -> frozenset[str] | None:
    """Return the words, None if one belongs to no construct: nearly every sentence ends at its first or second word."""
    found = set()
    for match in _WORD.finditer(text):
        word = match[0]
        if word in KNOWN:
            found.add(word)
            continue
        # scripts without spaces run words together
        parts = _SPACELESS.findall(word) if word >= "\u2e80" else ()
        if "".join(parts) != word:
            return None
        found.update(parts)
    return frozenset(found)


def is_date(text: str) -> bool:
    """Tell whether a casefolded line is a date or a time and nothing else; it may be the day of the concert."""
    if not _NUMBER.search(text):
        return False
    words = known_words(text)
    return words is not None and words <= DATE_LINE and has_date(text, words)


def has_date(text: str, words: frozenset[str]) -> bool:
    """Tell whether a date, a time or the name of a month is in a text with these words."""
    return bool(_DATE.search(text) or _TIME.search(text)) or not words.isdisjoint(MONTHS)


def is_date_line(text: str, words: frozenset[str], has_number: bool) -> bool:
    """Dates that a word or their form says are dates of the page; a bare date may be the day of the concert."""
    if not has_number or not words <= DATE_LINE:
        return False
    if not words.isdisjoint(SURELY_UPDATED):
        return has_date(text, words)
    if _SECONDS.search(text):
        # without a day it is what a runner took
        return bool(_DATE.search(text)) or not words.isdisjoint(MONTHS)
    # two times or none are when something is open, or a score
    return not words.isdisjoint(RELATIVE_DAYS) and (len(_TIME.findall(text)) == 1 or bool(_DATE.search(text)))


def is_relative_time(text: str, words: frozenset[str], has_number: bool) -> bool:
    """Tell whether it says how long ago something was, or that it was brought up to date lately."""
    if words and words <= JUST_NOW | UPDATED:
        return not words.isdisjoint(JUST_NOW) and "?" not in text
    if not words.isdisjoint(YEARS) and _CENTURIES.search(text):
        return False
    if not words.isdisjoint(DID_UPDATE) and _is_lately(words, has_number=has_number):
        return True
    return (
        words <= RELATIVE
        and not words.isdisjoint(AGO)
        and not words.isdisjoint(UNITS)
        and (has_number or not words.isdisjoint(SEVERAL | {"a"}))
    )


def _is_lately(words: frozenset[str], *, has_number: bool) -> bool:
    """Today, this week, or in the last 15 minutes."""
    if words <= UPDATED | GLUE | RELATIVE_DAYS:
        return not words.isdisjoint(RELATIVE_DAYS)
    if not words <= LATELY or words.isdisjoint(UNITS):
        return False
    return has_number and not words.isdisjoint(WITHIN) if words.isdisjoint(THIS) else not has_number

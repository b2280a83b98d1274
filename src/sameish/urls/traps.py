"""Crawler traps: URLs that a site makes without end and that bring nothing new.

Suspicion is not proof: sites have `/img/img/`, archives by day and numbered articles. What proves a trap is that URLs of one
*family*, which differ in one number only, go further than any that brought something new, and bring the same few contents
again. Only URLs that go further still are then left out; those in between are not. A run of numbered pages that are each the
double of another page (`/article-17?from=list`) is no trap: what has no end is what repeats itself.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import NamedTuple

import mmh3
import msgspec
from msgspec.structs import replace

from sameish.urls.trap_signs import (
    Sign,
    dates,
    encoded_again,
    numbers,
    repeated_parameter,
    repeated_path,
    too_deep,
)

_MOST_FAMILIES = 500
# Pages that repeat themselves with a period of up to four.
_MOST_CONTENTS = 4
_MOST_LED = 60
"""New pages linked from a family that speak for it: five years of a calendar with one event a month."""


class TrapKind(StrEnum):
    """What makes a URL suspicious."""

    REPEATED_PATH = "repeated path"
    REPEATED_PARAMETER = "repeated parameter"
    CALENDAR = "calendar"
    COUNTER = "counter"
    ENDLESS_DEPTH = "endless depth"


LIMITS = {
    # The second repetition is fetched, and a third that may yet differ (browsertrix-crawler#931, heritrix3#729).
    TrapKind.REPEATED_PATH: 2,
    TrapKind.REPEATED_PARAMETER: 2,
    TrapKind.ENDLESS_DEPTH: 3,
    TrapKind.CALENDAR: 12,
    TrapKind.COUNTER: 25,
}
"""How many URLs of a family are fetched in a row that bring nothing new."""


_BY_CONTENT = frozenset({TrapKind.CALENDAR, TrapKind.COUNTER})


class Suspicion(NamedTuple):
    """A URL key may belong to a trap: of which kind, of which family, and how far it goes in it.

    `.family`: the key with what varies taken out, for people to read. `.number`: a date as a day number, a count of repetitions,
    of segments, or the number itself.
    """

    kind: TrapKind
    family: str
    number: int


class Family(msgspec.Struct, frozen=True, array_like=True):
    """How a family has done. `.low`, `.high`: the furthest numbers that stand for something new, or where counting began.

    `.below`, `.above`: URLs in a row that lay beyond them and brought nothing new. `.contents`: what those brought, the last
    four, shortened to 32 bits. `.led`: how often what they link to spoke for them.
    """

    low: int
    high: int
    below: int = 0
    above: int = 0
    contents: tuple[int, ...] = ()
    led: int = 0


class TrapFamilies(msgspec.Struct, frozen=True, array_like=True):
    """The families of a site, at most 500, by number; the one changed last stands last."""

    families: dict[int, Family] = {}


def suspicions(key: str) -> tuple[Suspicion, ...]:
    """Return what is suspicious about a canonical key: nothing, or several things, in time linear in its length."""
    found: list[Suspicion] = []
    _add(found, TrapKind.REPEATED_PATH, repeated_path(key))
    _add(found, TrapKind.REPEATED_PARAMETER, repeated_parameter(key))
    _add(found, TrapKind.ENDLESS_DEPTH, too_deep(key))
    _add(found, TrapKind.ENDLESS_DEPTH, encoded_again(key))
    sign, rest = dates(key)
    _add(found, TrapKind.CALENDAR, sign)
    for number in numbers(rest):
        _add(found, TrapKind.COUNTER, number)
    return tuple(found)


def is_trap(known: TrapFamilies, found: Collection[Suspicion]) -> Suspicion | None:
    """Return the suspicion that has proved true, so that the URL is not worth a fetch, or None."""
    for suspicion in found:
        family = known.families.get(_number_of(suspicion))
        if family is not None and _is_beyond(family, suspicion):
            return suspicion
    return None


def outcome(
    known: TrapFamilies,
    found: Collection[Suspicion],
    *,
    brought_new: bool,
    content: bytes = b"",
    similar: bool = False,
) -> TrapFamilies:
    """Return the families after a fetch; the same object where nothing has changed.

    To be called for the *first* fetch of a key only, and not for errors or blocked pages: a page that is known brings nothing
    new without being a trap.

    Args:
        known: the families so far.
        found: the suspicions against the key that was fetched.
        brought_new: whether its content was seen nowhere before.
        content: its digest; where it is only similar to an older page, of what it says but for dates (`sameish.urls.undated`).
        similar: whether it is that. In a calendar or a count it then brings something too, unless the last ones said the same.
    """
    families, short = known.families, int.from_bytes(content[:4], "big")
    for suspicion in found:
        number = _number_of(suspicion)
        before = families.get(number)
        after = _after(before, suspicion, None if brought_new else short, similar=similar)
        if after is not None and after != before:
            families = {other: family for other, family in families.items() if other != number}
            families[number] = after
    if families is known.families:
        return known
    return TrapFamilies(dict(list(families.items())[-_MOST_FAMILIES:]))


def led_on(known: TrapFamilies, found: Collection[Suspicion]) -> TrapFamilies:
    """Return the families after a page that one of them links to was new; the same object where that adds nothing.

    It counts like something new of its own, but not without end: a site can make up what each month links to as well.

    Args:
        known: the families so far.
        found: the suspicions against the key of the page with the link.
    """
    families = dict(known.families)
    for suspicion in found:
        number = _number_of(suspicion)
        before = families.get(number)
        if before is not None and before.led < _MOST_LED:
            low, high = min(before.low, suspicion.number), max(before.high, suspicion.number)
            families[number] = Family(low, high, led=before.led + 1)
    return known if families == known.families else TrapFamilies(families)


def _add(found: list[Suspicion], kind: TrapKind, sign: Sign | None) -> None:
    if sign is not None:
        found.append(Suspicion(kind, *sign))


def _number_of(suspicion: Suspicion) -> int:
    name = f"{suspicion.kind} {suspicion.family}"
    return int(mmh3.hash64(name.encode("utf-8", "surrogatepass"), signed=False)[0])


def _is_beyond(family: Family, suspicion: Suspicion) -> bool:
    limit, number = LIMITS[suspicion.kind], suspicion.number
    return (number > family.high and family.above >= limit) or (number < family.low and family.below >= limit)


def _after(family: Family | None, suspicion: Suspicion, content: int | None, *, similar: bool) -> Family | None:
    """Return a family after a fetch; `content` None: it brought something new. One that never wasted a fetch is not kept."""
    number = suspicion.number
    if content is None:
        return None if family is None else Family(min(family.low, number), max(family.high, number), led=family.led)
    if family is None:
        return Family(number, number - 1, above=1, contents=(content,))
    if family.low <= number <= family.high:
        return family
    if suspicion.kind in _BY_CONTENT and content not in family.contents:
        contents = (*family.contents, content)[-_MOST_CONTENTS:]
        if similar:
            return Family(min(family.low, number), max(family.high, number), contents=contents, led=family.led)
        return replace(family, contents=contents)
    name = "above" if number > family.high else "below"
    return replace(family, **{name: min(getattr(family, name) + 1, LIMITS[suspicion.kind])})

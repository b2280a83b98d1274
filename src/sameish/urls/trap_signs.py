"""What a trap looks like: signs read off a canonical key, none of which proves anything."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from typing import NamedTuple
from urllib.parse import unquote

from sameish.urls.month_names import DATE_WITH_NAME, MONTH_OF

_DEEP_SEGMENTS = 20
_LONG_KEY = 2_000
_LONGEST_UNIT = 8
# What is read of a key; one that is longer is suspicious anyway.
_READ = 8_000
_MOST_NUMBERS = 4

_ADDRESS = re.compile(r"[^:/?#]*:(?://[^/?#]*)?")
_YEAR = r"(?P<y>(?:19|20|21)\d\d)"
_DATE = re.compile(
    rf"(?<!\d){_YEAR}(?:"
    r"(?P<s>[-/._])(?P<m>1[0-2]|0?[1-9])(?:(?P=s)(?P<d>3[01]|[12]\d|0?[1-9]))?"
    r"|(?P<m2>1[0-2]|0[1-9])(?P<d2>3[01]|[12]\d|0[1-9])?"
    r"|-?W(?P<w>5[0-3]|[1-4]\d|0[1-9])"
    r")(?!\d)"
    r"|(?<!\d)(?P<d3>3[01]|[12]\d|0?[1-9])(?P<s3>[-/.])(?P<m3>1[0-2]|0?[1-9])(?P=s3)(?P<y3>(?:19|20|21)\d\d)(?!\d)"
)
_YEAR_ALONE = re.compile(r"(?:19|20|21)\d\d")
# Query pieces of calendars that write a date in several (the key has them in the order of their names); what counts is the
# last word of a name, as in TYPO3's `tx_cal[year]=2031`.
_PIECE = re.compile(r"(?<=[?&])(?P<name>[\w.%-]{1,80})=(?P<value>\d{1,4})(?=&|\Z)")
_LAST_WORD = re.compile(r"[a-z]+\Z")
_YEARS = frozenset("year yr y yyyy calyear jahr annee anno ano jaar".split())
_MONTHS = frozenset("month mon mo m mm calmonth monat mois mese mes maand".split())
_DAYS = frozenset("day dy d dd calday tag jour giorno dia dag".split())
_PIECE_ENDS = re.compile("[&?#]")
# "%" encoded again and again: programs that escape what is escaped already.
_LAYERS = re.compile(r"%(?:25)+")
_MOST_LAYERS = 3
# A number that makes up a segment or value, or ends it (`page-7`, `p7.html`); eighteen digits fit in 64 bits.
_NUMBER = re.compile(r"(?<![0-9])[0-9]{1,18}(?=(?:\.[a-z]{2,5})?(?:[/?&#]|\Z))")


class Sign(NamedTuple):
    """A family (the key with what varies taken out) and how far the key goes in it."""

    family: str
    number: int


def repeated_path(key: str) -> Sign | None:
    """Return the sign of a path in which one segment stands three times in a row, or a run of several twice.

    `/img/img/` is a path that sites have; what two segments repeat together has seldom been meant.
    """
    start, segments = _path(key)
    for size in range(1, min(_LONGEST_UNIT, len(segments) // 2) + 1):
        begin, times = _longest_repetition(segments, size)
        if times >= (3 if size == 1 else 2):
            unit = "/".join(segments[begin : begin + size])
            return Sign(f"{'/'.join([start, *segments[:begin]])}/({unit})", times)
    return None


def repeated_parameter(key: str) -> Sign | None:
    """Return the sign of a query that has one piece three times or more, those within its values counted too.

    Login pages take the address that they were called from into their own: `back=/login%3Fback%3D/login%253Fback%253D...`.
    """
    address, _, query = key[:_READ].partition("?")
    query = query.partition("#")[0]
    if sum(map(query.count, "&?%")) < 2:
        return None
    pieces = Counter(_PIECE_ENDS.split(unquote(_LAYERS.sub("%", query))))
    piece, times = pieces.most_common(1)[0]
    return Sign(f"{address}?({piece})", times) if times >= 3 and piece else None


def encoded_again(key: str) -> Sign | None:
    """Return the sign of a key in which a "%" was percent-encoded three times or more."""
    read = key[:_READ]
    layers = max((len(found) // 2 for found in _LAYERS.findall(read)), default=0)
    return Sign(_LAYERS.sub("%", read), layers) if layers >= _MOST_LAYERS else None


def too_deep(key: str) -> Sign | None:
    """Return the sign of a path of more than 20 segments, or a key of more than 2,000 characters."""
    start, segments = _path(key)
    if len(segments) <= _DEEP_SEGMENTS and len(key) <= _LONG_KEY:
        return None
    return Sign(f"{start}/{'/'.join(segments[:2])}/...", max(len(segments), len(key) // 100))


def dates(key: str) -> tuple[Sign | None, str]:
    """Return the sign of a key with dates in it, and the key with its dates masked, which is the family.

    The number is that of the first date's day. Where a date stands in several query pieces, `year=2031&month=4`, they are one.
    """
    start = _start(key)
    if not _YEAR_ALONE.search(key, start, _READ):
        return None, key
    first: list[int] = []

    def masked(found: re.Match[str]) -> str:
        first.append(_day_number(found))
        return "{date}"

    rest = _DATE.sub(masked, key[start:_READ])
    if not first:
        rest = DATE_WITH_NAME.sub(masked, rest)
    if not first:
        rest, day = _in_pieces(rest)
        first.extend([] if day is None else [day])
    family = key[:start] + rest
    return (Sign(family, first[0]) if first else None), family


def numbers(key: str) -> Iterator[Sign]:
    """Yield a sign for each number at the end of a segment or value, the last four of the key, the last one first."""
    start = _start(key)
    for found in islice(reversed(list(_NUMBER.finditer(key, start, _READ))), _MOST_NUMBERS):
        yield Sign(f"{key[: found.start()]}{{number}}{key[found.end() :]}", int(found[0]))


def _start(key: str) -> int:
    found = _ADDRESS.match(key)
    return found.end() if found else 0


def _path(key: str) -> tuple[str, list[str]]:
    start = _start(key)
    path = re.split(r"[?#]", key[start:_READ], maxsplit=1)[0]
    return key[:start], path.strip("/").split("/")


def _longest_repetition(segments: Sequence[str], size: int) -> tuple[int, int]:
    """Return where a run of `size` segments is repeated most often directly after itself, and how many times it stands there."""
    best, end, equal = 0, 0, 0
    for place in range(size, len(segments)):
        equal = equal + 1 if segments[place] == segments[place - size] else 0
        if equal > best:
            best, end = equal, place
    times = best // size + 1
    return end - best - size + 1, times


def _day_number(found: re.Match[str]) -> int:
    parts = found.groupdict()
    year = int(_first(parts, "y"))
    if parts.get("w"):
        return date.fromisocalendar(year, 1, 1).toordinal() + 7 * (int(parts["w"]) - 1)
    month = _first(parts, "m").lower()
    return _number_of_day(year, MONTH_OF.get(month) or int(month), int(_first(parts, "d") or 1))


def _first(parts: Mapping[str, str | None], letter: str) -> str:
    """Return the first of the groups `y`, `y2`, ... that took part in a match, "" where none did."""
    return next((part for name, part in parts.items() if name[0] == letter and part), "")


def _number_of_day(year: int, month: int, day: int) -> int:
    """Return a day number; calendars link to the 31st of April too."""
    return date(year, month, 1).toordinal() + day - 1


def _in_pieces(rest: str) -> tuple[str, int | None]:
    """Return the rest of a key with a date that stands in several query pieces masked, and its day number if there is one."""
    values = {_last_word(found): int(found["value"]) for found in _PIECE.finditer(rest)}
    year, month, day = (
        next((value for word, value in values.items() if word in names), None) for names in (_YEARS, _MONTHS, _DAYS)
    )
    if not year or not month or month > 12:
        return rest, None
    masked = _PIECE.sub(_masked_piece, rest)
    return masked, _number_of_day(year, month, day or 1)


def _masked_piece(found: re.Match[str]) -> str:
    return f"{found['name']}={{date}}" if _last_word(found) in _YEARS | _MONTHS | _DAYS else found[0]


def _last_word(found: re.Match[str]) -> str:
    word = _LAST_WORD.search(unquote(found["name"]).lower().rstrip("]"))
    return word[0] if word else ""

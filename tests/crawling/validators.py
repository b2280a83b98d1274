"""ETag and Last-Modified of a page, and whether its server then answers 304 (RFC 9110, section 13)."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime, parsedate_to_datetime

from tests.crawling.options import Habit

from sameish.demo.words import lot


@dataclass(frozen=True, slots=True)
class Revision:
    """Which text a page has: `.name` of its resource, `.version` counted from 0, and since when."""

    name: str
    version: str
    born: datetime
    edited: datetime


@dataclass(frozen=True, slots=True)
class Validators:
    """The two headers of an answer, "" where there is none."""

    etag: str
    modified: str

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        pairs = (("ETag", self.etag), ("Last-Modified", self.modified))
        return tuple((name, value) for name, value in pairs if value)


def habit_of(habits: Mapping[Habit, int], seed: int, name: str) -> Habit:
    """The habit of a page, by the shares that habits have of all pages."""
    rest = lot(seed, "habit", name).below(sum(habits.values()))
    for habit, share in habits.items():
        if rest < share:
            return habit
        rest -= share
    raise AssertionError("the shares are the sum")


def validators(habit: Habit, revision: Revision, load: int, now: datetime) -> Validators:
    """What a page says at a load, counted from 1."""
    honest, date = _etag(revision.name, revision.version), _http(revision.edited)
    fresh = _etag(revision.name, "load", load)
    return {
        Habit.HONEST: Validators(honest, date),
        Habit.ETAG: Validators(honest, ""),
        Habit.DATE: Validators("", date),
        Habit.NONE: Validators("", ""),
        Habit.RESTLESS: Validators(fresh, ""),
        Habit.RESTLESS_ETAG: Validators(fresh, date),
        Habit.RESTLESS_DATE: Validators("", _http(now)),
        Habit.FROZEN: Validators(_etag(revision.name, "first"), _http(revision.born)),
    }[habit]


def is_not_modified(current: Validators, none_match: str | None, modified_since: str | None) -> bool:
    """Whether conditional headers get 304; If-None-Match alone decides where it is sent (RFC 9110, 13.2.2)."""
    if none_match is not None:
        asked = [tag.strip().removeprefix("W/") for tag in none_match.split(",")]
        return bool(current.etag) and (asked == ["*"] or current.etag.removeprefix("W/") in asked)
    if not modified_since or not current.modified:
        return False
    try:
        return parsedate_to_datetime(current.modified) <= parsedate_to_datetime(modified_since)
    except ValueError:  # a date that is none is to be ignored (RFC 9110, 13.1.3)
        return False


def _etag(*parts: object) -> str:
    tag = zlib.crc32("|".join(map(str, parts)).encode())
    # the text is the same where the bytes around it are not, so most are weak
    return f'"{tag:08x}"' if tag % 4 == 0 else f'W/"{tag:08x}"'


def _http(moment: datetime) -> str:
    return format_datetime(moment, usegmt=True)

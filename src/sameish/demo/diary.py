"""The crawler's diary: which address is asked for on which day, and what each request is there to show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from sameish.demo.design import HOST
from sameish.demo.edits import EDITS
from sameish.demo.incidents import Incident, incident
from sameish.demo.noise import Aspect
from sameish.demo.site import REDESIGN_DAY, place_of
from sameish.demo.truth import Category

BASE = f"https://{HOST}"
ALL = frozenset(Aspect)
_WALLS = {Incident.TEASER, Incident.LOGIN, Incident.CHALLENGE, Incident.QUIET_CHALLENGE}


class Via(StrEnum):
    """How an archive records an answer."""

    RESPONSE = "response"
    NOT_MODIFIED = "server-not-modified"
    SAME_PAYLOAD = "identical-payload-digest"


@dataclass(frozen=True, slots=True)
class Errand:
    """One request. `.visit` counts the visits of its page on its day; `.moving` are the aspects that move before it."""

    day: int
    url: str
    visit: int
    category: Category
    what: str
    moving: frozenset[Aspect] = ALL
    via: Via = Via.RESPONSE


@dataclass(slots=True)
class Diary:
    """Takes down requests in order, and finds out what a plain visit will show."""

    errands: list[Errand] = field(default_factory=list)
    _visits: Counter[tuple[str, int]] = field(default_factory=Counter)
    _good: dict[str, int] = field(default_factory=dict)
    _trouble: dict[str, Incident] = field(default_factory=dict)

    def visit(
        self,
        day: int,
        url: str,
        what: str,
        category: Category,
        *,
        moving: Iterable[Aspect] = ALL,
        via: Via = Via.RESPONSE,
    ) -> None:
        """Write down one request."""
        place = place_of(url)
        visit = self._visits[place, day]
        self._visits[place, day] += 1
        self.errands.append(Errand(day, url, visit, category, what, frozenset(moving), via))

    def look(self, day: int, *paths: str) -> None:
        """Visit pages at their plain address; all noise moves."""
        for path in paths:
            category, what = self._occasion(day, path)
            self.visit(day, BASE + path, what, category)

    def _occasion(self, day: int, path: str) -> tuple[Category, str]:
        trouble = incident(path, day, self._visits[path, day])
        before, good = self._trouble.pop(path, None), self._good.get(path)
        if trouble is not None:
            self._trouble[path] = trouble
            return (Category.WALL if trouble in _WALLS else Category.ERROR), str(trouble)
        self._good[path] = day
        edits = [
            edit.what
            for edit in EDITS
            if good is not None and good < edit.day <= day and path.endswith("/" + edit.slug)
        ]
        if before is Incident.TEASER:
            return Category.WALL, "; ".join(["in full, after a teaser", *edits])
        if good is None:
            return Category.NEW, "first seen"
        moved = _redesigned(path) if good < REDESIGN_DAY <= day else "all noise moved"
        if edits:
            return Category.EDIT, "; ".join([*edits, moved])
        return (Category.REDESIGN if good < REDESIGN_DAY <= day else Category.NOISE), moved


def _redesigned(path: str) -> str:
    old = {"ru": "windows-1251", "zh": "gb18030", "ja": "Shift_JIS"}.get(path.split("/")[1])
    return f"the whole site redesigned{f', {old} -> UTF-8' if old else ''}"

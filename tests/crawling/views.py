"""The pages of the site: which one a URL shows, in which revision, and how it is drawn."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlsplit

from tests.crawling import addresses, pages
from tests.crawling.addresses import Asked
from tests.crawling.answers import Kind
from tests.crawling.catalogue import ARCHIVE_LINKS, LATEST, Catalogue
from tests.crawling.options import Canonical, Habit, Index
from tests.crawling.pages import Listed, Surroundings
from tests.crawling.validators import Revision, habit_of

from sameish.demo import prose
from sameish.demo.phrases import phrases
from sameish.demo.words import lot

ABOUT = 5
FIRST_MONTH = 12 * 2026 + 2


@dataclass(frozen=True, slots=True)
class View:
    """A page; `.render` draws it for a load, counted from 1."""

    kind: Kind
    revision: Revision
    habit: Habit
    render: Callable[[int], str]


class Views(Catalogue):
    """The pages of a catalogue."""

    def view(self, target: str) -> View:
        parts = urlsplit(target)
        name, version = self.identity(target)
        asked = addresses.read(self.names, target)
        if name and asked:
            return self._content(name, version, asked, target)
        if parts.path == "/":
            return self._home()
        number = dict(parse_qsl(parts.query)).get(self.names.page, "1")
        if parts.path == f"/{self.names.archive}" and number.isdigit() and 1 <= int(number) <= self._archive_pages():
            return self._archive(int(number))
        month = re.fullmatch(r"(\d{4})-(\d\d)", dict(parse_qsl(parts.query)).get(self.names.month, ""))
        if self.options.calendar and parts.path == f"/{self.names.calendar}" and month and 1 <= int(month[2]) <= 12:
            return self._calendar(12 * int(month[1]) + int(month[2]) - 1)
        return self._other(parts.path)

    def _content(self, name: str, version: str, asked: Asked, target: str) -> View:
        content = self.contents[self._numbers[asked.address]]
        since = [self._mattering[key] for key, _ in asked.query if self._matters(key, asked.address.shape)]
        revision = Revision(name, version, content.born, max(content.edited, *since, content.born))
        section = asked.address.path.split("/")[1]
        steady = self._steady(content)
        neighbours = self._neighbours(name)
        layouts = self.options.layouts

        def render(load: int) -> str:
            told = prose.story(self.options.seed, name, int(version))
            text = prose.article(told, section, "", lot(self.options.seed, "decorations", name))
            canonical = self._canonical(asked, target)
            around = self._around(name, load, f"{name} v{version}", neighbours, steady, canonical)
            return pages.article(around, text, printed=layouts and asked.printed, phone=layouts and asked.phone)

        habit = habit_of(self.options.habits, self.options.seed, name.partition("~")[0])
        return View(Kind.CONTENT, revision, habit, render)

    def _canonical(self, asked: Asked, target: str) -> str:
        match self.options.canonical:
            case Canonical.MISSING:
                return ""
            case Canonical.HOME:
                return f"{self.base}/"
            case Canonical.SELF:
                return self.base + target
            case Canonical.RIGHT:
                extra = [pair for pair in asked.query if self._matters(pair[0], asked.address.shape)]
                plain = replace(asked.address, query=(*asked.address.query, *sorted(extra)))
                return self.base + plain.plain

    def _home(self) -> View:
        latest = sorted(self.contents, key=lambda one: (one.born, one.number), reverse=True)[:LATEST]
        listed = tuple(self._listed(one) for one in latest)
        more = [(f"Page {page}", self._archive_url(page)) for page in range(1, self._archive_pages() + 1)]
        more += [("Events", self._month_url(FIRST_MONTH))] if self.options.calendar else []
        version = " ".join(f"{one.number}:{one.version}" for one in latest) + f" {len(more)}"

        def render(load: int) -> str:
            told = [prose.story(self.options.seed, f"c{one.number}", one.version) for one in latest]
            shown = [pages.teaser(one.title, place, one.paragraphs[0][0]) for place, one in enumerate(told)]
            return pages.home(self._around("home", load, "home", listed, tuple(more)), shown)

        born = min(one.born for one in self.contents)
        edited = max(one.edited for one in latest)
        return View(Kind.HOME, Revision("home", version, born, edited), self.options.index_habit, render)

    def _archive(self, number: int) -> View:
        start = (number - 1) * ARCHIVE_LINKS
        links = tuple(self._archive_order()[start : start + ARCHIVE_LINKS])
        born = max(self.contents[one].born for one, _ in links)
        shown = tuple((prose.title(self.options.seed, f"c{one}"), url) for one, url in links)
        place = f"archive {number}"

        def render(load: int) -> str:
            if self.options.index is Index.BARE:
                return pages.about(self._around(place, load, place, steady=shown), "All articles", ())
            return pages.index(self._around(place, load, place), f"All articles, page {number}", shown)

        version = " ".join(url for _, url in links)
        return View(Kind.ARCHIVE, Revision(place, version, born, born), self.options.index_habit, render)

    def _calendar(self, month: int) -> View:
        place = f"calendar {month}"
        links = (("Earlier", self._month_url(month - 1)), ("Later", self._month_url(month + 1)))

        def render(load: int) -> str:
            heading = f"Events in {phrases('en').all('months')[month % 12]} {month // 12}"
            return pages.about(
                self._around(place, load, "calendar", steady=links), heading, ["No events in this month."]
            )

        born = self.contents[0].born
        return View(Kind.CALENDAR, Revision(place, "0", born, born), Habit.NONE, render)

    def _month_url(self, month: int) -> str:
        return f"/{self.names.calendar}?{self.names.month}={month // 12}-{month % 12 + 1:02}"

    def _other(self, path: str) -> View:
        born = self.contents[0].born
        about = [f"/about/{number}" for number in range(ABOUT)]
        kind = Kind.ABOUT if path in about else Kind.LOGIN if path == "/login" else Kind.MISSING

        def render(load: int) -> str:
            around = self._around(path, load, str(kind))
            if kind is Kind.LOGIN:
                return pages.login(around)
            if kind is Kind.MISSING:
                return pages.missing(around, path)
            draws = lot(self.options.seed, path)
            paragraphs = [" ".join(prose.sentence(draws) for _ in range(3)) for _ in range(2)]
            return pages.about(around, f"About us, {path[-1]}", paragraphs)

        habit = self.options.index_habit if kind is Kind.ABOUT else Habit.NONE
        return View(kind, Revision(path, "0", born, born), habit, render)

    def _around(
        self,
        place: str,
        load: int,
        mark: str,
        neighbours: tuple[Listed, ...] | None = None,
        steady: tuple[tuple[str, str], ...] = (),
        canonical: str = "",
    ) -> Surroundings:
        listed = self._neighbours(place) if neighbours is None else neighbours
        return Surroundings(
            self.base,
            self.options.seed,
            self.names,
            place,
            load,
            listed,
            steady,
            self._archive_pages(),
            canonical,
            mark,
        )

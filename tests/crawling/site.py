"""A generated site, decided by a seed: contents behind several URLs each, which can be edited, added to and made hostile.

    site = Site(Options(contents=80, seed=7))
    site.edit(0.10); site.add(0.05)             # both return the ids of the contents concerned
    site.start_to_matter(Variant.REFERRER)      # a parameter that had no effect has one from now on
    site.raise_wall(WallKind.TEXT, after=50, length=100)
    site.current()                              # {"c0": "0", "c1": "1", ...}: every content, and its version

The server (`server.Server`) calls `answer`; nothing here does any I/O.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from urllib.parse import urlencode

from tests.crawling import addresses, pages
from tests.crawling.answers import Answer, Kind
from tests.crawling.options import Options, WallKind
from tests.crawling.validators import Revision, is_not_modified, validators
from tests.crawling.views import View, Views
from tests.crawling.wall import Wall


class Site(Views):
    """The site. All methods may be called while it is served.

    Args:
        options: what it is.
        clock: tells when something is edited, added or sent.
    """

    def __init__(self, options: Options, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        super().__init__(options, clock)
        self._wall = Wall()
        self._loads: Counter[str] = Counter()
        self._lock = threading.Lock()

    def raise_wall(self, kind: WallKind, *, after: int = 0, length: int | None = None) -> None:
        """Ask everybody to log in: from so many requests on, for so many requests (None: until it is lifted)."""
        self._wall.raise_it(kind, after, length)

    def lift_wall(self) -> None:
        """Answer again."""
        self._wall.lift()

    def answer(self, target: str, none_match: str | None = None, modified_since: str | None = None) -> Answer:
        """Answer a GET for a request target (path and query) with these conditional headers."""
        if not target.startswith("/login") and (wall := self._wall.stops()):
            return self._refusal(wall, target)
        if moved := self._moved(target):
            return Answer(301, (("Location", moved),), b"", Kind.REDIRECT)
        page = self.view(target)
        now, load = self._clock(), self._next_load(page.revision.name)
        found = validators(page.habit, self._revision_for(page, target), load, now)
        kind, named = page.kind, page.kind is Kind.CONTENT
        content, version = (page.revision.name, page.revision.version) if named else ("", "")
        if is_not_modified(found, none_match, modified_since):
            return Answer(304, found.headers, b"", kind, content, version)
        status = 404 if kind is Kind.MISSING else 200
        headers = (("Content-Type", "text/html; charset=utf-8"), *found.headers)
        return Answer(status, headers, page.render(load).encode(), kind, content, version)

    def _moved(self, target: str) -> str:
        plainer = addresses.without(self.names, target, self.options.redirects)
        return plainer if plainer != target and self.identity(target)[0] else ""

    def _revision_for(self, page: View, target: str) -> Revision:
        if not self.options.own_etags:
            return page.revision
        return replace(page.revision, name=f"{page.revision.name} {target}")

    def _next_load(self, place: str) -> int:
        with self._lock:
            self._loads[place] += 1
            return self._loads[place]

    def _refusal(self, wall: WallKind, target: str) -> Answer:
        if wall is WallKind.REDIRECT:
            return Answer(302, (("Location", f"/login?{urlencode({'next': target})}"),), b"", Kind.WALL)
        around = self._around("login", self._next_load("login"), "login")
        html = pages.notice() if wall is WallKind.NOTICE else pages.login(around)
        return Answer(200, (("Content-Type", "text/html; charset=utf-8"),), html.encode(), Kind.WALL)

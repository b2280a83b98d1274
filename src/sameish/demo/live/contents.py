"""What the newspaper has to read: the articles of the archive that `sameish demo --captures` scans, and reports beside them.

There are two editions of everything: that of the first crawl and that of the later ones. Between them some articles are
edited and some are new.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from sameish.demo import prose
from sameish.demo.article import Article
from sameish.demo.edits import articles_on
from sameish.demo.words import lot, slug_of

Edition: TypeAlias = int
"""0 in the first crawl, 1 from then on."""
EDITIONS: tuple[Edition, Edition] = (0, 1)
SECTIONS = ("news", "sport", "food", "reviews", "people")
SERIES, TIDES = "serial", "tides"
_PARTS = ("1", "2", "3")
_TIMES = ("morning", "evening")
_EDITION_DAYS = (0, 2)
"""Days of the archive that the editions show."""


@dataclass(frozen=True, slots=True)
class Content:
    """Something to read, at one address.

    `.query`: the parameter that matters there, as `name=value`, "" where none does. `.editions`: the article in both editions,
    None while it is not yet written.
    """

    path: str
    query: str
    editions: tuple[Article | None, Article | None]

    @property
    def address(self) -> str:
        """Its plain address, from the path on."""
        return f"{self.path}?{self.query}" if self.query else self.path

    @property
    def is_new(self) -> bool:
        """Whether it was written after the first crawl."""
        return self.editions[0] is None

    @property
    def is_edited(self) -> bool:
        """Whether it was edited after the first crawl."""
        first, later = (article and article.wording for article in self.editions)
        return first is not None and first != later

    def wording(self, edition: Edition) -> str:
        """Return every word of it, "" while it is not yet written."""
        article = self.editions[edition]
        return "" if article is None else article.wording


@dataclass(frozen=True, slots=True)
class Volume:
    """How much a host has to read.

    Args:
        reports: how many reports there are, those that are added later included.
        edited: how many of 100 are edited after the first crawl.
        added: how many of 100 are new after it.
        archived: whether the articles of the archive are there, too.
    """

    reports: int
    edited: int = 10
    added: int = 5
    archived: bool = False


def contents_of(volume: Volume, seed: int, host: str) -> tuple[Content, ...]:
    """Return all there is to read on a host, in both editions."""
    reports = islice(_reports(volume, seed, host), volume.reports)
    return (*(_archived() if volume.archived else ()), *reports)


def _archived() -> Iterator[Content]:
    first, later = (articles_on(day) for day in _EDITION_DAYS)
    known = {article.slug: article for article in first}
    for article in later:
        yield Content(article.path, "", (known.get(article.slug), article))


def _reports(volume: Volume, seed: int, host: str) -> Iterator[Content]:
    """Yield ever more reports: of ten addresses five are plain, three the parts of a series, two the editions of a table."""
    number = 0
    while True:
        draws = lot(seed, host, "address", number)
        slug = slug_of(prose.title(seed, f"{host} {number}"))
        for _ in range(5):
            yield _report(volume, seed, f"{host} {number}", draws.pick(SECTIONS))
            number += 1
        for section, parameter, values in ((SERIES, "page", _PARTS), (TIDES, "edition", _TIMES)):
            for value in values:
                yield _report(volume, seed, f"{host} {number}", section, slug, f"{parameter}={value}")
                number += 1


def _report(volume: Volume, seed: int, name: str, section: str, slug: str = "", query: str = "") -> Content:
    fate = lot(seed, name, "fate").below(100)
    slug = slug or slug_of(prose.title(seed, name))
    first, later = (
        prose.article(prose.story(seed, name, version), section, slug, lot(seed, name, "form"))
        for version in (0, int(fate < volume.edited))
    )
    is_added = not query and volume.edited <= fate < volume.edited + 2 * volume.added  # half of all have a query
    return Content(later.path, query, (None if is_added else first, later))

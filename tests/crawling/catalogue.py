"""The contents of a site, and which pages link which URLs of them; decided by a seed, edited and added to by tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from tests.crawling import addresses
from tests.crawling.addresses import Address
from tests.crawling.options import Index, Options, Shape, Variant
from tests.crawling.pages import Listed

from sameish.demo import prose
from sameish.demo.words import lot

ARCHIVE_LINKS, LATEST, NEIGHBOURS = 100, 12, 12


@dataclass(frozen=True, slots=True)
class Content:
    """One content. `.group` names the contents that came with it by their first number and how many they are."""

    number: int
    address: Address
    urls: tuple[str, ...]
    group: tuple[int, int]
    born: datetime
    edited: datetime
    version: int = 0


class Catalogue:
    """The contents of a site.

    Args:
        options: what the site is.
        clock: tells when something is edited or added.
    """

    def __init__(self, options: Options, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.options = options
        self.names = options.naming(options.seed)
        self.base = "http://127.0.0.1"
        self.contents: list[Content] = []
        self._clock = clock
        self._numbers: dict[Address, int] = {}
        self._mattering: dict[str, datetime] = {}
        self._generation = 0
        self._grow(options.contents)

    # what a test does to the site

    def edit(self, share: float) -> list[str]:
        """Change the text of this share of all contents a little; return their ids."""
        chosen = lot(self.options.seed, "edited", len(self.contents), sum(one.version for one in self.contents))
        numbers = chosen.shuffled(range(len(self.contents)))[: round(share * len(self.contents))]
        for number in numbers:
            old = self.contents[number]
            self.contents[number] = replace(old, version=old.version + 1, edited=self._clock())
        return [f"c{number}" for number in sorted(numbers)]

    def add(self, share: float) -> list[str]:
        """Publish new contents, as many as this share of the first ones; return their ids."""
        before = len(self.contents)
        self._grow(round(share * self.options.contents))
        return [f"c{number}" for number in range(before, len(self.contents))]

    def start_to_matter(self, variant: Variant) -> str:
        """From now on every value of this parameter shows another content (`c7~value`); return its name."""
        names = self.names
        name = {
            Variant.TRACKING: names.tracking[0],
            Variant.SESSION: names.session,
            Variant.TIMESTAMP: names.timestamp,
            Variant.REFERRER: names.referrer,
            Variant.MIXED: names.mixed,
        }[variant]
        self._mattering[name] = self._clock()
        return name

    # what a test wants to know

    @property
    def start(self) -> str:
        """The URL of the home page."""
        return f"{self.base}/"

    def urls(self) -> list[str]:
        """Every URL of a content that the site links, absolute."""
        return [self.base + url for content in self.contents for url in content.urls]

    def current(self) -> dict[str, str]:
        """The contents that stand behind these URLs now, by id, with their versions."""
        found = (self.identity(url) for content in self.contents for url in content.urls)
        return {name: version for name, version in found if name}

    def identity(self, target: str) -> tuple[str, str]:
        """The id and the version of the content that a URL shows, ("", "") where it shows none."""
        asked = addresses.read(self.names, target)
        number = self._numbers.get(asked.address) if asked else None
        if asked is None or number is None:
            return "", ""
        values = [value for name, value in sorted(asked.query) if self._matters(name, asked.address.shape)]
        return "~".join((f"c{number}", *values)), str(self.contents[number].version)

    def _matters(self, name: str, shape: Shape) -> bool:
        return name in self._mattering and name != addresses.significant(self.names, shape)

    # links

    def _listed(self, content: Content) -> Listed:
        return Listed(prose.title(self.options.seed, f"c{content.number}"), content.urls)

    def _neighbours(self, place: str) -> tuple[Listed, ...]:
        draws = lot(self.options.seed, "neighbours", place)
        return tuple(self._listed(self.contents[draws.below(self.options.contents)]) for _ in range(NEIGHBOURS))

    def _steady(self, content: Content) -> tuple[tuple[str, str], ...]:
        # the pages of one group form a ring in the first column and random jumps in the others: all URLs are reached
        first, size = content.group
        draws = lot(self.options.seed, "steps", first)
        steps = (1, *(1 + draws.below(max(size - 1, 1)) for _ in range(self.options.urls_each - 1)))
        targets = [self.contents[first + (content.number - first + step) % size] for step in steps]
        return tuple((self._listed(one).title, one.urls[column]) for column, one in enumerate(targets))

    def _archive_order(self) -> list[tuple[int, str]]:
        order: list[tuple[int, str]] = []
        for first, size in dict.fromkeys(one.group for one in self.contents):
            group = [(one.number, url) for one in self.contents[first : first + size] for url in one.urls]
            order += lot(self.options.seed, "archive", first).shuffled(group)
        return order

    def _archive_pages(self) -> int:
        links = len(self.contents) * self.options.urls_each
        return -(-links // ARCHIVE_LINKS) if self.options.index is not Index.NONE else 0

    def _archive_url(self, page: int) -> str:
        return f"/{self.names.archive}?{self.names.page}={page}"

    def _grow(self, count: int) -> None:
        first, now = len(self.contents), self._clock()
        for address in addresses.addresses(self.options, self.names, self._generation, count):
            number = len(self._numbers)
            self._numbers[address] = number
            urls = addresses.urls_of(self.options, self.names, address)
            self.contents.append(Content(number, address, urls, (first, count), now, now))
        self._generation += 1

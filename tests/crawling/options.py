"""What a site of the test bed can be told to be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from tests.crawling import names
from tests.crawling.names import Names


class Variant(StrEnum):
    """A way in which a URL differs from another of the same content."""

    TRACKING = "tracking"
    SESSION = "session"
    TIMESTAMP = "timestamp"
    REFERRER = "referrer"
    MIXED = "mixed"
    """A parameter that matters on one other path shape."""
    PATH_PARAMETER = "path parameter"
    SUFFIX = "suffix"
    PREFIX = "prefix"
    INDEX = "index"
    SLASH = "slash"


PARAMETERS = frozenset({Variant.TRACKING, Variant.SESSION, Variant.TIMESTAMP, Variant.REFERRER, Variant.MIXED})
PATHS = frozenset({Variant.PATH_PARAMETER, Variant.SUFFIX, Variant.PREFIX, Variant.INDEX, Variant.SLASH})


class Shape(StrEnum):
    """What kind of address a content has."""

    ARTICLE = "/SECTION/slug"
    SCRIPT = "/SCRIPT?IDENTIFIER=4711"
    SERIES = "/SERIES/slug?PAGE=2"
    """Page 1 is also there without the parameter."""
    REGION = "/REGION/slug?CHOICE=north"
    GUIDE = "/GUIDE/slug?MIXED=wide"


SHARES: Mapping[Shape, int] = {Shape.ARTICLE: 60, Shape.SCRIPT: 15, Shape.SERIES: 10, Shape.REGION: 8, Shape.GUIDE: 7}


class Canonical(StrEnum):
    """What `rel=canonical` says."""

    MISSING = "missing"
    RIGHT = "right"
    HOME = "home"
    SELF = "self"


class Index(StrEnum):
    """Pages that list all URLs, 100 a page."""

    NONE = "none: articles link each other in such a way that all URLs are reached all the same"
    LIST = "a list of headlines"
    BARE = "the list is in a menu, and all pages of the index have one heading: nothing but their links differs"


class Habit(StrEnum):
    """What a page says in ETag and Last-Modified."""

    HONEST = "both, honest"
    ETAG = "ETag only, honest"
    DATE = "Last-Modified only, honest"
    NONE = "neither"
    RESTLESS = "a new ETag at every load, no Last-Modified"
    RESTLESS_ETAG = "a new ETag at every load, an honest Last-Modified"
    RESTLESS_DATE = "Last-Modified is the time of the load, no ETag"
    FROZEN = "the ETag and Last-Modified of the first version for ever, and 304 to whoever sends one of them"


class WallKind(StrEnum):
    """How a login wall answers."""

    TEXT = "status 200 and a text that asks to log in"
    REDIRECT = "302 to the login page"
    NOTICE = "status 200 and a text that no pattern knows for what it is"


@dataclass(frozen=True, slots=True)
class Options:
    """What a site is.

    Args:
        contents: how many different contents there are at first.
        seed: decides everything else.
        naming: makes the names from the seed: `names.drawn`, `names.well_known`, `names.listed` or another.
        variants: in what the URLs of one content differ.
        urls_each: how many URLs a content has.
        plain_share: for how many of 100 contents the URL without any variant is one of these.
        canonical: what canonical links say.
        habits: how many of 100 contents have which validators.
        index_habit: the validators of home page and index.
        own_etags: every URL has an ETag of its own, not one for all URLs of a content.
        index: whether the home page leads to a plain index of all URLs.
        redirects: which of the variants `SLASH` and `INDEX` are answered by 301 to the URL without them.
        calendar: the home page links a calendar, empty and without end in both directions.
        layouts: suffix and prefix lead to other layouts (for printing, for phones).
    """

    contents: int = 80
    seed: int = 1
    naming: Callable[[int], Names] = names.drawn
    variants: frozenset[Variant] = frozenset(Variant)
    urls_each: int = 5
    plain_share: int = 60
    canonical: Canonical = Canonical.MISSING
    habits: Mapping[Habit, int] = field(default_factory=lambda: {Habit.HONEST: 100})
    index_habit: Habit = Habit.HONEST
    own_etags: bool = False
    index: Index = Index.LIST
    redirects: frozenset[Variant] = frozenset()
    calendar: bool = False
    layouts: bool = True

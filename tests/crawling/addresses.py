"""Which content stands behind which URL, and which URLs of it the site itself links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import parse_qsl, urlencode, urlsplit

from tests.crawling.names import Names
from tests.crawling.options import PARAMETERS, PATHS, SHARES, Options, Shape, Variant

from sameish.demo import prose
from sameish.demo.noise import Draws
from sameish.demo.words import different_words, lot, slug_of

Pair: TypeAlias = tuple[str, str]
_SIBLINGS = {Shape.SERIES: 4, Shape.REGION: 4, Shape.GUIDE: 3}
"""How many contents differ in their parameter only."""


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a content: a path, and the parameters that matter there."""

    shape: Shape
    path: str
    query: tuple[Pair, ...] = ()

    @property
    def plain(self) -> str:
        """The URL without any variant, from the path on."""
        return self.path + (f"?{urlencode(self.query)}" if self.query else "")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a URL asks for, whatever variant of it: `.printed` and `.phone` name the layout."""

    address: Address
    query: tuple[Pair, ...]
    printed: bool
    phone: bool


def addresses(options: Options, names: Names, generation: int, count: int) -> Iterator[Address]:
    """The addresses of so many contents; generation 0 are those of the first crawl, later ones are added."""
    made: Counter[Shape] = Counter()
    while (total := made.total()) < count:
        # the shape that lags most behind its share is next, so that small sites have all of them
        shape = max(SHARES, key=lambda one: SHARES[one] * (total + 1) - 100 * made[one])
        draws = lot(options.seed, "address", generation, total)
        family = _family(draws, names, f"{generation}-{total}", options.seed, shape)[: count - total]
        made[shape] += len(family)
        yield from family


def _family(draws: Draws, names: Names, label: str, seed: int, shape: Shape) -> list[Address]:
    slug = slug_of(prose.title(seed, f"slug {label}"))
    section = draws.pick(names.sections)
    match shape:
        case Shape.ARTICLE:
            return [Address(shape, f"/{section}/{slug}")]
        case Shape.SCRIPT:
            generation, place = map(int, label.split("-"))
            number = generation * 1_000_000 + 10_000 + 7 * place + draws.below(7)
            return [Address(shape, f"/{names.script}", ((names.identifier, str(number)),))]
        case Shape.SERIES:
            return [Address(shape, f"/{names.series}/{slug}", ((names.page, str(one)),)) for one in range(1, 5)]
        case Shape.REGION:
            values = choices(seed, "region")
            return [Address(shape, f"/{names.region}/{slug}", ((names.choice, one),)) for one in values]
        case Shape.GUIDE:
            values = choices(seed, "guide")
            return [Address(shape, f"/{names.guide}/{slug}", ((names.mixed, one),)) for one in values[:3]]


def choices(seed: int, label: str) -> list[str]:
    """The four values of a small enumeration."""
    return different_words(lot(seed, "choices", label), 4)


def shape_of(names: Names, path: str) -> Shape | None:
    """The shape of a path without variants."""
    first = path.split("/")[1] if path.count("/") else ""
    if first in names.sections:
        return Shape.ARTICLE
    table = {
        names.script: Shape.SCRIPT,
        names.series: Shape.SERIES,
        names.region: Shape.REGION,
        names.guide: Shape.GUIDE,
    }
    return table.get(first)


def significant(names: Names, shape: Shape) -> str | None:
    """The parameter that matters on a shape."""
    return {
        Shape.ARTICLE: None,
        Shape.SCRIPT: names.identifier,
        Shape.SERIES: names.page,
        Shape.REGION: names.choice,
        Shape.GUIDE: names.mixed,
    }[shape]


def read(names: Names, target: str) -> Asked | None:
    """What a request target asks for; None where no content can be."""
    parts = urlsplit(target)
    segments = [segment.split(";")[0] for segment in parts.path.split("/")[1:]]
    if not segments:
        return None
    phone = segments[0] == names.prefix and len(segments) > 1
    segments = segments[1:] if phone else segments
    segments = segments[:-1] if segments[-1] in {names.index, ""} and len(segments) > 1 else segments
    printed = len(segments) > 1 and segments[-1] == names.suffix
    path = "/" + "/".join(segments[:-1] if printed else segments)
    shape, query = shape_of(names, path), parse_qsl(parts.query, keep_blank_values=True)
    if shape is None:
        return None
    return Asked(Address(shape, path, _asked(names, shape, query)), tuple(query), printed, phone)


def without(names: Names, target: str, variants: Collection[Variant]) -> str:
    """A request target without a trailing slash or an index file, where these variants are named."""
    path, mark, query = target.partition("?")
    if Variant.INDEX in variants and len(path) > len(names.index) + 1:
        path = path.removesuffix(f"/{names.index}")
    if Variant.SLASH in variants and len(path) > 1:
        path = path.removesuffix("/")
    return path + mark + query


def _asked(names: Names, shape: Shape, query: list[Pair]) -> tuple[Pair, ...]:
    name = significant(names, shape)
    if name is None:
        return ()
    value = dict(query).get(name, "1" if shape is Shape.SERIES else None)
    return () if value is None else ((name, value),)


def urls_of(options: Options, names: Names, address: Address) -> tuple[str, ...]:
    """The URLs of a content that the site links, all different, from the path on."""
    draws = lot(options.seed, "urls", address.plain)
    urls = [address.plain] if draws.below(100) < options.plain_share else []
    if address.query and address.query[0] == (names.page, "1"):
        urls.append(address.path)
    unlike = {_unordered(url): url for url in urls}
    while len(unlike) < options.urls_each:
        url = _varied(options, names, address, draws)
        unlike.setdefault(_unordered(url), url)
    return tuple(draws.shuffled(list(unlike.values())[: options.urls_each]))


def _unordered(url: str) -> tuple[str, ...]:
    # a crawler knows without learning that the order of parameters does not matter
    path, _, query = url.partition("?")
    return (path, *sorted(query.split("&")))


def _varied(options: Options, names: Names, address: Address, draws: Draws) -> str:
    path_variants = _usable(options, address, PATHS)
    parameters = draws.shuffled(_usable(options, address, PARAMETERS))
    with_path = bool(path_variants) and (draws.below(100) < 45 or not parameters)
    some = 0 if with_path and draws.below(2) else 1 + draws.below(2)
    path = _path(names, address.path, draws.pick(path_variants), draws) if with_path else address.path
    chosen = (pair for one in parameters[:some] for pair in _parameters(options, names, one, draws))
    query = urlencode(draws.shuffled([*address.query, *chosen]))
    return path + (f"?{query}" if query else "")


def _usable(options: Options, address: Address, variants: Collection[Variant]) -> list[Variant]:
    unfit = {Variant.MIXED} if address.shape is Shape.GUIDE else set()
    # a script has no file under it
    unfit |= {Variant.INDEX, Variant.SUFFIX} if address.shape is Shape.SCRIPT else set()
    return [one for one in Variant if one in variants and one in options.variants and one not in unfit]


def _path(names: Names, path: str, variant: Variant, draws: Draws) -> str:
    match variant:
        case Variant.SUFFIX:
            return f"{path}/{names.suffix}"
        case Variant.PREFIX:
            return f"/{names.prefix}{path}"
        case Variant.INDEX:
            return f"{path}/{names.index}"
        case Variant.SLASH:
            return f"{path}/"
        case _:
            return f"{path};{names.path_parameter}={draws.hexadecimal(24)}"


def _parameters(options: Options, names: Names, variant: Variant, draws: Draws) -> list[Pair]:
    match variant:
        case Variant.TRACKING:
            first, second = names.tracking
            source = draws.pick(choices(options.seed, "source"))
            return [(first, source), (second, f"{draws.pick(choices(options.seed, 'campaign'))}{draws.between(1, 30)}")]
        case Variant.SESSION:
            return [(names.session, draws.hexadecimal(32))]
        case Variant.TIMESTAMP:
            return [(names.timestamp, str(draws.between(1_770_000_000, 1_772_400_000)))]
        case Variant.REFERRER:
            return [(names.referrer, draws.pick(choices(options.seed, "referrer")))]
        case _:
            return [(names.mixed, draws.pick(choices(options.seed, "guide")))]

"""Under which URLs a content can be had, and what a URL asks for."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from sameish.demo.live.contents import SERIES, TIDES, Content
from sameish.demo.noise import Draws
from sameish.demo.words import different_words, lot

LAYOUTS = ("print", "amp")
_MATTERS = {SERIES: ("page", "1"), TIDES: ("edition", "morning")}
"""The parameter that matters in a section, and its value where it is not named."""
URLS_EACH = 5


@dataclass(frozen=True, slots=True)
class Names:
    """Names of the parameters that make no difference on a host; they are drawn, and on no list."""

    tracking: str
    session: str
    referrer: str
    timestamp: str

    @classmethod
    def drawn(cls, seed: int, host: str) -> Names:
        """Return the names of a host."""
        return cls(*different_words(lot(seed, host, "names"), 4))


@dataclass(frozen=True, slots=True)
class Asked:
    """What a URL asks for: the plain address of a page, and its layout ("" for the usual one)."""

    address: str
    layout: str


def asked(target: str) -> Asked:
    """Return what a request target asks for."""
    parts = urlsplit(target)
    first, _, rest = parts.path.removeprefix("/").partition("/")
    layout, path = (first, f"/{rest}") if first in LAYOUTS and rest else ("", parts.path)
    name, usual = _MATTERS.get(path.split("/")[1], ("", "")) if path.count("/") > 1 else ("", "")
    if not name:
        return Asked(path, layout)
    return Asked(f"{path}?{name}={dict(parse_qsl(parts.query)).get(name, usual)}", layout)


def urls_of(content: Content, names: Names, seed: int, host: str) -> tuple[str, ...]:
    """Return the URLs of a content that the site links, from the path on; the first is the plain one."""
    draws = lot(seed, host, "urls", content.address)
    urls = {content.address: None}
    while len(urls) < URLS_EACH:
        urls[_varied(content, names, draws)] = None
    return tuple(urls)


def _varied(content: Content, names: Names, draws: Draws) -> str:
    layout = f"/{draws.pick(LAYOUTS)}" if draws.below(3) == 0 else ""
    pieces = [content.query] if content.query else []
    count = draws.below(2) if layout else 1 + draws.below(2)
    pieces += draws.shuffled(_pieces(names, draws))[:count]
    query = "&".join(draws.shuffled(pieces))
    return f"{layout}{content.path}{query and '?' + query}"


def _pieces(names: Names, draws: Draws) -> list[str]:
    return [
        f"{names.tracking}={draws.pick(('letter', 'perch', 'feed', 'poster'))}",
        f"{names.session}={draws.hexadecimal(24)}",
        f"{names.referrer}={draws.pick(('front', 'sidebar', 'search', 'related', 'footer'))}",
        f"{names.timestamp}={draws.between(1_770_000_000, 1_772_400_000)}",
    ]

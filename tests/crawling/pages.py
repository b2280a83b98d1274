"""The HTML of the site: articles in the look of the demo's newspaper, index, walls; everything around changes by load."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape

from tests.crawling.names import Names

from sameish.demo import fronts, refusals, templates
from sameish.demo.article import Article, Prose
from sameish.demo.chrome import footer, navigation, pixels
from sameish.demo.design import CLASSIC, HOST, MOBILE, Scene, items, link
from sameish.demo.head import head
from sameish.demo.noise import Draws, Noise
from sameish.demo.phrases import phrases
from sameish.demo.words import lot

_CANONICAL = re.compile(r'<link rel="canonical" href="[^"]*">\n?')
_OPEN_GRAPH = re.compile(r'<meta property="og:url" content="[^"]*">\n?')
_LIST = "<!-- list -->"
_LINK = re.compile(r'(<a href=")(/[^"]*)(")')


@dataclass(frozen=True, slots=True)
class Listed:
    """A content as other pages show it: headline, and all its URLs from the path on."""

    title: str
    urls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a page is made of besides its text.

    Args:
        base: of the site, without a slash at the end.
        seed: of the site.
        names: of the site.
        place: identity of the page, for its noise.
        load: how often it was sent before.
        neighbours: contents that the changing lists of related and popular articles draw from.
        steady: links that are there at every load, text and URL.
        archive_pages: how many pages the index has.
        canonical: the URL that the page calls its canonical one, or "".
        mark: what the spider reads, to know which content in which version it got.
    """

    base: str
    seed: int
    names: Names
    place: str
    load: int
    neighbours: tuple[Listed, ...]
    steady: tuple[tuple[str, str], ...]
    archive_pages: int
    canonical: str
    mark: str

    def scene(self, *, phone: bool = False) -> Scene:
        noise = Noise.at(self.seed, self.place, self.load)
        others = tuple(_stub(number, one.title) for number, one in enumerate(self.neighbours))
        return Scene(MOBILE if phone else CLASSIC, phrases("en"), noise, self.load % 20, self.place, others)

    def draws(self, label: str) -> Draws:
        return lot(self.seed, label, self.place, self.load)


def article(around: Surroundings, told: Article, *, printed: bool = False, phone: bool = False) -> str:
    """An article in one of three layouts."""
    scene = around.scene(phone=phone)
    layout: Callable[[Scene, Article, str], str] = templates.classic
    if phone or printed:
        layout = templates.mobile if phone else templates.printed
    return _finished(around, layout(scene, told, "utf-8"))


def home(around: Surroundings, latest: Sequence[Article]) -> str:
    """The home page: the latest articles with their first paragraphs, which `around.neighbours` lists first."""
    return _finished(around, fronts.front(around.scene(), tuple(latest), "utf-8"))


def index(around: Surroundings, title: str, shown: Sequence[tuple[str, str]]) -> str:
    """A page of an index: links (text, URL) and nothing else."""
    # its links lead where they say; those of the templates are names that are still to be resolved
    links = items([link(url, text) for text, url in shown])
    return _plain_page(around, title, _LIST).replace(_LIST, links, 1)


def about(around: Surroundings, title: str, paragraphs: Sequence[str]) -> str:
    """A page about the site."""
    return _plain_page(around, title, "\n".join(f"<p>{one}</p>" for one in paragraphs))


def _plain_page(around: Surroundings, title: str, text: str) -> str:
    """A page without anything that is special to articles."""
    scene = around.scene()
    top = head(scene, title, title, canonical="/", charset="utf-8")
    story = scene.box("article", f"<h1>{escape(title)}</h1>\n{text}")
    inner = f"{navigation(scene)}\n{story}\n{footer(scene)}\n{pixels(scene)}"
    return _finished(around, f'<!DOCTYPE html>\n<html lang="en">\n{top}\n<body>\n{inner}\n</body></html>\n')


def login(around: Surroundings) -> str:
    """The page that a login wall shows."""
    return _finished(around, refusals.login(around.scene()))


def notice() -> str:
    """The page that a site shows while it is being repaired; nothing but its words tells what it is."""
    return """<!DOCTYPE html><html lang="en"><head><title>Harbour archive</title></head><body><div><h1>We carry boxes</h1>
<p>The archive is on its way to the old fire station this week, and the articles travel with it in eleven lorries.</p>
<p>We hope to be with you again on Thursday morning, and thank all readers for their patience and their kind letters.</p>
<p>Telephone orders are taken as ever between nine and five.</p></div></body></html>
"""


def missing(around: Surroundings, path: str) -> str:
    """The page that says that there is no page."""
    return _finished(around, refusals.missing(around.scene(), path))


def teaser(title: str, number: int, first: str) -> Article:
    """An article as a list shows it; `number` is its place among the neighbours."""
    return _stub(number, title, first)


def _stub(number: int, title: str, first: str = "") -> Article:
    return Article(str(number), title, "", date(2026, 1, 1), "to", "en", (Prose("p", first),) if first else ())


def _finished(around: Surroundings, html: str) -> str:
    html = _CANONICAL.sub("", _OPEN_GRAPH.sub("", html))
    draws = around.draws("links")
    html = _LINK.sub(lambda found: f"{found[1]}{escape(_target(around, found[2], draws))}{found[3]}", html)
    marks = f'<meta name="bed" content="{escape(around.mark)}">'
    if around.canonical:
        marks += f'\n<link rel="canonical" href="{escape(around.canonical)}">'
    html = html.replace("</head>", f"{marks}\n</head>", 1).replace(f"https://{HOST}", around.base)
    return html.replace("</body>", f"{_steady(around)}</body>", 1)


def _target(around: Surroundings, path: str, draws: Draws) -> str:
    if path == "/" or path.startswith("/about/"):
        return path
    if found := re.fullmatch(r"/to/(\d+)", path):
        return draws.pick(around.neighbours[int(found[1])].urls)
    if not around.archive_pages:
        return "/"
    page = 1 + lot(around.seed, "section", path).below(around.archive_pages)
    return f"/{around.names.archive}?{around.names.page}={page}"


def _steady(around: Surroundings) -> str:
    if not around.steady:
        return ""
    links = items([link(url, text) for text, url in around.steady])
    return f'<nav class="c-more" aria-label="More">\n{links}\n</nav>\n'

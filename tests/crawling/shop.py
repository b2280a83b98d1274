"""A second site, in nothing like the newspaper: a shop with listings, sort orders, pages, sessions and print versions.

with Scripted(tmp_path) as site:
    shop = Shop(site, seed=1)
    shop.names                      # what its parameters and paths are called, drawn from the seed
    told = site.crawl(SPIDER)
    shop.lost(told)                 # the products whose present version reached no callback
    shop.gets()                     # GETs for products, by product

Every product has five URLs, all of them linked: the plain one, one from a sorted listing, one with a session, one to print,
one from beside other products. What a parameter `option` says makes another product of some, and a page number another page of a
listing.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit

from tests.crawling.scripted import Asked, Reply, Scripted, Told

SPIDER = """
    custom_settings = {"CONCURRENT_REQUESTS": 8, "CONCURRENT_REQUESTS_PER_DOMAIN": 8}

    async def start(self):
        yield self.ask("/")

    def parse(self, response):
        self.tell(response, product=response.css("meta[name=product]::attr(content)").get())
        yield from response.follow_all(css="a")
"""
ON_A_PAGE, OPTIONS = 9, 4
SORTED = ("", "cheap", "fresh")
_CLUSTERS = "ch ck dw fj gn kv lh mj ng ph qu rh sch sz tch vr wh xy zd".split()
_VOWELS = "a e i o u y ae oi uu".split()


def _word(chance: random.Random, syllables: int = 2) -> str:
    return "".join(chance.choice(_VOWELS) + chance.choice(_CLUSTERS) for _ in range(syllables))


@dataclass(frozen=True)
class Names:
    """What the shop calls its things; all differ, and none is a word."""

    page: str
    sort: str
    origin: str
    place: str
    session: str
    paper: str
    option: str
    shelves: tuple[str, ...]
    options: tuple[str, ...]

    @classmethod
    def drawn(cls, seed: int) -> Names:
        chance = random.Random(f"names {seed}")  # noqa: S311  # guards no secret
        drawn: dict[str, None] = {}
        while len(drawn) < 16:
            drawn[_word(chance)] = None
        words = tuple(drawn)
        page, sort, origin, place, session, paper, option, *rest = words
        return cls(page, sort, origin, place, session, paper, option, tuple(rest[:5]), tuple(rest[5:]))


@dataclass
class Product:
    """A thing to buy. `.option`: "" where there is one kind of it only."""

    number: int
    slug: str
    shelf: int
    option: str = ""
    version: int = 0

    @property
    def mark(self) -> str:
        return f"{self.number} v{self.version}"


class Shop:
    """The shop, served by a site; its products can be edited and added to.

    Args:
        site: serves it.
        seed: decides everything.
        products: how many there are at first.
        sheets: a page to print has a line of its own, so that it is another page for who reads every line.
        described: every page of a listing begins with the same description of what is on that shelf.
    """

    def __init__(
        self, site: Scripted, seed: int = 1, products: int = 80, *, sheets: bool = False, described: bool = False
    ) -> None:
        self.sheets, self.described = sheets, described
        self.names, self.seed, self.site = Names.drawn(seed), seed, site
        self.products: list[Product] = []
        self._loads: Counter[str] = Counter()
        self._add(products)
        site.fallback = self._answer

    def edit(self, share: float) -> set[str]:
        """Change the text of some products, on the seed's choice."""
        chance = random.Random(f"edit {self.seed}")  # noqa: S311
        chosen = chance.sample(self.products, round(share * len(self.products)))
        for product in chosen:
            product.version += 1
        return {product.mark for product in chosen}

    def add(self, share: float) -> set[str]:
        before = len(self.products)
        self._add(round(share * before))
        return {product.mark for product in self.products[before:]}

    def lost(self, *crawls: Told) -> set[str]:
        seen = {one["product"] for told in crawls for one in told.pages}
        return {product.mark for product in self.products if product.mark not in seen}

    def gets(self, status: int = 0) -> Counter[int]:
        """Return how often each product was asked for in the last crawl, and answered with a status if one is given."""
        found = [(self._found(asked.target), asked) for asked in self.site.asked]
        told = [(product, self._reply_status(product, asked)) for product, asked in found if product is not None]
        return Counter(product.number for product, answered in told if status in {0, answered})

    def _reply_status(self, product: Product, asked: Asked) -> int:
        return 304 if asked.headers.get("if-none-match") == _etag(product) else 200

    def _add(self, count: int) -> None:
        while count > 0:
            number = len(self.products)
            chance = random.Random(f"product {self.seed} {number}")  # noqa: S311
            slug, shelf = f"{_word(chance)}-{_word(chance)}", chance.randrange(len(self.names.shelves))
            options = self.names.options if chance.random() < 0.08 and count >= OPTIONS else ("",)
            self.products += [Product(number + at, f"{slug}-{number}", shelf, one) for at, one in enumerate(options)]
            count -= len(options)

    def url(self, product: Product, way: int) -> str:
        """Return one of the five URLs of a product, from the path on."""
        names, at = self.names, product.number
        shelf = names.shelves[product.shelf]
        query = [(names.option, product.option)] if product.option else []
        query += [
            [],
            [(names.origin, SORTED[1]), (names.place, str(at % ON_A_PAGE))],
            [(names.session, f"{random.Random(f'{self.seed} {at}').getrandbits(64):016x}")],  # noqa: S311
            [(names.paper, "1")],
            [(names.origin, "beside"), (names.place, str(at % 3))],
        ][way]
        return f"/{shelf}/{product.slug}.html" + (f"?{urlencode(query)}" if query else "")

    def _found(self, target: str) -> Product | None:
        parts = urlsplit(target)
        shelf, _, file = parts.path.lstrip("/").partition("/")
        option = dict(parse_qsl(parts.query)).get(self.names.option, "")
        alike = [one for one in self.products if file == f"{one.slug}.html" and shelf in self.names.shelves]
        return next((one for one in alike if one.option == option), alike[0] if alike else None)

    def _answer(self, asked: Asked) -> Reply:
        parts = urlsplit(asked.target)
        query = dict(parse_qsl(parts.query))
        product = self._found(asked.target)
        self._loads[asked.target] += 1
        if product is not None:
            return self._shown(product, asked, on_paper=self.names.paper in query)
        if parts.path == "/":
            links = [f"/{shelf}/" for shelf in self.names.shelves]
            return _html(
                "Everything we sell", _list(links), f"<p>Welcome. {len(self.products)} things are in stock.</p>"
            )
        if parts.path.strip("/") in self.names.shelves:
            return self._listing(parts.path.strip("/"), query)
        return Reply(404, b"<html><body>We have no such thing.</body></html>", {"Content-Type": "text/html"})

    def _listing(self, shelf: str, query: dict[str, str]) -> Reply:
        names = self.names
        of_shelf = [one for one in self.products if names.shelves[one.shelf] == shelf]
        order = query.get(names.sort, "")
        way = SORTED.index(order) if order in SORTED else 0
        ordered = sorted(of_shelf, key=lambda one: random.Random(f"{order} {one.number}").random())  # noqa: S311
        pages = max(1, -(-len(ordered) // ON_A_PAGE))
        asked = query.get(names.page, "1")
        page = int(asked) if asked.isdigit() and 1 <= int(asked) <= pages else 1
        shown = ordered[(page - 1) * ON_A_PAGE : page * ON_A_PAGE]
        tiles = "".join(
            f'<div class="tile"><a href="{_escaped(self.url(one, way))}"><b>{self._title(one)}</b></a> <span>{self._price(one)}</span></div>'
            for one in shown
        )
        more = [{names.sort: one} if one else {} for one in SORTED]
        more += [({names.sort: order} if order else {}) | {names.page: str(one)} for one in range(1, pages + 1)]
        links = [f"/{shelf}/" + (f"?{urlencode(one)}" if one else "") for one in more]
        if not self.described:
            return _html(f"Shelf {shelf}, page {page} of {pages}", _list(links), f'<div class="grid">{tiles}</div>')
        chance = random.Random(f"shelf {self.seed} {shelf}")  # noqa: S311
        about = " ".join(" ".join(_word(chance, 1) for _ in range(12)).capitalize() + "." for _ in range(6))
        return _html(f"Shelf {shelf}", _list(links), f'<h1>{shelf}</h1><p>{about}</p><div class="grid">{tiles}</div>')

    def _shown(self, product: Product, asked: Asked, *, on_paper: bool) -> Reply:
        if asked.headers.get("if-none-match") == _etag(product):
            return Reply(304, b"", {"ETag": _etag(product)})
        load = self._loads[asked.target]
        chance = random.Random(f"{self.seed} {asked.target} {load}")  # noqa: S311  # what is around is another each time
        text = f'<div class="box"><h1>{self._title(product)}</h1><p class="price">{self._price(product)}</p>{self._described(product)}</div>'
        head = f'<meta name="product" content="{product.mark}">'
        if on_paper:
            body = f"{'<h4>Data sheet</h4>' if self.sheets else ''}{text}<p>All rights reserved</p>"
            return _html(self._title(product), "", body, head).with_headers(ETag=_etag(product))
        following = [self.products[(product.number + step) % len(self.products)] for step in (1, 2)]
        beside = [*following, *chance.sample(self.products, 3)]
        around = f"<aside><h3>Others looked at</h3>{_list([self.url(one, 4) for one in beside])}</aside>"
        around += f"<p><small>{chance.randrange(2, 900)} views</small></p>"
        paper = f'<a href="{_escaped(self.url(product, 3))}">Print this page</a>'
        return _html(self._title(product), _list(["/"]), text + paper + around, head).with_headers(ETag=_etag(product))

    def _title(self, product: Product) -> str:
        return f"{product.slug.title()} {product.option}".strip()

    def _price(self, product: Product) -> str:
        chance = random.Random(f"price {self.seed} {product.number} {product.version}")  # noqa: S311
        return f"€ {chance.randrange(3, 900)}.{chance.randrange(100):02}"

    def _described(self, product: Product) -> str:
        chance = random.Random(f"text {self.seed} {product.number}")  # noqa: S311
        sentences = [" ".join(_word(chance, 1) for _ in range(11)).capitalize() + "." for _ in range(8)]
        if product.version:
            sentences[3] = (
                f"Now made of {_word(chance)} in edition {product.version}, with a new lid and a longer handle."
            )
        rows = "".join(f"<tr><th>{_word(chance)}</th><td>{chance.randrange(900)} mm</td></tr>" for _ in range(5))
        return f"<p>{' '.join(sentences[:4])}</p><p>{' '.join(sentences[4:])}</p><table>{rows}</table>"


def _etag(product: Product) -> str:
    return f'"{product.number}-{product.version}"'


def _escaped(url: str) -> str:
    return url.replace("&", "&amp;")


def _list(links: list[str]) -> str:
    return "<ul>" + "".join(f'<li><a href="{_escaped(one)}">{_escaped(one)}</a></li>' for one in links) + "</ul>"


def _html(title: str, menu: str, body: str, head: str = "") -> Reply:
    page = f'<!doctype html><html><head><title>{title}</title>{head}</head><body><div id="top">{menu}</div><main>{body}</main></body></html>'
    return Reply(200, page.encode(), {"Content-Type": "text/html; charset=utf-8"})

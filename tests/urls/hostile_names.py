"""Made-up sites where names that usually mean nothing carry content, on some of their pages or on all: URL to content."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tests.urls.hostile_sites import draw_noise, draw_slug, urls_of
from tests.urls.simulated_site import word

Draw = Callable[[], str]
FEW, MANY = 4, 60
"""Values that such a name takes."""


def _articles(
    rng: random.Random, count: int, sections: Sequence[str], noise: dict[str, Draw], first: int = 0
) -> dict[str, int]:
    """Pages that differ by their path only."""
    site: dict[str, int] = {}
    for number in range(first, first + count):
        site |= dict.fromkeys(urls_of(rng, f"/{rng.choice(sections)}/{draw_slug(rng)}", {}, noise), number)
    return site


def filters(seed: int, name: str, *, values: int, required: bool, contents: int = 150) -> dict[str, int]:
    """A name that means nothing on articles and chooses what a list shows, with or without a list that nothing is chosen of."""
    rng = random.Random(seed)  # noqa: S311 - it draws sites, no secrets
    chosen = [word(rng, 3, 9) for _ in range(values)]
    noise = draw_noise(rng) | {name: lambda: rng.choice(chosen)}
    site = _articles(rng, contents, [word(rng) for _ in range(5)], noise)
    for number in range(max(2, 40 // values)):
        page = f"/topics/{draw_slug(rng)}"
        for at, value in enumerate(chosen if required else (None, *chosen)):
            matters = {} if value is None else {name: value}
            others = {other: draw for other, draw in noise.items() if other != name}
            site |= dict.fromkeys(urls_of(rng, page, matters, others, 3), 10_000 + number * 100 + at)
    return site


def search(seed: int, name: str, *, path: str = "/find", queries: int = 30) -> dict[str, int]:
    """A name that means nothing on articles and is the query of the one page that searches."""
    rng = random.Random(seed)  # noqa: S311 - it draws sites, no secrets
    noise = draw_noise(rng)
    site = _articles(rng, 150, [word(rng) for _ in range(5)], noise | {name: lambda: word(rng)})
    for number in range(queries):
        site |= dict.fromkeys(urls_of(rng, path, {name: f"{word(rng)}{number}"}, noise, 3), 20_000 + number)
    return site


def everywhere(seed: int, name: str, *, values: int, contents: int = 100) -> dict[str, int]:
    """A name that chooses what is shown on every page, one of which is what is shown without it."""
    rng = random.Random(seed)  # noqa: S311 - it draws sites, no secrets
    noise, chosen = draw_noise(rng), [word(rng, 3, 9) for _ in range(values)]
    sections = [word(rng) for _ in range(5)]
    site: dict[str, int] = {}
    for number in range(contents):
        page = f"/{rng.choice(sections)}/{draw_slug(rng)}"
        for at, value in enumerate((None, *rng.sample(chosen, min(4, values)))):
            content = 0 if value == chosen[0] else at
            matters = {} if value is None else {name: value}
            site |= dict.fromkeys(urls_of(rng, page, matters, noise, 2), number * 10 + content)
    return site


def segments(seed: int, segment: str, *, kind: str) -> dict[str, int]:
    """A segment that names a layout of articles, and elsewhere a place of its own: `/shop/print`, `/m/milk`."""
    rng = random.Random(seed)  # noqa: S311 - it draws sites, no secrets
    noise, sections = draw_noise(rng), [word(rng) for _ in range(5)]
    site: dict[str, int] = {}
    for number in range(150):
        page = f"/{rng.choice(sections)}/{draw_slug(rng)}"
        variant = f"{page}/{segment}" if kind == "suffix" else f"/{segment}{page}"
        for path, count in ((page, 3), (variant, 1)):
            site |= dict.fromkeys(urls_of(rng, path, {}, noise, count), number)
    for number in range(12):
        place = word(rng)
        variant = f"/{place}/{segment}" if kind == "suffix" else f"/{segment}/{place}"
        for at, path in enumerate((f"/{place}", variant)):
            site |= dict.fromkeys(urls_of(rng, path, {}, noise, 3), 30_000 + number * 10 + at)
    return site


def languages(seed: int, name: str = "lang") -> dict[str, int]:
    """A language that is ignored in the news and changes the pages of two other sections."""
    rng = random.Random(seed)  # noqa: S311 - it draws sites, no secrets
    codes = [word(rng, 2, 2) for _ in range(3)]
    noise = draw_noise(rng)
    site = _articles(rng, 150, [word(rng) for _ in range(5)], noise | {name: lambda: rng.choice(codes)})
    for number in range(30):
        page = f"/{('help', 'terms')[number % 2]}/{draw_slug(rng)}"
        for at, code in enumerate((None, *codes)):
            matters = {} if code is None else {name: code}
            site |= dict.fromkeys(urls_of(rng, page, matters, noise, 2), 40_000 + number * 10 + at)
    return site


def colours(seed: int, name: str = "color") -> dict[str, int]:
    """Products in colours, each a page of its own, the first of which is also shown without one."""
    rng = random.Random(seed)  # noqa: S311 - it draws sites, no secrets
    noise, colour = draw_noise(rng), [word(rng) for _ in range(6)]
    site = _articles(rng, 100, [word(rng) for _ in range(4)], noise)
    for number in range(60):
        page, some = f"/products/{draw_slug(rng)}", rng.sample(colour, 4)
        for at, value in enumerate((None, *some)):
            matters = {} if value is None else {name: value}
            site |= dict.fromkeys(urls_of(rng, page, matters, noise, 2), 50_000 + number * 10 + max(at, 1))
    return site


def together(seed: int) -> dict[str, int]:
    """Lists that change only where an order and a direction are given; each alone changes nothing."""
    rng = random.Random(seed)  # noqa: S311 - it draws sites, no secrets
    noise, order, way = draw_noise(rng), word(rng), word(rng)
    orders, ways = [word(rng) for _ in range(3)], [word(rng) for _ in range(2)]
    site = _articles(rng, 80, [word(rng) for _ in range(4)], noise)
    for number in range(40):
        page = f"/lists/{draw_slug(rng)}"
        for one in (None, *orders):
            for two in (None, *ways):
                matters = {name: value for name, value in ((order, one), (way, two)) if value is not None}
                at = 0 if one is None or two is None else 1 + orders.index(one) * 2 + ways.index(two)
                site |= dict.fromkeys(urls_of(rng, page, matters, noise, 1), 60_000 + number * 10 + at)
    return site


def gone(seed: int) -> dict[str, int]:
    """A third of all addresses answer with one page that says sorry, whatever follows them; a number chooses parts of others."""
    rng = random.Random(seed)  # noqa: S311 - it draws sites, no secrets
    noise, part, sections = draw_noise(rng), word(rng), [word(rng) for _ in range(5)]
    site: dict[str, int] = {}
    for number in range(150):
        page, missing = f"/{rng.choice(sections)}/{draw_slug(rng)}", rng.random() < 0.33
        for at in range(3):
            matters = {part: str(at)} if at else {}
            site |= dict.fromkeys(urls_of(rng, page, matters, noise, 2), 70_000 if missing else number * 10 + at)
    return site


def variants_only(seed: int) -> dict[str, int]:
    """No page is ever linked without a parameter that means nothing; one more matters in a section."""
    rng = random.Random(seed)  # noqa: S311 - it draws sites, no secrets
    first, second, part, sections = word(rng), word(rng), word(rng), [word(rng) for _ in range(5)]
    site: dict[str, int] = {}
    for number in range(200):
        section = rng.choice(sections)
        page = f"/{section}/{draw_slug(rng)}"
        for at in range(3):
            draws = {part: str(at)}
            for _ in range(2):
                always = {first: f"{rng.getrandbits(40):x}", second: str(rng.randint(1, 9))}
                content = number * 10 + (at if section == sections[0] else 0)
                site |= dict.fromkeys(urls_of(rng, page, draws | always, {}, 1), content)
    return site

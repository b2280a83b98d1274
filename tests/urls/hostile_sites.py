"""Made-up sites on which what is learned soon turns out wrong: URL to content."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.urls.simulated_site import word


def urls_of(
    rng: random.Random, page: str, matters: dict[str, str], noise: dict[str, Callable[[], str]], count: int = 5
) -> list[str]:
    """Return some URLs of a page; a parameter that means nothing is in each of them or not, by chance."""
    found: dict[str, None] = {}  # a set would give another order in each process
    for _ in range(100):
        query = dict(matters)
        query |= {name: draw() for name, draw in noise.items() if name not in matters and rng.random() < 0.4}
        pieces = [f"{name}={value}" for name, value in sorted(query.items())]
        found.setdefault(f"https://site.example{page}{'?' if pieces else ''}{'&'.join(pieces)}")
        if len(found) == count:
            break
    return list(found)


def draw_noise(rng: random.Random) -> dict[str, Callable[[], str]]:
    """Return two parameters that mean nothing, one with many values."""
    return {word(rng): lambda: f"{rng.getrandbits(40):x}", word(rng): lambda: str(rng.randint(1, 30))}


def draw_slug(rng: random.Random) -> str:
    """Return the last segment of a page's path."""
    return "-".join(word(rng, 3, 7) for _ in range(4))


def rarely(seed: int, share: float = 0.1, contents: int = 400) -> dict[str, int]:
    """A language that changes few pages: most are not translated."""
    rng = random.Random(seed)  # noqa: S311 - it draws sites, no secrets
    noise, language, codes = draw_noise(rng), word(rng), [word(rng, 2, 2) for _ in range(3)]
    site: dict[str, int] = {}
    for number in range(contents):
        page, translated = f"/{rng.choice(('boats', 'tides'))}/{draw_slug(rng)}", rng.random() < share
        for code in (None, *codes):
            matters = {} if code is None else {language: code}
            content = number * 10 + (codes.index(code) + 1 if code and translated else 0)
            site |= dict.fromkeys(urls_of(rng, page, matters, noise, 2), content)
    return site


def one_shape(seed: int, galleries: int = 20, shape: str = "/gallery/{slug}", contents: int = 400) -> dict[str, int]:
    """A number that is noise everywhere but in a gallery, where each shows another picture."""
    rng = random.Random(seed)  # noqa: S311 - it draws sites, no secrets
    noise, name = draw_noise(rng), word(rng)
    site: dict[str, int] = {}
    for number in range(contents):
        page = f"/{rng.choice(('boats', 'tides', 'ropes', 'knots', 'sails'))}/{draw_slug(rng)}"
        site |= dict.fromkeys(urls_of(rng, page, {}, {**noise, name: lambda: str(rng.randint(1, 12))}), number)
    for gallery in range(galleries):
        page = shape.format(slug=draw_slug(rng))
        for picture in range(1, 7):
            site |= dict.fromkeys(urls_of(rng, page, {name: str(picture)}, noise, 3), 10_000 + gallery * 10 + picture)
    return site


def one_program(seed: int) -> dict[str, int]:
    """The same, where a single program `/calendar` shows another day for each value."""
    rng = random.Random(seed)  # noqa: S311 - it draws sites, no secrets
    site = one_shape(seed, galleries=0)
    name = next(piece.partition("=")[0] for url in site for piece in url.partition("?")[2].split("&") if piece)
    names = {piece.partition("=")[0] for url in site for piece in url.partition("?")[2].split("&") if piece}
    noise = {other: lambda: str(rng.randint(1, 30)) for other in sorted(names - {name})}
    for day in range(30):
        site |= dict.fromkeys(urls_of(rng, "/calendar", {name: str(day)}, noise, 3), 20_000 + day)
    return site


def past_the_end(seed: int, *, alike: bool) -> dict[str, int]:
    """Lists with pages past their end; what stands there is the same on each list, or on all."""
    rng = random.Random(seed)  # noqa: S311 - it draws sites, no secrets
    noise, name = draw_noise(rng), word(rng)
    site: dict[str, int] = {}
    for number in range(60):
        page, last = f"/{rng.choice(('boats', 'tides'))}/{draw_slug(rng)}", rng.randint(1, 4)
        for at in range(9):
            empty = 90_000 if alike else 50_000 + number
            content = number * 20 + max(at, 1) if at <= last else empty
            matters = {name: str(at)} if at else {}
            site |= dict.fromkeys(urls_of(rng, page, matters, noise, 3), content)
    return site


def sorted_lists(seed: int) -> dict[str, int]:
    """A sort order that changes no list but long ones."""
    rng = random.Random(seed)  # noqa: S311 - it draws sites, no secrets
    noise, name, orders = draw_noise(rng), word(rng), [word(rng) for _ in range(6)]
    site: dict[str, int] = {}
    for number in range(200):
        page, long = f"/{rng.choice(('boats', 'tides'))}/{draw_slug(rng)}", rng.random() < 0.15
        for order in (None, *orders):
            matters = {} if order is None else {name: order}
            content = number * 10 + (orders.index(order) + 1 if order and long else 0)
            site |= dict.fromkeys(urls_of(rng, page, matters, noise, 2), content)
    return site

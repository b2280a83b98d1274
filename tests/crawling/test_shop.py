"""The same promises on a site in nothing like the newspaper: GETs for each product, bodies the second time, nothing lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import mean

from tests.crawling.scripted import Scripted
from tests.crawling.shop import SPIDER, Shop

Rounds = Callable[[int], int]


def _folder(within: Path, seed: int) -> Path:
    folder = within / str(seed)
    folder.mkdir()
    return folder


def test_without_sameish_every_product_costs_five_gets(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        shop = Shop(site)
        told = site.crawl(SPIDER, bare=True)
        assert shop.lost(told) == set()
        assert set(shop.gets().values()) == {5}


def test_a_shop_is_crawled_twice_and_nothing_is_lost(tmp_path: Path, rounds: Rounds) -> None:
    costs, shops = list[float](), max(3, rounds(20))
    while len(costs) < shops:
        seed = 1 + len(costs)
        with Scripted(_folder(tmp_path, seed)) as site:
            shop = Shop(site, seed)
            first = site.crawl(SPIDER)
            assert shop.lost(first) == set()
            costs.append(shop.gets().total() / len(shop.products))
            site.clock.move(days=2)
            changed = shop.edit(0.10) | shop.add(0.05)
            second = site.crawl(SPIDER)
            assert changed <= {one["product"] for one in second.pages}
            assert shop.lost(first, second) == set()
            assert shop.gets(200).total() <= 0.35 * len(shop.products)
        if len(costs) == 3 and mean(costs) > 1.7:
            # in which order answers come is chance: 1.5 to 2.1 were seen, 1.62 in the mean, of three above 1.7 one time in five
            shops = 20
    assert mean(costs) <= 1.7
    # of twenty, one was a little above 2.1
    assert sorted(costs)[-1 - len(costs) // 20] <= 2.1
    assert max(costs) <= 2.3


def test_pages_to_print_that_say_more_lose_nothing(tmp_path: Path, rounds: Rounds) -> None:
    for seed in range(1, 1 + max(1, rounds(10))):
        with Scripted(_folder(tmp_path, seed)) as site:
            shop = Shop(site, seed, sheets=True)
            crawls = [site.crawl(SPIDER)]
            site.clock.move(days=2)
            changed = shop.edit(0.10) | shop.add(0.05)
            crawls.append(site.crawl(SPIDER))
            assert changed <= {one["product"] for one in crawls[-1].pages}
            assert shop.lost(*crawls) == set()


def test_pages_of_a_listing_under_one_description_are_all_read(tmp_path: Path, rounds: Rounds) -> None:
    for seed in range(1, 1 + max(1, rounds(10))):
        with Scripted(_folder(tmp_path, seed)) as site:
            shop = Shop(site, seed, products=240, described=True)
            first = site.crawl(SPIDER)
            assert shop.lost(first) == set()
            site.clock.move(days=2)
            changed = shop.edit(0.10) | shop.add(0.05)
            second = site.crawl(SPIDER)
            assert changed <= {one["product"] for one in second.pages}
            assert shop.lost(first, second) == set()

"""The test bed without sameish: what a crawl costs that nothing is known about."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.crawling.harness import Bed
from tests.crawling.options import Habit, Index, Options, Variant, WallKind

HTTP_CACHE = {"HTTPCACHE_ENABLED": True, "HTTPCACHE_POLICY": "scrapy.extensions.httpcache.RFC2616Policy"}


@pytest.mark.parametrize("index", [Index.LIST, Index.NONE])
def test_a_first_crawl_asks_five_times_for_every_content(tmp_path: Path, index: Index) -> None:
    with Bed(tmp_path, Options(contents=40, seed=11, index=index)) as bed:
        crawl = bed.crawl()
        assert crawl.stats["finish_reason"] == "finished"
        assert crawl.stats.get("log_count/ERROR", 0) == 0
        assert crawl.counts.per_content(40) == 5
        assert set(crawl.counts.by_content().values()) == {5}
        assert crawl.counts.full == crawl.counts.gets
        assert bed.lost(crawl) == set()


@pytest.mark.soak
def test_a_big_first_crawl(tmp_path: Path, rounds: Callable[[int], int]) -> None:
    contents = rounds(800)
    with Bed(tmp_path, Options(contents=contents, seed=12)) as bed:
        crawl = bed.crawl()
        assert crawl.counts.per_content(contents) == 5
        assert bed.lost(crawl) == set()


def test_a_second_crawl_gets_edits_new_pages_and_honest_304s(tmp_path: Path) -> None:
    habits = {Habit.HONEST: 60, Habit.ETAG: 10, Habit.DATE: 10, Habit.NONE: 20}
    with Bed(tmp_path, Options(contents=40, seed=13, habits=habits)) as bed:
        bed.crawl(HTTP_CACHE)
        bed.clock.move(days=2)
        edited, added = bed.site.edit(0.10), bed.site.add(0.05)
        second = bed.crawl(HTTP_CACHE)
        assert bed.lost(second) == set()
        assert {(name, "1") for name in edited} | {(name, "0") for name in added} <= second.seen
        full = second.counts.contents.where(lambda hit: hit.status == 200)
        assert {*edited, *added} <= set(full.by_content())
        unchanged = second.counts.where(lambda hit: hit.content not in {*edited, *added} and hit.content != "")
        silent = unchanged.where(lambda hit: hit.none_match is None and hit.modified_since is None)
        assert silent.not_modified == 0
        assert unchanged.not_modified == unchanged.conditional > 100


def test_a_wall_loses_what_it_stands_before_until_it_is_gone(tmp_path: Path) -> None:
    with Bed(tmp_path, Options(contents=20, seed=14)) as bed:
        for kind in WallKind:
            bed.site.raise_wall(kind, after=10)
            crawl = bed.crawl()
            assert bed.lost(crawl)
            assert crawl.counts.by_kind()["wall"]
            bed.site.lift_wall()
            assert bed.lost(crawl, bed.crawl()) == set()


def test_what_the_callback_refuses_is_lost(tmp_path: Path) -> None:
    with Bed(tmp_path, Options(contents=20, seed=15)) as bed:
        crawl = bed.crawl(failing=["c4", "c11"])
        assert bed.lost(crawl) == {"c4", "c11"}
        assert crawl.stats["spider_exceptions/ValueError"] >= 2


def test_a_parameter_that_starts_to_matter_makes_new_contents(tmp_path: Path) -> None:
    with Bed(tmp_path, Options(contents=20, seed=16)) as bed:
        first = bed.crawl()
        bed.site.start_to_matter(Variant.TRACKING)
        assert {name for name in bed.lost(first) if "~" in name}
        assert bed.lost(bed.crawl()) == set()


def test_single_urls_and_meta(tmp_path: Path) -> None:
    with Bed(tmp_path, Options(contents=20, seed=17)) as bed:
        url = bed.site.urls()[0]
        crawl = bed.crawl(start=[url], follow=False)
        assert [(one.url, one.content, one.status) for one in crawl.arrivals] == [(url, "c0", 200)]
        assert "download_latency" in crawl.arrivals[0].meta
        assert "Spider closed" in crawl.log


def test_two_workers_at_once(tmp_path: Path) -> None:
    with Bed(tmp_path, Options(contents=20, seed=18)) as bed:
        crawl = bed.crawl(workers=2)
        assert crawl.counts.per_content(20) == 10
        assert crawl.stats["downloader/response_status_count/200"] == crawl.counts.full
        assert len([one for one in crawl.arrivals if one.version]) == 200


def test_a_crawl_that_fails_says_why(tmp_path: Path) -> None:
    with Bed(tmp_path, Options(contents=20, seed=19)) as bed:
        with pytest.raises(RuntimeError, match="no_such_module"):
            bed.crawl({"SPIDER_MIDDLEWARES": {"no_such_module.Middleware": 1}})
        with pytest.raises(subprocess.TimeoutExpired):
            bed.crawl(timeout=0.01)


def test_a_calendar_is_crawled_until_somebody_stops(tmp_path: Path) -> None:
    with Bed(tmp_path, Options(contents=20, seed=20, calendar=True)) as bed:
        crawl = bed.crawl({"CLOSESPIDER_PAGECOUNT": 300})
        assert crawl.counts.by_kind()["calendar"] > 50

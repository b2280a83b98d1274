"""Of the requests for one page one goes, and nobody waits longer than he must."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.crawling.harness import WITH_SAMEISH, Bed
from tests.crawling.options import Options
from tests.crawling.scripted import Reply, Scripted, moved, page

import sameish
from sameish.gate.journal import SAVED

SAME = """
    async def start(self):
        for query in ("b=1&c=2", "c=2&b=1", "b=1&c=2#x", "&b=1&c=2"):
            yield self.ask(f"/a?{query}", dont_filter=True, errback=self.sorry)

    def parse(self, response):
        self.tell(response)

    def sorry(self, failure):
        self.logger.warning("sorry %r", failure.value)
"""


def test_of_several_requests_for_one_page_one_goes(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        site.pages["/a"] = page("a").later(0.3)
        told = site.crawl(SAME)
        assert len(site.targets()) == 1
        assert len(told.pages) == 4
        assert told.stats["sameish/requests_saved"] == 3


@pytest.mark.parametrize("first", ["redirect", "error", "loop"])
def test_who_waits_for_what_comes_to_nothing_goes_on_at_once(tmp_path: Path, first: str) -> None:
    replies = {"redirect": moved("/b"), "error": Reply(404, b"no"), "loop": moved("/a?b=1&c=2")}
    with Scripted(tmp_path) as site:
        state = iter([replies[first].later(0.3)])
        site.pages |= {"/a": lambda _: next(state, page("a")), "/b": page("b")}
        told = site.crawl(SAME)
        assert told.stats["elapsed_time_seconds"] < 2.5
        assert "a" in {one["title"] for one in told.pages}


DROPPER = """
from scrapy.exceptions import IgnoreRequest

class Middleware:
    seen = 0

    def process_request(self, request, spider=None):
        if WHERE == "request":
            self._drop_first()

    def process_response(self, request, response, spider=None):
        if WHERE == "response":
            self._drop_first()
        return response

    def _drop_first(self):
        Middleware.seen += 1
        if Middleware.seen == 1:
            raise IgnoreRequest("not this one")
"""


@pytest.mark.parametrize("where", ["request", "response"])
@pytest.mark.parametrize("place", [543, 900])
def test_nor_for_what_another_middleware_dropped(tmp_path: Path, where: str, place: int) -> None:
    with Scripted(tmp_path) as site:
        site.pages["/a"] = page("a").later(0.2)
        above = DROPPER.replace("WHERE", repr(where))
        told = site.crawl(SAME, {"DOWNLOADER_MIDDLEWARES": {"__main__.Middleware": place}}, above=above)
        assert told.stats["elapsed_time_seconds"] < 2.5
        assert len(told.pages) == 3


def test_nor_for_what_never_comes(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        state = iter([page("a").later(8)])
        site.pages["/a"] = lambda _: next(state, page("a"))
        told = site.crawl(SAME, {"DOWNLOAD_TIMEOUT": 1, "RETRY_ENABLED": False})
        assert told.stats["elapsed_time_seconds"] < 4
        assert len(told.pages) == 3
        bounded = {"SAMEISH_SETTINGS": {"gate": {"wait_s": 0.5}}, "SAMEISH_STORE": "other.db"}
        state = iter([page("a").later(3)])
        told = site.crawl(SAME, bounded)
        assert len(told.pages) == 4
        assert told.pages[0]["at"] < told.pages[-1]["at"] - 1


def test_a_callback_may_fetch_its_own_page_again(tmp_path: Path) -> None:
    body = """
    async def start(self):
        yield self.ask("/a?b=1&c=2")

    async def parse(self, response):
        self.tell(response)
        again = await self.crawler.engine.download_async(self.ask("/a?c=2&b=1"))
        self.tell(again)
"""
    with Scripted(tmp_path) as site:
        site.pages["/a"] = page("a")
        told = site.crawl(body)
        assert len(told.pages) == 2
        assert told.stats["elapsed_time_seconds"] < 4


def test_a_callback_that_rests_holds_up_no_other_of_its_page_for_long(tmp_path: Path) -> None:
    body = """
    async def start(self):
        yield self.ask("/a")
        yield self.ask("/a?utm_source=mail")

    async def parse(self, response):
        import asyncio
        self.tell(response)
        if "utm" not in response.url:
            await asyncio.sleep(6)
        self.tell(response)
"""
    with Scripted(tmp_path) as site:
        site.pages["/a"] = page("a").later(0.3)
        told = site.crawl(body)
        first, other, *rest = told.pages
        assert len(rest) == 2
        assert other["path"] != first["path"]
        assert other["at"] - first["at"] < 3


def test_workers_share_a_flight(tmp_path: Path) -> None:
    for name in ("one", "three"):
        (tmp_path / name).mkdir()
    with Bed(tmp_path / "one", Options(contents=40, seed=3)) as bed:
        alone = bed.crawl(WITH_SAMEISH)
    with Bed(tmp_path / "three", Options(contents=40, seed=3)) as bed:
        together = bed.crawl(WITH_SAMEISH, workers=3)
        assert bed.lost(together) == set()
        assert "Traceback" not in together.log
        assert together.counts.gets <= 1.25 * alone.counts.gets


def test_workers_audit_as_much_as_one(tmp_path: Path) -> None:
    settings = {**WITH_SAMEISH, "SAMEISH_SETTINGS": {"gate": {"audit_share": 0.3}}}
    audits = []
    for workers in (1, 3):
        (tmp_path / str(workers)).mkdir()
        with Bed(tmp_path / str(workers), Options(contents=60, seed=3)) as bed:
            audits.append(bed.crawl(settings, workers=workers).stats["sameish/decision/audit"])
    alone, together = audits
    # three times as many if each worker made its own; 1.25 to 1.9 were seen, as they hear of one another late
    assert 0.5 * alone <= together <= 2.2 * alone


@pytest.mark.soak
@pytest.mark.parametrize("workers", [2, 3])
def test_many_workers_send_hardly_more_than_one(tmp_path: Path, workers: int) -> None:
    alone, together = 0, 0
    for seed in range(1, 4):
        for count in (1, workers):
            folder = tmp_path / f"{seed} {count}"
            folder.mkdir()
            with Bed(folder, Options(contents=80, seed=seed)) as bed:
                first = bed.crawl(WITH_SAMEISH, workers=count)
                bed.clock.move(days=2)
                changed = {*bed.site.edit(0.10), *bed.site.add(0.05)}
                second = bed.crawl(WITH_SAMEISH, workers=count)
                assert bed.lost(first, second) == set()
                assert changed <= {name for name, version in second.seen if version == bed.site.current()[name]}
                assert second.counts.contents.full <= 0.35 * len(bed.site.contents)
                sent = first.counts.gets + second.counts.gets
                alone, together = (alone + sent, together) if count == 1 else (alone, together + sent)
    assert together <= 1.2 * alone


def _ledger(folder: Path) -> dict[str, tuple[int, int]]:
    (folder / ".scrapy").mkdir(exist_ok=True)
    with sameish.open(folder / ".scrapy" / "sameish.db") as detector:
        return {one.name: (one.requests, one.size_bytes) for one in detector.store.ledger()}


def test_the_stats_agree_with_the_ledger_and_the_server(tmp_path: Path) -> None:
    with Bed(tmp_path, Options(contents=30, seed=4)) as bed:
        for _ in range(2):
            before = _ledger(tmp_path)
            crawl = bed.crawl(WITH_SAMEISH)
            grown = {
                name: (requests - before.get(name, (0, 0))[0], size - before.get(name, (0, 0))[1])
                for name, (requests, size) in _ledger(tmp_path).items()
            }
            saved = {name.removeprefix(SAVED): sums for name, sums in grown.items() if name.startswith(SAVED)}
            told = {name.rpartition("/")[2]: value for name, value in crawl.stats.items() if "requests_saved/" in name}
            assert told == {name: requests for name, (requests, _) in saved.items() if requests}
            assert crawl.stats["sameish/requests_saved"] == sum(told.values())
            assert crawl.stats["sameish/bytes_saved"] == sum(size for _, size in saved.values())
            sent = sum(value for name, value in crawl.stats.items() if name.startswith("sameish/decision/"))
            assert sent == crawl.counts.gets
            assert grown["fetched"][0] == crawl.counts.full
            assert grown.get("asked", (0, 0))[0] == crawl.counts.not_modified
            bed.clock.move(days=2)
            bed.site.edit(0.1)

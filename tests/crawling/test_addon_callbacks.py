"""A page is seen only when its callback did not raise, however it is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.crawling.scripted import Asked, Reply, Scripted, page, tagged

START = """
    custom_settings = {}

    async def start(self):
        yield self.ask("/a", callback=self.first)

    def wants_to_fail(self):
        return not Path("mended").exists()
"""
CALLBACKS = {
    "generator": """
    def first(self, response):
        self.tell(response)
        yield {"an": "item"}
        if self.wants_to_fail():
            raise ValueError("no")
""",
    "generator at once": """
    def first(self, response):
        self.tell(response)
        if self.wants_to_fail():
            raise ValueError("no")
        yield {"an": "item"}
""",
    "async generator": """
    async def first(self, response):
        self.tell(response)
        yield {"an": "item"}
        if self.wants_to_fail():
            raise ValueError("no")
        yield {"an": "item"}
""",
    "function": """
    def first(self, response):
        self.tell(response)
        if self.wants_to_fail():
            raise ValueError("no")
        return [{"an": "item"}]
""",
    "function without result": """
    def first(self, response):
        self.tell(response)
        if self.wants_to_fail():
            raise ValueError("no")
""",
    "coroutine": """
    async def first(self, response):
        self.tell(response)
        import asyncio
        await asyncio.sleep(0.01)
        if self.wants_to_fail():
            raise ValueError("no")
        return [{"an": "item"}]
""",
    "close": """
    def first(self, response):
        self.tell(response)
        if self.wants_to_fail():
            from scrapy.exceptions import CloseSpider
            raise CloseSpider("enough")
        yield {"an": "item"}
""",
}
MIDDLEWARES = {
    "output": """
class Middleware:
    def process_spider_output(self, response, result, spider=None):
        yield from result
        if not Path("mended").exists():
            raise ValueError("no")
    async def process_spider_output_async(self, response, result, spider=None):
        async for one in result:
            yield one
        if not Path("mended").exists():
            raise ValueError("no")
""",
    "input": """
class Middleware:
    def process_spider_input(self, response, spider=None):
        if not Path("mended").exists():
            raise ValueError("no")
""",
}
GOOD = """
    def first(self, response):
        self.tell(response)
        yield {"an": "item"}
"""
RECOVERING = """
class Middleware:
    def process_spider_exception(self, response, exception, spider=None):
        return [{"a": "substitute"}]
"""


def _fails_then_is_fetched_in_full(tmp_path: Path, body: str, above: str = "", middleware: bool = False) -> None:
    settings = {"SPIDER_MIDDLEWARES": {"__main__.Middleware": 543}} if middleware else {}
    with Scripted(tmp_path) as site:
        site.pages["/a"] = tagged(page("a"), "one")
        site.crawl(START + body, settings, above=above)
        assert site.targets() == ["/a"]
        (tmp_path / "mended").touch()
        again = site.crawl(START + body, settings, above=above)
        assert site.targets() == ["/a"]
        assert "if-none-match" not in site.asked[0].headers
        assert again.pages[-1]["verdict"] == "new"
        third = site.crawl(START + body, settings, above=above)
        assert site.targets() == []
        assert third.pages[-1]["verdict"] == "unchanged"


@pytest.mark.parametrize("kind", CALLBACKS)
def test_a_page_whose_callback_raised_was_not_seen(tmp_path: Path, kind: str) -> None:
    _fails_then_is_fetched_in_full(tmp_path, CALLBACKS[kind])


@pytest.mark.parametrize("kind", MIDDLEWARES)
def test_nor_one_that_a_middleware_refused(tmp_path: Path, kind: str) -> None:
    _fails_then_is_fetched_in_full(tmp_path, GOOD, MIDDLEWARES[kind], middleware=True)


def test_nor_one_whose_exception_somebody_hides(tmp_path: Path) -> None:
    _fails_then_is_fetched_in_full(tmp_path, CALLBACKS["generator"], RECOVERING, middleware=True)


def test_nor_one_that_went_to_the_errback(tmp_path: Path) -> None:
    start = START.replace("callback=self.first", "callback=self.first, errback=self.sorry")
    sorry = "\n    def sorry(self, failure):\n        yield {'sorry': True}\n"
    with Scripted(tmp_path) as site:
        site.pages["/a"] = page("a")
        settings = {"SPIDER_MIDDLEWARES": {"__main__.Middleware": 543}}
        assert site.crawl(start + GOOD + sorry, settings, above=MIDDLEWARES["input"]).stats["item_scraped_count"] == 1
        site.crawl(start + GOOD + sorry)
        assert site.targets() == ["/a"]


def test_who_waited_for_a_page_whose_callback_raised_goes_himself(tmp_path: Path) -> None:
    body = """
    async def start(self):
        for path in ("/a?b=1&c=2", "/a?c=2&b=1", "/a?b=1&c=2#x"):
            yield self.ask(path, dont_filter=True)

    def parse(self, response):
        self.tell(response)
        yield {"an": "item"}
        if len(Path("told.jsonl").read_text().splitlines()) == 1:
            raise ValueError("no")
"""
    with Scripted(tmp_path) as site:
        site.pages["/a"] = lambda _: page("a").later(0.2)
        told = site.crawl(body)
        assert len(site.targets()) == 2
        assert len(told.pages) == 3
        assert told.pages[2]["at"] - told.pages[0]["at"] < 1.5


def test_an_old_copy_that_was_refused_does_not_hide_the_new_page(tmp_path: Path) -> None:
    def answer(asked: Asked) -> Reply:
        return tagged(page(f"a in {edition[-1]}"), edition[-1])(asked)

    edition = ["spring"]
    with Scripted(tmp_path) as site:
        site.pages["/a"] = answer
        (tmp_path / "mended").touch()
        site.crawl(START + CALLBACKS["generator"])
        (tmp_path / "mended").unlink()
        site.clock.move(days=2)
        edition.append("autumn")
        assert site.crawl(START + CALLBACKS["generator"]).pages[-1]["title"] == "a in autumn"
        (tmp_path / "mended").touch()
        assert site.crawl(START + CALLBACKS["generator"]).pages[-1]["title"] == "a in autumn"
        assert [asked.headers.get("if-none-match") for asked in site.asked] == ['"spring"']

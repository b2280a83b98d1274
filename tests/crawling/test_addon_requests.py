"""What becomes of single requests: those that are known, those that are repeated, those that are none of its business."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.crawling.scripted import Reply, Scripted, page, tagged

COPY = "sameish: stored copy"


def _known(site: Scripted) -> None:
    site.pages |= {"/": tagged(page("home", ["/a", "/b"]), "h"), "/a": tagged(page("a"), "a"), "/b": page("b")}
    site.crawl()
    assert sorted(site.targets()) == ["/", "/a", "/b"]


def test_a_crawl_that_starts_at_an_unchanged_page_goes_on(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        _known(site)
        second = site.crawl()
        assert site.targets() == []
        assert sorted(second.paths()) == ["/", "/a", "/b"]
        assert all(one["verdict"] == "unchanged" and COPY in one["flags"] for one in second.pages)
        site.clock.move(days=2)
        site.pages["/b"] = page("b, edited", ["/c"])
        site.pages["/c"] = page("c")
        third = {one["path"]: one for one in site.crawl().pages}
        assert sorted(site.targets()) == ["/", "/a", "/b", "/c"]
        assert {asked.target: asked.headers.get("if-none-match") for asked in site.asked} == {
            "/": '"h"', "/a": '"a"', "/b": None, "/c": None,
        }  # fmt: skip
        assert {path: one["verdict"] for path, one in third.items()} == {
            "/": "unchanged", "/a": "unchanged", "/b": "updated", "/c": "new",
        }  # fmt: skip
        assert {path for path, one in third.items() if COPY in one["flags"]} == {"/", "/a"}


def test_pages_that_are_not_due_can_be_dropped(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        _known(site)
        told = site.crawl(settings={"SAMEISH_NOT_DUE": "drop"})
        assert (told.paths(), site.targets()) == ([], [])
        assert told.stats["sameish/requests_saved/not_due"] == 1
        asking = '    async def start(self):\n        yield self.ask("/a", dont_filter=True)\n\n    def parse(self, response):\n        self.tell(response)\n'
        told = site.crawl(asking, {"SAMEISH_NOT_DUE": "drop"})
        assert (told.paths(), site.targets()) == (["/a"], [])


def test_without_a_copy_a_page_is_fetched(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        keeping_none = {"SAMEISH_SETTINGS": {"store": {"keep_bodies": False}}}
        site.pages |= {"/": tagged(page("home", ["/a"]), "h"), "/a": page("a")}
        site.crawl(settings=keeping_none)
        second = site.crawl(settings=keeping_none)
        assert sorted(site.targets()) == sorted(second.paths()) == ["/", "/a"]
        assert all("if-none-match" not in asked.headers for asked in site.asked)
        assert {one["verdict"] for one in second.pages} == {"unchanged"}
        assert second.stats["sameish/decision/fetch"] == 2
        assert "sameish/requests_saved" not in second.stats


def test_an_etag_goes_back_byte_by_byte(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        site.pages["/a"] = page("a").with_headers(ETag='"\xe4\xf6"')
        body = """
    async def start(self):
        yield self.ask("/a")

    def parse(self, response):
        self.tell(response)
"""
        site.crawl(body)
        site.clock.move(days=2)
        site.crawl(body)
        assert site.asked[0].headers["if-none-match"] == '"\xe4\xf6"'


TWINS = """
    async def start(self):
        yield self.ask("/one")

    def parse(self, response):
        self.tell(response)
        if response.url.endswith("one"):
            yield self.ask("/two", dont_filter={dont_filter}, errback=self.sorry)

    def sorry(self, failure):
        self.logger.warning("sorry: %s", failure.value)
"""


@pytest.mark.parametrize(
    ("duplicates", "dont_filter", "arrives"),
    [("drop", False, False), ("cached", False, False), ("mark", False, True), ("drop", True, True)],
)
def test_a_duplicate_is_dropped_before_the_callback(
    tmp_path: Path, duplicates: str, dont_filter: bool, arrives: bool
) -> None:
    with Scripted(tmp_path) as site:
        site.pages |= {"/one": page("one"), "/two": page("one")}
        told = site.crawl(
            TWINS.format(dont_filter=dont_filter), {"SAMEISH_DUPLICATES": duplicates, "LOG_LEVEL": "DEBUG"}
        )
        assert site.targets() == ["/one", "/two"]
        assert told.paths() == (["/one", "/two"] if arrives else ["/one"])
        assert told.pages[-1]["verdict"] == ("duplicate" if arrives else "new")
        assert ("dropped <GET " in told.log) is not arrives
        assert "sorry: " not in told.log  # as Scrapy's own filter calls nobody
        assert told.stats.get("sameish/dropped/duplicate", 0) == (not arrives)
        assert told.stats.get("log_count/ERROR", 0) == 0


def test_what_is_none_of_its_business(tmp_path: Path) -> None:
    body = """
    async def start(self):
        yield self.ask("/a", meta={"sameish": False})
        yield self.ask("/a", method="POST", body=b"x")
        yield Request("data:,hello")
        yield Request((Path.cwd() / "own.py").as_uri())
        from scrapy.http.request import NO_CALLBACK
        response = await self.crawler.engine.download_async(self.ask("/a", callback=NO_CALLBACK))
        self.tell(response)

    def parse(self, response):
        self.tell(response)
"""
    with Scripted(tmp_path) as site:
        site.pages |= {"/a": page("a"), "/robots.txt": page("robots")}
        for _ in range(2):
            told = site.crawl(body, {"ROBOTSTXT_OBEY": True})
            assert sorted(asked.method + asked.target for asked in site.asked) == [
                "GET/a", "GET/a", "GET/robots.txt", "POST/a",
            ]  # fmt: skip
            assert len(told.pages) == 5
            assert not any(one["verdict"] for one in told.pages)
            assert not [name for name in told.stats if name.startswith("sameish")]


@pytest.mark.parametrize("folder", ["", "job"])
def test_a_verdict_that_is_copied_along_does_no_harm(tmp_path: Path, folder: str) -> None:
    body = """
    async def start(self):
        yield self.ask("/0")

    def parse(self, response):
        self.tell(response, kind=type(response.meta["sameish"]).__name__)
        number = int(response.url.rsplit("/")[-1])
        if number < 5:
            yield self.ask(f"/{number + 1}", meta=response.meta, callback=self.parse)
            yield self.ask(f"/{number + 1}x", meta={**response.meta, "sameish": False}, callback=self.out)

    def out(self, response):
        self.tell(response)
"""
    with Scripted(tmp_path) as site:
        site.pages |= {f"/{number}": page(str(number)) for number in range(6)}
        site.pages |= {f"/{number}x": page(str(number)) for number in range(6)}
        told = site.crawl(body, {"JOBDIR": str(tmp_path / folder)} if folder else {})
        assert len(told.pages) == 11, told.log
        assert {one["verdict"] for one in told.pages} == {"new", False}
        assert "Unable to serialize" not in told.log


def test_images_and_downloads_are_judged_by_their_bytes(tmp_path: Path) -> None:
    body = """
    async def start(self):
        yield self.ask("/x.bin")

    def parse(self, response):
        self.tell(response, size=len(response.body))
"""
    with Scripted(tmp_path) as site:
        blob = bytes(range(256)) * 50
        site.pages["/x.bin"] = Reply(200, blob, {"Content-Type": "application/octet-stream"})
        site.crawl(body)
        told = site.crawl(body)
        assert site.targets() == []
        assert [one["size"] for one in told.pages] == [len(blob)]

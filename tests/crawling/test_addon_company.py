"""The add-on beside what else Scrapy does between a request and its callback."""

from __future__ import annotations

import gzip
from pathlib import Path

import brotli
import pytest
from tests.crawling.scripted import PLAIN, Asked, Reply, Scripted, moved, page, tagged

import sameish

STORE = Path(".scrapy") / "sameish.db"
ONE = """
    async def start(self):
        yield self.ask("/a", errback=self.sorry)

    def parse(self, response):
        self.tell(response, meta={name: response.meta.get(name) for name in ("redirect_urls", "retry_times")})

    def sorry(self, failure):
        self.tell(failure.value.response) if hasattr(failure.value, "response") else self.logger.warning("sorry %r", failure.value)
"""


@pytest.mark.parametrize("policy", ["DummyPolicy", "RFC2616Policy"])
def test_beside_the_http_cache(tmp_path: Path, policy: str) -> None:
    cache = {"HTTPCACHE_ENABLED": True, "HTTPCACHE_POLICY": f"scrapy.extensions.httpcache.{policy}"}
    with Scripted(tmp_path) as site:
        site.pages |= {"/": tagged(page("home", ["/a", "/b"]), "h"), "/a": tagged(page("a"), "a"), "/b": page("b")}
        site.crawl()  # known to sameish, not to the cache
        site.clock.move(days=2)
        for _ in range(3):
            told = site.crawl(PLAIN, cache)
            assert sorted(told.paths()) == ["/", "/a", "/b"]
            assert {one["title"] for one in told.pages} == {"home", "a", "b"}
            assert {one["status"] for one in told.pages} == {200}
            assert "Traceback" not in told.log
            site.clock.move(days=3)
        plain = site.crawl(PLAIN, {**cache, "ADDONS": {}}, bare=True)
        assert {(one["title"], one["status"]) for one in plain.pages} == {("home", 200), ("a", 200), ("b", 200)}


def test_what_the_http_cache_holds_speaks_against_no_rule(tmp_path: Path) -> None:
    cache = {"HTTPCACHE_ENABLED": True}
    audited = {**cache, "SAMEISH_SETTINGS": {"gate": {"audit_share": 1.0}}}
    paths = [f"/news/a-b-{n}" for n in range(1, 13)]
    with Scripted(tmp_path) as site:
        linked = [f"{path}{query}" for query in ("", "?sip=1a2b3c4d", "?sip=9f8e7d6c") for path in paths]
        site.pages |= {"/": page("home", linked), **{path: page(f"number {path}") for path in paths}}
        site.crawl(PLAIN, cache)
        site.clock.move(days=2)
        site.pages |= {path: page(f"number {path} edited") for path in paths}
        for _ in range(2):
            assert "Traceback" not in site.crawl(PLAIN, audited).log
            site.clock.move(days=2)
        with sameish.open(tmp_path / ".scrapy" / "sameish.db") as detector:
            assert "rule_revoked" not in {one.name for one in detector.store.ledger()}


def test_a_page_that_comes_at_the_second_try(tmp_path: Path) -> None:
    def stumbling(asked: Asked) -> Reply:
        return (
            Reply(503, b"busy") if asked.count == 1 else tagged(page(f"a{len(editions)}"), f"e{len(editions)}")(asked)
        )

    editions = [1]
    with Scripted(tmp_path) as site:
        site.pages["/a"] = stumbling
        first = site.crawl(ONE)
        assert site.targets() == ["/a", "/a"]
        assert [(one["title"], one["verdict"]) for one in first.pages] == [("a1", "new")]
        site.clock.move(days=2)
        editions.append(2)
        second = site.crawl(ONE)
        assert [(one["title"], one["verdict"]) for one in second.pages] == [("a2", "updated")]
        assert site.asked[0].headers.get("if-none-match") == '"e1"'
        assert len(site.targets()) == 2
        site.clock.move(days=4)
        third = site.crawl(ONE)
        assert [(one["title"], one["verdict"]) for one in third.pages] == [("a2", "unchanged")]


def test_errors_reach_the_errback_and_replace_nothing(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        site.pages["/a"] = page("a")
        site.crawl(ONE)
        site.clock.move(days=2)
        for status in (404, 500):
            site.pages["/a"] = Reply(
                status, b"<html><body>nothing here, sorry</body></html>", {"Content-Type": "text/html"}
            )
            told = site.crawl(ONE, {"RETRY_ENABLED": False})
            assert [(one["status"], one["verdict"]) for one in told.pages] == [(status, "undetermined")]
            site.clock.move(days=2)
        site.pages["/a"] = page("a")
        assert site.crawl(ONE).pages[0]["verdict"] == "unchanged"
        told = site.crawl(ONE.replace('"/a"', '"/none"'), {"HTTPERROR_ALLOW_ALL": True})
        assert [(one["status"], one["verdict"]) for one in told.pages] == [(404, "undetermined")]


def test_redirects_are_followed_and_remembered(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        site.pages |= {
            "/": page("home", ["/old", "/chain", "/loop", "/away", "/a", "/refresh"]),
            "/old": moved("/old/"), "/old/": tagged(page("old"), "o"),
            "/chain": moved("/chain2", 302), "/chain2": moved("/chain3"), "/chain3": page("chain"),
            "/loop": moved("/loop"),
            "/away": moved(site.other + "/abroad"), "/abroad": page("abroad"),
            "/a": tagged(page("a"), "a"),
            "/refresh": Reply(200, b'<html><head><meta http-equiv="refresh" content="0; url=/target"></head></html>', {"Content-Type": "text/html"}),
            "/target": page("target"),
        }  # fmt: skip
        first = site.crawl()
        assert {one["title"] for one in first.pages} == {"home", "old", "chain", "abroad", "a", "target"}
        again = site.crawl()
        assert {one["title"] for one in again.pages} == {"home", "old", "chain", "abroad", "a", "target"}
        assert not {"/", "/old", "/old/", "/chain", "/chain2", "/chain3", "/a", "/target", "/abroad"} & set(
            site.targets()
        )
        site.clock.move(days=2)
        third = site.crawl()
        assert {one["title"] for one in third.pages} == {"home", "old", "chain", "abroad", "a", "target"}
        assert "Traceback" not in third.log
        assert third.seconds < 15


def test_a_condition_is_not_carried_to_where_a_request_is_redirected(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        old = tagged(page("a"), "a")
        site.pages["/a"] = lambda asked: old(asked).with_headers(Last_Modified="Mon, 02 Feb 2026 10:00:00 GMT")
        site.crawl(ONE)
        site.clock.move(days=2)
        site.pages |= {"/a": moved("/b"), "/b": tagged(page("b"), "a")}
        told = site.crawl(ONE)
        assert [one["title"] for one in told.pages] == ["b"]
        conditions = [
            (asked.headers.get("if-none-match"), asked.headers.get("if-modified-since")) for asked in site.asked
        ]
        assert conditions[0] == ('"a"', "Mon, 02 Feb 2026 10:00:00 GMT")
        assert conditions[1:] == [(None, None)]


def test_a_redirect_that_the_spider_wants_to_see(tmp_path: Path) -> None:
    body = """
    async def start(self):
        for path in ("/x", "/y"):
            yield self.ask(path, meta={"dont_redirect": True, "handle_httpstatus_list": [301]})

    def parse(self, response):
        self.tell(response)
"""
    with Scripted(tmp_path) as site:
        site.pages |= {"/x": moved("/a"), "/y": moved("/a")}
        for _ in range(2):
            assert sorted(one["path"] for one in site.crawl(body).pages) == ["/x", "/y"]
            assert sorted(site.targets()) == ["/x", "/y"]


@pytest.mark.parametrize(("coding", "pack"), [("gzip", gzip.compress), ("br", brotli.compress)])
def test_compressed_bodies(tmp_path: Path, coding: str, pack: object) -> None:
    assert callable(pack)
    plain = page("a")
    with Scripted(tmp_path) as site:
        site.pages["/a"] = tagged(Reply(200, pack(plain.body), {**plain.headers, "Content-Encoding": coding}), "a")
        site.crawl(ONE)
        with sameish.open(tmp_path / STORE) as detector:
            copy = detector.gate.copy_of(site.base + "/a")
            assert copy is not None
            assert copy.body == plain.body
        copied = site.crawl(ONE)
        assert (site.targets(), copied.pages[0]["title"]) == ([], "a")
        site.clock.move(days=2)
        assert site.crawl(ONE).pages[0]["title"] == "a"
        assert [asked.headers.get("if-none-match") for asked in site.asked] == ['"a"']


def test_a_crawl_that_is_stopped_in_the_middle(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        site.pages |= {f"/{number}": page(str(number), [f"/{number + 1}", f"/{number + 2}"]) for number in range(40)}
        site.pages["/"] = page("home", ["/0"])
        stopped = site.crawl(PLAIN, {"CLOSESPIDER_PAGECOUNT": 10})
        assert stopped.stats["finish_reason"] == "closespider_pagecount"
        assert "Traceback" not in stopped.log
        went_on = site.crawl()
        seen = {one["path"] for one in [*stopped.pages, *went_on.pages]}
        assert seen >= {f"/{number}" for number in range(40)}
        assert len(went_on.pages) >= 41
        assert len(site.targets()) <= 45 - len(stopped.pages)


def test_limits_and_manners_of_others(tmp_path: Path) -> None:
    body = """
    custom_settings = {"ROBOTSTXT_OBEY": True, "DEPTH_LIMIT": 1, "AUTOTHROTTLE_ENABLED": True, "AUTOTHROTTLE_START_DELAY": 0.05,
                       "DOWNLOAD_DELAY": 0.02, "COOKIES_DEBUG": True}

    async def start(self):
        yield self.ask("/")
        yield self.ask(self.other + "/")

    def parse(self, response):
        self.tell(response)
        yield from response.follow_all(css="a")
"""
    with Scripted(tmp_path) as site:
        robots = Reply(200, b"User-agent: *\nDisallow: /secret\n", {"Content-Type": "text/plain"})
        site.pages |= {
            "/": page("home", ["/a", "/secret"]),
            "/a": page("a", ["/deep"]),
            "/deep": page("deep"),
            "/robots.txt": robots,
        }
        told = site.crawl(body)
        # what is at the other host is a duplicate, if it did not come before the first was remembered
        assert {one["title"] for one in told.pages} == {"a", "home"}
        assert "/secret" not in site.targets()
        assert site.targets().count("/robots.txt") == 2
        again = site.crawl(body)
        assert set(site.targets()) <= {"/robots.txt", "/a"}  # of the two home pages one was dropped with its links
        assert {one["title"] for one in again.pages} == {"home", "a"}

"""Requests of one URL that differ in who asks, or for what, are not answered with each other's pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.crawling.scripted import Asked, Reply, Scripted, moved, page

TWO = """
    async def start(self):
        for name, more in WAYS.items():
            yield self.ask("/page", dont_filter=True, cb_kwargs={"name": name}, **json.loads(json.dumps(more)))

    def parse(self, response, name):
        self.tell(response, name=name)
"""


def _crawl(site: Scripted, ways: dict[str, dict[str, Any]], settings: dict[str, Any] | None = None) -> dict[str, str]:
    told = site.crawl(TWO, settings, above=f"WAYS = {ways!r}")
    assert told.stats.get("log_count/ERROR", 0) == 0, told.log
    return {one["name"]: one["title"] for one in told.pages}


WAYS: dict[str, dict[str, dict[str, Any]]] = {
    "credentials": {"ann": {"headers": {"Authorization": "ann"}}, "bob": {"headers": {"Authorization": "bob"}}},
    "a key of an API": {"ann": {"headers": {"X-Api-Key": "ann"}}, "bob": {"headers": {"X-Api-Key": "bob"}}},
    "cookies": {"ann": {"cookies": {"who": "ann"}, "meta": {"cookiejar": 1}}, "bob": {"cookies": {"who": "bob"}, "meta": {"cookiejar": 2}}},
    "language": {"plain": {}, "french": {"headers": {"Accept-Language": "fr"}}},
    "a fragment for scripts": {"plain": {}, "script": {"headers": {"X-Requested-With": "XMLHttpRequest"}}},
    "a range": {"plain": {}, "part": {"headers": {"Range": "bytes=0-50"}}},
    "a body": {"one": {"body": '{"query": 1}'}, "two": {"body": '{"query": 2}'}},
}  # fmt: skip
_TELLING = ("authorization", "x-api-key", "cookie", "accept-language", "x-requested-with", "range", "body")


def _personal(asked: Asked) -> Reply:
    said = [asked.headers.get(name, "") for name in _TELLING] + [asked.body.decode()]
    return page(" ".join(said).strip()).later(0.2)


@pytest.mark.parametrize("what", WAYS)
def test_nobody_gets_the_page_of_another(tmp_path: Path, what: str) -> None:
    with Scripted(tmp_path) as site:
        site.pages["/page"] = _personal
        plain = site.crawl(TWO, above=f"WAYS = {WAYS[what]!r}", bare=True)
        expected = {one["name"]: one["title"] for one in plain.pages}
        assert len(set(expected.values())) == 2
        for _ in range(2):
            assert _crawl(site, WAYS[what]) == expected
            assert len(site.targets()) >= 1
        backwards = dict(reversed(WAYS[what].items()))
        assert _crawl(site, backwards, {"SAMEISH_NOT_DUE": "drop"}) == expected
        site.clock.move(days=2)
        assert _crawl(site, WAYS[what]) == expected


@pytest.mark.parametrize("what", ["credentials", "cookies", "language"])
def test_who_asks_again_is_answered_with_his_own_page(tmp_path: Path, what: str) -> None:
    name, ways = next(iter(WAYS[what].items()))
    with Scripted(tmp_path) as site:
        site.pages["/page"] = _personal
        first = _crawl(site, {name: ways})
        assert _crawl(site, {name: ways}) == first
        assert site.targets() == []


def test_a_cookie_that_a_site_sets_makes_nobody_another(tmp_path: Path) -> None:
    body = """
    async def start(self):
        yield self.ask("/old")

    def parse(self, response):
        self.tell(response)
"""
    with Scripted(tmp_path) as site:
        site.pages |= {"/old": moved("/new").with_headers(Set_Cookie="id=5"), "/new": page("new")}
        for proxied in (False, True):
            first = site.crawl(body, {"SAMEISH_STORE": f"{proxied}.db"})
            assert site.targets() == ["/old", "/new"]
            again = site.crawl(body, {"SAMEISH_STORE": f"{proxied}.db"})
            assert site.targets() == []
            assert [one["title"] for one in (*first.pages, *again.pages)] == ["new", "new"]


def test_cookies_go_with_a_redirect(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        site.pages |= {"/page": moved("/own"), "/own": _personal}
        for _ in range(2):
            names = _crawl(site, WAYS["cookies"])
            assert names == {"ann": "who=ann en", "bob": "who=bob en"}


def test_what_a_proxy_adds_makes_nobody_another(tmp_path: Path) -> None:
    above = """
import random

class Proxy:
    def process_request(self, request, spider=None):
        request.headers["X-Proxy-Session"] = str(random.random())
"""
    with Scripted(tmp_path) as site:
        site.pages |= {"/": page("home", ["/a"]), "/a": page("a")}
        settings = {"DOWNLOADER_MIDDLEWARES": {"__main__.Proxy": 610}}
        for expected in (["/", "/a"], []):
            assert site.crawl(settings=settings, above=above).paths() == ["/", "/a"]
            assert site.targets() == expected


def test_what_a_rule_drops_is_dropped_for_one_visitor_alone(tmp_path: Path) -> None:
    body = """
    custom_settings = {"CONCURRENT_REQUESTS": 1}

    async def start(self):
        for number in range(20):
            for value in "abc":
                for who in ("ann", "bob"):
                    headers = {"Accept-Language": who}
                    yield self.ask(f"/story/{number}x?quux={value}{who}{number}", priority=-number, headers=headers, cb_kwargs={"who": who})

    def parse(self, response, who):
        self.tell(response, who=who)
"""
    with Scripted(tmp_path) as site:
        site.pages |= {
            f"/story/{number}x": lambda asked: page(asked.headers["accept-language"] + asked.target.partition("?")[0])
            for number in range(20)
        }
        told = site.crawl(body)
        assert {(one["who"], one["title"]) for one in told.pages} >= {
            (who, f"{who}/story/{number}x") for number in range(20) for who in ("ann", "bob")
        }
        assert all(one["title"].startswith(one["who"]) for one in told.pages)


def test_what_is_given_back_asks_as_it_did() -> None:
    from scrapy import Request, Spider  # noqa: PLC0415
    from scrapy.utils.request import request_from_dict  # noqa: PLC0415

    from sameish.integrations.scrapy.dropped import packed  # noqa: PLC0415

    class Own(Spider):
        name = "own"

        def parse(self, response: object) -> None: ...

    spider = Own()

    def described(**more: Any) -> dict[str, Any] | None:
        found = packed(Request("http://a.example/", callback=spider.parse, **more), spider)
        return None if found is None else json.loads(found)

    told = described(
        headers={"X-Requested-With": "XMLHttpRequest", "Accept": ["text/x", "text/y"]}, meta={"a": (1, [2])}
    )
    assert told is not None
    told.pop("spider")
    again = request_from_dict(told, spider=spider)
    assert again.headers.getlist("X-Requested-With") == [b"XMLHttpRequest"]
    assert again.headers.getlist("Accept") == [b"text/x", b"text/y"]
    assert again.meta["a"] == [1, [2]]
    for secret in ({"cookies": {"a": "b"}}, {"headers": {"Authorization": "x"}}, {"headers": {"X-Api-Key": "x"}}):
        assert described(**secret) is None
    for missed in ({"meta": {"item": object()}}, {"cb_kwargs": {"item": {1, 2}}}, {"meta": {"by number": {1: 2}}}):
        assert described(**missed) is None

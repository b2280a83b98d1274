"""What a learned rule drops is remembered, and given back when the rule proves wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.crawling.scripted import Asked, Reply, Scripted, page

import sameish
from sameish.stores.gate_state import Dropped

NO_RETRIES = {"RETRY_ENABLED": False}
STORE = Path(".scrapy") / "sameish.db"
SPIDER = """
    custom_settings = {"CONCURRENT_REQUESTS": 1}

    async def start(self):
        for number in range(FIRST, LAST):
            for value in "abc":
                yield self.ask(
                    f"/story/{number}x?quux={value}{number}", callback=self.story, priority=-number,
                    cb_kwargs={"number": number, "value": value}, meta={"told": [number]},
                )

    def story(self, response, number, value):
        self.tell(response, number=number, value=value, told=response.meta["told"], priority=response.request.priority)
"""


def _stories(first: int, last: int) -> str:
    return SPIDER.replace("FIRST", str(first)).replace("LAST", str(last))


def _story(asked: Asked) -> Reply:
    return page(asked.target.partition("?")[0])


def _telling(asked: Asked) -> Reply:
    return page(asked.target)


def _dropped(site: Scripted) -> list[Dropped]:
    with sameish.open(site.folder / STORE) as detector:
        return detector.store.dropped()


def test_what_a_rule_drops_is_remembered_with_it(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        site.pages |= {f"/story/{number}x": _story for number in range(30)}
        told = site.crawl(_stories(0, 30))
        assert {one["title"] for one in told.pages} == {f"/story/{number}x" for number in range(30)}
        assert 30 < len(site.targets()) < 60
        saved = told.stats["sameish/requests_saved/url_rule"]
        assert saved >= 30
        dropped = _dropped(site)
        assert len(dropped) == saved
        assert {one.rule for one in dropped} == {"query:quux"}
        made = json.loads(dropped[-1].request)
        assert made["callback"] == "story"
        assert made["meta"]["told"] == [made["cb_kwargs"]["number"]]


@pytest.mark.parametrize("duplicates", ["cached", "mark"])
def test_what_a_rule_would_drop_can_be_answered_or_marked(tmp_path: Path, duplicates: str) -> None:
    with Scripted(tmp_path) as site:
        site.pages |= {f"/story/{number}x": _story for number in range(20)}
        told = site.crawl(_stories(0, 20), {"SAMEISH_DUPLICATES": duplicates})
        assert _dropped(site) == []
        if duplicates == "mark":
            assert (len(site.targets()), len(told.pages)) == (60, 60)
            assert "sameish/requests_saved" not in told.stats
        else:
            assert len(site.targets()) < 45
            copies = [one for one in told.pages if one["flags"]]
            assert len(copies) == told.stats["sameish/requests_saved/url_rule"]
            assert all(one["verdict"] == "unchanged" for one in copies)


def test_a_rule_that_proves_wrong_gives_back_in_this_crawl(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        site.pages |= {f"/story/{number}x": _story if number < 12 else _telling for number in range(24)}
        told = site.crawl(_stories(0, 24), {"SAMEISH_SETTINGS": {"gate": {"audit_share": 0.2}}})
        titles = {one["title"] for one in told.pages}
        assert {f"/story/{number}x?quux={value}{number}" for number in range(12, 24) for value in "abc"} <= titles
        assert told.stats["sameish/given_back"] >= 1
        assert all(one["told"] == [one["number"]] and one["priority"] == -one["number"] for one in told.pages)
        assert all(f"{one['value']}{one['number']}" in one["path"] for one in told.pages)


def test_a_rule_that_proves_wrong_gives_back_at_the_start_of_a_later_crawl(tmp_path: Path) -> None:
    start = 'yield self.ask("/start")\n        for number in range(0, 0):'
    quiet = _stories(0, 0).replace("for number in range(0, 0):", start)
    quiet += "\n    def parse(self, response):\n        self.tell(response)\n"
    of_another = quiet.replace("    custom_settings", '    name = "another"\n    custom_settings')
    with Scripted(tmp_path) as site:
        site.pages |= {f"/story/{number}x": _story for number in range(20)} | {"/start": page("start")}
        site.crawl(_stories(0, 20))
        dropped = _dropped(site)
        with sameish.open(site.folder / STORE, clock=site.clock) as detector:
            for number in range(40, 44):
                for value in "ab":
                    url = f"{site.base}/story/{number}x?quux={value}"
                    reply = page(f"{number} {value}")
                    detector.observe(sameish.Page(body=reply.body, url=url, headers=reply.headers))
        other = site.crawl(of_another)
        assert site.targets() == ["/start"]
        assert "sameish/given_back" not in other.stats
        told = site.crawl(quiet)
        assert told.stats["sameish/given_back"] == len(dropped)
        assert len(site.targets()) == len(dropped)
        assert all(one["told"] == [one["number"]] for one in told.pages if "number" in one)
        assert len([one for one in told.pages if "number" in one]) == len(dropped)
        assert _dropped(site) == []
        assert "Traceback" not in told.log


QUIET = """
    custom_settings = {"CONCURRENT_REQUESTS": 1}

    async def start(self):
        yield self.ask("/start")

    def story(self, response, number, value):
        self.tell(response)

    def parse(self, response):
        self.tell(response)
"""


def _contradict(site: Scripted) -> None:
    with sameish.open(site.folder / STORE, clock=site.clock) as detector:
        for number in range(40, 44):
            for value in "ab":
                reply = page(f"{number} {value}")
                url = f"{site.base}/story/{number}x?quux={value}"
                detector.observe(sameish.Page(body=reply.body, url=url, headers=reply.headers))


def test_no_errback_hears_of_what_is_dropped_and_it_is_there_once_that_is_given_back(tmp_path: Path) -> None:
    sorry = """
    def sorry(self, failure):
        self.logger.warning("sorry: %s", failure.value)
"""
    with Scripted(tmp_path) as site:
        site.pages |= {f"/story/{number}x": _story for number in range(30)}
        site.pages |= {f"/story/{number}x": Reply(500, b"") for number in range(25, 30)}
        told = site.crawl(_stories(0, 30).replace("callback=", "errback=self.sorry, callback=") + sorry, NO_RETRIES)
        assert told.stats["sameish/requests_saved/url_rule"] >= 20
        assert told.log.count("sorry: ") == told.log.count("sorry: Ignoring non-200 response") == 15
        assert {json.loads(one.request)["errback"] for one in _dropped(site)} == {"sorry"}


def test_what_is_given_back_and_not_fetched_is_given_back_again(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        site.pages |= {f"/story/{number}x": _story for number in range(20)} | {"/start": page("start")}
        site.crawl(_stories(0, 20))
        owed = {one.url.removeprefix(site.base) for one in _dropped(site)}
        _contradict(site)
        cut_short = site.crawl(QUIET, {"CLOSESPIDER_PAGECOUNT": 3})
        assert cut_short.stats["sameish/given_back"] == len(owed)
        fetched = set(site.targets())
        assert len(fetched & owed) < len(owed)
        site.crawl(QUIET)
        assert owed <= fetched | set(site.targets())
        assert not fetched & set(site.targets()) & owed
        assert _dropped(site) == []


def test_what_another_process_finds_wrong_is_given_back_before_the_end(tmp_path: Path) -> None:
    last = '        yield self.ask("/end", priority=-100)\n\n    def story'
    body = _stories(0, 12).replace("    def story", last)
    body += """
    def parse(self, response):
        import sameish
        from tests.crawling.clock import now
        from tests.crawling.scripted import page
        with sameish.open(".scrapy/sameish.db", clock=now) as detector:
            for number in range(40, 44):
                for value in "ab":
                    reply = page(f"{number} {value}")
                    url = f"{self.base}/story/{number}x?quux={value}"
                    detector.observe(sameish.Page(body=reply.body, url=url, headers=reply.headers))
"""
    with Scripted(tmp_path) as site:
        site.pages |= {f"/story/{number}x": _story for number in range(12)} | {"/end": page("end")}
        told = site.crawl(body)
        asked_for = {f"/story/{number}x?quux={value}{number}" for number in range(12) for value in "abc"}
        assert asked_for <= set(site.targets()), told.log
        assert told.stats["sameish/given_back"] >= 1
        assert _dropped(site) == []


@pytest.mark.parametrize("what", ['meta={"item": object()}', 'cookies={"a": "b"}', 'headers={"Authorization": "x"}'])
def test_what_could_not_be_made_again_in_full_is_answered_and_not_dropped(tmp_path: Path, what: str) -> None:
    body = _stories(0, 12).replace('meta={"told": [number]}', what).replace('response.meta["told"]', "[]")
    with Scripted(tmp_path) as site:
        site.pages |= {f"/story/{number}x": _story for number in range(12)}
        told = site.crawl(body)
        assert _dropped(site) == []
        assert len(site.targets()) < 30
        copies = [one for one in told.pages if one["flags"]]
        assert len(copies) == told.stats["sameish/requests_saved"]
        assert {one["title"] for one in told.pages} == {f"/story/{number}x" for number in range(12)}


def test_a_request_whose_callback_has_no_name_is_not_dropped(tmp_path: Path) -> None:
    body = _stories(0, 12).replace(
        "callback=self.story", "callback=lambda response, number, value: self.story(response, number, value)"
    )
    with Scripted(tmp_path) as site:
        site.pages |= {f"/story/{number}x": _story for number in range(12)}
        told = site.crawl(body)
        assert _dropped(site) == []
        assert "Traceback" not in told.log
        assert {one["title"] for one in told.pages} == {f"/story/{number}x" for number in range(12)}

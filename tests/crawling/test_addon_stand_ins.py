"""A page that is due is asked for under the URL that its Last-Modified is of, and under the spider's where that fails."""

from __future__ import annotations

from collections.abc import Callable
from email.utils import format_datetime
from pathlib import Path

import pytest
from tests.crawling.scripted import Asked, Reply, Scripted, moved, page

STORIES = 24
SPIDER = """
    custom_settings = {"CONCURRENT_REQUESTS": 1}

    async def start(self):
        for number in range(STORIES):
            for value in VALUES:
                yield self.ask(f"/story/{number}x?quux={value}{number}", callback=self.story, cb_kwargs={"number": number} EXTRA)

    def story(self, response, number):
        self.tell(response, number=number)
"""
NO_AUDITS = {"SAMEISH_SETTINGS": {"gate": {"audit_share": 0.0}}}


def _asking(values: str, extra: str = "") -> str:
    return SPIDER.replace("STORIES", str(STORIES)).replace("VALUES", repr(values)).replace("EXTRA", extra)


def _dated(site: Scripted, gone: Callable[[], Reply] | None = None) -> Callable[[Asked], Reply]:
    """Answer with the day of the first crawl in Last-Modified; `gone` answers for all variants but `z`."""
    modified = format_datetime(site.clock().replace(microsecond=0), usegmt=True)

    def answer(asked: Asked) -> Reply:
        path, _, query = asked.target.partition("?")
        if gone is not None and not query.startswith("quux=z"):
            return gone()
        if asked.headers.get("if-modified-since") == modified:
            return Reply(304)
        return page(path).with_headers(Last_Modified=modified)

    return answer


def _crawled(site: Scripted) -> None:
    answer = _dated(site)
    site.pages |= {f"/story/{number}x": answer for number in range(STORIES)}
    site.crawl(_asking("abc"), NO_AUDITS)
    site.clock.move(days=2)


def test_a_variant_is_answered_by_a_304_to_the_url_that_was_fetched(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        _crawled(site)
        told = site.crawl(_asking("z"), NO_AUDITS)
        assert sorted(one["number"] for one in told.pages) == list(range(STORIES))
        assert not any("quux=z" in target for target in site.targets())
        conditional = [asked for asked in site.asked if "if-modified-since" in asked.headers]
        assert len(site.asked) == STORIES
        assert len(conditional) >= 0.8 * STORIES  # one in ten is a check
        assert told.stats["sameish/asked_elsewhere"] == STORIES
        assert told.stats.get("sameish/requests_saved", 0) == 0


def test_what_another_stood_in_for_is_dropped_once_that_has_arrived(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        _crawled(site)
        told = site.crawl(_asking("zyx").replace('_REQUESTS": 1', '_REQUESTS": 8'), NO_AUDITS)
        assert sorted(one["number"] for one in told.pages) == list(range(STORIES))
        assert len(site.asked) == STORIES


def _away() -> Reply:
    return moved("/elsewhere", 302)


@pytest.mark.parametrize(
    "gone",
    [lambda: Reply(404, b"gone"), lambda: Reply(503, b"later"), _away, lambda: Reply(200, b"")],
    ids=["404", "503", "redirected", "empty"],
)
def test_where_the_url_that_was_fetched_answers_no_more_the_spiders_own_is_asked(
    tmp_path: Path, gone: Callable[[], Reply]
) -> None:
    with Scripted(tmp_path) as site:
        answer = _dated(site, gone)
        _crawled(site)
        site.pages |= {f"/story/{number}x": answer for number in range(STORIES)} | {"/elsewhere": page("elsewhere")}
        told = site.crawl(_asking("z"), NO_AUDITS)
        assert sorted(one["path"] for one in told.pages) == sorted(
            f"/story/{number}x?quux=z{number}" for number in range(STORIES)
        )
        assert {one["title"] for one in told.pages} == {f"/story/{number}x" for number in range(STORIES)}


def test_who_wants_no_filter_is_asked_for_what_it_wants(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        _crawled(site)
        site.crawl(_asking("z", ", dont_filter=True"), NO_AUDITS)
        assert all("quux=z" in target for target in site.targets())


def test_audits_ask_for_the_variant_itself(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        _crawled(site)
        site.crawl(_asking("z"), {"SAMEISH_SETTINGS": {"gate": {"audit_share": 0.5}}})
        assert any("quux=z" in target for target in site.targets())

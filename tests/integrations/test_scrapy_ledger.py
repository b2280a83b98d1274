from __future__ import annotations

import logging
from datetime import UTC, datetime
from pathlib import Path

import pytest

pytest.importorskip("scrapy")

from scrapy import Spider
from scrapy.crawler import Crawler

import sameish
from sameish.integrations.scrapy.crawl import Crawl

URL = "https://harbour.example/ferry"
TEXT = "From Monday the first ferry to Holm leaves at six in the morning, an hour earlier than in summer. " * 3
NOW = datetime(2026, 5, 4, 8, tzinfo=UTC)


def fill(store: Path) -> None:
    with sameish.open(str(store), clock=lambda: NOW) as detector:
        detector.observe(sameish.Page(f"<main><h1>Ferry</h1><p>{TEXT}</p></main>", url=URL))
        assert detector.decide(URL).action == "skip"


def crawl_of(store: Path) -> Crawl:
    settings = {"SAMEISH_STORE": str(store), "SAMEISH_CLOCK": lambda: NOW, "TELNETCONSOLE_ENABLED": False}
    return Crawl(Crawler(Spider, settings))


def logged(crawl: Crawl, caplog: pytest.LogCaptureFixture) -> str:
    with caplog.at_level(logging.INFO, "sameish.scrapy"):
        crawl._closed(Spider(name="x"))
    (record,) = caplog.records
    return record.getMessage()


def test_the_end_of_a_crawl_tells_what_this_crawl_saved(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = tmp_path / "crawl.db"
    fill(store)
    crawl = crawl_of(store)
    for _ in range(3):
        crawl.detector.decide(URL)
    title, *table = logged(crawl, caplog).splitlines()
    assert title == "What was fetched, and what was saved before the fetch:"
    rows = {line[:15].strip(): line[15:].split() for line in table}
    assert rows["fetched"][0] == "0"  # what the earlier crawl fetched and saved is not counted
    assert rows["not due yet"][0] == "3"


def test_a_ledger_that_cannot_be_read_keeps_no_store_open(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    crawl = crawl_of(tmp_path / "crawl.db")
    crawl.detector.store.close()
    assert logged(crawl, caplog).startswith("what was saved cannot be told: ")

"""A Scrapy spider that follows every link of a site and says of every page what it is: `python scrapy_spider.py URL`.

All that sameish needs is the line with `ADDONS`. What it remembers is in `.scrapy/sameish.db`: run it twice.
"""

import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response, TextResponse


class EveryPage(scrapy.Spider):
    """Follows the links of one host."""

    name = "every_page"
    custom_settings = {  # noqa: RUF012  # Scrapy reads it from the class, and declares it for instances
        "ADDONS": {"sameish.integrations.scrapy.SameishAddon": 500},
        "CLOSESPIDER_ITEMCOUNT": 1_000,
    }

    def __init__(self, url: str) -> None:
        super().__init__()
        self.start_urls = [url]
        self.allowed_domains = [urlsplit(url).hostname or ""]

    def parse(self, response: Response) -> Iterator[Any]:
        """Take a page: what did not change is saved already, links are worth following everywhere."""
        if not isinstance(response, TextResponse):
            return
        verdict = response.meta["sameish"]
        print(f"{verdict.kind:<14} {response.url}")
        if verdict.kind != "unchanged":
            yield {"url": response.url, "title": response.css("title::text").get()}
        yield from response.follow_all(css="a")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    process = CrawlerProcess({"LOG_LEVEL": "WARNING"})
    crawler = process.create_crawler(EveryPage)
    process.crawl(crawler, url=sys.argv[1])
    process.start()
    stats = crawler.stats.get_stats() if crawler.stats else {}
    print(f"{stats.get('downloader/request_count', 0)} requests, {stats.get('sameish/requests_saved', 0)} not sent")

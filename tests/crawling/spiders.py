"""A spider as its users write them, and the program that runs it: `python -m tests.crawling.spiders JOB.json`.

It follows every link, takes the mark from every page and writes down what reached its callback. It knows nothing of sameish.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any, TextIO

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response, TextResponse

SETTINGS: dict[str, object] = {
    "AUTOTHROTTLE_ENABLED": False,
    "CONCURRENT_REQUESTS": 8,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
    "DOWNLOAD_DELAY": 0,
    "HTTPPROXY_ENABLED": False,
    "LOG_LEVEL": "INFO",
    "ROBOTSTXT_OBEY": False,
    "TELNETCONSOLE_ENABLED": False,
}


class EveryLink(scrapy.Spider):
    """Follows every link of the site.

    Args:
        output: where lines of JSON go.
        start: the first URL.
        failing: for the pages of these contents the callback raises.
        follow: False asks for the start URLs only.
    """

    name = "every_link"

    def __init__(self, output: TextIO, start: list[str], failing: list[str], follow: bool) -> None:
        super().__init__()
        self.start_urls, self.allowed_domains = start, ["127.0.0.1"]
        self._output, self._failing, self._follow = output, set(failing), follow

    def parse(self, response: Response) -> Iterator[Any]:
        if not isinstance(response, TextResponse):
            return
        content, _, version = (response.css('meta[name="bed"]::attr(content)').get() or "").partition(" v")
        if content in self._failing:
            raise ValueError(f"the callback does not like {content}")
        line = {
            "url": response.url,
            "status": response.status,
            "content": content,
            "version": version,
            "flags": response.flags,
            "meta": response.meta,
        }
        self._output.write(json.dumps(line, default=_plain) + "\n")
        self._output.flush()
        yield {"content": content, "version": version, "url": response.url}
        if self._follow:
            yield from response.follow_all(css="a")


def _plain(value: object) -> object:
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)


def main(job_file: str) -> int:
    """Run the crawl that a file describes, and write what came of it beside it; return 1 if it could not begin."""
    folder = Path(job_file).parent
    job = json.loads(Path(job_file).read_text("utf-8"))
    process = CrawlerProcess({**SETTINGS, "LOG_FILE": str(folder / "crawl.log"), **job["settings"]})
    crawler = process.create_crawler(EveryLink)
    with (folder / "pages.jsonl").open("w", encoding="utf-8") as output:
        process.crawl(crawler, output=output, start=job["start"], failing=job["failing"], follow=job["follow"])
        process.start()
    stats = crawler.stats.get_stats() if crawler.stats else {}
    (folder / "stats.json").write_text(json.dumps(stats, default=_plain), "utf-8")
    return int(process.bootstrap_failed or "finish_reason" not in stats)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

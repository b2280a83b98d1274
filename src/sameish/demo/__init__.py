"""An invented newspaper, crawled for a week and a half: what a crawler meets, with the right answer to each page.

    from sameish.demo import make_crawl, write_warc

    crawl = make_crawl(seed=1)
    write_warc(crawl, "demo.warc.gz")

The walk: `articles/*.md` (the prose) -> `article` (parsed, with the corrections that are live on a day, `edits`) ->
`templates` and its siblings (pages around it, varied by `noise`) -> `site` (one request, one answer, pure) ->
`itinerary` (who asks for what, when) -> `truth` (the right verdicts) -> `crawl` -> `warc`, the only I/O.

`live` serves the same newspaper over HTTP, with more to read (`prose`, `words`), and crawls it.
"""

from __future__ import annotations

from sameish.demo.crawl import Crawl, DemoCapture, make_crawl
from sameish.demo.truth import Category, Expected
from sameish.demo.warc import write_warc

__all__ = ["Category", "Crawl", "DemoCapture", "Expected", "make_crawl", "write_warc"]

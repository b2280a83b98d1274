"""Follows every link of a site with eight workers in asyncio: `python httpx_async.py URL [STORE]`.

Run it twice: the second time, pages that are not due yet come from the store. With httpx2 it is the same but for the name.
"""

import asyncio
import re
import sys
from collections import Counter
from html import unescape

import httpx

import sameish
from sameish.integrations.httpx import AsyncSameishTransport, NotFetched

MOST, WORKERS = 1_000, 8
LINK = re.compile(r"""<a\s[^>]*?href=["']([^"'#]+)""", re.IGNORECASE)


class Crawl:
    """One crawl of one site: what waits, what was seen, and how often which verdict was heard."""

    def __init__(self, client: httpx.AsyncClient, start: str) -> None:
        self.client = client
        self.start = httpx.URL(start)
        self.seen = {self.start}
        self.waiting: asyncio.Queue[httpx.URL] = asyncio.Queue()
        self.heard: Counter[str] = Counter()

    async def run(self) -> None:
        """Ask for every page that is linked."""
        self.waiting.put_nowait(self.start)
        workers = [asyncio.create_task(self.work()) for _ in range(WORKERS)]
        await self.waiting.join()
        for worker in workers:
            worker.cancel()

    async def work(self) -> None:
        """Take one URL after the other."""
        while True:
            url = await self.waiting.get()
            try:
                await self.take(url)
            except (NotFetched, httpx.HTTPError) as error:
                print(f"{'-':<14} {url}: {error}")
            finally:
                self.waiting.task_done()

    async def take(self, url: httpx.URL) -> None:
        """Ask for a page and note what it links to."""
        response = await self.client.get(url)
        verdict, decision = response.extensions["sameish"], response.extensions["sameish_decision"]
        print(f"{verdict.kind:<14} {response.url}")
        self.heard[verdict.kind] += 1
        self.heard["requests not sent"] += decision.action == "skip"
        for link in LINK.findall(response.text):
            url = response.url.join(unescape(link))
            if url.host == self.start.host and url.port == self.start.port and url not in self.seen:
                if len(self.seen) >= MOST:
                    return
                self.seen.add(url)
                self.waiting.put_nowait(url)


async def main(start: str, store: str = "crawl.db") -> None:
    """Crawl a site and say what came of it."""
    with sameish.open(store) as detector:
        transport = AsyncSameishTransport(detector)
        async with httpx.AsyncClient(transport=transport, follow_redirects=True) as client:
            crawl = Crawl(client, start)
            await crawl.run()
    print(", ".join(f"{count} {what}" for what, count in crawl.heard.items()))


if __name__ == "__main__":
    if len(sys.argv) not in {2, 3}:
        sys.exit(__doc__)
    asyncio.run(main(*sys.argv[1:]))

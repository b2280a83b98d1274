"""Follows every link of a site with httpx, and says of every page what it is: `python httpx_sync.py URL [STORE]`.

Run it twice: the second time, pages that are not due yet come from the store.
"""

import sys
from html.parser import HTMLParser

import httpx

import sameish
from sameish.integrations.httpx import NotFetched, SameishTransport

MOST = 1_000


class Links(HTMLParser):
    """Collects what a page links to."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take the address of a link."""
        self.found += [value for name, value in attrs if tag == "a" and name == "href" and value]


def crawl(client: httpx.Client, start: httpx.URL) -> int:
    """Ask for every page that is linked; return how many were answered without a request."""
    waiting, seen, not_sent = [start], {start}, 0
    while waiting:
        try:
            response = client.get(waiting.pop(0))
        except NotFetched:
            not_sent += 1
            continue
        verdict, decision = response.extensions["sameish"], response.extensions["sameish_decision"]
        not_sent += decision.action == "skip"
        print(f"{verdict.kind:<14} {response.url}")
        if verdict.kind in {"new", "updated"}:
            pass  # save it
        for link in Links(response.text).found:
            url = response.url.join(link).copy_with(fragment=None)
            if url.host == start.host and url.port == start.port and url not in seen and len(seen) < MOST:
                seen.add(url)
                waiting.append(url)
    return not_sent


if __name__ == "__main__":
    if len(sys.argv) not in {2, 3}:
        sys.exit(__doc__)
    store = sys.argv[2] if len(sys.argv) > 2 else "crawl.db"
    with (
        sameish.open(store) as detector,
        httpx.Client(transport=SameishTransport(detector), follow_redirects=True) as client,
    ):
        not_sent = crawl(client, httpx.URL(sys.argv[1]))
    print(f"{not_sent} requests not sent")

"""A small server whose answers a test writes down, and crawls of it by spiders that a test writes down.

with Scripted(tmp_path) as site:
    site.pages["/a"] = page("a", links=["/b"])
    site.pages["/b"] = lambda asked: Reply(503) if asked.count == 1 else page("b")
    told = site.crawl(SPIDER)
    assert site.targets() == ["/a", "/b"]
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

from tests.crawling.clock import VARIABLE, Clock
from tests.crawling.harness import ROOT, WITH_SAMEISH

PLAIN = """
    async def start(self):
        yield self.ask("/")

    def parse(self, response):
        self.tell(response)
        yield from response.follow_all(css="a")
"""
"""The body of a spider that follows every link."""


@dataclass(frozen=True)
class Asked:
    """A request as the server saw it; `.count`: the how manieth for this target in this crawl."""

    target: str
    method: str
    headers: Mapping[str, str]
    count: int
    body: bytes = b""


@dataclass(frozen=True)
class Reply:
    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    after_s: float = 0.0

    def later(self, seconds: float) -> Reply:
        return replace(self, after_s=seconds)

    def with_headers(self, **headers: str) -> Reply:
        return replace(
            self, headers={**self.headers, **{name.replace("_", "-"): text for name, text in headers.items()}}
        )


Answer = Reply | Callable[[Asked], Reply]
_WORDS = "amber basin cedar delta ember fjord grove haven inlet jetty kelp lagoon marsh north ocean pebble quarry ridge".split()


def page(name: str, links: Iterable[str] = (), head: str = "") -> Reply:
    """Return a page whose text is decided by a name."""
    chance = random.Random(name)  # noqa: S311  # guards no secret
    words = [f"{chance.choice(_WORDS)}{chance.choice('abcdefgh')}" for _ in range(90)]
    text = "".join(f"<p>{' '.join(words[at : at + 15]).capitalize()}.</p>" for at in range(0, 90, 15))
    anchors = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    html = f"<html><head><title>{name}</title>{head}</head><body><article><h1>About {name}</h1>{text}</article><nav><ul>{anchors}</ul></nav></body></html>"
    return Reply(200, html.encode(), {"Content-Type": "text/html; charset=utf-8"})


def tagged(reply: Reply, tag: str) -> Callable[[Asked], Reply]:
    """Answer with an ETag, and with 304 to who has it."""

    def answer(asked: Asked) -> Reply:
        quoted = f'"{tag}"'
        return (
            Reply(304, b"", {"ETag": quoted})
            if asked.headers.get("if-none-match") == quoted
            else reply.with_headers(ETag=quoted)
        )

    return answer


def moved(to: str, status: int = 301) -> Reply:
    return Reply(status, b"<html>moved</html>", {"Location": to, "Content-Type": "text/html"})


@dataclass(frozen=True)
class Told:
    """What came of a crawl; `.pages`: what the spider told, in order."""

    pages: list[dict[str, Any]]
    stats: dict[str, Any]
    log: str
    code: int
    seconds: float

    def paths(self) -> list[str]:
        return [one["path"] for one in self.pages]


class Scripted:
    """The site, and the folder in which the crawls run one after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pages: dict[str, Answer] = {}
        self.fallback: Callable[[Asked], Reply] = lambda _: Reply(404, b"nothing here")
        self.asked: list[Asked] = []
        self.clock = Clock.starting(folder / "clock")
        self._lock = threading.Lock()
        self._http = _Listener(self)
        self.base = f"http://127.0.0.1:{self._http.server_address[1]}"
        self.other = f"http://localhost:{self._http.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()

    def targets(self) -> list[str]:
        """Return what was asked for in the last crawl, in order."""
        return [asked.target for asked in self.asked]

    def note(self, target: str, method: str, headers: Mapping[str, str], body: bytes = b"") -> Asked:
        with self._lock:
            count = 1 + sum(one.target == target for one in self.asked)
            asked = Asked(target, method, headers, count, body)
            self.asked.append(asked)
            return asked

    def prepare(
        self, body: str, settings: Mapping[str, Any] | None = None, *, above: str = "", bare: bool = False
    ) -> None:
        """Write the program of a spider, `own.py`; the arguments are those of `crawl`."""
        (self.folder / "own.py").write_text(
            _MODULE.format(above=above, base=self.base, other=self.other, body=body), "utf-8"
        )
        base = {} if bare else dict(WITH_SAMEISH)
        job = {
            "HTTPPROXY_ENABLED": False,
            "TELNETCONSOLE_ENABLED": False,
            "LOG_LEVEL": "INFO",
            **base,
            **(settings or {}),
        }
        (self.folder / "job.json").write_text(json.dumps(job), "utf-8")
        for name in ("told.jsonl", "stats.json"):
            (self.folder / name).unlink(missing_ok=True)
        self.asked = []

    def environment(self) -> dict[str, str]:
        """Return what that program is run with."""
        paths = os.pathsep.join((str(ROOT / "src"), str(ROOT), str(self.folder)))
        return {**os.environ, "PYTHONPATH": paths, VARIABLE: str(self.clock.file)}

    def crawl(
        self, body: str = PLAIN, settings: Mapping[str, Any] | None = None, *, above: str = "", bare: bool = False, timeout: float = 60,
        python: str = sys.executable,
    ) -> Told:  # fmt: skip
        """Run a spider.

        Args:
            body: of the class; `self.ask(path, ...)` makes a request, `self.tell(response, ...)` notes an arrival.
            settings: over nothing but the add-on.
            above: what stands above the class.
            bare: without the add-on.
        """
        self.prepare(body, settings, above=above, bare=bare)
        began = time.monotonic()
        run = subprocess.run(
            [python, "own.py"], cwd=self.folder, env=self.environment(), capture_output=True, text=True, timeout=timeout, check=False
        )  # fmt: skip
        seconds = time.monotonic() - began
        lines, stats = self.folder / "told.jsonl", self.folder / "stats.json"
        return Told(
            [json.loads(line) for line in lines.read_text("utf-8").splitlines()] if lines.exists() else [],
            json.loads(stats.read_text("utf-8")) if stats.exists() else {},
            run.stderr,
            run.returncode,
            seconds,
        )


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, owner: Scripted) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, *_: object) -> None:
        """Clients hang up."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True
    server: _Listener

    def do_GET(self) -> None:
        owner = self.server.owner
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        asked = owner.note(self.path, self.command, {name.lower(): value for name, value in self.headers.items()}, body)
        found = owner.pages.get(self.path) or owner.pages.get(self.path.partition("?")[0]) or owner.fallback
        reply = found(asked) if callable(found) else found
        time.sleep(reply.after_s)
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.status != 304:
            self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        self.wfile.write(reply.body)

    do_POST = do_GET  # noqa: N815  # named by the base class

    def date_time_string(self, timestamp: float | None = None) -> str:
        """Return the `Date` by the clock of the test."""
        return super().date_time_string(int(self.server.owner.clock().timestamp() if timestamp is None else timestamp))

    def log_message(self, *_: object) -> None:
        """Say nothing."""


_MODULE = """
import json
import sys
import time
from pathlib import Path

import scrapy
from scrapy import Request
from scrapy.crawler import CrawlerProcess
from scrapy.http import TextResponse

{above}


class Base(scrapy.Spider):
    name = "own"
    base, other = "{base}", "{other}"

    def ask(self, path, **more):
        return Request(path if "://" in path else self.base + path, **more)

    def tell(self, response, **more):
        verdict = response.meta.get("sameish")
        told = {{
            "path": response.url.removeprefix(self.base), "status": response.status, "flags": response.flags,
            "verdict": None if verdict is None else verdict if isinstance(verdict, bool) else str(verdict.kind),
            "title": response.css("title::text").get() if isinstance(response, TextResponse) else None, "at": time.monotonic(), **more,
        }}
        with Path("told.jsonl").open("a") as file:
            file.write(json.dumps(told) + "\\n")


class Own(Base):
{body}


if __name__ == "__main__":
    process = CrawlerProcess(json.loads(Path("job.json").read_text()))
    crawler = process.create_crawler(Own)
    process.crawl(crawler)
    process.start()
    Path("stats.json").write_text(json.dumps(crawler.stats.get_stats(), default=str))
    sys.exit(1 if process.bootstrap_failed else 0)
"""

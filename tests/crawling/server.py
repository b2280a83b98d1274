"""A real HTTP server for a site, on a port of its own, that counts what it is asked for.

with Server(site, clock) as server:
    ...
    counts = server.take()      # all requests since the last take
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from datetime import datetime
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

from tests.crawling.answers import Answer
from tests.crawling.counts import Counts, Hit
from tests.crawling.site import Site


class Server:
    """Serves a site on 127.0.0.1 while the block runs; sets the site's base to its address.

    What goes wrong while answering is raised at the end of the block.
    """

    def __init__(self, site: Site, clock: Callable[[], datetime]) -> None:
        self.site = site
        self.clock = clock
        self.errors: list[Exception] = []
        self._hits: list[Hit] = []
        self._lock = threading.Lock()
        self._http = _Listener(self)
        site.base = f"http://127.0.0.1:{self._http.server_address[1]}"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
        if self.errors and error is None:
            raise self.errors[0]

    @property
    def counts(self) -> Counts:
        """The requests since the last take."""
        with self._lock:
            return Counts(tuple(self._hits))

    def take(self) -> Counts:
        """Return the requests since the last take, and begin again."""
        with self._lock:
            hits, self._hits = self._hits, []
            return Counts(tuple(hits))

    def note(self, hit: Hit) -> None:
        """Count a request."""
        with self._lock:
            self._hits.append(hit)


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    # kept-alive connections end when the client goes; waiting for them would take until then
    block_on_close = False
    request_queue_size = 64

    def __init__(self, owner: Server) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, *_: object) -> None:
        """Keep what went wrong, except that a client hung up."""
        error = sys.exception()
        if isinstance(error, Exception) and not isinstance(error, ConnectionError):
            self.owner.errors.append(error)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "courier-edge/2.4", ""
    # head and body are written at once, and nothing waits for more
    wbufsize = -1
    disable_nagle_algorithm = True
    timeout = 30
    server: _Listener

    def do_GET(self) -> None:
        self._respond(with_body=True)

    def do_HEAD(self) -> None:
        self._respond(with_body=False)

    def _respond(self, *, with_body: bool) -> None:
        asked = self.headers.get("If-None-Match"), self.headers.get("If-Modified-Since")
        answer = self.server.owner.site.answer(self.path, *asked)
        self._note(answer, *asked, sent=len(answer.body) if with_body else 0)
        self.send_response(answer.status)
        for name, value in answer.headers:
            self.send_header(name, value)
        if answer.status != 304:  # its Content-Length would be that of the 200 (RFC 9110, 15.4.5)
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if with_body:
            self.wfile.write(answer.body)

    def _note(self, answer: Answer, none_match: str | None, modified_since: str | None, *, sent: int) -> None:
        owner = self.server.owner
        owner.note(
            Hit(
                self.command, self.path, owner.clock(), answer.status, answer.kind, answer.content, answer.version,
                sent, none_match, modified_since,
            )
        )  # fmt: skip

    def date_time_string(self, timestamp: float | None = None) -> str:
        """The Date header follows the clock of the server."""
        return super().date_time_string(timestamp) if timestamp else format_datetime(self.server.owner.clock(), True)

    def log_message(self, *_: object) -> None:
        """Say nothing; what matters is counted."""

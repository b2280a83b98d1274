"""A host of the newspaper on a port of 127.0.0.1, with a note of every request that it got."""

from __future__ import annotations

import gzip
import hashlib
import sys
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

from sameish.demo.live.addresses import asked
from sameish.demo.live.contents import Content
from sameish.demo.live.honesty import is_not_modified
from sameish.demo.live.paper import Answer, Paper


@dataclass(frozen=True, slots=True)
class Hit:
    """A request as the server saw and answered it.

    `.sent`: bytes of head and body on the wire. `.digest`: of the page before any coding, "" where no body was sent.
    """

    target: str
    status: int
    sent: int
    content: Content | None
    digest: str


def digest_of(body: bytes) -> str:
    """Return by what a page is known again that was sent."""
    return hashlib.blake2b(body, digest_size=16).hexdigest()


class Server:
    """Serves a host while the block runs. What goes wrong while answering is raised at its end.

    `.edition` is what it shows; whoever runs the crawls sets it.

    Args:
        paper: the host.
        clock: tells its time.
    """

    def __init__(self, paper: Paper, clock: Callable[[], datetime]) -> None:
        self.paper = paper
        self.edition = 0
        self._clock = clock
        self._errors: list[Exception] = []
        self._hits: list[Hit] = []
        self._loads: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._http = _Listener(self)
        self.place = f"127.0.0.1:{self._http.server_address[1]}"
        paper.base = f"http://{self.place}"
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
        if self._errors and error is None:
            raise self._errors[0]

    def take(self) -> tuple[Hit, ...]:
        """Return the requests since the last take."""
        with self._lock:
            hits, self._hits = self._hits, []
            return tuple(hits)

    def respond(self, target: str, none_match: str | None, modified_since: str | None, *, gzipped: bool) -> bytes:
        """Return the answer to a request as bytes for the wire, and note the request."""
        page = asked(target).address
        with self._lock:
            load = self._loads[page]
            self._loads[page] += 1
        answer = self.paper.answer(target, self.edition, load)
        same = answer.status == HTTPStatus.OK and is_not_modified(answer.headers, none_match, modified_since)
        status = HTTPStatus.NOT_MODIFIED if same else HTTPStatus(answer.status)
        message = self._message(status, answer, gzipped=gzipped)
        digest = "" if same else digest_of(answer.body)
        with self._lock:
            self._hits.append(Hit(target, status, len(message), answer.content, digest))
        return message

    def _message(self, status: HTTPStatus, answer: Answer, *, gzipped: bool) -> bytes:
        lines = [f"HTTP/1.1 {status.value} {status.phrase}", f"Date: {format_datetime(self._clock(), usegmt=True)}"]
        lines += [f"{name}: {value}" for name, value in answer.headers]
        body = b"" if status is HTTPStatus.NOT_MODIFIED else answer.body
        if body and gzipped:
            body = gzip.compress(body, 6, mtime=0)
            lines.append("Content-Encoding: gzip")
        if status is not HTTPStatus.NOT_MODIFIED:  # its Content-Length would be that of the 200 (RFC 9110, 15.4.5)
            lines.append(f"Content-Length: {len(body)}")
        return "\r\n".join((*lines, "Vary: Accept-Encoding", "", "")).encode() + body

    def failed(self, error: Exception) -> None:
        """Keep what went wrong."""
        self._errors.append(error)


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # kept-alive connections end when the client goes; waiting for them would take until then
    request_queue_size = 64

    def __init__(self, owner: Server) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, *_: object) -> None:
        """Keep what went wrong, except that a client hung up."""
        error = sys.exception()
        if isinstance(error, Exception) and not isinstance(error, ConnectionError):
            self.owner.failed(error)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 30
    server: _Listener

    def do_GET(self) -> None:
        """Answer a request."""
        asked = self.headers.get("If-None-Match"), self.headers.get("If-Modified-Since")
        gzipped = "gzip" in self.headers.get("Accept-Encoding", "")
        self.wfile.write(self.server.owner.respond(self.path, *asked, gzipped=gzipped))

    def log_message(self, *_: object) -> None:
        """Say nothing; what matters is noted."""

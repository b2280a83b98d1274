"""A real HTTP server on a port of its own, for answers that the made-up sites do not give: one function a path.

with Routes({"/a": lambda request: Answer(200, b"...")}) as routes:
    ...
    routes.asked  # [("/a", {"host": ...}), ...]
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self


@dataclass(frozen=True, slots=True)
class Answer:
    """What to answer; a body in pieces is sent chunked, as the pieces come. `.before`: is called first, and may wait."""

    status: int = 200
    body: bytes | Iterable[bytes] = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    before: Callable[[], object] | None = None


def article(about: str) -> bytes:
    """Return a page with enough text to be compared."""
    told = " ".join(f"On day {day} the people of {about} wrote down what {about} had cost them." for day in range(9))
    return f"<html><title>{about}</title><main><h1>{about}</h1><p>{told}</p></main></html>".encode()


class Routes:
    """The server, while the block runs. Paths count with their query; one that is not there is answered with 404."""

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        self.answers = dict(answers)
        self.asked: list[tuple[str, dict[str, str]]] = []
        self._http = _Listener(("127.0.0.1", 0), _Handler)
        self._http.routes = self
        self.base = f"http://127.0.0.1:{self._http.server_address[1]}"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def paths(self) -> list[str]:
        """What was asked for, in order."""
        return [path for path, _ in self.asked]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64
    routes: Routes

    def handle_error(self, *_: object) -> None:
        """Clients hang up here on purpose."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30
    server: _Listener

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.rfile.read(int(headers.get("content-length", "0")))
        self.server.routes.asked.append((self.path, headers))
        self._send(self.server.routes.answers.get(self.path, Answer(404)), headers)

    do_POST = do_GET  # noqa: N815  # a name that http.server looks for
    do_HEAD = do_GET  # noqa: N815
    do_PUT = do_GET  # noqa: N815

    def _send(self, answer: Answer, asked: Mapping[str, str]) -> None:
        if answer.before is not None:
            answer.before()
        etag = answer.headers.get("ETag")
        unchanged = etag is not None and asked.get("if-none-match") == etag
        self.send_response(304 if unchanged else answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if unchanged or isinstance(answer.body, bytes):
            body = b"" if unchanged else bytes(answer.body)  # type: ignore[arg-type]  # it is bytes
            if not unchanged:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)
            return
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in answer.body:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_: object) -> None:
        """Say nothing."""

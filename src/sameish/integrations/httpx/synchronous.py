"""The transport of `httpx.Client` and `httpx2.Client`."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from sameish.detector import Detector
from sameish.integrations.httpx import libraries
from sameish.integrations.httpx.door import Choices, Door, Duplicates, NotDue, Private, Traps
from sameish.integrations.httpx.flights import Flight
from sameish.integrations.httpx.walk import Walk, finished

if TYPE_CHECKING:
    import httpx
    import httpx2

    class _Base(httpx.BaseTransport, httpx2.BaseTransport):  # type: ignore[misc]  # each knows its own messages only
        """What checkers of types take it for; at run time it is made of the libraries that are in use."""
else:
    _Base = object

Result = TypeVar("Result")


class SameishTransport(_Base):
    """Asks before a request whether it need be sent, and judges what came of it.

    A GET without a body that is not due yet, or that a rule says is a page that is known, is answered with the stored copy;
    one to be revalidated is sent with conditions, and a 304 answered with the copy. `response.extensions["sameish"]` is the
    `Verdict`, `["sameish_decision"]` the `FetchDecision`: its action is `skip` exactly where nothing was sent. A copy says
    `Cache-Status: sameish; hit; detail=...`, and `response.url` is where it came from. Of several requests for one page at
    once one goes, the others wait for it, at most `gate.wait_s`, in all processes that use the store.

    Left alone is what `extensions={"sameish": False}` opts out, and what `Cache-Control: no-store` asks for; `no-cache` is
    sent and judged, never answered from the store. Of a page that varies (`Vary`) a copy answers its own variant only.

    Bodies are read before the response is returned, up to `reading.max_body_bytes`: `client.stream` works, and streams from
    memory. A larger body, an event stream and a redirect are handed on unread, as `undetermined`.

    Args:
        detector: stays the caller's to close; it begins to keep bodies, unless its settings forbid it (`store.keep_bodies`).
        wrapped: sends the requests; None: an `HTTPTransport` of the client's library. It is closed with this one.
        duplicates: what to do with a URL that by a rule is a page that is known: `cached` answers with that page's copy (without
            one it is fetched), `drop` raises `NotFetched`, `mark` fetches it.
        not_due: what to do with a page that is not due: `cached` or `drop`, as above.
        traps: what to do with URLs without end that brought nothing new for long: `drop` or `fetch`.
        private: what to do with a request that says who asks, by `Authorization` or by a cookie that not everybody gets:
            `fetch` sends it and remembers nothing; `share` treats it as any other, for stores that serve one visitor.

    Raises:
        SettingsError: an option has another value, or `detector` is none.
        ImportError: neither httpx nor httpx2 is installed.
    """

    def __new__(cls, *_: object, **__: object) -> Self:
        """Make it a `BaseTransport` of each library in use, as other wrappers ask."""
        libraries.require()
        return cast("Self", object.__new__(libraries.as_own(cls, "BaseTransport")))

    def __init__(
        self,
        detector: Detector,
        wrapped: httpx.BaseTransport | httpx2.BaseTransport | None = None,
        *,
        duplicates: Duplicates = "cached",
        not_due: NotDue = "cached",
        traps: Traps = "drop",
        private: Private = "fetch",
    ) -> None:
        self._wrapped: Any = wrapped
        self._lock = threading.Lock()
        self._walk = Walk(Door(detector, Choices(duplicates, not_due, traps, private)), _AtOnce(self._send))

    def handle_request(self, request: Any) -> Any:
        """Answer a request.

        Raises:
            NotFetched: by the options it is not to be sent, and nothing stands in its place.
        """
        return finished(self._walk.answer(request))

    def _send(self, request: Any) -> Any:
        with self._lock:
            if self._wrapped is None:
                self._wrapped = libraries.library_of(request).HTTPTransport()
        return self._wrapped.handle_request(request)

    def close(self) -> None:
        """Close the wrapped transport; the detector stays open."""
        if self._wrapped is not None:
            self._wrapped.close()

    def __enter__(self) -> Self:
        """Enter the wrapped transport; where there is none yet, it is made at the first request."""
        if self._wrapped is not None:
            self._wrapped.__enter__()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None = None,
        exc_value: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        if self._wrapped is not None:
            self._wrapped.__exit__(exc_type, exc_value, traceback)


class _AtOnce:
    """Means that block the thread."""

    stream = "SyncByteStream"

    def __init__(self, send: Callable[[Any], Any]) -> None:
        self._send = send

    async def send(self, request: Any) -> Any:
        return self._send(request)

    async def ask(self, call: Callable[[], Result]) -> Result:
        return call()

    async def surely(self, call: Callable[[], object]) -> None:
        call()

    async def wait(self, flight: Flight, seconds: float) -> bool:
        return flight.wait(seconds)

    async def rest(self, seconds: float) -> None:
        time.sleep(seconds)

    def pieces(self, stream: Any) -> Any:
        return iter(stream)

    async def next(self, pieces: Any) -> bytes | None:
        return next(pieces, None)

    async def close(self, what: Any) -> None:
        what.close()

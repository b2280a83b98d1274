"""The transport of `httpx.Client` and `httpx2.Client`."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import chain
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, cast

from sameish.detector import Detector
from sameish.integrations.httpx import libraries
from sameish.integrations.httpx.door import Door, Duplicates, NotDue, Plan, Traps
from sameish.integrations.httpx.flights import Flights
from sameish.integrations.httpx.messages import (
    conditional,
    copy_as_response,
    is_concerned,
    is_fetched,
    location_of,
    note_hop,
    page_of,
    unread,
    why_not_judged,
    with_verdict,
)

if TYPE_CHECKING:
    import httpx
    import httpx2

    class _Base(httpx.BaseTransport, httpx2.BaseTransport):  # type: ignore[misc]  # each knows its own messages only
        """What checkers of types take it for; at run time it is made of the libraries that are in use."""
else:
    _Base = object


class SameishTransport(_Base):
    """Asks before a request whether it need be sent, and judges what came of it.

    A GET without a body that is not due yet, or that a rule says is a page that is known, is answered with the stored copy;
    one to be revalidated is sent with conditions, and a 304 answered with the copy. `response.extensions["sameish"]` is the
    `Verdict`, `["sameish_decision"]` the `FetchDecision`; a copy says `Cache-Status: sameish; hit; detail=...`. Of several
    requests for one page at once one goes, the others wait for it, at most `gate.wait_s`. `extensions={"sameish": False}`
    opts a request out.

    Bodies are read before the response is returned, up to `reading.max_body_bytes`: `client.stream` works, and streams from
    memory. A larger body, an event stream and a redirect are handed on unread, as `undetermined`.

    Args:
        detector: stays the caller's to close; it begins to keep bodies, unless its settings forbid it (`store.keep_bodies`).
        wrapped: sends the requests; None: an `HTTPTransport` of the client's library. It is closed with this one.
        duplicates: what to do with a URL that by a rule is a page that is known: `cached` answers with that page's copy (without
            one it is fetched), `drop` raises `NotFetched`, `mark` fetches it.
        not_due: what to do with a page that is not due: `cached` or `drop`, as above.
        traps: what to do with URLs without end that brought nothing new for long: `drop` or `fetch`.

    Raises:
        SettingsError: an option has another value.
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
    ) -> None:
        self._door = Door(detector, duplicates, not_due, traps)
        self._flights = Flights.of(detector)
        self._wrapped: Any = wrapped
        self._lock = threading.Lock()

    def handle_request(self, request: Any) -> Any:
        """Answer a request.

        Raises:
            NotFetched: by the options it is not to be sent, and nothing stands in its place.
        """
        if not is_concerned(request):
            return self._send(request)
        url = str(request.url)
        with self._flights.begin(url):
            plan = self._door.plan(url)
            if plan.answers:
                return copy_as_response(request, plan, plan.verdict)
            asked = conditional(request, plan.headers)
            response = self._send(asked)
            return self._received(request, asked, response, plan)

    def _send(self, request: Any) -> Any:
        with self._lock:
            if self._wrapped is None:
                self._wrapped = libraries.library_of(request).HTTPTransport()
        return self._wrapped.handle_request(request)

    def _received(self, request: Any, asked: Any, response: Any, plan: Plan) -> Any:
        if (location := location_of(response)) is not None:
            note_hop(request)
            self._door.redirected(str(request.url), location)
        if why := why_not_judged(response):
            return unread(response, plan, why)
        is_raw = not response.is_stream_consumed
        if is_raw and not self._read(request, response):
            return unread(response, plan, f"more than {self._door.most_bytes:,} bytes")
        body = b"".join(response.stream) if is_raw else response.content
        page = page_of(request, response, body, is_raw=is_raw)
        verdict = self._door.judged(page, asked.headers, fetched=is_fetched(response))
        if response.status_code == 304 and plan.copy is not None:
            return copy_as_response(request, plan, verdict)
        return with_verdict(response, plan, verdict)

    def _read(self, request: Any, response: Any) -> bool:
        """Read a body as it was sent, and put it back to be read again; return False where it is larger than can be judged."""
        source, library, parts, size = response.stream, libraries.library_of(request), list[bytes](), 0
        try:
            pieces = iter(source)
            for piece in pieces:
                parts.append(piece)
                size += len(piece)
                if size > self._door.most_bytes:
                    stream = libraries.as_own(Unread, "SyncByteStream")
                    response.stream = stream(parts, pieces, source)
                    return False
        except BaseException:
            source.close()
            raise
        source.close()
        response.stream = library.ByteStream(b"".join(parts))
        return True

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


class Unread:
    """A stream of which the beginning was read already."""

    def __init__(self, parts: list[bytes], rest: Iterator[bytes], source: Any) -> None:
        self._parts = parts
        self._rest = rest
        self._source = source

    def __iter__(self) -> Iterator[bytes]:
        parts, self._parts = self._parts, []
        yield from chain(parts, self._rest)

    def close(self) -> None:
        """Close the stream that it was read from."""
        self._source.close()

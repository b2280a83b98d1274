"""The transport of `httpx.AsyncClient` and `httpx2.AsyncClient`, in asyncio and trio."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

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

    class _Base(httpx.AsyncBaseTransport, httpx2.AsyncBaseTransport):  # type: ignore[misc]  # each knows its own messages only
        """What checkers of types take it for; at run time it is made of the libraries that are in use."""
else:
    _Base = object

Result = TypeVar("Result")


class AsyncSameishTransport(_Base):
    """Does what `SameishTransport` does, for async clients; arguments and errors are the same.

    The detector is called in a thread. Transports of one detector, sync or async and in whatever event loop, share what is
    under way.
    """

    def __new__(cls, *_: object, **__: object) -> Self:
        """Make it an `AsyncBaseTransport` of each library in use, as other wrappers ask."""
        libraries.require()
        return cast("Self", object.__new__(libraries.as_own(cls, "AsyncBaseTransport")))

    def __init__(
        self,
        detector: Detector,
        wrapped: httpx.AsyncBaseTransport | httpx2.AsyncBaseTransport | None = None,
        *,
        duplicates: Duplicates = "cached",
        not_due: NotDue = "cached",
        traps: Traps = "drop",
    ) -> None:
        self._door = Door(detector, duplicates, not_due, traps)
        self._flights: Flights | None = None
        self._wrapped: Any = wrapped

    async def handle_async_request(self, request: Any) -> Any:
        """Answer a request.

        Raises:
            NotFetched: by the options it is not to be sent, and nothing stands in its place.
        """
        if not is_concerned(request):
            return await self._send(request)
        if self._flights is None:  # the first call may read a large store
            self._flights = await _in_thread(lambda: Flights.of(self._door.detector))
        url = str(request.url)
        with await self._flights.begin_in_loop(url):
            plan = await _in_thread(lambda: self._door.plan(url))
            if plan.answers:
                return copy_as_response(request, plan, plan.verdict)
            asked = conditional(request, plan.headers)
            response = await self._send(asked)
            return await self._received(request, asked, response, plan)

    async def _send(self, request: Any) -> Any:
        if self._wrapped is None:
            self._wrapped = libraries.library_of(request).AsyncHTTPTransport()
        return await self._wrapped.handle_async_request(request)

    async def _received(self, request: Any, asked: Any, response: Any, plan: Plan) -> Any:
        if (location := location_of(response)) is not None:
            note_hop(request)
            await _in_thread(partial(self._door.redirected, str(request.url), location))
        if why := why_not_judged(response):
            return unread(response, plan, why)
        is_raw = not response.is_stream_consumed
        if is_raw and not await self._read(request, response):
            return unread(response, plan, f"more than {self._door.most_bytes:,} bytes")
        body = b"".join(response.stream) if is_raw else response.content
        fetched = is_fetched(response)

        def judge() -> Any:
            return self._door.judged(page_of(request, response, body, is_raw=is_raw), asked.headers, fetched=fetched)

        verdict = await _in_thread(judge)
        if response.status_code == 304 and plan.copy is not None:
            return copy_as_response(request, plan, verdict)
        return with_verdict(response, plan, verdict)

    async def _read(self, request: Any, response: Any) -> bool:
        """Read a body as it was sent, and put it back to be read again; return False where it is larger than can be judged."""
        source, library, parts, size = response.stream, libraries.library_of(request), list[bytes](), 0
        try:
            pieces = aiter(source)
            async for piece in pieces:
                parts.append(piece)
                size += len(piece)
                if size > self._door.most_bytes:
                    stream = libraries.as_own(AsyncUnread, "AsyncByteStream")
                    response.stream = stream(parts, pieces, source)
                    return False
        except BaseException:
            await source.aclose()
            raise
        await source.aclose()
        response.stream = library.ByteStream(b"".join(parts))
        return True

    async def aclose(self) -> None:
        """Close the wrapped transport; the detector stays open."""
        if self._wrapped is not None:
            await self._wrapped.aclose()

    async def __aenter__(self) -> Self:
        """Enter the wrapped transport; where there is none yet, it is made at the first request."""
        if self._wrapped is not None:
            await self._wrapped.__aenter__()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None = None,
        exc_value: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        if self._wrapped is not None:
            await self._wrapped.__aexit__(exc_type, exc_value, traceback)


class AsyncUnread:
    """A stream of which the beginning was read already."""

    def __init__(self, parts: list[bytes], rest: AsyncIterator[bytes], source: Any) -> None:
        self._parts = parts
        self._rest = rest
        self._source = source

    async def __aiter__(self) -> AsyncIterator[bytes]:
        parts, self._parts = self._parts, []
        for part in parts:
            yield part
        async for part in self._rest:
            yield part

    async def aclose(self) -> None:
        """Close the stream that it was read from."""
        if isinstance(self._rest, AsyncGenerator):
            await self._rest.aclose()
        await self._source.aclose()


async def _in_thread(call: Callable[[], Result]) -> Result:
    from anyio import to_thread  # noqa: PLC0415  # comes with either library

    return await to_thread.run_sync(call)

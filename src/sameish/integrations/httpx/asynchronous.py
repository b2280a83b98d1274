"""The transport of `httpx.AsyncClient` and `httpx2.AsyncClient`, in asyncio and trio."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from sameish.detector import Detector
from sameish.integrations.httpx import libraries
from sameish.integrations.httpx.door import Choices, Door, Duplicates, NotDue, Private, Traps
from sameish.integrations.httpx.flights import Flight
from sameish.integrations.httpx.walk import Walk

if TYPE_CHECKING:
    import httpx
    import httpx2

    class _Base(httpx.AsyncBaseTransport, httpx2.AsyncBaseTransport):  # type: ignore[misc]  # each knows its own messages only
        """What checkers of types take it for; at run time it is made of the libraries that are in use."""
else:
    _Base = object

_CLOSES_S = 5.0
"""How long a cancelled task may take to close what it has opened."""
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
        private: Private = "fetch",
    ) -> None:
        self._wrapped: Any = wrapped
        self._walk = Walk(Door(detector, Choices(duplicates, not_due, traps, private)), _InLoop(self._send))

    async def handle_async_request(self, request: Any) -> Any:
        """Answer a request.

        Raises:
            NotFetched: by the options it is not to be sent, and nothing stands in its place.
        """
        return await self._walk.answer(request)

    async def _send(self, request: Any) -> Any:
        if self._wrapped is None:
            self._wrapped = libraries.library_of(request).AsyncHTTPTransport()
        return await self._wrapped.handle_async_request(request)

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


class _InLoop:
    """Means that let the event loop go on. anyio comes with either library, and is imported when it is used."""

    stream = "AsyncByteStream"

    def __init__(self, send: Callable[[Any], Any]) -> None:
        self._send = send

    async def send(self, request: Any) -> Any:
        return await self._send(request)

    async def ask(self, call: Callable[[], Result]) -> Result:
        from anyio import to_thread  # noqa: PLC0415  # as above

        return await to_thread.run_sync(call)

    async def surely(self, call: Callable[[], object]) -> None:
        from anyio import CancelScope  # noqa: PLC0415  # as above

        with CancelScope(shield=True):
            await self.ask(call)

    async def wait(self, flight: Flight, seconds: float) -> bool:
        return await flight.wait_in_loop(seconds)

    async def rest(self, seconds: float) -> None:
        from anyio import sleep  # noqa: PLC0415  # as above

        await sleep(seconds)

    def pieces(self, stream: Any) -> Any:
        return aiter(stream)

    async def next(self, pieces: Any) -> bytes | None:
        return await anext(pieces, None)

    async def close(self, what: Any) -> None:
        from anyio import move_on_after  # noqa: PLC0415  # as above

        with move_on_after(_CLOSES_S, shield=True):
            await what.aclose()

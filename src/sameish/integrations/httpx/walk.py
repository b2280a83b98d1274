"""One request's walk, written once for both transports.

It is a coroutine that does nothing by itself that may wait, but asks its `Means` to. Those of the synchronous transport
never suspend it, so that `finished` runs it to its end without an event loop.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Protocol, TypeVar

from sameish.integrations.httpx.door import Door, Plan
from sameish.integrations.httpx.flights import Flight, Landing
from sameish.integrations.httpx.libraries import as_own, library_of
from sameish.integrations.httpx.messages import (
    conditional,
    copy_as_response,
    is_concerned,
    is_opted_out,
    is_written,
    left_alone,
    location_of,
    note_hop,
    unread,
    why_not_judged,
    with_verdict,
)
from sameish.integrations.httpx.streams import Rest

_POLL_S = 0.1
"""How often it is asked whether another process is done with a page."""
Result = TypeVar("Result")


class Means(Protocol):
    """What may wait, as a transport does it. `.stream`: the name of the base class of its streams."""

    stream: str

    async def send(self, request: Any) -> Any:
        """Send a request by the wrapped transport."""
        ...

    async def ask(self, call: Callable[[], Result]) -> Result:
        """Make a call that may block, such as one that asks the store."""
        ...

    async def surely(self, call: Callable[[], object]) -> None:
        """Make such a call also where the task is cancelled."""
        ...

    async def wait(self, flight: Flight, seconds: float) -> bool:
        """Wait for a flight, at most so long; return whether it is over."""
        ...

    async def rest(self, seconds: float) -> None:
        """Come back after so many seconds."""
        ...

    def pieces(self, stream: Any) -> Any:
        """Return the iterator of a stream."""
        ...

    async def next(self, pieces: Any) -> bytes | None:
        """Return the next piece of an iterator, None at its end."""
        ...

    async def close(self, what: Any) -> None:
        """Close a stream or a response, also where the task is cancelled."""
        ...


def finished(walk: Coroutine[Any, Any, Result]) -> Result:
    """Return what a coroutine returns whose means never suspend it."""
    try:
        walk.send(None)
    except StopIteration as end:
        result: Result = end.value
        return result
    walk.close()
    raise RuntimeError("a synchronous transport was made to wait in an event loop")


class Walk:
    """The way of requests through a door.

    Args:
        door: decides and judges.
        means: does what may wait.
    """

    def __init__(self, door: Door, means: Means) -> None:
        self._door = door
        self._means = means

    async def answer(self, request: Any) -> Any:
        """Return the response to a request: the wrapped transport's, or a stored copy.

        Raises:
            NotFetched: by the choices it is not to be sent, and nothing stands in its place.
        """
        if not is_concerned(request):
            return await self._sent(request)
        if why := self._door.why_left_alone(request):
            return left_alone(await self._sent(request), why)
        until = time.monotonic() + self._door.wait_s
        landing = await self._landed(str(request.url), until)
        try:
            plan = await self._planned(request, landing, until)
            return copy_as_response(request, plan, plan.verdict) if plan.answers else await self._fetched(request, plan)
        finally:
            try:
                if landing.is_leased:
                    await self._means.surely(landing.release)
            finally:
                landing.end()

    async def _landed(self, url: str, until: float) -> Landing:
        """Return one's own flight for a URL, once nobody else is under way for its page or the wait was too long."""
        while True:
            # the first look may read a large store
            page = (
                self._door.page_of(url)
                if self._door.is_ready
                else await self._means.ask(partial(self._door.page_of, url))
            )
            landing, other = self._door.flights.join(page)
            if other is None or not await self._means.wait(other, until - time.monotonic()):
                return landing

    async def _planned(self, request: Any, landing: Landing, until: float) -> Plan:
        plan = await self._means.ask(partial(self._door.plan, request))
        if plan.answers or not landing.leads or not await self._others_may_have_fetched(landing, until):
            return plan
        return await self._means.ask(partial(self._door.plan, request, anew=True))

    async def _others_may_have_fetched(self, landing: Landing, until: float) -> bool:
        """Wait until no other process fetches the page; return whether any may have done so."""
        waited = False
        while not await self._means.ask(landing.lease) and time.monotonic() < until:
            waited = True
            await self._means.rest(_POLL_S)
        return waited or self._door.flights.company.was_met

    async def _sent(self, request: Any) -> Any:
        response = await self._means.send(request)
        self._door.visitors.answered(request, response, is_own=is_opted_out(request))
        if is_written(request, response):
            await self._means.ask(partial(self._door.written, str(request.url)))
        return response

    async def _fetched(self, request: Any, plan: Plan) -> Any:
        asked = conditional(request, plan.headers)
        response = await self._sent(asked)
        try:
            return await self._received(request, asked, response, plan)
        except BaseException:
            await self._means.close(response)
            raise

    async def _received(self, request: Any, asked: Any, response: Any, plan: Plan) -> Any:
        if (location := location_of(response)) is not None:
            note_hop(request)
            await self._means.ask(partial(self._door.redirected, str(request.url), location))
        if why := why_not_judged(response, plan):
            return unread(response, plan, why)
        is_raw = not response.is_stream_consumed
        body = await self._read(request, response) if is_raw else response.content
        if body is None:
            return unread(response, plan, f"more than {self._door.most_bytes:,} bytes")
        verdict = await self._means.ask(partial(self._door.judged, asked, response, body, is_raw=is_raw))
        if response.status_code == 304:
            return copy_as_response(request, plan, verdict, response)
        return with_verdict(response, plan, verdict)

    async def _read(self, request: Any, response: Any) -> bytes | None:
        """Read a body as it was sent, and put it back to be read again; None where it is larger than can be judged."""
        source, parts, size = response.stream, list[bytes](), 0
        pieces = self._means.pieces(source)
        while (piece := await self._means.next(pieces)) is not None:
            parts.append(piece)
            size += len(piece)
            if size > self._door.most_bytes:
                response.stream = as_own(Rest, self._means.stream)(parts, pieces, source)
                return None
        await self._means.close(source)
        body = b"".join(parts)
        response.stream = library_of(request).ByteStream(body)
        return body

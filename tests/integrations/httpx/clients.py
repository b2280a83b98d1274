"""One way to drive all clients: httpx and httpx2, sync, in asyncio and in trio."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, aclosing, contextmanager
from importlib import import_module
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal

from sameish import Detector
from sameish.integrations.httpx import AsyncSameishTransport, SameishTransport

KINDS = [(library, how) for library in ("httpx", "httpx2") for how in ("sync", "asyncio", "trio")]


class Client:
    """A client of a kind, with the transport that is tested."""

    def __init__(self, kind: tuple[str, str], client: Any, portal: BlockingPortal | None) -> None:
        self.library = import_module(kind[0])
        self.client = client
        self._portal = portal

    def get(self, url: str, **options: Any) -> Any:
        return self.send("GET", url, **options)

    def send(self, method: str, url: str, **options: Any) -> Any:
        if self._portal is None:
            return self.client.request(method, url, **options)

        async def ask() -> Any:
            return await self.client.request(method, url, **options)

        return self._portal.call(ask)

    def together(self, urls: list[str]) -> list[Any]:
        """Ask for all at once: each from a thread of its own, in async clients in tasks of one loop."""
        with ThreadPoolExecutor(len(urls)) as pool:
            return list(pool.map(self.get, urls))

    def streamed(self, url: str, how: str = "bytes", most: int | None = None) -> list[bytes]:
        """Return the pieces of a body that the caller streams, at most so many."""
        if self._portal is None:
            with self.client.stream("GET", url) as response:
                pieces = getattr(response, f"iter_{how}")()
                return [piece for _, piece in zip(range(most or 10**9), pieces, strict=False)]

        async def ask() -> list[bytes]:
            found: list[bytes] = []
            async with (
                self.client.stream("GET", url) as response,
                aclosing(getattr(response, f"aiter_{how}")()) as pieces,
            ):
                async for piece in pieces:
                    found.append(piece)
                    if len(found) == most:
                        break
            return found

        return self._portal.call(ask)


@contextmanager
def opened(
    kind: tuple[str, str], detector: Detector, wrap: Callable[[Any, str], Any] | None = None, **options: Any
) -> Iterator[Client]:
    """Open a client.

    Args:
        kind: one of `KINDS`.
        detector: that its transport asks.
        wrap: makes the wrapped transport, of the library and "sync" or "async"; None: none is given.
        options: `client` holds those of the client, all others are the transport's.
    """
    name, how = kind
    library, settings = import_module(name), options.pop("client", {})
    wrapped = None if wrap is None else wrap(library, "sync" if how == "sync" else "async")
    if how == "sync":
        with library.Client(transport=SameishTransport(detector, wrapped, **options), **settings) as client:
            yield Client(kind, client, None)
        return
    with start_blocking_portal(how) as portal:
        opening: AbstractContextManager[Any] = portal.wrap_async_context_manager(
            library.AsyncClient(transport=AsyncSameishTransport(detector, wrapped, **options), **settings)
        )
        with opening as client:
            yield Client(kind, client, portal)

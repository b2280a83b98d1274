"""A body whose beginning was read already."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from typing import Any


class Rest:
    """A stream that gives what was read, then what is still to come; of either kind, as what it was read from.

    Args:
        parts: that were read.
        pieces: the iterator that they were read from.
        source: the stream that it iterates over.
    """

    def __init__(self, parts: list[bytes], pieces: Any, source: Any) -> None:
        self._parts = parts
        self._pieces = pieces
        self._source = source

    def __iter__(self) -> Iterator[bytes]:
        yield from self._taken()
        yield from self._pieces

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self._taken():
            yield part
        async for part in self._pieces:
            yield part

    def close(self) -> None:
        """Close the stream that it was read from."""
        self._source.close()

    async def aclose(self) -> None:
        """Close the stream that it was read from."""
        if isinstance(self._pieces, AsyncGenerator):
            await self._pieces.aclose()
        await self._source.aclose()

    def _taken(self) -> list[bytes]:
        parts, self._parts = self._parts, []
        return parts

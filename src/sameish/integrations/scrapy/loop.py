"""Waiting, and work in a thread, under whatever loop the crawl runs: asyncio, with or without Twisted's reactor, or Twisted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar, cast

from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThread

Result = TypeVar("Result")


async def in_thread(call: Callable[[], Result]) -> Result:
    """Return what a call returns that would hold up everything else."""
    if _has_loop():
        return await asyncio.to_thread(call)
    result: Result = await maybe_deferred_to_future(deferToThread(call))
    return result


def call_later(seconds: float, call: Callable[[], object]) -> None:
    """Call something after so many seconds."""
    if _has_loop():
        asyncio.get_running_loop().call_later(seconds, call)
        return
    from twisted.internet import reactor  # noqa: PLC0415  # importing it installs one: the crawler has done so by now

    cast("Any", reactor).callLater(seconds, call)  # the module is the reactor


async def resting(seconds: float) -> None:
    """Come back after so many seconds."""
    rest: Deferred[None] = Deferred()
    call_later(seconds, lambda: rest.callback(None))
    await maybe_deferred_to_future(rest)


def _has_loop() -> bool:
    """Whether the thread runs an asyncio loop; under Twisted's other reactors it does not."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True

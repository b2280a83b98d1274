"""Whoever is interrupted, at whatever instruction, keeps nobody waiting."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from tests.stores.workers import captures

from sameish.errors import StoreError
from sameish.models import Verdict, VerdictKind
from sameish.stores.base import Query, Store
from sameish.stores.guard import Guard
from sameish.stores.memory import MemoryStore
from sameish.stores.sqlite import SqliteStore

_WATCHED = ("guard.py", "file.py", "contextlib.py", "store.py", "memory.py", "translation.py")


@pytest.fixture(autouse=True)
def _watched() -> Iterator[None]:
    """Ends what hangs."""

    def give_up(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, give_up)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


class _Trap:
    """Interrupts at one instruction of the watched files."""

    def __init__(self, at: int) -> None:
        self.at, self.passed = at, 0

    def __call__(self, frame: FrameType, event: str, _: object) -> Any:
        if not frame.f_code.co_filename.endswith(_WATCHED):
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            self.passed += 1
            if self.passed == self.at:
                raise KeyboardInterrupt
        return self


def _use(store: Store, trap: _Trap) -> bool:
    """Use a store with a trap; return whether it went off."""
    (one,) = captures(1)
    query = Query(one.key, one.fetched_at, one.body_digest, "text:1", simhash=0)
    before = sys.gettrace()
    sys.settrace(trap)
    try:
        store.observe(one, query, lambda _: Verdict(VerdictKind.NEW))
        store.revision()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_an_interrupt_at_any_instruction_keeps_nobody_waiting(kind: str, tmp_path: Path) -> None:
    tried = 0
    with ThreadPoolExecutor(1) as pool:
        for instruction in count(1, 3):
            store: Store = MemoryStore() if kind == "memory" else SqliteStore(tmp_path / f"{instruction}.db")
            went_off = _use(store, _Trap(instruction))
            signal.setitimer(signal.ITIMER_REAL, 10)
            store.close()
            with pytest.raises(StoreError, match="closed"):
                pool.submit(store.totals).result(10)
            signal.setitimer(signal.ITIMER_REAL, 0)
            if not went_off:
                break
            tried += 1
    assert tried > 30
    for path in tmp_path.glob("*.db"):
        with SqliteStore(path) as again:
            assert again.verify() == []


def test_a_judge_that_closes_the_store_keeps_nobody_waiting(tmp_path: Path) -> None:
    for store in (MemoryStore(), SqliteStore(tmp_path / "x.db")):
        (one,) = captures(1)
        query = Query(one.key, one.fetched_at, one.body_digest, "text:1")

        def judge(_: object, store: Store = store) -> Verdict:
            store.close()
            return Verdict(VerdictKind.NEW)

        signal.setitimer(signal.ITIMER_REAL, 10)
        with suppress(StoreError):  # a file cannot be written any more, a store in memory is as empty as it is closed
            store.observe(one, query, judge)
        with pytest.raises(StoreError, match="closed"):
            store.totals()


def test_shutting_waits_for_who_is_in() -> None:
    guard, order = Guard("x"), []
    entered, go = threading.Event(), threading.Event()

    def stay() -> None:
        with guard:
            entered.set()
            go.wait(10)
            order.append("left")

    with ThreadPoolExecutor(2) as pool:
        pool.submit(stay)
        entered.wait(10)
        shutting = pool.submit(guard.shut, lambda: order.append("shut"))
        go.set()
        shutting.result(10)
    assert order == ["left", "shut"]

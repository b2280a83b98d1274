"""Ctrl-C while pages are remembered: between two pages, not in the middle of one."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Self


class Interrupts:
    """Holds the signal back within `held`; a second one within is let through, for a page that takes for ever."""

    def __init__(self) -> None:
        self._holding = False
        self._pending = False
        self._installed = False

    def __enter__(self) -> Self:
        # a program that was started with the signal ignored (`nohup`, `&` in a script) stays deaf to it
        if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) not in (
            signal.SIG_IGN,
            None,
        ):
            self._before = signal.signal(signal.SIGINT, self._on_signal)
            self._installed = True
        return self

    def __exit__(self, *_: object) -> None:
        if self._installed:
            signal.signal(signal.SIGINT, self._before)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold a signal back until the block is done.

        Raises:
            KeyboardInterrupt: after the block, if one came within.
        """
        self._holding = True
        try:
            yield
        finally:
            self._holding = False
        if self._pending:
            raise KeyboardInterrupt

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        if self._holding and not self._pending:
            self._pending = True
        else:
            raise KeyboardInterrupt

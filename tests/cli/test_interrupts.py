"""A signal at any moment of a scan: what was shown is remembered, and nothing else."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import sameish
from sameish.cli.scanning import observe_all
from sameish.cli.tally import Tally

_WATCHED = ("scanning.py", "interrupts.py", "contextlib.py", "detector.py", "store.py", "guard.py")
_STEP = 41
"""Of so many instructions one is tried; a prime, so that loops are met at other places each time."""


@pytest.fixture(autouse=True)
def _listening() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class _Trap:
    """Raises the signal at one instruction of the watched files."""

    def __init__(self, at: int) -> None:
        self.at, self.passed = at, 0

    def __call__(self, frame: FrameType, event: str, _: object) -> Any:
        if not frame.f_code.co_filename.endswith(_WATCHED):
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            self.passed += 1
            if self.passed == self.at:
                signal.raise_signal(signal.SIGINT)
        return self


def _stopped_at(instruction: int, path: Path) -> tuple[bool, int, int, int] | None:
    """Return whether the scan ended early, and how many pages it stored, showed and counted; None where it was over."""
    pages = [
        ("x", sameish.Page(f"<p>Page {number} of the crawl</p>", url=f"https://a.example/{number}"))
        for number in range(3)
    ]
    shown: list[sameish.Page] = []
    tally, trap, stopped = Tally(), _Trap(instruction), False
    with sameish.open(path) as detector:
        before = sys.gettrace()
        sys.settrace(trap)
        try:
            observe_all(pages, detector, tally, show=lambda _, page, __: shown.append(page), on_error=print)
        except KeyboardInterrupt:
            stopped = True
        finally:
            sys.settrace(before)
        stored = detector.store.totals().captures
    return (stopped, stored, len(shown), tally.captures) if trap.passed >= instruction else None


def test_wherever_a_scan_is_stopped_what_is_stored_was_shown(tmp_path: Path) -> None:
    seen = set()
    for instruction in count(1, _STEP):
        found = _stopped_at(instruction, tmp_path / f"{instruction}.db")
        if found is None:
            break
        stopped, stored, shown, counted = found
        assert stopped, instruction
        assert stored == shown == counted, instruction
        seen.add(stored)
    assert seen == {0, 1, 2, 3}

"""A clock that can be moved, for the server, for this process and for the crawl in another one.

It runs with real time, ahead or behind by what is written in a file; `SAMEISH_CLOCK = "tests.crawling.clock:now"` with the
environment variable `CRAWL_CLOCK` set to the path of that file.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

VARIABLE = "CRAWL_CLOCK"
START = datetime(2026, 3, 2, 6, tzinfo=UTC)


class Clock:
    """The clock whose offset stands in a file; several processes can read one."""

    def __init__(self, file: Path) -> None:
        self.file = file

    @classmethod
    def starting(cls, file: Path, at: datetime = START) -> Clock:
        """Make a clock that shows this time now."""
        clock = cls(file)
        clock.set(at)
        return clock

    def __call__(self) -> datetime:
        """What the clock shows, aware, in UTC."""
        return datetime.now(UTC) + self._offset()

    def set(self, at: datetime) -> None:
        """Let the clock show this time and run on from there."""
        self._write(at - datetime.now(UTC))

    def move(self, **by: float) -> None:
        """Move the clock, for example `days=2`; back with negative values."""
        self._write(self._offset() + timedelta(**by))

    def _offset(self) -> timedelta:
        return timedelta(seconds=float(self.file.read_text("ascii")))

    def _write(self, offset: timedelta) -> None:
        # a reader sees the old text or the new one, never half of it
        beside = self.file.with_suffix(".new")
        beside.write_text(str(offset.total_seconds()), "ascii")
        beside.replace(self.file)


def now() -> datetime:
    """What the clock of the environment shows."""
    return Clock(Path(os.environ[VARIABLE]))()

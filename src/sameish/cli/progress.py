"""A line on a terminal's standard error that tells how far a long work is."""

from __future__ import annotations

import os
import shutil
import time
from itertools import cycle
from typing import Self

import click

from sameish.cli.output import number_of, on_terminal, one_line, size_of
from sameish.cli.tally import Tally

_EVERY_S = 0.1
_WIDTH = 20
_CLEAR = "\r\x1b[K"


class Progress:
    """A bar over the inputs, with counts beside it; silent where standard error is no terminal.

    How many pages an input holds is known only at its end, so within the only input the bar just moves.

    Args:
        tally: what is counted.
        inputs: the paths, in order.
    """

    def __init__(self, tally: Tally, inputs: tuple[str, ...]) -> None:
        self._tally = tally
        self._inputs = inputs
        self._shown = on_terminal(err=True) and os.environ.get("TERM") != "dumb"
        self._drawn = 0.0
        self._line = ""
        self._visible = False
        self._moving = cycle((*range(_WIDTH - 2), *range(_WIDTH - 2, 0, -1)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def clear(self) -> None:
        """Take the line away, so that another can be printed."""
        if self._visible:
            click.echo(_CLEAR, nl=False, err=True)
            self._visible = False

    def show(self, path: str) -> None:
        """Draw the line anew if it is time, or again if it was taken away."""
        if not self._shown:
            return
        now = time.monotonic()
        due = now - self._drawn >= _EVERY_S
        if due:
            self._drawn, self._line = now, self._text(path)
        if due or not self._visible:
            click.echo(_CLEAR + self._line, nl=False, err=True)
            self._visible = True

    def _text(self, path: str) -> str:
        tally, elapsed = self._tally, max(time.monotonic() - self._tally.started, 0.001)
        counts = f"{number_of(tally.captures, 'page')}  {tally.captures / elapsed:,.0f}/s  {size_of(tally.bytes)}"
        line = f"{self._bar(path)}  {counts}  {one_line(path)}"
        return line[: max(shutil.get_terminal_size().columns - 1, 10)]

    def _bar(self, path: str) -> str:
        if len(self._inputs) > 1:
            done = self._inputs.index(path) * _WIDTH // len(self._inputs)
            return f"[{'#' * done}{'.' * (_WIDTH - done)}]"
        at = next(self._moving)
        return f"[{'.' * at}##{'.' * (_WIDTH - at - 2)}]"

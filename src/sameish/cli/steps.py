"""A line on a terminal's standard error that tells which step of a work is under way."""

from __future__ import annotations

import os
from typing import Self

import click

from sameish.cli.output import on_terminal, one_line

_CLEAR = "\r\x1b[K"


class Steps:
    """Shows one step at a time; silent where standard error is no terminal, and gone at the end."""

    def __init__(self) -> None:
        self._shown = on_terminal(err=True) and os.environ.get("TERM") != "dumb"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._draw("")

    def show(self, step: str) -> None:
        """Show a step in place of the one before."""
        self._draw(f"{one_line(step)} ...")

    def _draw(self, line: str) -> None:
        if self._shown:
            click.echo(_CLEAR + line, nl=False, err=True)

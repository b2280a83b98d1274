"""What all commands print with: lines, colours, tables, numbers for people."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence

import click

from sameish.amounts import number_of as number_of  # noqa: PLC0414  # handed on: commands print with what is named here
from sameish.amounts import share_of as share_of  # noqa: PLC0414  # as above
from sameish.amounts import size_of as size_of  # noqa: PLC0414  # as above

# what a page says must not steer the terminal: controls, and marks that reverse the direction of what follows
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_PADDING = re.compile(r"\s+((?:\x1b\[[0-9;]*m)*)$")
_SPACES = re.compile(r"[\t\n\u2028\u2029]+")
KIND_COLOURS = {
    "new": "green",
    "updated": "yellow",
    "unchanged": "bright_black",
    "duplicate": "cyan",
    "near_duplicate": "blue",
    "undetermined": "magenta",
    "identical": "green",
    "different": "red",
    "fetch": "green",
    "revalidate": "yellow",
    "audit": "blue",
    "skip": "bright_black",
}


def say(text: str = "", *, err: bool = False) -> None:
    """Print a line; its colours show on terminals only."""
    click.echo(text, err=err, color=None if wants_colour() else False)


def wants_colour() -> bool:
    """Tell whether a terminal may get colours (https://no-color.org)."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def on_terminal(*, err: bool = False) -> bool:
    """Tell whether output, or standard error, is a terminal."""
    stream = sys.stderr if err else sys.stdout
    return stream is not None and stream.isatty()


def clean(text: str) -> str:
    """Return text in which characters that steer a terminal are written out."""
    return _CONTROLS.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def one_line(text: str) -> str:
    """Return clean text on one line."""
    return clean(_SPACES.sub(" ", text))


def kind(name: str, width: int = 0) -> str:
    """Return the name of a verdict, a comparison or an action in its colour."""
    return click.style(f"{name:<{width}}", fg=KIND_COLOURS.get(name))


def style(text: str, fg: str | None) -> str:
    """Return text in a colour, or as it is."""
    return click.style(text, fg=fg) if fg else text


def grey(text: str) -> str:
    """Return text that may be overlooked."""
    return click.style(text, fg="bright_black")


def bold(text: str) -> str:
    """Return text that must not be overlooked."""
    return click.style(text, bold=True)


def table(headers: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> None:
    """Print a table; its lines are as long as they are, so that a URL can be copied.

    Args:
        headers: of the columns; none where all are empty.
        rows: cells, which may hold colours.
        right: numbers of the columns that are aligned to the right.
    """
    from rich.console import Console  # noqa: PLC0415  # loaded late: most commands print no table
    from rich.table import Table  # noqa: PLC0415  # as above
    from rich.text import Text  # noqa: PLC0415  # as above

    grid = Table(box=None, pad_edge=False, show_header=any(headers), header_style="bold", padding=(0, 2, 0, 0))
    for number, header in enumerate(headers):
        grid.add_column(header, justify="right" if number in right else "left", no_wrap=True)
    for row in rows:
        grid.add_row(*(Text.from_ansi(cell) for cell in row))
    console = Console(width=100_000, force_terminal=True, color_system="standard", highlight=False)
    with console.capture() as captured:
        console.print(grid)
    for line in captured.get().splitlines():
        say(_PADDING.sub(r"\1", line))

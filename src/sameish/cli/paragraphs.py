"""Long text for people: shortened, and on a terminal wrapped under its sign."""

from __future__ import annotations

import re
import shutil

import click

from sameish.cli.output import on_terminal, say
from sameish.cli.wording import OWN

LONGEST = 400
"""Characters of a sentence that are shown unless everything is wanted: some four lines."""
_NARROW = 40
# what a line is not broken within: a colour, a space, a letter of a script without spaces with its punctuation, a word
_WIDE = f"{OWN}\u3000-\u303f\uff01-\uff60"
_UNITS = re.compile(rf"\x1b\[[0-9;]*m|[ ]|[{_WIDE}]|[^ \x1b{_WIDE}]{{1,{_NARROW - 12}}}")
_GAP = " [...] "


def shortened(text: str, most: int = LONGEST) -> str:
    """Return a text, its middle left out where it has more than `most` characters."""
    if len(text) <= most:
        return text
    tail = most // 4
    return f"{_start_of(text, most - tail)}{_GAP}{_end_of(text, tail)}"


def without_start(text: str, most: int) -> str:
    """Return the end of a text, at most so many characters, with a mark where something is left out."""
    return text if len(text) <= most else f"{_GAP.lstrip()}{_end_of(text, most)}"


def without_end(text: str, most: int) -> str:
    """Return the start of a text, at most so many characters, with a mark where something is left out."""
    return text if len(text) <= most else f"{_start_of(text, most)}{_GAP.rstrip()}"


def _start_of(text: str, most: int) -> str:
    """Cut before a word if one begins in the last quarter; scripts without spaces are cut anywhere."""
    space = text.rfind(" ", most - most // 4, most)
    return text[: space if space > 0 else most].rstrip()


def _end_of(text: str, most: int) -> str:
    start = len(text) - most
    space = text.find(" ", start, start + most // 4)
    return text[space + 1 if space > 0 else start :].lstrip()


def say_under(sign: str, text: str) -> None:
    """Print a sign and a text, which may hold colours; on a terminal further lines stand under the text, not the sign.

    Where the output is no terminal the text stays on one line, to be searched and cut by other programs.
    """
    width, indent = shutil.get_terminal_size().columns, len(click.unstyle(sign))
    if not on_terminal() or width < _NARROW:
        say(sign + text)
        return
    for number, line in enumerate(wrapped(text, width - indent - 1)):
        say((" " * indent if number else sign) + line)


def wrapped(text: str, width: int) -> list[str]:
    """Cut a text into lines of at most `width` cells, at spaces or, in scripts that have none, anywhere.

    A terminal takes two cells for a Chinese character and none for a colour.
    """
    if text.isascii() and "\x1b" not in text and len(text) <= width:
        return [text]
    from rich.cells import cell_len  # noqa: PLC0415  # loaded late: short lines need no wrapping

    lines, left = [""], width
    for match in _UNITS.finditer(text):
        unit = match[0]
        cells = 0 if unit.startswith("\x1b") else cell_len(unit)
        if cells > left and unit != " ":
            lines[-1], left = lines[-1].rstrip(" "), width
            lines.append("")
        lines[-1] += unit
        left -= cells
    return lines

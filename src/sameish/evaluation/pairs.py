"""Labelled pairs from a file of JSON lines: one pair a line, each line checked on its own."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeAlias

import msgspec

from sameish.errors import SourceError
from sameish.judging.labelled import Label
from sameish.sources.inputs import STANDARD_INPUT, cannot_be_read, trouble
from sameish.urls.site import site_of

OnSkip: TypeAlias = Callable[[SourceError], None]
KINDS = {str(label): label for label in Label} | {"identical": Label.SAME, "near_duplicate": Label.MINOR}
"""What `kind` may be: a label, or the answer that it asks for."""
_Path: TypeAlias = Annotated[str, msgspec.Meta(min_length=1)]
_GZIP = b"\x1f\x8b"


class _Line(msgspec.Struct, frozen=True):
    """One line; names that are not known are passed over."""

    a: _Path
    b: _Path
    kind: str
    site: str | None = None
    sub: str | None = None
    id: str | int | None = None
    url_a: str | None = None
    url_b: str | None = None
    undecidable: bool | None = None


_DECODER = msgspec.json.Decoder(_Line)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two pages and how they relate.

    `.a`, `.b`: paths of files. `.url_a`, `.url_b`: their addresses, if known. `.site`: as given, else that of the
    address, else empty: pairs of no known site may be of one. `.undecidable`: a person could not say; such a pair is left
    out.
    """

    a: Path
    b: Path
    label: Label
    site: str
    name: str
    sub: str = ""
    url_a: str | None = None
    url_b: str | None = None
    undecidable: bool = False


def read_pairs(path: str, root: str | None, on_skip: OnSkip) -> Iterator[Pair]:
    """Yield the pairs of a file.

    A line is an object with `a` and `b` (paths), `kind` (`same`, `minor`, `changed`, `different`; or the answer it asks
    for, `identical` or `near_duplicate`); optional are `site`, `sub` (a sub-kind), `id`, `url_a`, `url_b` and
    `undecidable`. Other fields are passed over.

    Args:
        path: of the file, or `-` for standard input.
        root: the folder that paths are relative to; None means that of the file, for standard input the current one.
        on_skip: called with an error that names file, line and reason for each line that is no pair.

    Raises:
        SourceError: the file cannot be read, or is no text in UTF-8.
    """
    name = "standard input" if path == STANDARD_INPUT else path
    folder = Path(root) if root is not None else Path() if path == STANDARD_INPUT else Path(path).parent
    for number, line in enumerate(_lines(path), 1):
        if number == 1 and (reason := _why_no_text(line)):
            raise trouble(name, None, reason)
        text = (line.removeprefix(codecs.BOM_UTF8) if number == 1 else line).strip()
        if not text:
            continue
        try:
            yield _pair(_DECODER.decode(text), folder, number)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError) as error:
            on_skip(trouble(name, None, f"{error}; skipped", at=f"line {number}"))


def _lines(path: str) -> Iterator[bytes]:
    try:
        if path == STANDARD_INPUT:
            yield from sys.stdin.buffer
        else:
            with Path(path).open("rb") as file:
                yield from file
    except (OSError, ValueError) as error:
        raise cannot_be_read(path, error) from error


def _why_no_text(head: bytes) -> str:
    """Return why a file with this first line is refused as a whole, rather than line by line."""
    if head.startswith(_GZIP):
        return "it is compressed; unpack it first"
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "it is UTF-16; JSON Lines are UTF-8"
    return "it is no text: there is a zero byte in its first line" if b"\0" in head else ""


def _pair(line: _Line, folder: Path, number: int) -> Pair:
    if line.kind not in KINDS:
        raise ValueError(f"kind {line.kind!r} is none of {', '.join(KINDS)}")
    return Pair(
        a=folder / line.a,
        b=folder / line.b,
        label=KINDS[line.kind],
        site=line.site or site_of(line.url_a) or site_of(line.url_b),
        name=f"line {number}" if line.id is None else str(line.id),
        sub=line.sub or "",
        url_a=line.url_a,
        url_b=line.url_b,
        undecidable=bool(line.undecidable),
    )

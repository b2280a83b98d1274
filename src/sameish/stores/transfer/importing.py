"""From a file into a store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import BinaryIO, TypeAlias

from sameish.errors import SourceError, TruncatedRecord
from sameish.stores.base import Store
from sameish.stores.transfer.frames import left, read_frames
from sameish.stores.transfer.lines import FORMAT, EndLine, HeadLine, Line, decoded
from sameish.stores.transfer.receiving import Imported, Receiver

Told: TypeAlias = Callable[[Imported, int], object]
"""Is told the sums, and where in the file the frame begins that is read."""


Check: TypeAlias = Callable[[Line], object]
"""Raises ValueError where a line holds what whoever wrote it could not read back, such as a state; stores do not know."""


def open_export(source: BinaryIO, name: str) -> Export:
    """Return an export to be imported, once; it begins as one, so that a store may be made for it.

    Args:
        source: the file.
        name: of the file, for errors.

    Raises:
        SourceError: it is no export, or of another format, or the beginning is damaged or cut short (`TruncatedRecord`).
    """
    place = _Place(name)
    lines = _lines(source, place)
    try:
        first = next(lines)
    except ValueError as error:
        raise place.fault(str(error)) from error
    return Export(place, chain((first,), lines))


def import_store(store: Store, export: Export, check: Check, told: Told | None = None) -> Imported:
    """Store all that an export holds; what is stored already stays as it is.

    Args:
        store: where to; of any kind.
        export: from where.
        check: is asked about every line before it is taken.
        told: is told how far it is.

    Raises:
        SourceError: the file is damaged, cut short (`TruncatedRecord`), or a line is refused; what stands before is imported,
            whole.
        StoreError: the store refuses, or is gone; what it acknowledged is stored. Both ways an import may be repeated.
    """
    receiver, place = Receiver(store), export.place
    before = store.info().captures
    try:
        for line in export.lines:
            check(line)
            if receiver.take(line) and told is not None:
                told(receiver.sums, place.offset)
    except ValueError as error:
        receiver.flush()
        raise place.fault(str(error)) from error
    except SourceError:
        receiver.flush()
        raise
    receiver.flush()
    new = min(store.info().captures - before, receiver.sums.captures)
    return replace(receiver.sums, new=max(new, 0))


@dataclass(slots=True)
class _Place:
    """Where in the file the line stands that is read."""

    name: str
    offset: int = 0
    number: int = 0

    def fault(self, message: str) -> SourceError:
        """Return the error that says what is wrong with the line."""
        where = f"{self.name}, line {self.number:,} (in the frame at byte {self.offset:,})"
        return SourceError(f"{where}: {message}; {left(self.number)}", path=self.name, offset=self.offset)


@dataclass(frozen=True, slots=True)
class Export:
    """A file whose first line was accepted; `.lines` can be read once, that line included, `.place`: where they are."""

    place: _Place
    lines: Iterator[Line]


def _lines(source: BinaryIO, place: _Place) -> Iterator[Line]:
    """Yield the lines.

    Raises:
        ValueError: the line at the place is none, or not in its place.
        SourceError: the file is damaged, cut short (`TruncatedRecord`) or no export.
    """
    line: Line | None = None
    for frame in read_frames(source, place.name):
        place.offset = frame.offset
        for number, data in enumerate(frame.lines, frame.number):
            place.number = number
            line = _checked(decoded(data), number, line)
            yield line
    if not isinstance(line, EndLine):
        message = f"{place.name} is cut short after line {place.number:,}; what stands before was imported"
        raise TruncatedRecord(message, path=place.name, offset=place.offset)


def _checked(line: Line, number: int, previous: Line | None) -> Line:
    ended = isinstance(previous, EndLine)
    if ended:
        raise ValueError("something follows the last line")
    if (number == 1) != isinstance(line, HeadLine):
        raise ValueError("it is no export of sameish" if number == 1 else "a first line in the middle")
    if isinstance(line, HeadLine) and line.format != FORMAT:
        raise ValueError(f"it has format {line.format}, this version of sameish reads {FORMAT}")
    if isinstance(line, EndLine) and line.lines != number - 1:
        raise ValueError(f"there should be {line.lines:,} lines before the last; lines are missing")
    return line

"""What is read: one stream of bytes, and what is known about it from outside."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from sameish.errors import SourceError, TruncatedRecord
from sameish.sources.raw import READ_ERRORS

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class Input:
    """One stream of bytes and what is known about it from outside.

    `.name` stands in messages. `.open` gives the stream at its first byte as a context manager. `.url` is that of a
    plain document in it. `.modified` stands for a fetch time that the content does not name. `.reopens` says whether
    `.open` may be called again and the stream can seek; it is False for pipes.
    """

    name: str
    open: Callable[[], AbstractContextManager[BinaryIO]]
    url: str | None = None
    modified: datetime | None = None
    reopens: bool = False


def trouble(name: str, offset: int | None, reason: str, *, at: str = "", cut: bool = False) -> SourceError:
    """Return the error that says which input is damaged, at which byte, and how; `at` names the place in other words."""
    where = name if offset is None else f"{name}, byte {offset}"
    message = f"{where}: {at}: {reason}" if at else f"{where}: {reason}"
    return (TruncatedRecord if cut else SourceError)(message, path=name, offset=offset, reason=reason)


def file_input(path: Path) -> Input:
    """Return a file, or a named pipe, as an input.

    Raises:
        SourceError: the file's attributes cannot be read.
    """
    try:
        modified = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        url = path.resolve().as_uri()
    except (OSError, ValueError, OverflowError, RuntimeError) as error:  # RuntimeError: a loop of symbolic links
        raise cannot_be_read(str(path), error) from error
    return Input(str(path), lambda: path.open("rb"), url, modified, reopens=path.is_file())


def standard_input() -> Input:
    """Return the bytes of standard input as an input; it is left open."""
    return Input("standard input", _open_standard_input)


def _open_standard_input() -> AbstractContextManager[BinaryIO]:
    # None as under a window manager or after `<&-`; without `buffer` where another program put text in its place
    buffer: BinaryIO | None = getattr(sys.stdin, "buffer", None)
    if buffer is None:
        raise OSError("it is closed or gives no bytes")
    return nullcontext(buffer)


@contextmanager
def opened(source: Input) -> Iterator[BinaryIO]:
    """Open an input.

    Raises:
        SourceError: it cannot be opened.
    """
    with ExitStack() as stack:
        try:
            file = stack.enter_context(source.open())
        except READ_ERRORS as error:
            raise cannot_be_read(source.name, error) from error
        yield file


def cannot_be_read(name: str, error: Exception) -> SourceError:
    """Return the error for an input whose bytes the system does not give."""
    words = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    return trouble(name, None, f"cannot be read ({words})")

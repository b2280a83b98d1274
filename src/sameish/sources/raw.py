"""Bytes as they lie in a file or come through a pipe: looked at ahead, counted, never sought."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable
from typing import BinaryIO

from sameish.errors import SourceError

CHUNK = 1 << 16
# what reading a file, a pipe or a member of a zip file can raise; NotImplementedError and RuntimeError come from
# `zipfile` for compression methods and passwords it does not know
READ_ERRORS = (OSError, EOFError, ValueError, RuntimeError, zlib.error, zipfile.BadZipFile)


class RawStream:
    """A binary stream that can be looked into and pushed back, and knows its offset.

    Args:
        file: a binary stream; only `read1` or else `read` is called.
        name: of the input, for messages.
        offset: of the stream's first byte in the input.
    """

    def __init__(self, file: BinaryIO, name: str = "", offset: int = 0) -> None:
        # `read1` gives what a pipe has by now; `read` waits for all that is asked for
        self._read: Callable[[int], bytes | None] = getattr(file, "read1", file.read)
        self._name = name
        self._ahead = b""
        self.offset = offset

    def peek(self, size: int) -> bytes:
        """Return the next `size` bytes without taking them; fewer at the end.

        Raises:
            SourceError: the system does not give the bytes.
        """
        while len(self._ahead) < size and (data := self._more(max(CHUNK, size - len(self._ahead)))):
            self._ahead += data
        return self._ahead[:size]

    def read(self, size: int = CHUNK) -> bytes:
        """Take at least one and at most `size` bytes; none only at the end.

        Raises:
            SourceError: the system does not give the bytes.
        """
        if not self._ahead:
            self._ahead = self._more(max(size, CHUNK))
        data, self._ahead = self._ahead[:size], self._ahead[size:]
        self.offset += len(data)
        return data

    def take(self, size: int) -> bytes:
        """Take `size` bytes; fewer only at the end.

        Raises:
            SourceError: the system does not give the bytes.
        """
        parts: list[bytes] = []
        while size > 0 and (data := self.read(min(size, CHUNK))):
            parts.append(data)
            size -= len(data)
        return b"".join(parts)

    def unread(self, data: bytes) -> None:
        """Give back bytes that were taken last."""
        self._ahead = data + self._ahead
        self.offset -= len(data)

    def _more(self, size: int) -> bytes:
        try:
            return self._read(size) or b""
        except READ_ERRORS as error:
            at, reason = self.offset + len(self._ahead), f"cannot be read on ({error})"
            message = f"{self._name}, byte {at}: {reason}"
            raise SourceError(message, path=self._name, offset=at, reason=reason) from error

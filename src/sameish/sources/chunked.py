"""Chunk framing of HTTP/1.1 (RFC 9112, section 7.1), where nothing tells whether it is still on the body."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SIZE_LINE = re.compile(rb"([0-9a-fA-F]{1,8})[ \t]*(?:;[^\r\n]{0,4096})?\r?\n")
_LINE_END = re.compile(rb"\r?\n")
_COMPRESSED_OR_MARKUP = re.compile(rb"\s*<|\x1f\x8b|\x28\xb5\x2f\xfd")


class CutChunks(Exception):
    """A body is framed in chunks, and the last chunk is missing or the framing breaks off."""


def without_chunks(body: bytes) -> bytes:
    """Return a body without its chunk framing; a body that is not framed comes back as it is.

    Some archives keep the framing, others take it off and keep the header. A body counts as framed when it is a row of
    chunks from its first byte to the last chunk of size 0; what follows that (trailer fields) is dropped.

    Raises:
        CutChunks: it begins as a row of chunks that does not come to its end.
    """
    parts: list[bytes] = []
    try:
        parts.extend(_chunks(body))
    except _NotFramedError as problem:
        if _is_framed(body, problem.good_chunks):
            raise CutChunks(f"the chunked body breaks off at its byte {problem.at}") from None
        return body
    return b"".join(parts)


class _NotFramedError(Exception):
    def __init__(self, good_chunks: int, at: int) -> None:
        super().__init__()
        self.good_chunks = good_chunks
        self.at = at


def _chunks(body: bytes) -> Iterator[bytes]:
    at = count = 0
    while line := _SIZE_LINE.match(body, at):
        size = int(line[1], 16)
        if size == 0:
            return
        start, end = line.end(), line.end() + size
        after = _LINE_END.match(body, end)
        if after is None:
            raise _NotFramedError(count, at)
        yield body[start:end]
        at, count = after.end(), count + 1
    raise _NotFramedError(count, at)


def _is_framed(body: bytes, good_chunks: int) -> bool:
    """Whole chunks came before the break, or the first size promises more than there is, with markup behind it."""
    line = _SIZE_LINE.match(body)
    if line is None:
        return False
    runs_out = line.end() + int(line[1], 16) + 1 >= len(body)  # not even room for the line end behind it
    return good_chunks > 0 or (runs_out and _COMPRESSED_OR_MARKUP.match(body, line.end()) is not None)

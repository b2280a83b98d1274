"""A body as the author wrote it: transfer and content codings taken off, within bounds.

RFC 9112, section 6.1 and RFC 9110, section 8.4. Archives and proxies keep headers that no longer fit, so a body that
does not decode as declared and does not look compressed is taken as it is.
"""

from __future__ import annotations

import codecs
import io
import zlib
from collections.abc import Callable, Generator, Iterator
from typing import TypeAlias

import brotli

from sameish.models import HeaderPairs
from sameish.sources import frames, gzip_members
from sameish.sources.chunked import CutChunks, without_chunks
from sameish.sources.kinds import HEAD, looks_like_markup, looks_like_text
from sameish.sources.raw import RawStream
from sameish.sources.unpacked import Damage

_STEP = 1 << 16
_FIRST_STEP = 512  # what zlib does not use of a step it copies, so many short members get short steps
_MAX_CODINGS = 4  # each may multiply the work; nobody sends more than two
_ABOUT_THE_CODING = ("content-encoding", "transfer-encoding", "content-length")
Pieces: TypeAlias = Iterator[bytes]


class Undecodable(Exception):
    """A body is compressed and does not decode, or becomes too large. `.cut`: it ends too early."""

    def __init__(self, reason: str, *, cut: bool = False) -> None:
        super().__init__(reason)
        self.cut = cut


def without_codings(body: bytes, headers: HeaderPairs, limit: int) -> tuple[bytes, HeaderPairs]:
    """Return the decoded body and the headers without those that spoke of its coding.

    Args:
        body: as it was sent or archived.
        headers: (lower-case name, value) pairs.
        limit: greatest size of the decoded body in bytes; never more than a little above it is held.

    Raises:
        Undecodable: the body is damaged, ends too early or becomes too large.
    """
    content = _tokens(headers, "content-encoding")
    transfer = _tokens(headers, "transfer-encoding")
    for coding in [*reversed(transfer), *reversed(content)]:
        body = _decoded(body, coding, limit)
    if len(body) > limit:
        raise Undecodable(too_large(limit))
    return body, without_coding_headers(headers)


def without_coding_headers(headers: HeaderPairs) -> HeaderPairs:
    """Return the headers that do not speak of the body's coding or length."""
    return tuple((name, value) for name, value in headers if name not in _ABOUT_THE_CODING)


def too_large(limit: int) -> str:
    """Say that a body is larger than the setting allows."""
    return f"the body has more than the {limit:,} bytes that reading.max_body_bytes allows"


def _tokens(headers: HeaderPairs, name: str) -> list[str]:
    values = ",".join(value for key, value in headers if key == name)
    return [token for part in values.lower().split(",") if (token := part.strip())][:_MAX_CODINGS]


def _decoded(body: bytes, coding: str, limit: int) -> bytes:
    if not body:
        return body
    if coding == "chunked":
        return _dechunked(body)
    decoder = _DECODERS.get(coding)
    if decoder is None:
        return body
    try:
        return _collected(decoder(body), limit)
    except _CodingError as problem:
        if _is_plain(body):
            return body
        raise Undecodable(f"the body is declared as {coding} and {problem}", cut=problem.cut) from problem


def _dechunked(body: bytes) -> bytes:
    try:
        return without_chunks(body)
    except CutChunks as cut:
        raise Undecodable(str(cut), cut=True) from cut


def _is_plain(body: bytes) -> bool:
    head = body[:HEAD]
    return looks_like_markup(head) or (looks_like_text(head) and _is_utf8(head))


def _is_utf8(head: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # a character may be cut at the end
    except UnicodeDecodeError:
        return False
    return True


class _CodingError(Exception):
    def __init__(self, reason: str, *, cut: bool = False) -> None:
        super().__init__(reason)
        self.cut = cut


_ENDS_EARLY = "ends before its compressed data does"


def _collected(pieces: Pieces, limit: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > limit:
            raise Undecodable(too_large(limit))
        parts.append(piece)
    return b"".join(parts)


def _inflated(body: bytes, window_bits: int) -> Pieces:
    """All gzip members or the one zlib stream; what follows the last is dropped, as browsers do."""
    rest = memoryview(body)
    while True:
        rest = yield from _one_inflated(rest, window_bits)
        if rest[: len(gzip_members.MAGIC)] != gzip_members.MAGIC:
            return


def _one_inflated(body: memoryview, window_bits: int) -> Generator[bytes, None, memoryview]:
    """One gzip member or stream; returns what follows it. In bounded steps, so that it takes time in proportion."""
    engine = zlib.decompressobj(window_bits)
    step = _FIRST_STEP
    while not engine.eof:
        given = body[:step]
        try:
            out = engine.decompress(given, _STEP)
        except zlib.error as error:
            raise _CodingError(f"is damaged ({error})") from error
        left = engine.unused_data if engine.eof else engine.unconsumed_tail
        body = body[len(given) - len(left) :]
        if not out and not given and not engine.eof:
            raise _CodingError(_ENDS_EARLY, cut=True)
        step = min(2 * step, _STEP)
        yield out
    return body


def _gunzipped(body: bytes) -> Pieces:
    return _inflated(body, 31)


def _deflated(body: bytes) -> Pieces:
    """RFC 9110, section 8.4.1.2: zlib-wrapped; some servers send the bare stream."""
    wrapped = len(body) > 1 and body[0] & 0x0F == 8 and int.from_bytes(body[:2]) % 31 == 0
    return _inflated(body, 15 if wrapped else -15)


def _unbrotlied(body: bytes) -> Pieces:
    engine = brotli.Decompressor()
    data = body
    while not engine.is_finished():
        try:
            out = engine.process(data, output_buffer_limit=_STEP)
        except brotli.error as error:
            raise _CodingError(f"is damaged ({error})") from error
        data = b""
        if not out and engine.can_accept_more_data() and not engine.is_finished():
            raise _CodingError(_ENDS_EARLY, cut=True)
        yield out


def _unzstandarded(body: bytes) -> Pieces:
    for item in frames.zstd_pieces(RawStream(io.BytesIO(body))):
        if isinstance(item, Damage):
            raise _CodingError(_ENDS_EARLY if item.cut else f"is damaged ({item.reason})", cut=item.cut)
        yield item.data


_DECODERS: dict[str, Callable[[bytes], Pieces]] = {
    "gzip": _gunzipped,
    "x-gzip": _gunzipped,
    "deflate": _deflated,
    "br": _unbrotlied,
    "zstd": _unzstandarded,
}

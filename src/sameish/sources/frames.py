"""Zstandard and LZ4 frames: cut out of the input here, unpacked by FastWARC one by one.

FastWARC reads over frame ends, loses what it has unpacked when a frame is cut off, and does not notice a missing end
mark of LZ4. With the frames' own lengths each is unpacked alone, and the next is found after a damaged one.

Sources: RFC 8878, section 3 (Zstandard frames); the LZ4 frame format 1.6.4; the IIPC's "WARC files with Zstandard
compression" 1.0 (the dictionary in a skippable frame at the start).
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Protocol, cast

from sameish.sources.raw import CHUNK, RawStream
from sameish.sources.unpacked import Damage, Piece

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
LZ4_MAGIC = b"\x04\x22\x4d\x18"
ZSTD_DICTIONARY_MAGIC = b"\x5d\x2a\x4d\x18"
_FLAGS_AT = 4  # which byte of a frame holds its flags
_MAX_LZ4_BLOCK = 8 << 20  # the format allows 4 MiB and a little
_MAX_DICTIONARY = 16 << 20


class _Reader(Protocol):
    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class _Format:
    name: str
    magic: bytes
    parts: Callable[[RawStream], Iterator[bytes]]
    reader: Callable[[BinaryIO], _Reader]


class _FrameError(Exception):
    """A frame's structure is wrong, or (`cut`) the input ends inside it."""

    def __init__(self, reason: str, *, cut: bool = False) -> None:
        super().__init__(reason)
        self.cut = cut


class _FrameFile(io.RawIOBase):
    """One frame as a file that ends where the frame ends. FastWARC calls `tell` and `read` only."""

    def __init__(self, parts: Iterator[bytes]) -> None:
        self._parts = parts
        self._ahead = b""
        self.error: _FrameError | None = None

    def tell(self) -> int:
        return 0

    def read(self, size: int = -1) -> bytes:
        if not self._ahead:
            self._ahead = self._next()
        cut = len(self._ahead) if size < 0 else size
        data, self._ahead = self._ahead[:cut], self._ahead[cut:]
        return data

    def drain(self) -> None:
        while self._next():
            pass

    def _next(self) -> bytes:
        try:
            return next(self._parts, b"")
        except _FrameError as error:
            self.error = error
            return b""


def zstd_pieces(raw: RawStream, dictionary: bytes | None = None) -> Iterator[Piece | Damage]:
    """Yield the unpacked bytes of all Zstandard frames, and damage where it lies between them."""

    def reader(file: BinaryIO) -> _Reader:
        from fastwarc.stream_io import ZstdReader  # noqa: PLC0415 - loaded only for inputs of this kind

        return cast("_Reader", ZstdReader(file, dictionary=dictionary))

    return _pieces(raw, _Format("Zstandard", ZSTD_MAGIC, _zstd_parts, reader))


def lz4_pieces(raw: RawStream) -> Iterator[Piece | Damage]:
    """Yield the unpacked bytes of all LZ4 frames, and damage where it lies between them."""

    def reader(file: BinaryIO) -> _Reader:
        from fastwarc.stream_io import Lz4Reader  # noqa: PLC0415 - loaded only for inputs of this kind

        return cast("_Reader", Lz4Reader(file))

    return _pieces(raw, _Format("LZ4", LZ4_MAGIC, _lz4_parts, reader))


def take_dictionary(raw: RawStream) -> bytes | None:
    """Take the dictionary frame at the start of a Zstandard archive; None where it is damaged."""
    size = int.from_bytes(raw.take(8)[4:], "little")
    if size > _MAX_DICTIONARY:
        return None
    data = raw.take(size)
    if not data.startswith(ZSTD_MAGIC):
        return data
    pieces = list(zstd_pieces(RawStream(io.BytesIO(data))))
    return b"".join(piece.data for piece in pieces if isinstance(piece, Piece))


def _pieces(raw: RawStream, form: _Format) -> Iterator[Piece | Damage]:
    while head := raw.peek(4):
        start = raw.offset
        if _is_skippable(head):
            raw.take(int.from_bytes(raw.take(8)[4:], "little"))
        elif head == form.magic:
            yield from _frame(raw, start, form)
        else:
            yield Damage(start, f"bytes that are no {form.name} frame", cut=form.magic.startswith(head))
            _seek(raw, form.magic)


def _frame(raw: RawStream, start: int, form: _Format) -> Iterator[Piece | Damage]:
    checked = _has_check_sum(raw.peek(_FLAGS_AT + 1))
    file = _FrameFile(form.parts(raw))
    inner = 0
    reason = ""
    try:
        reader = form.reader(cast("BinaryIO", file))
        while data := reader.read(CHUNK):
            yield Piece(start, inner, data)
            inner += len(data)
    except (OSError, ValueError) as error:
        reason = str(error)
    file.drain()
    if file.error is not None:
        yield Damage(start, f"{file.error} of a {form.name} frame", cut=file.error.cut)
    elif reason:
        yield Damage(start, f"damaged {form.name} data ({reason})")
    elif not checked and not _at_frame(raw, form):
        yield Damage(start, f"a {form.name} frame without a check sum, and something else than a frame after it")


def _has_check_sum(head: bytes) -> bool:
    """Does a check sum of the content end the frame? Both formats tell by the same bit of their fifth byte.

    Only LZ4 guards that byte itself. If damage took the bit away, the check sum is left behind as bytes of no frame.
    """
    return len(head) > _FLAGS_AT and bool(head[_FLAGS_AT] & 4)


def _at_frame(raw: RawStream, form: _Format) -> bool:
    head = raw.peek(4)
    return not head or head == form.magic or _is_skippable(head)


def _is_skippable(head: bytes) -> bool:
    return len(head) == 4 and head[0] & 0xF0 == 0x50 and head[1:] == b"\x2a\x4d\x18"


def _seek(raw: RawStream, magic: bytes) -> None:
    raw.take(1)
    while window := raw.peek(CHUNK):
        at = window.find(magic)
        if at >= 0:
            raw.take(at)
            return
        raw.take(len(window) if len(window) < CHUNK else CHUNK - len(magic) + 1)


def _exactly(raw: RawStream, size: int) -> bytes:
    data = raw.take(size)
    if len(data) < size:
        raise _FrameError("the file ends in the middle", cut=True)
    return data


def _zstd_parts(raw: RawStream) -> Iterator[bytes]:
    """RFC 8878, sections 3.1.1.1 and 3.1.1.2: a header whose first byte says its length, then blocks."""
    head = _exactly(raw, 5)
    flags = head[_FLAGS_AT]
    single = flags >> 5 & 1
    content_size = (single, 2, 4, 8)[flags >> 6]
    yield head + _exactly(raw, (1 - single) + (0, 1, 2, 4)[flags & 3] + content_size)
    last = 0
    while not last:
        block = _exactly(raw, 3)
        value = int.from_bytes(block, "little")
        last, kind = value & 1, value >> 1 & 3
        yield block + _exactly(raw, 1 if kind == 1 else value >> 3)  # kind 1: one byte, repeated
    if flags & 4:
        yield _exactly(raw, 4)


def _lz4_parts(raw: RawStream) -> Iterator[bytes]:
    """LZ4 frame format: a header whose fifth byte says its length, blocks with their sizes, an end mark of zeros."""
    head = _exactly(raw, 6)
    flags = head[_FLAGS_AT]
    block_check, content_size, content_check, dictionary = (flags >> bit & 1 for bit in (4, 3, 2, 0))
    yield head + _exactly(raw, 8 * content_size + 4 * dictionary + 1)
    while value := int.from_bytes(block := _exactly(raw, 4), "little"):
        size = value & 0x7FFF_FFFF  # the top bit says that the block is stored as it is
        if size > _MAX_LZ4_BLOCK:
            raise _FrameError(f"a block of {size:,} bytes")
        yield block + _exactly(raw, size + 4 * block_check)
    yield block + _exactly(raw, 4 * content_check)

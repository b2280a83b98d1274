"""Lines in Zstandard frames of a megabyte or so, each with a checksum: what is handed on from one is as it was written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from sameish.errors import SourceError, TruncatedRecord

_FULL = 1 << 20  # smaller frames compress worse, larger ones are more to lose
_LARGEST = 1 << 30  # no frame that was written here comes near; one that claims more is an attack on the memory
_LEVEL = 3  # 250 MB/s; level 9 takes five times as long to save a tenth
_CHUNK = 1 << 16
_MAGIC = b"\x28\xb5\x2f\xfd"


class Frame(NamedTuple):
    """Whole lines; `.offset`: where the frame begins in the file. `.number`: of the first line, from 1."""

    offset: int
    number: int
    lines: list[bytes]


class FrameWriter:
    """Gathers lines and writes them a frame at a time.

    Args:
        out: where to.
    """

    def __init__(self, out: BinaryIO) -> None:
        import zstandard  # noqa: PLC0415 - loaded where something is exported only

        self._out = out
        self._packer = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
        self._lines: list[bytes] = []
        self._size = 0
        self.written = 0

    def write(self, line: bytes) -> None:
        """Take in a line with its end."""
        self._lines.append(line)
        self._size += len(line)
        if self._size >= _FULL:
            self.flush()

    def flush(self) -> None:
        """Write what was taken in."""
        if self._lines:
            frame = self._packer.compress(b"".join(self._lines))
            self._out.write(frame)
            self.written += len(frame)
            self._lines, self._size = [], 0


def read_frames(source: BinaryIO, name: str) -> Iterator[Frame]:
    """Yield frames, each only once its checksum is proved.

    Args:
        source: where from.
        name: of the file, for errors.

    Raises:
        TruncatedRecord: the file ends within a frame.
        SourceError: a frame is damaged, or there never was one.
    """
    head = source.read(_CHUNK)
    if head[:4] != _MAGIC:
        raise SourceError(f"{name} is no export of sameish: it does not begin as Zstandard does", path=name, offset=0)
    offset, number = 0, 1
    while head:
        data, size, head = _frame(source, head, name, offset, number)
        lines = data.removesuffix(b"\n").split(b"\n")
        yield Frame(offset, number, lines)
        offset, number = offset + size, number + len(lines)
        head = head or source.read(_CHUNK)


def left(number: int) -> str:
    """Return in words what remains of an import that ends at a line."""
    return "what stands before was imported" if number > 1 else "nothing was imported"


def _frame(source: BinaryIO, chunk: bytes, name: str, offset: int, number: int) -> tuple[bytes, int, bytes]:
    """Return the bytes in a frame, its size, and what was read behind it."""
    import zstandard  # noqa: PLC0415 - as above

    reader, parts, size, unpacked = zstandard.ZstdDecompressor().decompressobj(), [], 0, 0
    where = f"{name}, byte {offset:,}, after line {number - 1:,}"
    while not reader.eof:
        if not chunk:
            message = f"{where}: the file is cut short; {left(number)}"
            raise TruncatedRecord(message, path=name, offset=offset)
        try:
            parts.append(reader.decompress(chunk))
        except zstandard.ZstdError as error:
            message = f"{where}: the file is damaged ({error}); {left(number)}"
            raise SourceError(message, path=name, offset=offset) from error
        size, unpacked = size + len(chunk), unpacked + len(parts[-1])
        if unpacked > _LARGEST:
            raise SourceError(
                f"{where}: a frame of over {_LARGEST:,} bytes is none of an export", path=name, offset=offset
            )
        chunk = b"" if reader.eof else source.read(_CHUNK)
    return b"".join(parts), size - len(reader.unused_data), reader.unused_data

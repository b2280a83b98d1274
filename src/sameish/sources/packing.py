"""How an input is compressed, told by its first bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

from sameish.sources import frames, gzip_members
from sameish.sources.raw import RawStream
from sameish.sources.unpacked import Damage, Piece

Unpack: TypeAlias = Callable[[RawStream], Iterator[Piece | Damage]]


def packing_of(raw: RawStream) -> Unpack:
    """Return what unpacks this input, from here or from a later frame of it.

    Nothing is taken, except the dictionary that a Zstandard archive may begin with.

    Raises:
        SourceError: the system does not give the bytes.
    """
    head = raw.peek(4)
    if head.startswith(gzip_members.MAGIC):
        return gzip_members.gzip_pieces
    if head == frames.LZ4_MAGIC:
        return frames.lz4_pieces
    if head == frames.ZSTD_DICTIONARY_MAGIC:
        return partial(frames.zstd_pieces, dictionary=frames.take_dictionary(raw))
    return frames.zstd_pieces if head == frames.ZSTD_MAGIC else plain_pieces


def plain_pieces(raw: RawStream) -> Iterator[Piece | Damage]:
    """Yield bytes that are not compressed."""
    while True:
        start = raw.offset
        data = raw.read()
        if not data:
            return
        yield Piece(start, None, data)

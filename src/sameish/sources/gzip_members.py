"""Gzip as web archives use it: many members one after another, each to be found again after damage.

RFC 1952 for the format; the WARC 1.1 specification (ISO 28500:2017, annex D) for one member a record. FastWARC's own
reader ends silently where a file is cut off and does not find its way back after damage, so members are unpacked here.
"""

from __future__ import annotations

import re
import zlib
from collections import deque
from collections.abc import Iterator

from sameish.sources.raw import CHUNK, RawStream
from sameish.sources.unpacked import Damage, Piece

MAGIC = b"\x1f\x8b\x08"
_GZIP_WINDOW = 31  # zlib's way to ask for a gzip wrapper with the largest window
_LOOK_BACK = 16  # chunks: damage may be noticed only after the next member has begun
_FIRST_BYTES = 512  # enough of a member to unpack the word WARC


def gzip_pieces(raw: RawStream) -> Iterator[Piece | Damage]:
    """Yield the unpacked bytes of all members, and damage where it lies between them.

    Members that begin with a WARC record are found again after damage, other members are not.
    """
    while head := raw.peek(len(MAGIC)):
        start = raw.offset
        if head == MAGIC:
            yield from _member(raw, start)
            continue
        yield Damage(start, "bytes that are no gzip member", cut=MAGIC.startswith(head))
        _seek_member(raw)


def _member(raw: RawStream, start: int) -> Iterator[Piece | Damage]:
    inflate = zlib.decompressobj(_GZIP_WINDOW)
    recent: deque[bytes] = deque(maxlen=_LOOK_BACK)
    inner = 0
    while not inflate.eof:
        data = inflate.unconsumed_tail
        if not data:
            data = raw.read()
            recent.append(data)
        try:
            out = inflate.decompress(data, CHUNK)
        except zlib.error as error:
            yield Damage(start, f"damaged gzip data ({error})")
            _look_back(raw, recent, start)
            return
        if out:
            yield Piece(start, inner, out)
            inner += len(out)
        elif not data and not inflate.eof:
            yield Damage(start, "the file ends in the middle of a gzip member", cut=True)
            return
    raw.unread(inflate.unused_data)


def _look_back(raw: RawStream, recent: deque[bytes], start: int) -> None:
    """Go on at the next member after `start`, although some of its bytes may have been taken."""
    raw.unread(b"".join(recent))
    if raw.offset <= start:
        raw.take(start + 1 - raw.offset)
    _seek_member(raw)


def _seek_member(raw: RawStream) -> None:
    while window := raw.peek(CHUNK):
        for match in re.finditer(re.escape(MAGIC), window):
            if _begins_record(window[match.start() : match.start() + _FIRST_BYTES]):
                raw.take(match.start())
                return
        # a member's first bytes may reach over the window's end
        raw.take(len(window) if len(window) < CHUNK else CHUNK - _FIRST_BYTES)


def _begins_record(data: bytes) -> bool:
    try:
        return zlib.decompressobj(_GZIP_WINDOW).decompress(data, 5) == b"WARC/"
    except zlib.error:
        return False

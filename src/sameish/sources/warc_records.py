"""WARC records cut out of unpacked bytes: each one whole, or reported.

The WARC 1.1 specification (ISO 28500:2017, sections 4 and 5); line feeds without carriage returns are accepted.
FastWARC's iterator ends silently in the middle of a record, and at the first damage for good; here every byte counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from sameish.errors import SourceError
from sameish.sources.raw import CHUNK
from sameish.sources.unpacked import BrokenInput, Damage, Position, Unpacked

_VERSION_LINE = re.compile(rb"WARC/\d{1,4}\.\d{1,4}[ \t]*\r?\n")
_VERSION = 12  # bytes that are enough to see a version line
_LENGTH = re.compile(r"[0-9]{1,15}")
_MAX_LINE = 1 << 16
_MAX_HEADER = 1 << 18


@dataclass(frozen=True, slots=True)
class Record:
    """One whole record. `.headers` have lower-case names, of repeated ones the first; `.block` is what follows them."""

    position: Position
    headers: Mapping[str, str]
    block: bytes


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A record, or bytes between records, that cannot be used; `.cut` where it ends too early."""

    offset: int
    reason: str
    cut: bool = False


Wants: TypeAlias = Callable[[Mapping[str, str], bytes], bool]


class _BadError(Exception):
    def __init__(self, reason: str, *, cut: bool = False) -> None:
        super().__init__(reason)
        self.cut = cut


def read_records(unpacked: Unpacked, wants: Wants, limit: int) -> Iterator[Record | BadRecord | SourceError]:
    """Yield the wanted records in their order, and what is damaged, to be reported.

    A record is whole when its block has the promised length, the compressed frame that it ends in is whole too, and an
    empty line, another record or nothing follows it: otherwise its length is wrong. Digests are not compared: writers
    differ in what they count as the payload.

    Args:
        unpacked: the archive from the beginning of a record.
        wants: told the headers and the block's first 64 KiB, says whether the record is wanted.
        limit: greatest length of a block; larger ones are bad if they are wanted.
    """
    while True:
        try:
            _skip_blank(unpacked)
            item = _next(unpacked, wants, limit)
        except BrokenInput as broken:
            item = _bad(broken.damage.start, broken.damage)
        except SourceError as error:  # the system gives no more bytes
            yield error
            return
        if item is None:
            return
        if not isinstance(item, _Unwanted):
            yield item


@dataclass(frozen=True, slots=True)
class _Unwanted:
    """A whole record that nobody asked for."""


def _next(unpacked: Unpacked, wants: Wants, limit: int) -> Record | BadRecord | _Unwanted | None:
    position = unpacked.position
    try:
        line = unpacked.line(_MAX_LINE)
        if not line:
            return None
        if not _VERSION_LINE.fullmatch(line):
            return _stray_bytes(unpacked, position, line)
        headers = _headers(unpacked)
        return _record(unpacked, position, headers, wants, limit)
    except BrokenInput as broken:
        return _bad(position.start, broken.damage)
    except _BadError as bad:
        _seek_record(unpacked)
        return BadRecord(position.start, f"{_place(position)}{bad}", cut=bad.cut)


def _bad(offset: int, damage: Damage) -> BadRecord:
    return BadRecord(offset, damage.reason, cut=damage.cut)


def _place(position: Position) -> str:
    return f"record at unpacked byte {position.inner} behind it: " if position.inner else ""


def _record(
    unpacked: Unpacked, position: Position, headers: dict[str, str], wants: Wants, limit: int
) -> Record | _Unwanted:
    length = _length(headers)
    start = unpacked.take(min(length, CHUNK))
    wanted = wants(headers, start)
    fits = length <= limit
    if wanted and fits:
        block = start + unpacked.take(length - len(start))
        found = len(block)
    else:
        block = b""
        found = len(start) + unpacked.skip(length - len(start))
    if found < length:
        raise _BadError(f"the record ends after {found:,} of {length:,} bytes", cut=True)
    _check_end(unpacked, position, length)
    if wanted and not fits:
        raise _BadError(f"the record has {length:,} bytes; reading.max_body_bytes is exceeded")
    return Record(position, headers, block) if wanted else _Unwanted()


def _length(headers: dict[str, str]) -> int:
    value = headers.get("content-length", "")
    if not _LENGTH.fullmatch(value):
        raise _BadError(f"the record has no usable Content-Length ({value!r:.40})")
    return int(value)


def _check_end(unpacked: Unpacked, position: Position, length: int) -> None:
    blank = _skip_blank_here(unpacked)
    damage = unpacked.damage_ahead
    if damage is not None and damage.start == position.start:
        raise BrokenInput(damage)
    head = unpacked.peek(_VERSION)
    if head and not blank and not _VERSION_LINE.match(head):
        raise _BadError(f"the record's Content-Length of {length:,} bytes is wrong")


def _headers(unpacked: Unpacked) -> dict[str, str]:
    headers: dict[str, str] = {}
    name, size = "", 0
    while size < _MAX_HEADER:
        line = unpacked.line(_MAX_LINE)
        size += len(line)
        if not line.endswith(b"\n"):
            cut = len(line) < _MAX_LINE
            raise _BadError(f"the record's header {'ends early' if cut else 'has a line that is too long'}", cut=cut)
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        if not text:
            return headers
        if text[0] in " \t" and name:  # a folded value, WARC 1.0
            headers[name] = f"{headers[name]} {text.strip()}"
            continue
        name, _, value = text.partition(":")
        name = name.strip().lower()
        headers.setdefault(name, value.strip())
    raise _BadError(f"the record's header has more than {_MAX_HEADER:,} bytes")


def _stray_bytes(unpacked: Unpacked, position: Position, line: bytes) -> BadRecord:
    cut = not line.endswith(b"\n") and b"WARC/1.".startswith(line[:7])
    if cut:
        return BadRecord(position.start, f"{_place(position)}the record's header ends early", cut=True)
    size = len(line) + _seek_record(unpacked)
    return BadRecord(position.start, f"{_place(position)}{size:,} bytes that are no WARC record")


def _seek_record(unpacked: Unpacked) -> int:
    """Pass over lines until one begins a record, and return how many bytes they had; damage ends the search."""
    size = 0
    while (head := unpacked.peek(_VERSION)) and not _VERSION_LINE.match(head):
        size += len(unpacked.line(_MAX_LINE))
    return size


def _skip_blank(unpacked: Unpacked) -> None:
    while unpacked.peek(1) in (b"\r", b"\n"):
        unpacked.take(1)


def _skip_blank_here(unpacked: Unpacked) -> bool:
    before = unpacked.consumed
    _skip_blank(unpacked)
    return unpacked.consumed > before

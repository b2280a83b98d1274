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
_MAGIC = 4  # bytes: of so few nobody can tell how they are compressed
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
    empty line, another record or nothing follows it: otherwise its length is wrong. Where a frame holds more than one
    record, it counts as whole for those that end more than 64 KiB before its damage, and, if it is only cut off, for
    all that another record follows.

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
            item = BadRecord(broken.damage.start, broken.damage.reason, cut=broken.damage.cut)
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
    headers: dict[str, str] = {}
    try:
        line = unpacked.line(_MAX_LINE)
        if not line:
            return None
        if not _VERSION_LINE.fullmatch(line):
            return _stray_bytes(unpacked, position, line)
        _read_headers(unpacked, headers)
        return _record(unpacked, position, headers, wants, limit)
    except BrokenInput as broken:
        reason = f"{_subject(position, headers)}: {broken.damage.reason}"
        return BadRecord(position.start, reason, cut=broken.damage.cut)
    except _BadError as bad:
        _seek_record(unpacked)
        return BadRecord(position.start, f"{_subject(position, headers)} {bad}", cut=bad.cut)


def _subject(position: Position, headers: Mapping[str, str]) -> str:
    uri = target_uri(headers)
    inside = f" at unpacked byte {position.inner}" if position.inner else ""
    return f"the record{inside}{f' of {uri}' if uri else ''}"


def target_uri(headers: Mapping[str, str], name: str = "warc-target-uri") -> str:
    """Return a URI field; some writers set angle brackets, after a mistake in the grammar of WARC 1.0."""
    return headers.get(name, "").strip().removeprefix("<").removesuffix(">").strip()


def _record(
    unpacked: Unpacked, position: Position, headers: Mapping[str, str], wants: Wants, limit: int
) -> Record | _Unwanted:
    length = _length(headers)
    start = unpacked.take(min(length, CHUNK))
    wanted = wants(headers, start)
    fits = length <= limit
    rest = unpacked.take(length - len(start)) if wanted and fits else b""
    found = len(start) + (len(rest) or unpacked.skip(length - len(start)))
    if found < length:
        raise _BadError(f"ends after {found:,} of {length:,} bytes", cut=True)
    _check_end(unpacked, length)
    if wanted and not fits:
        raise _BadError(f"has {length:,} bytes, far more than reading.max_body_bytes allows")
    return Record(position, headers, start + rest) if wanted else _Unwanted()


def _length(headers: Mapping[str, str]) -> int:
    value = headers.get("content-length", "")
    if not _LENGTH.fullmatch(value):
        raise _BadError(f"has no usable Content-Length ({value!r:.40})" if value else "has no Content-Length")
    return int(value)


def _check_end(unpacked: Unpacked, length: int) -> None:
    before, frame = unpacked.consumed, unpacked.frame
    _skip_blank(unpacked, within=frame)
    blank = unpacked.consumed > before
    head = unpacked.peek(_VERSION)
    record_follows = _VERSION_LINE.match(head) is not None
    if damage := unpacked.damage_ahead(frame, CHUNK):
        _refuse(unpacked, damage, record_follows=record_follows)
    if head and not blank and not record_follows:
        raise _BadError(f"has a wrong Content-Length: something else than a record follows its {length:,} bytes")


def _refuse(unpacked: Unpacked, damage: Damage, *, record_follows: bool) -> None:
    """Trust no record whose frame proves to be damaged soon: a check sum is at the end of what it is the sum of.

    A frame that is cut off has none. There, a record that another follows is trusted; garbage follows where the damage
    took away the mark at which unpacking should have ended.
    """
    if not record_follows:
        unpacked.skip(CHUNK)  # raises the damage and passes it
    if not damage.cut:
        raise BrokenInput(damage)


def _read_headers(unpacked: Unpacked, headers: dict[str, str]) -> None:
    name, size = "", 0
    while size < _MAX_HEADER:
        line = unpacked.line(_MAX_LINE)
        size += len(line)
        if not line.endswith(b"\n"):
            cut = len(line) < _MAX_LINE
            raise _BadError("ends in its header" if cut else "has a header line that is too long", cut=cut)
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        if not text:
            return
        if text[0] in " \t" and name:  # a folded value, WARC 1.0
            headers[name] = f"{headers[name]} {text.strip()}"
            continue
        name, _, value = text.partition(":")
        name = name.strip().lower()
        headers.setdefault(name, value.strip())
    raise _BadError(f"has more than {_MAX_HEADER:,} bytes of header")


def _stray_bytes(unpacked: Unpacked, position: Position, line: bytes) -> BadRecord:
    begins = b"WARC/1.".startswith(line[:7]) or (position.start == 0 and len(line) < _MAGIC)
    if begins and not line.endswith(b"\n"):
        return BadRecord(position.start, f"{_subject(position, {})} ends in its first line", cut=True)
    size = len(line) + _seek_record(unpacked)
    where = f", from unpacked byte {position.inner} on" if position.inner else ""
    return BadRecord(position.start, f"{size:,} bytes that are no WARC record{where}")


def _seek_record(unpacked: Unpacked) -> int:
    """Pass over lines until one begins a record, and return how many bytes they had; damage ends the search."""
    size = 0
    while (head := unpacked.peek(_VERSION)) and not _VERSION_LINE.match(head):
        try:
            size += len(unpacked.line(_MAX_LINE))
        except BrokenInput as broken:
            unpacked.put_back(broken.damage)
            break
    return size


def _skip_blank(unpacked: Unpacked, within: int | None = None) -> None:
    """Pass over line ends. Damage of the frame that begins at `within` is raised, other damage waits."""
    size = 4  # what stands between two records
    while head := unpacked.peek(size):
        blank = len(head) - len(head.lstrip(b"\r\n"))
        unpacked.skip(blank)
        if blank < len(head):
            return
        size = min(2 * size, CHUNK)  # little by little: a pipe may not have more yet
    unpacked.raise_damage(within)

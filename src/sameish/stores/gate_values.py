"""What all stores agree on for the gate: which updates can be kept, and how bodies are packed."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

import msgspec

from sameish.errors import StoreError
from sameish.index.signed import to_signed
from sameish.settings import StoreSection
from sameish.stores.gate_state import StoredBody, Updates, Visit
from sameish.stores.values import to_utc

_LEVEL = 3  # 80 KB of HTML in 0.2 ms; level 6 takes almost three times as long to save a tenth of what is left
_LARGEST_SHARE = 10  # no body takes more than a tenth of the budget, or one large file would push all pages out


class PackedBody(NamedTuple):
    """A body as it is kept: a Zstandard frame with a checksum, and MessagePack of the header pairs as UTF-8 bytes."""

    frame: bytes
    headers: bytes

    @property
    def size_bytes(self) -> int:
        """How much it counts in the budget."""
        return len(self.frame) + len(self.headers)


def is_empty(updates: Updates) -> bool:
    """Return whether there is nothing to write."""
    return updates == Updates()


def ready(updates: Updates, capture_id: int | None = None) -> Updates:
    """Return the updates as they are written: times in UTC, and the capture of the transaction in visits that mean it.

    Raises:
        StoreError: a time has no zone, a hash is no unsigned 64-bit integer, or a number has more than 63 bits.
    """
    body = updates.body
    for number in (*updates.restored, *updates.reclassed, *updates.reclassed.values()):
        _check_hash(number)
    for entry in updates.ledger:
        _check_number(entry.requests, entry.size_bytes)
    if body is not None:
        _check_number(body.status)
    return replace(
        updates,
        visits=tuple(_ready_visit(visit, capture_id) for visit in updates.visits),
        dropped=tuple(replace(one, at=_ready_time(one.key_hash, one.at)) for one in updates.dropped),
        body=None if body is None else replace(body, fetched_at=_ready_time(body.key_hash, body.fetched_at)),
    )


def _ready_visit(visit: Visit, capture_id: int | None) -> Visit:
    due_at = _ready_time(visit.key_hash, visit.due_at)
    _check_hash(visit.class_hash)
    _check_number(visit.body_bytes, visit.capture_id or 0)
    meant = visit.capture_id is None and visit.digest is not None
    return replace(visit, due_at=due_at, capture_id=capture_id if meant else visit.capture_id)


def _ready_time(key_hash: int, moment: datetime) -> datetime:
    _check_hash(key_hash)
    return to_utc(moment)


def _check_hash(number: int) -> None:
    try:
        to_signed(number)
    except ValueError as error:
        raise StoreError(f"a hash of the gate: {error}") from error


def _check_number(*numbers: int) -> None:
    for number in numbers:
        if not -(1 << 63) <= number < 1 << 63:
            raise StoreError(f"the number {number} of the gate has more than 63 bits")


def signed(key_hash: int) -> int:
    """Return the signed twin of a hash that is asked for.

    Raises:
        StoreError: it is no unsigned 64-bit integer.
    """
    _check_hash(key_hash)
    return to_signed(key_hash)


def pack_body(stored: StoredBody, settings: StoreSection) -> PackedBody | None:
    """Return the body as it is kept, None where the settings keep none or the budget none so large."""
    if not settings.keep_bodies:
        return None
    import zstandard  # noqa: PLC0415 - most stores are opened by programs that never hand over a body

    # the checksum: without it a flipped bit would be served as if the server had sent it
    frame = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True).compress(stored.body)
    pairs = [(_bytes(name), _bytes(value)) for name, value in stored.headers]
    packed = PackedBody(frame, msgspec.msgpack.encode(pairs))
    return packed if packed.size_bytes * _LARGEST_SHARE <= settings.body_budget_bytes else None


def unpack_frame(frame: bytes) -> bytes:
    """Return the body in a frame.

    Raises:
        ValueError: the bytes are not what `pack_body` made.
    """
    import zstandard  # noqa: PLC0415 - as above

    # as a stream: a damaged head cannot ask for more memory than the bytes unpack to
    reader = zstandard.ZstdDecompressor().decompressobj()
    try:
        body = reader.decompress(frame)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from error
    if not reader.eof or reader.unused_data:
        raise ValueError("the compressed body is cut short" if not reader.eof else "bytes follow the compressed body")
    return body


def unpack_headers(packed: bytes) -> tuple[tuple[str, str], ...]:
    """Return header pairs.

    Raises:
        ValueError: the bytes are not what `pack_body` made.
    """
    pairs = msgspec.msgpack.decode(packed, type=list[tuple[bytes, bytes]])
    return tuple((_text(name), _text(value)) for name, value in pairs)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")

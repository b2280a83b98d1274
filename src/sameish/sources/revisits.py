"""Where the captures lie that revisit records refer to, in bounded memory.

A revisit record (WARC 1.1, section 6.7) says "the same as that one" and has no body of its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeAlias

from sameish.models import Page
from sameish.sources.inputs import Input
from sameish.sources.unpacked import Position


@dataclass(frozen=True, slots=True)
class Place:
    """A record in an input that can be opened again."""

    source: Input
    position: Position


@dataclass(frozen=True, slots=True)
class NoPage:
    """A record that was read and is no page, such as an image."""


_PAGE_OVERHEAD = 1000  # bytes that a page takes beside its body: the object, its URL, its headers
Original: TypeAlias = Place | Page | NoPage


class Originals:
    """Captures by record id, by URI and date, and by payload digest.

    Args:
        keys: how many are remembered; the oldest are forgotten first. One takes about 200 bytes.
        held_bytes: pages that are held for inputs that cannot be read again, such as pipes; a page counts 1 kB more than
            its body.
    """

    def __init__(self, keys: int = 200_000, held_bytes: int = 32 << 20) -> None:
        self._max_keys = keys
        self._max_held = held_bytes
        self._known: dict[bytes, Original] = {}
        self._held: deque[tuple[int, Page, tuple[bytes, ...]]] = deque()
        self._held_bytes = 0

    def remember(self, keys: Iterable[bytes], original: Original) -> None:
        """Remember a capture under the keys that a revisit may name; the first under a key stays."""
        own = tuple(key for key in keys if key not in self._known)
        self._known.update(dict.fromkeys(own, original))
        if isinstance(original, Page) and own:
            size = len(original.body) + _PAGE_OVERHEAD
            self._held.append((size, original, own))
            self._held_bytes += size
        self._forget()

    def find(self, keys: Iterable[bytes]) -> Original | None:
        """Return the capture under the first key that is known."""
        return next((found for key in keys if (found := self._known.get(key)) is not None), None)

    def _forget(self) -> None:
        while self._held_bytes > self._max_held:
            size, page, keys = self._held.popleft()
            self._held_bytes -= size
            for key in keys:
                if self._known.get(key) is page:
                    del self._known[key]
        while len(self._known) > self._max_keys:
            del self._known[next(iter(self._known))]


def keys_of(headers: Mapping[str, str], uri: str) -> list[bytes]:
    """Return the keys under which a record can be referred to."""
    return _keys(headers.get("warc-record-id"), uri, headers.get("warc-date"), headers.get("warc-payload-digest"))


def keys_referred_to(headers: Mapping[str, str], uri: str) -> list[bytes]:
    """Return the keys of the capture that a revisit record refers to, the surest first.

    Args:
        headers: of the revisit record.
        uri: its `WARC-Refers-To-Target-URI`, without angle brackets.
    """
    date = headers.get("warc-refers-to-date")
    return _keys(headers.get("warc-refers-to"), uri, date, headers.get("warc-payload-digest"))


def _keys(record_id: str | None, uri: str, date: str | None, digest: str | None) -> list[bytes]:
    names = (
        digest and f"digest {digest.casefold()}",
        record_id and f"id {record_id.strip('<> ')}",
        uri and date and f"at {date} {uri}",
    )
    return [blake2b(name.encode("utf-8", "replace"), digest_size=16).digest() for name in names if name]

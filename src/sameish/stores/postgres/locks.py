"""Who waits for whom: advisory locks that a transaction holds until it ends.

Look-ups and judging wait only for those who are at the same key or the same content: of several workers with the same
content one looks it up, the others after that one has committed. Writing goes one at a time, from the first write to the
commit. So ids and revisions rise in the order of the commits, and who reads a log up to a number has missed none below it.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from sameish.stores.base import Query

_WRITING = int.from_bytes(b"sameish\0", "big")
_OPENING = _WRITING + 1

# The order is the same for all, or two could wait for each other: first keys and contents by number, then writing.
WRITING = b"SELECT pg_advisory_xact_lock(%d)" % _WRITING
OPENING = b"SELECT pg_advisory_xact_lock(%d)" % _OPENING


def number_of(kind: str, *parts: bytes) -> int:
    """Return the signed 64-bit number of what is locked; two things with one number would only wait for each other."""
    digest = blake2b(digest_size=8, person=kind.encode())
    for part in parts:
        digest.update(b"%d:" % len(part) + part)
    return int.from_bytes(digest.digest(), "big", signed=True)


def locking(numbers: Iterable[int]) -> bytes:
    """Return the statement that waits for locks, in the order in which all take them."""
    return b"SELECT " + b", ".join(b"pg_advisory_xact_lock(%d)" % number for number in sorted(set(numbers)))


def locks_of(query: Query) -> list[int]:
    """Return what is locked while a page is looked up, judged and stored: its key, and its content if it is looked for."""
    key = query.key.encode("utf-8", "surrogatepass")
    if query.digest is None:
        return [number_of("key", key)]
    return [number_of("key", key), number_of("content", query.scheme.encode(), query.digest)]

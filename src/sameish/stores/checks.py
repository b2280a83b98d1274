"""What can be checked of single rows of captures and pages, whatever database they stand in."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from sameish.errors import ReadingError
from sameish.index.signed import to_signed
from sameish.models import NO_DIGEST, Fingerprint, VerdictKind
from sameish.stores.rows import DamagedRow, SqlRow, reading, unpack_markdown, unpack_sentences
from sameish.stores.values import GOOD_STATES, from_micros


@contextmanager
def listing(found: list[str]) -> Iterator[None]:
    """Take damage that keeps a check from being made to its end for one more fault."""
    try:
        with reading("the store"):
            yield
    except DamagedRow as damage:
        found.append(str(damage))


def capture_faults(row: SqlRow) -> Iterator[str]:
    """Yield what is wrong with a capture, from a row of the query `all_captures`."""
    number, packed, simhash, digest, state, good, scheme, match_id, _, markdown, sentences, verdict, at = row
    try:
        yield from _fingerprint(Fingerprint.from_bytes(packed), simhash, digest, state, scheme)
    except (ReadingError, TypeError, ValueError, AttributeError) as error:
        yield f"its fingerprint cannot be read: {error}"
    if verdict not in set(VerdictKind):
        yield f"its verdict is {verdict}, which is none"
    if not _is_time(at):
        yield f"its time {at} is none"
    if bool(good) != (state in GOOD_STATES):
        yield f"it is marked {'good' if good else 'not good'}, its state is {state}"
    if match_id is not None and match_id >= number:
        yield f"it matches capture {match_id}, which was not there yet"
    try:
        unpack_markdown(markdown)
        unpack_sentences(sentences)
    except (zlib.error, TypeError, ValueError) as error:
        yield f"its texts cannot be read: {error}"


def _fingerprint(
    read: Fingerprint, simhash: int | None, digest: bytes, state: str, scheme: str | None
) -> Iterator[str]:
    pairs = {
        "simhash": (None if read.simhash is None else to_signed(read.simhash), simhash),
        "digest": (read.digest, digest),
        "state": (str(read.state), state),
        "scheme": (read.scheme, scheme),
    }
    for name, (inside, column) in pairs.items():
        if inside != column:
            yield f"the {name} in its fingerprint is {_shown(inside)}, beside it stands {_shown(column)}"
    if read.simhash is not None and read.digest == NO_DIGEST:
        yield "it has a simhash but the digest of no content"


def _shown(value: object) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)


def _is_time(micros: object) -> bool:
    try:
        return isinstance(micros, int) and bool(from_micros(micros))
    except OverflowError:  # beyond the year 9999
        return False


def unseen_fault(key: str, last_seen: object, fetched: object) -> str:
    """Say that a page was not seen when its last good capture was fetched; both in microseconds."""
    seen, good = (_shown_time(micros) for micros in (last_seen, fetched))
    return f"page {key}: last seen {seen}, but its last good capture is of {good}"


def _shown_time(micros: object) -> object:
    return from_micros(micros).isoformat() if isinstance(micros, int) and _is_time(micros) else micros

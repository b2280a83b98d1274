"""Everything about a store that can be checked, as faults in words."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator

from sameish.errors import ReadingError
from sameish.index.hamming_index import to_signed
from sameish.models import NO_DIGEST, Fingerprint, VerdictKind
from sameish.stores.sqlite import verifying_gate
from sameish.stores.sqlite.rows import SqlRow, unpack_markdown, unpack_sentences
from sameish.stores.sqlite.statements import SQL
from sameish.stores.values import GOOD_STATES, from_micros


def faults(db: sqlite3.Connection) -> list[str]:
    """Return the faults; a file that SQLite itself cannot read to the end is one more fault."""
    found: list[str] = []
    for check in (_file, _references, _captures, _twins, _pages, verifying_gate.faults):
        try:
            found.extend(check(db))
        except sqlite3.DatabaseError as error:
            found.append(f"the file is damaged: {error}")
    return list(dict.fromkeys(found))


def _file(db: sqlite3.Connection) -> Iterator[str]:
    for (line,) in db.execute("PRAGMA integrity_check"):
        if line != "ok":
            yield f"the file is damaged: {line}"


def _references(db: sqlite3.Connection) -> Iterator[str]:
    for table, row, parent, _ in db.execute("PRAGMA foreign_key_check"):
        what = "capture" if table == "capture" else "text of capture"
        yield f"{what} {row}: it refers to a {parent} that is not there"


def _captures(db: sqlite3.Connection) -> Iterator[str]:
    for row in db.execute(SQL["all_captures"]):
        for fault in _capture(row):
            yield f"capture {row[0]}: {fault}"


def _capture(row: SqlRow) -> Iterator[str]:
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


def _twins(db: sqlite3.Connection) -> Iterator[str]:
    for first, last in db.execute(SQL["duplicates"]):
        yield f"captures {first} and {last}: the same capture twice"


def _pages(db: sqlite3.Connection) -> Iterator[str]:
    for number, page in db.execute(SQL["orphans"]):
        yield f"capture {number}: its page {page} is not there"
    for (key,) in db.execute(SQL["empty_pages"]):
        yield f"page {key}: there is no capture of it"
    for key, last_seen, fetched in db.execute(SQL["unseen_pages"]):
        seen, good = (
            from_micros(micros).isoformat() if _is_time(micros) else micros for micros in (last_seen, fetched)
        )
        yield f"page {key}: last seen {seen}, but its last good capture is of {good}"

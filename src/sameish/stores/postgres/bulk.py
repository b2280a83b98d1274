"""Writes many captures at once, by COPY; whoever calls is in a transaction and is the one who writes (`locks.WRITING`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import psycopg

from sameish.models import Capture
from sameish.stores.postgres.lookup import digest_of
from sameish.stores.postgres.statements import SQL
from sameish.stores.rows import Texts, row_of
from sameish.stores.values import is_good, judged_before, to_micros

Identity: TypeAlias = tuple[int, int, bytes]
"""Number of the page, time in microseconds, digest of the body: which capture it is."""
_TEXT, _BYTES, _NUMBER, _TRUTH = "text", "bytea", "int8", "bool"
_COLUMNS = {
    "site": _TEXT, "fetched_at": _NUMBER, "good": _TRUTH, "state": _TEXT, "simhash": _NUMBER, "digest": _BYTES,
    "fingerprint": _BYTES, "verdict": _TEXT, "match_id": _NUMBER, "body_digest": _BYTES, "body_bytes": _NUMBER,
    "status": _NUMBER, "url": _TEXT, "title": _TEXT, "canonical_url": _TEXT, "etag": _TEXT, "last_modified": _TEXT,
}  # fmt: skip
"""What `row_of` returns, in the order of the query `copy_captures`."""


class ToAdd(NamedTuple):
    """A capture on its way into the table; `.key_digest` is that of its key."""

    capture: Capture
    key_digest: bytes
    columns: dict[str, object]
    texts: Texts


def row_to_add(capture: Capture, texts: Texts) -> ToAdd:
    """Return what is written of a capture; all that takes long is done here, before anybody has to wait.

    Raises:
        StoreError: the capture was never judged, or cannot be stored.
    """
    columns = row_of(capture, judged_before(capture))
    return ToAdd(capture, digest_of(capture.key), columns, texts)


def add(db: psycopg.Connection, rows: Sequence[ToAdd], schemes: Mapping[str, int]) -> list[int]:
    """Store captures that are not stored yet, whose schemes have these numbers; return the ids of all, in their order."""
    if not rows:
        return []
    pages = _pages(db, rows)
    identities = [_identity(row, pages) for row in rows]
    ids = _stored(db, identities)
    news = dict(zip(reversed(identities), reversed(rows), strict=True))  # of one given twice the first
    new = [identity for identity in dict.fromkeys(identities) if identity not in ids]
    ids |= zip(new, _numbers(db, SQL["next_capture_ids"], len(new)), strict=True)
    added = [(ids[identity], identity[0], news[identity]) for identity in new]
    _copy_captures(db, added, schemes)
    _copy_texts(db, added)
    _see_pages(db, added)
    return [ids[identity] for identity in identities]


def _identity(row: ToAdd, pages: dict[bytes, int]) -> Identity:
    return pages[row.key_digest], to_micros(row.capture.fetched_at), row.capture.body_digest


def _pages(db: psycopg.Connection, rows: Sequence[ToAdd]) -> dict[bytes, int]:
    """Return the numbers of the pages by digest; those that are new are noted."""
    keys = {row.key_digest: row.capture.key for row in rows}
    pages = {bytes(digest): int(page) for digest, page in db.execute(SQL["page_ids"], {"keys": list(keys)})}
    new = [digest for digest in keys if digest not in pages]
    pages |= zip(new, _numbers(db, SQL["next_page_ids"], len(new)), strict=True)
    _copy(db, SQL["copy_pages"], (_NUMBER, _TEXT, _BYTES), ((pages[digest], keys[digest], digest) for digest in new))
    return pages


def _stored(db: psycopg.Connection, identities: Sequence[Identity]) -> dict[Identity, int]:
    pages, times, digests = (list(column) for column in zip(*identities, strict=True))
    found = db.execute(SQL["are_stored"], {"pages": pages, "times": times, "digests": digests})
    return {(page, at, bytes(digest)): number for page, at, digest, number in found}


def _numbers(db: psycopg.Connection, query: bytes, count: int) -> list[int]:
    return [int(number) for (number,) in db.execute(query, {"count": count})] if count else []


def _copy_captures(db: psycopg.Connection, added: Sequence[tuple[int, int, ToAdd]], schemes: Mapping[str, int]) -> None:
    types = (_NUMBER, _NUMBER, _NUMBER, *_COLUMNS.values())
    rows = (
        (number, page, schemes[row.capture.fingerprint.scheme], *(row.columns[name] for name in _COLUMNS))
        for number, page, row in added
    )
    _copy(db, SQL["copy_captures"], types, rows)


def _copy_texts(db: psycopg.Connection, added: Sequence[tuple[int, int, ToAdd]]) -> None:
    rows = ((number, *row.texts) for number, _, row in added if row.texts != (None, None))
    _copy(db, SQL["copy_texts"], (_NUMBER, _BYTES, _BYTES), rows)


def _copy(db: psycopg.Connection, query: bytes, types: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with db.cursor() as cursor, cursor.copy(query) as copy:
        copy.set_types(types)
        for row in rows:
            copy.write_row(row)


def _see_pages(db: psycopg.Connection, added: Sequence[tuple[int, int, ToAdd]]) -> None:
    """Update what is seen of each page from the last of its good captures."""
    latest: dict[int, dict[str, object]] = {}
    times: dict[int, int] = {}
    for _, page, row in added:
        at = to_micros(row.capture.fetched_at)
        if is_good(row.capture) and times.get(page, at) <= at:
            latest[page], times[page] = row.columns, at
    columns = {f"{name}s": [row[name] for row in latest.values()] for name in ("url", "site", "etag", "last_modified")}
    db.execute(SQL["see_pages"], {**columns, "pages": list(latest), "times": list(times.values())})

"""What is kept for the gate as rows of the tables, and back."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index as whole

from sameish.index.signed import to_signed, to_unsigned
from sameish.stores.gate_state import Dropped, Entry, SiteState, StoredBody, Visit, VisitRow
from sameish.stores.gate_values import PackedBody, unpack_frame, unpack_headers
from sameish.stores.rows import DamagedRow, SqlRow, blob, reading, storable, text
from sameish.stores.values import from_micros, to_micros

_64_BITS = (1 << 64) - 1


def row_of_visit(visit: Visit, revision: int) -> dict[str, object]:
    """Return the columns of a visit."""
    return {
        "key_hash": to_signed(visit.key_hash),
        "class_hash": to_signed(visit.class_hash),
        "site": storable(visit.site),
        "url": storable(visit.url),
        "due_at": to_micros(visit.due_at),
        "body_bytes": visit.body_bytes,
        "digest": visit.digest,
        "capture_id": visit.capture_id,
        "state": visit.state,
        "revision": revision,
    }


def visit_of(row: SqlRow) -> Visit:
    """Return the visit of a row.

    Raises:
        DamagedRow: it is not what was written.
    """
    key_hash, class_hash, site, url, due_at, body_bytes, digest, capture_id, state = row
    with reading(f"visit {key_hash}"):
        return Visit(
            key_hash=to_unsigned(whole(key_hash)),
            class_hash=to_unsigned(whole(class_hash)),
            site=text(site),
            url=text(url),
            due_at=from_micros(whole(due_at)),
            body_bytes=whole(body_bytes),
            digest=None if digest is None else blob(digest),
            capture_id=None if capture_id is None else whole(capture_id),
            state=blob(state),
        )


def visit_rows_of(rows: Sequence[SqlRow]) -> list[VisitRow]:
    """Return what a gate loads; the operators refuse text in a column of numbers at no cost of their own.

    Raises:
        DamagedRow: a row is not what was written.
    """
    try:
        return [(key & _64_BITS, class_ & _64_BITS, due | 0, size | 0) for key, class_, due, size, _ in rows]
    except TypeError as error:
        raise DamagedRow(f"a visit is damaged ({error})") from error


def site_state_of(row: SqlRow) -> SiteState:
    """Return the state of a site from its row.

    Raises:
        DamagedRow: it is not what was written.
    """
    site, state, revision = row
    with reading(f"the state of site {site}"):
        return SiteState(text(site), blob(state), whole(revision))


def row_of_entry(entry: Entry) -> dict[str, object]:
    """Return the columns of what is added to the ledger."""
    return {
        "site": storable(entry.site),
        "name": storable(entry.name),
        "requests": entry.requests,
        "size_bytes": entry.size_bytes,
    }


def entry_of(row: SqlRow) -> Entry:
    """Return a sum of the ledger from its row.

    Raises:
        DamagedRow: it is not what was written.
    """
    site, name, requests, size_bytes = row
    with reading(f"the ledger of site {site}"):
        return Entry(text(site), text(name), whole(requests), whole(size_bytes))


def row_of_dropped(dropped: Dropped) -> dict[str, object]:
    """Return the columns of a URL that was dropped."""
    return {
        "key_hash": to_signed(dropped.key_hash),
        "site": storable(dropped.site),
        "url": storable(dropped.url),
        "rule": storable(dropped.rule),
        "at": to_micros(dropped.at),
        "request": dropped.request,
    }


def dropped_of(row: SqlRow) -> Dropped:
    """Return a URL that was dropped from its row.

    Raises:
        DamagedRow: it is not what was written.
    """
    key_hash, site, url, rule, at, request = row
    with reading(f"the dropped URL {url}"):
        return Dropped(
            to_unsigned(whole(key_hash)), text(site), text(url), text(rule), from_micros(whole(at)), blob(request)
        )


def row_of_body(body: StoredBody, packed: PackedBody, revision: int) -> dict[str, object]:
    """Return the columns of a body."""
    return {
        "key_hash": to_signed(body.key_hash),
        "site": storable(body.site),
        "url": storable(body.url),
        "status": body.status,
        "fetched_at": to_micros(body.fetched_at),
        "revision": revision,
        "size_bytes": packed.size_bytes,
        "headers": packed.headers,
        "frame": packed.frame,
    }


def body_of(row: SqlRow) -> StoredBody:
    """Return a body from its row.

    Raises:
        DamagedRow: it is not what was written.
    """
    key_hash, site, url, status, headers, frame, fetched_at = row
    with reading(f"the body of {url}"):
        return StoredBody(
            to_unsigned(whole(key_hash)),
            text(site),
            text(url),
            whole(status),
            unpack_headers(headers),
            unpack_frame(frame),
            from_micros(whole(fetched_at)),
        )

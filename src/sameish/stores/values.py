"""What all stores agree on: times, states that count, and what is kept of a capture."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from sameish.errors import SchemeMismatch, StoreError
from sameish.models import Capture, State, Verdict, VerdictKind
from sameish.settings import StoreSection
from sameish.stores.base import Query, Seen

GOOD_STATES = frozenset({State.CONTENT, State.PARTIAL, State.THIN, State.NOT_HTML})
"""States of a page that answered well; only such captures are found, and only they say when a key was seen."""

NEEDLESS = (VerdictKind.UNCHANGED, VerdictKind.DUPLICATE)
"""Verdicts on captures that said nothing new: their bytes need not have been fetched."""

_EPOCH, _MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)
_FIRST = (datetime.min.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND
_LAST = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND


def to_micros(moment: datetime) -> int:
    """Return whole microseconds since 1970 UTC.

    Raises:
        StoreError: the time has no zone, or no equal in UTC, as in the first hours of the year 1.
    """
    if moment.tzinfo is None:
        raise StoreError(f"the time {moment.isoformat()} has no zone; a store needs aware times")
    micros = (moment - _EPOCH) // _MICROSECOND
    if not _FIRST <= micros <= _LAST:
        raise StoreError(f"the time {moment.isoformat()} has no equal in UTC; a store could not read it back")
    return micros


def to_utc(moment: datetime) -> datetime:
    """Return the same time in UTC.

    Raises:
        StoreError: the time has no zone, or no equal in UTC, as in the first hours of the year 1.
    """
    return from_micros(to_micros(moment))


def from_micros(micros: int) -> datetime:
    """Return the time in UTC."""
    return _EPOCH + micros * _MICROSECOND


def is_good(capture: Capture) -> bool:
    """Return whether the page answered well."""
    return capture.fingerprint.state in GOOD_STATES


def earlier_digest(query: Query, last: Capture | None) -> bytes | None:
    """Return the digest by which an earlier capture of the key is sought, None where none is: see `Candidates.earlier`."""
    return None if last is None or last.fingerprint.digest == query.digest else query.digest


def check_storable(capture: Capture) -> None:
    """Check what the types of a capture do not say.

    Raises:
        StoreError: its time has no zone or no equal in UTC, or its simhash is no unsigned 64-bit integer.
    """
    to_micros(capture.fetched_at)
    if not 0 <= (capture.fingerprint.simhash or 0) < 1 << 64:
        raise StoreError(f"{capture.url}: the simhash {capture.fingerprint.simhash} is no unsigned 64-bit integer")


def judged_before(capture: Capture) -> Verdict:
    """Return the verdict that a capture brings with it, for `Store.add_many`; the match is known by its id only.

    Raises:
        StoreError: it brings none, or what its types do not say is wrong.
    """
    check_storable(capture)
    if capture.verdict is None:
        raise StoreError(f"{capture.url}: the capture was never judged")
    return Verdict(capture.verdict, None if capture.match_id is None else replace(capture, id=capture.match_id))


def as_kept(capture: Capture, verdict: Verdict, settings: StoreSection) -> Capture:
    """Return the capture as it is stored: judged, without an id yet, with the texts that the settings keep."""
    return replace(
        capture,
        id=None,
        fetched_at=to_utc(capture.fetched_at),
        verdict=verdict.kind,
        match_id=None if verdict.match is None else verdict.match.id,
        markdown=capture.markdown if settings.keep_markdown else None,
        sentences=capture.sentences if settings.keep_sentences else None,
    )


def seen_of(capture: Capture) -> Seen:
    """Return what a good capture, as it is stored, says of its key."""
    return Seen(capture.key, capture.url, capture.site, capture.fetched_at, capture.etag, capture.last_modified)


def seen_again(seen: Seen, at: datetime, etag: str | None, last_modified: str | None) -> Seen:
    """Return what is seen of a key after a 304 that may carry validators."""
    return replace(
        seen,
        last_seen=to_utc(at),
        etag=seen.etag if etag is None else etag,
        last_modified=seen.last_modified if last_modified is None else last_modified,
    )


def refuse_strange_scheme(asked: str, held: tuple[str, ...], settings: StoreSection, target: str) -> None:
    """Check that fingerprints of a scheme may go into a store that holds the schemes `held`.

    Raises:
        SchemeMismatch: the store holds other schemes only, and `several_schemes` is off.
    """
    if settings.several_schemes or not held or asked in held:
        return
    raise SchemeMismatch(
        f"{target}: the store holds fingerprints of scheme {', '.join(held)}, asked for is {asked}; "
        f"fingerprints of different schemes are never compared. Open it with {held[0]}, "
        "or set store.several_schemes = true to keep both side by side",
        target=target,
        found=held,
        expected=asked,
    )

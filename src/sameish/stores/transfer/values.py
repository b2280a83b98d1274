"""From what a store gives to the lines of an export, and back."""

from __future__ import annotations

from sameish.errors import ReadingError
from sameish.models import Capture, Fingerprint
from sameish.stores.base import Seen, Sighting
from sameish.stores.gate_state import Dropped, Entry, SiteState, Visit
from sameish.stores.transfer.lines import CaptureLine, DroppedLine, LedgerLine, PageLine, SiteLine, VisitLine


def line_of_capture(capture: Capture) -> CaptureLine:
    """Return the line of a stored capture."""
    assert capture.id is not None  # noqa: S101 - stores give captures with their id
    assert capture.verdict is not None  # noqa: S101 - and with their verdict
    return CaptureLine(
        id=capture.id,
        key=capture.key,
        url=capture.url,
        site=capture.site,
        fetched_at=capture.fetched_at,
        body_digest=capture.body_digest,
        body_bytes=capture.body_bytes,
        status=capture.status,
        fingerprint=capture.fingerprint.to_bytes(),
        verdict=capture.verdict,
        match_id=capture.match_id,
        title=capture.title,
        canonical_url=capture.canonical_url,
        etag=capture.etag,
        last_modified=capture.last_modified,
        markdown=capture.markdown,
        sentences=capture.sentences,
    )


def capture_of(line: CaptureLine, match_id: int | None) -> Capture:
    """Return the capture of a line, with another match.

    Raises:
        ValueError: its fingerprint is none.
    """
    values = {name: getattr(line, name) for name in line.__struct_fields__ if name != "id"}
    try:
        fingerprint = Fingerprint.from_bytes(line.fingerprint)
    except ReadingError as error:
        raise ValueError(str(error)) from error
    return Capture(**{**values, "fingerprint": fingerprint, "match_id": match_id})


def line_of_sighting(sighting: Sighting) -> PageLine:
    """Return the line of what is seen of a key."""
    seen = sighting.seen
    return PageLine(
        key=seen.key,
        url=seen.url,
        site=seen.site,
        last_seen=seen.last_seen,
        etag=seen.etag,
        last_modified=seen.last_modified,
        not_modified=sighting.not_modified,
    )


def sighting_of(line: PageLine) -> Sighting:
    """Return what is seen of a key."""
    seen = Seen(line.key, line.url, line.site, line.last_seen, line.etag, line.last_modified)
    return Sighting(0, seen, line.not_modified)


def line_of_visit(visit: Visit) -> VisitLine:
    """Return the line of a visit."""
    return VisitLine(
        key_hash=_hex(visit.key_hash),
        class_hash=_hex(visit.class_hash),
        site=visit.site,
        url=visit.url,
        due_at=visit.due_at,
        body_bytes=visit.body_bytes,
        digest=visit.digest,
        capture_id=visit.capture_id,
        state=visit.state,
    )


def visit_of(line: VisitLine, capture_id: int | None) -> Visit:
    """Return the visit of a line, of another capture; without one it has no digest either.

    Raises:
        ValueError: a hash is none.
    """
    digest = None if capture_id is None else line.digest
    key_hash, class_hash = _hash(line.key_hash), _hash(line.class_hash)
    return Visit(
        key_hash, class_hash, line.site, line.url, line.due_at, line.body_bytes, digest, capture_id, line.state
    )


def line_of_site(state: SiteState) -> SiteLine:
    """Return the line of the state of a site."""
    return SiteLine(site=state.site, state=state.state)


def line_of_entry(entry: Entry) -> LedgerLine:
    """Return the line of a sum."""
    return LedgerLine(site=entry.site, name=entry.name, requests=entry.requests, size_bytes=entry.size_bytes)


def line_of_dropped(one: Dropped) -> DroppedLine:
    """Return the line of a URL that was dropped."""
    return DroppedLine(
        key_hash=_hex(one.key_hash), site=one.site, url=one.url, rule=one.rule, at=one.at, request=one.request
    )


def dropped_of(line: DroppedLine) -> Dropped:
    """Return the URL that was dropped.

    Raises:
        ValueError: its hash is none.
    """
    return Dropped(_hash(line.key_hash), line.site, line.url, line.rule, line.at, line.request)


def _hex(number: int) -> str:
    return f"{number:016x}"


def _hash(digits: str) -> int:
    number = int(digits, 16)
    if len(digits) != 16 or number < 0:
        raise ValueError(f"{digits!r:.40} is no hash of 16 hex digits")
    return number

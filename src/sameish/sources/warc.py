"""WARC records to pages: responses, revisits of them, and documents kept as resources or conversions.

The WARC 1.1 specification (ISO 28500:2017, section 6).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from sameish.errors import SourceError
from sameish.models import HeaderPairs, Page
from sameish.sources.codings import Undecodable, without_coding_headers, without_codings
from sameish.sources.digests import is_altered
from sameish.sources.http_message import Message, is_page, split_message
from sameish.sources.inputs import Input, opened
from sameish.sources.job import Job
from sameish.sources.packing import packing_of
from sameish.sources.raw import RawStream
from sameish.sources.revisits import NoPage, Originals, Place, keys_of, keys_referred_to
from sameish.sources.unpacked import Unpacked
from sameish.sources.warc_records import BadRecord, Record, read_records, target_uri

_BLOCK_EXTRA = 1 << 20  # bytes a block may have beside its body
_NEAR = 16 << 20  # unpacked bytes that may be passed over to read a record again
# what other tools keep beside the captures has other types: extracted text, screenshots, page information
_KEPT_TYPES = {
    "resource": ("text/html", "application/xhtml+xml"),
    "conversion": ("text/html", "application/xhtml+xml", "text/plain"),
}


class _SkippedError(Exception):
    """A record is not used, and that is to be reported."""

    def __init__(self, reason: str, *, cut: bool = False) -> None:
        super().__init__(reason)
        self.cut = cut


def read_warc(source: Input, unpacked: Unpacked, job: Job) -> Iterator[Page]:
    """Yield a page for each capture of a document; what is damaged or not found is reported with its byte.

    Bodies come without transfer and content codings. Images, scripts, requests, DNS answers and the like are passed
    over in silence. A revisit record of another capture in the same input or folder gets the body of that; where it
    says that the server answered "not modified" the page has status 304 and no body.
    """
    empty = True
    for item in read_records(unpacked, partial(_wants, job.originals), _block_limit(job)):
        empty = False
        if isinstance(item, SourceError):
            job.on_skip(item)
        elif isinstance(item, BadRecord):
            job.skip(source.name, item.offset, f"{item.reason}; skipped", cut=item.cut)
        elif page := _page_or_report(item, source, job):
            yield page
    if empty and not unpacked.consumed:
        job.skip(source.name, 0, "an empty file, not a WARC archive", cut=True)


def _block_limit(job: Job) -> int:
    return 2 * job.limit + _BLOCK_EXTRA  # chunk framing and poor compression make a body larger


def _wants(originals: Originals, headers: Mapping[str, str], start: bytes) -> bool:
    """Is the whole block needed? What is no page by its first bytes is remembered, for revisits of it."""
    kind = headers.get("warc-type", "").lower()
    if kind in _KEPT_TYPES:
        return headers.get("content-type", "").partition(";")[0].strip().lower() in _KEPT_TYPES[kind]
    if kind not in ("response", "revisit") or not _is_http(headers):
        return False
    if kind == "revisit" or is_page(split_message(start)):
        return True
    originals.remember(keys_of(headers, target_uri(headers)), NoPage())
    return False


def _is_http(headers: Mapping[str, str]) -> bool:
    uri = target_uri(headers)
    return not uri or uri.lower().startswith(("http:", "https:"))


def _page_or_report(record: Record, source: Input, job: Job) -> Page | None:
    try:
        return _page(record, source, job)
    except (_SkippedError, Undecodable) as problem:
        at = target_uri(record.headers) or "a record"
        job.skip(source.name, record.position.start, f"{problem}; skipped", at=at, cut=problem.cut)
        return None


def _page(record: Record, source: Input, job: Job) -> Page | None:
    _check_whole(record.headers)
    if record.headers.get("warc-type", "").lower() == "revisit":
        return _revisit(record, source, job)
    if is_altered(record.headers, record.block):
        raise _SkippedError("its bytes are not those that were archived (WARC-Block-Digest)")
    page = _capture(record, source, job.limit)
    keys = keys_of(record.headers, target_uri(record.headers))
    if page is None:
        job.originals.remember(keys, NoPage())
    elif source.reopens and record.position.inner <= _NEAR:
        job.originals.remember(keys, Place(source, record.position))
    else:
        job.originals.remember(keys, page)
    return page


def _check_whole(headers: Mapping[str, str]) -> None:
    if not target_uri(headers):
        raise _SkippedError("it has no WARC-Target-URI")
    if reason := headers.get("warc-truncated"):
        raise _SkippedError(f"truncated when it was archived (WARC-Truncated: {reason})", cut=True)
    if "warc-segment-number" in headers:
        raise _SkippedError("one of several segments; joining them is not supported", cut=True)


def _capture(record: Record, source: Input, limit: int) -> Page | None:
    message = _message(record)
    if not is_page(message):
        return None
    body, headers = without_codings(message.body, message.headers, limit)
    if not is_page(Message(message.status, headers, body)):
        return None
    return Page(
        body=body,
        url=target_uri(record.headers),
        headers=headers,
        status=200 if message.status is None else message.status,
        fetched_at=_date(record.headers) or source.modified,
    )


def _message(record: Record) -> Message:
    if record.headers.get("warc-type", "").lower() in _KEPT_TYPES:
        return Message(200, (("content-type", record.headers.get("content-type", "")),), record.block)
    if not record.block:
        raise _SkippedError("the record is empty, it has not even a status line")
    return split_message(record.block)


def _date(headers: Mapping[str, str]) -> datetime | None:
    """WARC 1.1, section 5.4: ISO 8601 in UTC; some writers leave the zone out."""
    try:
        moment = datetime.fromisoformat(headers.get("warc-date", ""))
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _revisit(record: Record, source: Input, job: Job) -> Page | None:
    message = split_message(record.block)
    url, moment = target_uri(record.headers), _date(record.headers) or source.modified
    if message.status == 304 or "server-not-modified" in record.headers.get("warc-profile", ""):
        headers = without_coding_headers(message.headers)
        return Page(url=url, headers=headers, status=304, fetched_at=moment)
    keys = keys_referred_to(record.headers, target_uri(record.headers, "warc-refers-to-target-uri"))
    original = job.originals.find(keys)
    if isinstance(original, NoPage) or (original is None and message.status is not None and not is_page(message)):
        return None
    page = _read_again(original, job) if isinstance(original, Place) else original
    if original is None or page is None:
        raise _SkippedError("a revisit record; the capture it refers to was not found")
    job.originals.remember(keys_of(record.headers, url), original)
    status = page.status if message.status is None else message.status
    return replace(page, url=url, fetched_at=moment, status=status, headers=_joined(message, page))


def _joined(message: Message, original: Page) -> HeaderPairs:
    """The revisit's own headers, with the original's type where they name none."""
    own = without_coding_headers(message.headers)
    kind = original.header("content-type")
    return own if kind is None or message.header("content-type") else (*own, ("content-type", kind))


def _read_again(place: Place, job: Job) -> Page | None:
    """Return the page of a record that was read before, or None where its input has changed since."""
    source, position = place.source, place.position
    try:
        with opened(source) as file:
            unpack = packing_of(RawStream(file, source.name))
            file.seek(position.start)
            unpacked = Unpacked(unpack(RawStream(file, source.name, position.start)))
            unpacked.skip(position.inner)
            item = next(read_records(unpacked, partial(_wants, job.originals), _block_limit(job)), None)
            return _capture(item, source, job.limit) if isinstance(item, Record) else None
    except (SourceError, OSError, Undecodable, _SkippedError):
        return None

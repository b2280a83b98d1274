"""A plain document, HTML, text or PDF: the whole input is one page."""

from __future__ import annotations

from collections.abc import Iterator

from sameish.errors import SourceError
from sameish.models import Page
from sameish.sources.inputs import Input
from sameish.sources.job import Job
from sameish.sources.kinds import Kind
from sameish.sources.unpacked import BrokenInput, Unpacked


def read_document(source: Input, unpacked: Unpacked, kind: Kind, job: Job) -> Iterator[Page]:
    """Yield the one page of an HTML, text or PDF file, unless it is too large or damaged; that is reported."""
    try:
        body = unpacked.take(job.limit + 1)
    except BrokenInput as broken:
        job.skip(source.name, broken.damage.start, f"{broken.damage.reason}; skipped", cut=broken.damage.cut)
        return
    except SourceError as error:
        job.on_skip(error)
        return
    if len(body) > job.limit:
        job.skip(source.name, 0, f"more than the {job.limit:,} bytes that reading.max_body_bytes allows; skipped")
        return
    yield Page(body=body, url=source.url, headers={"content-type": str(kind)}, fetched_at=source.modified)

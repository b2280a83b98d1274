"""Writes a crawl as a WARC/1.1 file (ISO 28500:2017), a gzip member a record.

Own code, because identifiers and dates must be the same each time; the writers at hand draw them anew.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

from sameish.demo.crawl import Crawl, DemoCapture, sha1
from sameish.demo.diary import Via
from sameish.demo.wire import gzipped

_PROFILE = "http://netpreserve.org/warc/1.1/revisit/"
_DATE = "%Y-%m-%dT%H:%M:%SZ"


def write_warc(crawl: Crawl, path: Path | str) -> None:
    """Write a crawl; the file is the same to the bit for the same crawl."""
    Path(path).write_bytes(b"".join(gzipped(record) for record in records(crawl)))


def records(crawl: Crawl) -> Iterator[bytes]:
    """Yield every record, uncompressed, the description of the file first."""
    fields = b"software: sameish demo\r\nformat: WARC File Format 1.1\r\ndescription: an invented newspaper\r\n"
    first = crawl.captures[0].fetched_at.strftime(_DATE)
    yield _record(
        {"WARC-Type": "warcinfo", "WARC-Date": first, "Content-Type": "application/warc-fields"}, fields, "info"
    )
    for number, capture in enumerate(crawl.captures):
        yield _record(_described(capture), _block(capture), f"{crawl.seed}/{number}")


def _described(capture: DemoCapture) -> dict[str, str]:
    named = {
        "WARC-Type": "response",
        "WARC-Date": capture.fetched_at.strftime(_DATE),
        "WARC-Target-URI": capture.url,
        "Content-Type": "application/http; msgtype=response",
    }
    # the standard digests the body without its transfer coding, most readers with it: say nothing where they differ
    if not any(name == "Transfer-Encoding" for name, _ in capture.headers):
        named["WARC-Payload-Digest"] = capture.payload_digest
    if capture.original is not None:
        named["WARC-Type"] = "revisit"
        named["WARC-Profile"] = _PROFILE + capture.via
        named["WARC-Refers-To-Target-URI"] = capture.original.url
        named["WARC-Refers-To-Date"] = capture.original.fetched_at.strftime(_DATE)
    return named


def _block(capture: DemoCapture) -> bytes:
    """Return the HTTP answer; a revisit has only its head."""
    lines = (
        f"HTTP/1.1 {capture.status} {HTTPStatus(capture.status).phrase}",
        *(f"{name}: {value}" for name, value in capture.headers),
    )
    head = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
    return head + (capture.body if capture.via is Via.RESPONSE else b"")


def _record(named: dict[str, str], block: bytes, label: str) -> bytes:
    identity = uuid.uuid5(uuid.NAMESPACE_URL, f"https://www.ferrycourier.example/{label}")
    fields = {
        **named,
        "WARC-Record-ID": f"<urn:uuid:{identity}>",
        "WARC-Block-Digest": sha1(block),
        "Content-Length": str(len(block)),
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"WARC/1.1\r\n{head}\r\n".encode() + block + b"\r\n\r\n"

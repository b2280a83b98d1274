from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import brotli
import pytest
import zstandard

from sameish.errors import SourceError, TruncatedRecord
from sameish.models import Page
from sameish.settings import Reading, Settings
from sameish.sources import read_pages

HTML = b"<!DOCTYPE html><html><body><h1>Ferries</h1><p>The last ferry leaves at nine.</p></body></html>"
URL = "https://example.org/ferries"


def record(block: bytes, kind: str = "response", url: str = URL, **fields: str) -> bytes:
    given = {
        "WARC-Type": kind,
        "WARC-Target-URI": url,
        "WARC-Date": "2024-03-01T10:00:00Z",
        "Content-Type": "application/http; msgtype=response",
        **{name.replace("_", "-"): value for name, value in fields.items()},
        "Content-Length": str(len(block)),
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in given.items() if value)
    return f"WARC/1.1\r\n{lines}\r\n".encode() + block + b"\r\n\r\n"


def answer(body: bytes = HTML, status: str = "200 OK", **headers: str) -> bytes:
    given = {"Content-Type": "text/html", **{name.replace("_", "-"): value for name, value in headers.items()}}
    lines = "".join(f"{name}: {value}\r\n" for name, value in given.items() if value)
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + body


def read(folder: Path, *records: bytes, limit: int = 1_000_000) -> tuple[list[Page], list[SourceError]]:
    path = folder / "crawl.warc"
    path.write_bytes(b"".join(records))
    skipped: list[SourceError] = []
    chosen = Settings(reading=Reading(max_body_bytes=limit))
    return list(read_pages(path, settings=chosen, on_skip=skipped.append)), skipped


def only(folder: Path, *records: bytes) -> Page:
    pages, skipped = read(folder, *records)
    assert not skipped
    (page,) = pages
    return page


def test_a_block_that_its_digest_contradicts_is_no_page(tmp_path: Path) -> None:
    named = {"WARC_Block_Digest": f"sha256:{hashlib.sha256(answer()).hexdigest()}"}
    assert only(tmp_path, record(answer(), **named)).body == HTML
    pages, skipped = read(tmp_path, record(answer(HTML.replace(b"nine", b"nice")), **named))
    assert pages == []
    assert "WARC-Block-Digest" in str(skipped[0])
    assert URL in str(skipped[0])


def test_a_response_is_a_page(tmp_path: Path) -> None:
    page = only(tmp_path, record(answer(ETag='"a"', status="404 Not Found")))
    assert page == Page(
        body=HTML,
        url=URL,
        headers={"content-type": "text/html", "etag": '"a"'},
        status=404,
        fetched_at=datetime(2024, 3, 1, 10, tzinfo=UTC),
    )


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("2024-03-01T10:00:00Z", datetime(2024, 3, 1, 10, tzinfo=UTC)),
        ("2024-03-01T10:00:00.123456789Z", datetime(2024, 3, 1, 10, 0, 0, 123456, tzinfo=UTC)),
        ("2024-03-01T10:00:00", datetime(2024, 3, 1, 10, tzinfo=UTC)),
    ],
)
def test_the_date_is_the_fetch_time(date: str, expected: datetime, tmp_path: Path) -> None:
    assert only(tmp_path, record(answer(), WARC_Date=date)).fetched_at == expected


@pytest.mark.parametrize("date", ["", "yesterday"])
def test_without_a_date_the_file_s_time_stands_for_it(date: str, tmp_path: Path) -> None:
    page = only(tmp_path, record(answer(), WARC_Date=date))
    modified = (tmp_path / "crawl.warc").stat().st_mtime
    assert page.fetched_at == datetime.fromtimestamp(modified, UTC)


def test_angle_brackets_around_a_uri_are_taken_off(tmp_path: Path) -> None:
    assert only(tmp_path, record(answer(), url=f"<{URL}>")).url == URL


@pytest.mark.parametrize(
    "body",
    [
        record(answer(), url="dns:example.org"),
        record(answer(), url="ftp://example.org/a.html"),
        record(b"GET / HTTP/1.1\r\n\r\n", "request"),
        record(b"software: a crawler\r\n", "warcinfo"),
        record(b"fetchTimeMs: 12\r\n", "metadata"),
        record(answer(b"\x89PNG\r\n\x1a\n", Content_Type="image/png")),
        record(answer(b"p { color: red }", Content_Type="text/css")),
        record(answer(b"alert(1)", Content_Type="application/javascript; charset=utf-8")),
        record(answer(b"wOF2\x00", Content_Type="font/woff2")),
        record(answer(b"\x89PNG\x00\x00", Content_Type="")),
        record(answer(gzip.compress(b"\x89PNG\x00\x00", mtime=0), Content_Type="", Content_Encoding="gzip")),
        record(HTML, "resource", Content_Type="text/plain"),
        record(b"{}", "resource", url="urn:pageinfo:https://example.org/", Content_Type="application/json"),
    ],
)
def test_what_is_no_page_is_passed_over_in_silence(body: bytes, tmp_path: Path) -> None:
    assert read(tmp_path, body) == ([], [])


@pytest.mark.parametrize(
    "kind",
    ["text/html; charset=utf-8", "application/xhtml+xml", "text/plain", "text/markdown", "application/rss+xml", ""],
)
def test_documents_are_pages(kind: str, tmp_path: Path) -> None:
    assert only(tmp_path, record(answer(Content_Type=kind))).body == HTML


def test_a_pdf_is_a_page_to_compare_by_its_bytes(tmp_path: Path) -> None:
    assert only(tmp_path, record(answer(b"%PDF-1.7\x00", Content_Type="application/pdf"))).body == b"%PDF-1.7\x00"


@pytest.mark.parametrize(("kind", "type_"), [("resource", "text/html"), ("conversion", "text/plain")])
def test_documents_without_http_are_pages(kind: str, type_: str, tmp_path: Path) -> None:
    page = only(tmp_path, record(HTML, kind, Content_Type=type_))
    assert (page.body, page.status, page.header("content-type")) == (HTML, 200, type_)


CHUNKED = b"10\r\n" + HTML[:16] + b"\r\n%x\r\n" % len(HTML[16:]) + HTML[16:] + b"\r\n0\r\n\r\n"
RAW_DEFLATE = zlib.compressobj(wbits=-15)
CODED = {
    "chunk framing still there": ({"Transfer_Encoding": "chunked"}, CHUNKED),
    "chunk framing taken off": ({"Transfer_Encoding": "chunked"}, HTML),
    "gzip": ({"Content_Encoding": "gzip"}, gzip.compress(HTML, mtime=0)),
    "gzip, then chunks": (
        {"Content_Encoding": "gzip", "Transfer_Encoding": "chunked"},
        b"%x\r\n" % len(gzip.compress(HTML, mtime=0)) + gzip.compress(HTML, mtime=0) + b"\r\n0\r\n\r\n",
    ),
    "transfer codings in a row": (
        {"Transfer_Encoding": "gzip, chunked"},
        b"%x\r\n" % len(gzip.compress(HTML, mtime=0)) + gzip.compress(HTML, mtime=0) + b"\r\n0\r\n\r\n",
    ),
    "gzip taken off": ({"Content_Encoding": "gzip", "Content_Length": "61"}, HTML),
    "deflate in zlib": ({"Content_Encoding": "deflate"}, zlib.compress(HTML)),
    "deflate alone": ({"Content_Encoding": "deflate"}, RAW_DEFLATE.compress(HTML) + RAW_DEFLATE.flush()),
    "brotli": ({"Content_Encoding": "br"}, brotli.compress(HTML)),
    "brotli taken off": ({"Content_Encoding": "br"}, HTML),
    "zstd": ({"Content_Encoding": "zstd"}, zstandard.compress(HTML)),
    "a coding nobody knows": ({"Content_Encoding": "utf-8"}, HTML),
}


@pytest.mark.parametrize("name", CODED)
def test_codings_are_taken_off_with_the_headers_that_name_them(name: str, tmp_path: Path) -> None:
    headers, body = CODED[name]
    page = only(tmp_path, record(answer(body, **headers)))
    assert page.body == HTML
    assert page.headers == (("content-type", "text/html"),)


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({"Content_Encoding": "gzip"}, gzip.compress(HTML, mtime=0)[:-12]),
        ({"Content_Encoding": "br"}, brotli.compress(HTML)[:-3]),
        ({"Content_Encoding": "zstd"}, zstandard.compress(HTML)[:-3]),
        ({"Transfer_Encoding": "chunked"}, CHUNKED[:-8]),
        ({"Transfer_Encoding": "chunked"}, b"fff\r\n" + HTML),
    ],
)
def test_half_a_body_is_reported(headers: dict[str, str], body: bytes, tmp_path: Path) -> None:
    first = record(answer())
    pages, skipped = read(tmp_path, first, record(answer(body, **headers)), record(answer()))
    assert len(pages) == 2
    assert [(type(error), error.offset) for error in skipped] == [(TruncatedRecord, len(first))]
    assert URL in str(skipped[0])


BOMBS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": partial(gzip.compress, compresslevel=1),
    "br": partial(brotli.compress, quality=1),
    "zstd": zstandard.compress,
    "deflate": partial(zlib.compress, level=1),
}


@pytest.mark.parametrize("coding", BOMBS)
def test_a_bomb_is_refused_before_it_is_unpacked(coding: str, tmp_path: Path) -> None:
    packed = BOMBS[coding](bytes(300_000_000))
    pages, skipped = read(tmp_path, record(answer(packed, Content_Encoding=coding)), record(answer()), limit=2_000_000)
    assert [page.body for page in pages] == [HTML]
    assert "2,000,000" in str(skipped[0])


def test_a_body_over_the_limit_is_reported_and_passed(tmp_path: Path) -> None:
    pages, skipped = read(tmp_path, record(answer(HTML * 50)), record(answer()), limit=1000)
    assert len(pages) == 1
    assert skipped[0].offset == 0
    pages, skipped = read(tmp_path, record(answer(bytes(2_000_000))), record(answer()), limit=1000)
    assert len(pages) == 1
    assert "reading.max_body_bytes" in str(skipped[0])


def test_a_large_video_is_nobody_s_business(tmp_path: Path) -> None:
    assert read(tmp_path, record(answer(bytes(3_000_000), Content_Type="video/mp4")), limit=1000) == ([], [])


def test_odd_responses_are_read(tmp_path: Path) -> None:
    pages, skipped = read(
        tmp_path,
        record(answer(b"\r\n" + HTML)),
        record(HTML),
        record(answer(b"", Content_Length="198340")),
        record(b"HTTP/1.1 200 OK\nContent-Type: text/html\n\n" + HTML),
        record(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + answer()),
        record(answer(Content_Length="12")),
    )
    assert not skipped
    assert [page.body for page in pages] == [b"\r\n" + HTML, HTML, b"", HTML, HTML, HTML]
    assert {page.status for page in pages} == {200}


def test_a_record_with_line_feeds_only_is_read(tmp_path: Path) -> None:
    head, _, _ = record(answer()).partition(b"\r\n\r\n")
    assert only(tmp_path, head.replace(b"\r\n", b"\n") + b"\n\n" + answer() + b"\n\n").body == HTML


@pytest.mark.parametrize("fields", [{"WARC_Truncated": "length"}, {"WARC_Segment_Number": "1"}])
def test_half_a_capture_is_reported(fields: dict[str, str], tmp_path: Path) -> None:
    pages, skipped = read(tmp_path, record(answer(), **fields))
    assert not pages
    assert [type(error) for error in skipped] == [TruncatedRecord]


def test_a_response_without_uri_or_content_is_reported(tmp_path: Path) -> None:
    pages, skipped = read(tmp_path, record(answer(), url=""), record(b""))
    assert not pages
    assert ["WARC-Target-URI" in str(skipped[0]), "empty" in str(skipped[1])] == [True, True]


IDENTICAL = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
DIGEST = {"WARC_Payload_Digest": "sha1:QWERTYUIOPASDFGHJKLZXCVBNMQWERTY"}
ORIGINAL = record(answer(), WARC_Record_ID="<urn:uuid:1>", **DIGEST)
REFERENCES = {
    "digest": {"WARC_Payload_Digest": DIGEST["WARC_Payload_Digest"].lower()},
    "record id": {"WARC_Refers_To": "<urn:uuid:1>"},
    "uri and date": {"WARC_Refers_To_Target_URI": f"<{URL}>", "WARC_Refers_To_Date": "2024-03-01T10:00:00Z"},
}


def revisit(fields: dict[str, str], block: bytes = b"") -> bytes:
    given = {"WARC_Profile": IDENTICAL, "WARC_Date": "2024-03-09T10:00:00Z", **fields}
    return record(block, "revisit", f"{URL}/again", **given)


@pytest.mark.parametrize("by", REFERENCES)
@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_a_revisit_gets_the_body_it_refers_to(by: str, suffix: str, tmp_path: Path) -> None:
    packers: dict[str, Callable[[bytes], bytes]] = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.compress}
    pack = packers[suffix]
    other = record(answer(b"<p>Something else</p>"), url=URL + "/other")
    path = tmp_path / f"crawl.warc{suffix}"
    path.write_bytes(b"".join(pack(part) for part in (other, ORIGINAL, other, revisit(REFERENCES[by]))))
    again = list(read_pages(path))[-1]
    assert again == Page(
        body=HTML,
        url=URL + "/again",
        headers={"content-type": "text/html"},
        fetched_at=datetime(2024, 3, 9, 10, tzinfo=UTC),
    )


def test_a_revisit_keeps_its_own_headers(tmp_path: Path) -> None:
    own = revisit(DIGEST, answer(b"", Content_Type="", ETag='"b"', Content_Length="99"))
    pages, _ = read(tmp_path, ORIGINAL, own)
    assert pages[1].headers == (("etag", '"b"'), ("content-type", "text/html"))


def test_a_revisit_in_an_archive_of_one_frame_is_found(tmp_path: Path) -> None:
    path = tmp_path / "crawl.warc.gz"
    path.write_bytes(gzip.compress(ORIGINAL + revisit(DIGEST)))
    assert [page.body for page in read_pages(path)] == [HTML, HTML]


def test_a_revisit_may_refer_to_another_file_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(ORIGINAL)
    (tmp_path / "b.warc").write_bytes(revisit(DIGEST))
    assert [page.body for page in read_pages(tmp_path)] == [HTML, HTML]


def test_a_revisit_of_nothing_known_is_reported(tmp_path: Path) -> None:
    pages, skipped = read(tmp_path, revisit(DIGEST))
    assert not pages
    assert "revisit" in str(skipped[0])
    assert skipped[0].offset == 0


def test_a_revisit_of_an_image_is_passed_over(tmp_path: Path) -> None:
    image = record(answer(b"\x89PNG\x00", Content_Type="image/png"), **DIGEST)
    assert read(tmp_path, image, revisit(DIGEST)) == ([], [])
    assert read(tmp_path, revisit(DIGEST, answer(b"", Content_Type="image/png"))) == ([], [])


def test_not_modified_is_a_page_without_body(tmp_path: Path) -> None:
    profile = "http://netpreserve.org/warc/1.0/revisit/server-not-modified"
    by_profile = revisit({"WARC_Profile": profile})
    by_status = revisit({}, b"HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n")
    pages, skipped = read(tmp_path, by_profile, by_status, record(answer(b"", "304 Not Modified")))
    assert not skipped
    assert [(page.status, page.body) for page in pages] == [(304, b"")] * 3


def test_a_zstandard_archive_may_begin_with_a_dictionary(tmp_path: Path) -> None:
    samples = [record(answer(HTML + str(number).encode() * number), url=f"{URL}/{number}") for number in range(400)]
    dictionary = zstandard.train_dictionary(3000, [*samples])
    packer = zstandard.ZstdCompressor(dict_data=dictionary)
    frames = [packer.compress(part) for part in [*samples[:3], ORIGINAL, revisit(DIGEST)]]
    for stored in (dictionary.as_bytes(), zstandard.compress(dictionary.as_bytes())):
        path = tmp_path / "crawl.warc.zst"
        path.write_bytes(b"\x5d\x2a\x4d\x18" + len(stored).to_bytes(4, "little") + stored + b"".join(frames))
        assert [page.body for page in read_pages(path)][-2:] == [HTML, HTML]

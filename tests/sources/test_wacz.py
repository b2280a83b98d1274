from __future__ import annotations

import gzip
import io
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sameish.errors import SourceError
from sameish.models import Page
from sameish.sources import read_pages

DIGEST = b"WARC-Payload-Digest: sha1:QWERTYUIOPASDFGHJKLZXCVBNMQWERTY\r\n"


def record(url: str, kind: bytes = b"response") -> bytes:
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + b"<p>The last ferry</p>" * (kind == b"response")
    head = b"WARC/1.1\r\nWARC-Type: %b\r\nWARC-Target-URI: %b\r\n%bContent-Length: %d\r\n\r\n"
    return gzip.compress(head % (kind, url.encode(), DIGEST, len(block)) + block + b"\r\n\r\n")


def wacz(members: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def read(path: Path, data: bytes) -> tuple[list[Page], list[SourceError]]:
    path.write_bytes(data)
    skipped: list[SourceError] = []
    return list(read_pages(path, on_skip=skipped.append)), skipped


CRAWL = {
    "datapackage.json": b"{}",
    "archive/b.warc.gz": record("https://example.org/b", b"revisit"),
    "archive/a.warc.gz": record("https://example.org/a"),
    "indexes/index.cdx": b"org,example)/",
}


@pytest.mark.parametrize("name", ["crawl.wacz", "crawl.zip", "crawl"])
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_the_archives_of_a_wacz_are_read_in_the_order_of_their_names(name: str, method: int, tmp_path: Path) -> None:
    pages, skipped = read(tmp_path / name, wacz(CRAWL, method))
    assert not skipped
    assert [(page.url, page.body) for page in pages] == [
        ("https://example.org/a", b"<p>The last ferry</p>"),
        ("https://example.org/b", b"<p>The last ferry</p>"),
    ]


def test_a_wacz_comes_through_a_pipe() -> None:
    code = "from sameish.sources import read_pages\nprint(*[page.url for page in read_pages('-')])"
    done = subprocess.run([sys.executable, "-c", code], input=wacz(CRAWL), capture_output=True, check=True)
    assert done.stdout.split() == [b"https://example.org/a", b"https://example.org/b"]


def test_a_damaged_record_in_a_wacz_is_reported_with_archive_and_byte(tmp_path: Path) -> None:
    path = tmp_path / "crawl.wacz"
    first = record("https://example.org/a")
    pages, skipped = read(path, wacz({"archive/a.warc.gz": first + first[:-9]}))
    assert len(pages) == 1
    assert [(error.path, error.offset) for error in skipped] == [(f"{path}: archive/a.warc.gz", len(first))]


def test_a_cut_wacz_is_reported(tmp_path: Path) -> None:
    data = wacz(CRAWL)
    pages, skipped = read(tmp_path / "crawl.wacz", data[:-40])
    assert not pages
    assert ["damaged" in str(error) for error in skipped] == [True]


def test_a_damaged_member_does_not_hide_the_next(tmp_path: Path) -> None:
    members = {
        "archive/a.warc.gz": record("https://example.org/a"),
        "archive/c.warc.gz": record("https://example.org/c"),
    }
    data = bytearray(wacz(members))
    data[data.index(b"archive/a") + 60] ^= 0xFF
    pages, skipped = read(tmp_path / "crawl.wacz", bytes(data))
    assert [page.url for page in pages] == ["https://example.org/c"]
    assert skipped


def test_a_zip_file_of_another_kind_is_reported(tmp_path: Path) -> None:
    pages, skipped = read(tmp_path / "book.zip", wacz({"text.html": b"<p>"}))
    assert not pages
    assert "without WARC files" in str(skipped[0])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(flips=st.lists(st.tuples(st.integers(4, 100_000), st.integers(1, 255)), max_size=6), cut=st.integers(0, 200))
def test_damage_of_any_kind_is_reported(flips: list[tuple[int, int]], cut: int, tmp_path: Path) -> None:
    data = bytearray(wacz(CRAWL, zipfile.ZIP_DEFLATED))
    for at, change in flips:
        data[4 + at % (len(data) - 4)] ^= change
    pages, _ = read(tmp_path / "crawl.wacz", bytes(data[: len(data) - cut]))
    assert {page.body for page in pages} <= {b"<p>The last ferry</p>"}

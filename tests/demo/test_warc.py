"""The archive of the crawl, read back by another program."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from sameish.demo import Crawl, make_crawl, write_warc
from sameish.demo.diary import Via

_HASH = (
    "import hashlib, sys, pathlib; from sameish.demo import make_crawl, write_warc\n"
    "write_warc(make_crawl(), sys.argv[1])\n"
    "print(hashlib.sha256(pathlib.Path(sys.argv[1]).read_bytes()).hexdigest())"
)


@pytest.fixture(scope="module")
def crawl() -> Crawl:
    return make_crawl()


@pytest.fixture(scope="module")
def archive(crawl: Crawl, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("warc") / "demo.warc.gz"
    write_warc(crawl, path)
    return path


def test_records_are_counted_by_another_reader(crawl: Crawl, archive: Path) -> None:
    with archive.open("rb") as stream:
        kinds = Counter(str(record.record_type) for record in ArchiveIterator(stream, parse_http=False))
    revisits = sum(capture.via is not Via.RESPONSE for capture in crawl.captures)
    assert kinds[str(WarcRecordType.warcinfo)] == 1
    assert kinds[str(WarcRecordType.revisit)] == revisits >= 5
    assert kinds[str(WarcRecordType.response)] == len(crawl.captures) - revisits


def test_digests_hold(archive: Path) -> None:
    with archive.open("rb") as stream:
        assert all(record.verify_block_digest() for record in ArchiveIterator(stream, parse_http=False))
    with archive.open("rb") as stream:
        for record in ArchiveIterator(stream, record_types=WarcRecordType.response):
            assert record.verify_payload_digest() or record.http_headers["Transfer-Encoding"] == "chunked"


def test_captures_come_back_as_they_were(crawl: Crawl, archive: Path) -> None:
    with archive.open("rb") as stream:
        records = ArchiveIterator(stream, record_types=WarcRecordType.response | WarcRecordType.revisit)
        for record, capture in zip(records, crawl.captures, strict=True):
            assert record.headers["WARC-Target-URI"] == capture.url
            assert record.record_date == capture.fetched_at
            assert record.http_headers.status_code == capture.status
            if capture.via is Via.RESPONSE:
                assert record.reader.read() == capture.body
            else:
                assert record.headers["WARC-Profile"].endswith(capture.via)
                assert record.reader.read() == b""


def test_record_ids_are_unique(archive: Path) -> None:
    with archive.open("rb") as stream:
        ids = [record.record_id for record in ArchiveIterator(stream)]
    assert len(ids) == len(set(ids))


def test_it_is_the_same_to_the_bit_in_every_process(archive: Path, tmp_path: Path) -> None:
    for hash_seed in ("1", "4242"):
        run = subprocess.run(
            [sys.executable, "-c", _HASH, str(tmp_path / f"{hash_seed}.warc.gz")],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout.strip() == hashlib.sha256(archive.read_bytes()).hexdigest()

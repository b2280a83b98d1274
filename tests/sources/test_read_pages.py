from __future__ import annotations

import gzip
import logging
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import lz4.frame
import pytest
import zstandard
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import sameish
from sameish.errors import SameishError, SettingsError, SourceError, TruncatedRecord
from sameish.models import Page, State
from sameish.settings import Reading, Settings
from sameish.sources import read_pages

HTML = b"<!DOCTYPE html><title>Ferries</title><p>The last ferry leaves at nine.</p>"
RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + HTML
WARC = (
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://example.org/\r\nWARC-Date: 2024-03-01T10:00:00Z\r\n"
    b"Content-Type: application/http\r\nContent-Length: %d\r\n\r\n%b\r\n\r\n" % (len(RESPONSE), RESPONSE)
)
JSONL = b'{"url": "https://example.org/", "html": "<p>The last ferry leaves at nine.</p>"}\n'
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".zst": zstandard.compress,
    ".lz4": lambda data: bytes(lz4.frame.compress(data)),
}


def written(path: Path, data: bytes = HTML) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def read(path: Path, limit: int = 10_000_000) -> tuple[list[Page], list[SourceError]]:
    skipped: list[SourceError] = []
    chosen = Settings(reading=Reading(max_body_bytes=limit))
    return list(read_pages(path, settings=chosen, on_skip=skipped.append)), skipped


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.html", "text/html"),
        ("a.HTM", "text/html"),
        ("a.xhtml", "application/xhtml+xml"),
        ("a.txt", "text/plain"),
        ("a.md", "text/markdown"),
        ("a.pdf", "application/pdf"),
        ("a.php", "text/html"),
        ("a", "text/html"),
        ("index.html?page=3", "text/html"),
    ],
)
@pytest.mark.parametrize("suffix", PACKERS)
def test_a_document_is_one_page(name: str, kind: str, suffix: str, tmp_path: Path) -> None:
    path = written(tmp_path / (name + suffix), PACKERS[suffix](HTML))
    os.utime(path, (1_700_000_000, 1_700_000_000))
    (page,) = read_pages(path)
    assert page == Page(
        body=HTML,
        url=path.resolve().as_uri(),
        headers={"content-type": kind},
        fetched_at=datetime.fromtimestamp(1_700_000_000, UTC),
    )


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize(("name", "data"), [("x.warc", WARC), ("x", WARC), ("x.jsonl", JSONL), ("x", JSONL)])
def test_a_collection_is_told_by_its_name_or_its_first_bytes(
    name: str, data: bytes, suffix: str, tmp_path: Path
) -> None:
    (page,) = read_pages(written(tmp_path / (name + suffix), PACKERS[suffix](data)))
    assert page.url == "https://example.org/"
    assert b"The last ferry" in (page.body if isinstance(page.body, bytes) else page.body.encode())


def test_a_relative_path_and_a_string_are_paths_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path / "köln 1.html")
    monkeypatch.chdir(tmp_path)
    (page,) = read_pages("köln 1.html")
    assert page.url == (tmp_path / "köln 1.html").resolve().as_uri()


def test_text_without_suffix_is_read_as_text(tmp_path: Path) -> None:
    (page,) = read_pages(written(tmp_path / "README", b"The last ferry leaves at nine.\n"))
    assert page.header("content-type") == "text/plain"


def test_an_empty_html_file_is_a_page(tmp_path: Path) -> None:
    assert [page.body for page in read_pages(written(tmp_path / "a.html", b""))] == [b""]


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.png", b"\x89PNG\r\n\x1a\n\x00", "neither HTML"),
        ("a", b"\x00\x01\x02", "neither HTML"),
        ("a", b"", "nothing in it"),
        ("a.gz", gzip.compress(HTML, mtime=0)[:10], "byte 0: the file ends in the middle of a gzip member"),
        ("a.gz", gzip.compress(b"\x00", mtime=0), "neither HTML"),
        ("a.parquet", b"PAR1", "Parquet is not supported yet"),
        ("a.arc.gz", gzip.compress(b"filedesc://a.arc", mtime=0), "ARC"),
    ],
)
def test_an_unknown_kind_is_refused_at_once(name: str, data: bytes, reason: str, tmp_path: Path) -> None:
    path = written(tmp_path / name, data)
    with pytest.raises(SourceError, match=reason) as caught:
        read_pages(path)
    assert caught.value.path == str(path)


@pytest.mark.parametrize("path", ["", "no/such/file.html", "a\0b", "x" * 5000])
def test_a_path_that_does_not_exist_is_refused_at_once(path: str) -> None:
    with pytest.raises(SourceError):
        read_pages(path)


def test_a_file_that_cannot_be_opened_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "a.html")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(SourceError, match="Permission denied"):
        read_pages(path)


def test_a_document_over_the_limit_is_reported(tmp_path: Path) -> None:
    pages, skipped = read(written(tmp_path / "a.html.gz", gzip.compress(bytes(100_000_000), 1)), limit=1000)
    assert not pages
    assert "1,000" in str(skipped[0])


@pytest.mark.parametrize("suffix", [".gz", ".zst", ".lz4"])
def test_a_cut_document_is_reported_and_not_read(suffix: str, tmp_path: Path) -> None:
    packed = PACKERS[suffix](HTML * 2)
    for cut in range(5, len(packed)):
        pages, skipped = read(written(tmp_path / f"a.html{suffix}", packed[:cut]))
        assert (pages, [type(error) for error in skipped]) == ([], [TruncatedRecord]), cut


def test_settings_are_taken_as_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "a.html")
    file = written(tmp_path / "sameish.toml", b"[reading]\nmax_body_bytes = 10\n")
    for chosen in ({"reading": {"max_body_bytes": 10}}, str(file), file):
        assert list(read_pages(path, settings=chosen, on_skip=lambda _: None)) == [], chosen
    assert len(list(read_pages(path))) == 1
    monkeypatch.setenv("SAMEISH_READING__MAX_BODY_BYTES", "10")
    assert list(read_pages(path, on_skip=lambda _: None)) == []
    with pytest.raises(SettingsError):
        read_pages(path, settings={"reading": {"max_bytes": 10}})


def test_a_folder_is_read_in_the_order_of_names_without_hidden_files(tmp_path: Path) -> None:
    names = ["b/2.html", "b/10.html", "a.html", "c.warc", "b/c/d/e.txt", ".hidden.html", ".git/config.html", "B.html"]
    for name in reversed(names):
        written(tmp_path / name, WARC if name.endswith("warc") else HTML)
    pages, skipped = read(tmp_path)
    assert not skipped
    root = tmp_path.resolve().as_uri()
    assert [(page.url or "").removeprefix(root + "/") for page in pages] == [
        "B.html", "a.html", "b/10.html", "b/2.html", "b/c/d/e.txt", "https://example.org/",
    ]  # fmt: skip


def test_a_folder_reports_what_it_cannot_read_but_not_what_pages_are_dressed_with(tmp_path: Path) -> None:
    for name in ("style.css", "logo.png", "app.js", "font.woff2"):
        written(tmp_path / name, b"\x00")
    written(tmp_path / "a.html")
    written(tmp_path / "data.csv", b"a,b\n1,2\n")
    written(tmp_path / "binary", b"\x00\x01")
    (tmp_path / "dead.html").symlink_to(tmp_path / "nothing")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "self.html").symlink_to(tmp_path / "self.html")
    os.mkfifo(tmp_path / "pipe.html")
    pages, skipped = read(tmp_path)
    assert len(pages) == 1
    assert sorted(Path(error.path).name for error in skipped) == [
        "binary", "data.csv", "dead.html", "pipe.html", "self.html",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["a.pdf", "a", "a.PDF.gz"])
def test_a_pdf_is_a_page_in_a_folder_and_by_itself(name: str, tmp_path: Path) -> None:
    pdf = b"%PDF-1.7\n\xe2\xe3\xcf\xd3\n1 0 obj\n"
    path = written(tmp_path / name, gzip.compress(pdf) if name.endswith("gz") else pdf)
    for place in (path, tmp_path):
        (page,), skipped = read(place)
        assert (page.body, page.header("content-type"), skipped) == (pdf, "application/pdf", [])
        assert page.url == path.resolve().as_uri()
        assert sameish.extract(page).state is State.NOT_HTML


def test_sqlite_files_in_a_folder_are_passed_over(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for name in ("sameish.db", "köln #1?", "other.sqlite"):
        with closing(sqlite3.connect(tmp_path / name, isolation_level=None)) as db:
            db.execute("CREATE TABLE a (b)")
            for beside in ("-wal", "-shm", "-journal"):
                written(tmp_path / (name + beside), b"\x00")
    for name in ("a.csv-wal", "-wal", "small", "b.dat"):
        written(tmp_path / name, b"\x00" if name == "small" else bytes(2000))
    with caplog.at_level(logging.DEBUG, "sameish.sources"):
        pages, skipped = read(tmp_path)
    assert (pages, sorted(Path(error.path).name for error in skipped)) == ([], ["-wal", "a.csv-wal", "b.dat", "small"])
    assert {(record.levelname, record.getMessage().rpartition(": ")[2]) for record in caplog.records} == {
        ("DEBUG", "not a page")
    }
    assert len(caplog.records) == 12
    with pytest.raises(SourceError, match="neither HTML"):
        read_pages(tmp_path / "sameish.db")


def test_locks_on_a_database_in_the_folder_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "sameish.db"
    code = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('SELECT * FROM a')"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("CREATE TABLE a (b)")
        db.execute("BEGIN EXCLUSIVE")
        assert read(tmp_path) == ([], [])
        done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, check=False, text=True)
    assert "database is locked" in done.stderr


def test_an_empty_folder_has_no_pages(tmp_path: Path) -> None:
    assert read(tmp_path) == ([], [])


def test_a_very_deep_folder_is_read(tmp_path: Path) -> None:
    deep = tmp_path
    for _ in range(1200):
        deep /= "d"
        deep.mkdir()
    page = written(deep / "a.html")
    try:
        assert len(read(tmp_path)[0]) == 1
    finally:  # pytest takes such a folder away by recursion, and cannot
        page.unlink()
        while deep != tmp_path:
            deep.rmdir()
            deep = deep.parent


def test_skipped_things_are_logged_by_default(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = written(tmp_path / "a.warc", WARC + WARC[:-50])
    with caplog.at_level(logging.WARNING, "sameish.sources"):
        assert len(list(read_pages(path))) == 1
    assert [(record.name, record.levelname) for record in caplog.records] == [("sameish.sources", "WARNING")]
    assert f"{path}, byte {len(WARC)}: " in caplog.text


PROGRAM = """
import sys
from sameish.sources import read_pages
for page in read_pages("-", on_skip=lambda error: print("skipped", type(error).__name__, error.offset)):
    print(page.url, page.status, len(page.body), page.fetched_at)
"""


def piped(data: bytes) -> list[str]:
    done = subprocess.run([sys.executable, "-c", PROGRAM], input=data, capture_output=True, check=False)
    assert not done.stderr, done.stderr.decode()
    return done.stdout.decode().splitlines()


def test_standard_input_takes_one_document() -> None:
    assert piped(HTML) == [f"None 200 {len(HTML)} None"]


@pytest.mark.parametrize("suffix", PACKERS)
def test_standard_input_takes_archives(suffix: str) -> None:
    line = f"https://example.org/ 200 {len(HTML)} 2024-03-01 10:00:00+00:00"
    one = PACKERS[suffix](WARC)
    assert piped(one * 3) == [line] * 3
    assert piped(one + one[:-9]) == [line, f"skipped TruncatedRecord {len(one)}"]


def test_standard_input_takes_json_lines() -> None:
    assert piped(gzip.compress(JSONL * 2)) == ["https://example.org/ 200 37 None"] * 2


def test_a_revisit_on_standard_input_is_found() -> None:
    again = (
        b"WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Target-URI: https://example.org/b\r\nContent-Length: 0\r\n"
        b"WARC-Refers-To-Target-URI: https://example.org/\r\nWARC-Refers-To-Date: 2024-03-01T10:00:00Z\r\n\r\n\r\n\r\n"
    )
    assert piped(WARC + again)[1] == f"https://example.org/b 200 {len(HTML)} None"


def test_standard_input_may_be_closed() -> None:
    code = "import sys; sys.stdin = None\nfrom sameish.sources import read_pages\nlist(read_pages('-'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, text=True)
    assert "SourceError: standard input: cannot be read (it is closed" in done.stderr


def test_a_named_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(gzip.compress(WARC),))
    writer.start()
    assert [page.url for page in read_pages(pipe)] == ["https://example.org/"]
    writer.join()


def test_pages_come_while_the_pipe_is_still_open() -> None:
    program = PROGRAM.replace("page.fetched_at)", "page.fetched_at, flush=True)")
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(WARC * 2)
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"https://example.org/")
        process.stdin.close()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from("a a.html a.txt a.warc a.warc.gz a.warc.zst a.warc.lz4 a.wacz a.jsonl a.jsonl.gz".split()),
    start=st.sampled_from(
        [
            b"",
            b"\x1f\x8b\x08",
            b"\x28\xb5\x2f\xfd",
            b"\x04\x22\x4d\x18",
            b"\x5d\x2a\x4d\x18",
            b"PK\x03\x04",
            b"WARC/1.0\r\n",
            b"{",
        ]
    ),
    data=st.binary(max_size=400),
)
@example(name="a.warc.zst", start=b"\x5d\x2a\x4d\x18", data=b"\xff\xff\xff\xff")
def test_bytes_of_any_kind_raise_nothing_but_our_errors(name: str, start: bytes, data: bytes, tmp_path: Path) -> None:
    path = written(tmp_path / name, start + data)
    try:
        pages, _ = read(path)
    except SameishError:
        return
    assert all(isinstance(page, Page) for page in pages)

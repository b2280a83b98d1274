from __future__ import annotations

import base64
import gzip
import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sameish.errors import SourceError, TruncatedRecord
from sameish.models import Page
from sameish.settings import Reading, Settings
from sameish.sources import read_pages

URL = "https://example.org/"


def read(
    folder: Path, data: bytes, name: str = "pages.jsonl", limit: int = 10_000
) -> tuple[list[Page], list[SourceError]]:
    path = folder / name
    path.write_bytes(data)
    skipped: list[SourceError] = []
    chosen = Settings(reading=Reading(max_body_bytes=limit))
    return list(read_pages(path, settings=chosen, on_skip=skipped.append)), skipped


def only(folder: Path, **fields: Any) -> Page:
    pages, skipped = read(folder, json.dumps({"url": URL, **fields}).encode())
    assert not skipped
    (page,) = pages
    return page


def test_a_line_has_all_that_a_page_has(tmp_path: Path) -> None:
    page = only(
        tmp_path,
        html="<p>nine</p>",
        headers={"Content-Type": "text/html", "X": ["1", "2"], "Age": 7, "None": None},
        status=404,
        fetched_at="2024-03-01T10:00:00+01:00",
        requested_url=URL + "old",
        redirects=[URL + "older"],
        something_else={"kept": "by others"},
    )
    assert page == Page(
        body="<p>nine</p>",
        url=URL,
        headers=(("content-type", "text/html"), ("x", "1"), ("x", "2"), ("age", "7")),
        status=404,
        fetched_at=datetime(2024, 3, 1, 10, tzinfo=timezone(timedelta(hours=1))),
        requested_url=URL + "old",
        redirects=(URL + "older",),
    )


@pytest.mark.parametrize(
    ("fields", "body", "kind"),
    [
        ({"html": "<p>"}, "<p>", "text/html"),
        ({"text": "nine"}, "nine", "text/plain"),
        ({"text": "nine", "headers": [["Content-Type", "text/markdown"]]}, "nine", "text/markdown"),
        ({"text": "nine", "html": None}, "nine", "text/plain"),
        ({"body_base64": base64.b64encode(b"\xff\xfe<").decode()}, b"\xff\xfe<", None),
    ],
)
def test_a_body_comes_in_three_ways(
    fields: dict[str, Any], body: str | bytes, kind: str | None, tmp_path: Path
) -> None:
    page = only(tmp_path, **fields)
    assert (page.body, page.header("content-type")) == (body, kind)


def test_codings_are_taken_off(tmp_path: Path) -> None:
    packed = base64.b64encode(gzip.compress(b"<p>")).decode()
    page = only(tmp_path, body_base64=packed, headers={"Content-Encoding": "gzip", "Content-Length": "23"})
    assert (page.body, page.headers) == (b"<p>", ())
    assert only(tmp_path, html="<p>", headers={"content-encoding": "br"}).headers == (("content-type", "text/html"),)


def test_times_may_be_seconds_and_the_file_s_time_stands_for_none(tmp_path: Path) -> None:
    moment = datetime(2024, 3, 1, 10, tzinfo=UTC)
    assert only(tmp_path, text="", fetched_at=moment.timestamp()).fetched_at == moment
    modified = only(tmp_path, text="").fetched_at
    assert modified == datetime.fromtimestamp((tmp_path / "pages.jsonl").stat().st_mtime, UTC)


def test_not_modified_needs_no_body(tmp_path: Path) -> None:
    page = only(tmp_path, status=304)
    assert (page.status, page.body, page.headers) == (304, b"", ())


def test_a_byte_order_mark_and_blank_lines_are_passed_over(tmp_path: Path) -> None:
    line = json.dumps({"url": URL, "text": "nine"}).encode()
    for name in ("pages.jsonl", "pages", "pages.ndjson"):
        pages, skipped = read(tmp_path, b"\xef\xbb\xbf" + line + b"\r\n\n  \n" + line, name)
        assert ([page.body for page in pages], skipped) == (["nine", "nine"], [])


BAD = [
    b"{",
    b"nothing",
    b"[]",
    b'{"text": "no url"}',
    b'{"url": "", "text": ""}',
    b'{"url": 7, "text": ""}',
    b'{"url": "https://example.org/"}',
    b'{"url": "https://example.org/", "text": "", "html": ""}',
    b'{"url": "https://example.org/", "body_base64": "%%%"}',
    b'{"url": "https://example.org/", "text": "", "fetched_at": "2024-03-01T10:00:00"}',
    b'{"url": "https://example.org/", "text": "", "fetched_at": "yesterday"}',
    b'{"url": "https://example.org/", "text": "", "fetched_at": 1e300}',
    b'{"url": "https://example.org/", "text": "", "status": "many"}',
    b'{"url": "https://example.org/", "text": "\xff"}',
    b'{"url": "https://example.org/", "text": "\\ud800"}',
    b'{"url": ' + b"[" * 100_000,
    b'{"url": "https://example.org/", "body_base64": "H4sIAAAA", "headers": {"content-encoding": "gzip"}}',
]


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_line_is_reported_with_line_and_byte_and_passed(bad: bytes, tmp_path: Path) -> None:
    good = b'{"url": "https://example.org/", "text": "nine"}\n'
    pages, skipped = read(tmp_path, good + b"\n" + bad + b"\n" + good)
    assert len(pages) == 2
    assert [error.offset for error in skipped] == [len(good) + 1]
    assert str(skipped[0]).endswith(f"pages.jsonl, byte {len(good) + 1}: line 3: {skipped[0].reason}")


def test_long_lines_and_bodies_are_bounded(tmp_path: Path) -> None:
    good = json.dumps({"url": URL, "text": "nine"}).encode() + b"\n"
    large = json.dumps({"url": URL, "text": "n" * 11_000}).encode() + b"\n"
    endless = b'{"url": "' + b"x" * 3_000_000 + b"\n"
    pages, skipped = read(tmp_path, good + large + endless + good)
    assert len(pages) == 2
    assert ["11,000" in str(skipped[0]), "line 3" in str(skipped[1])] == [True, True]


def test_a_file_that_ends_in_a_line_is_cut(tmp_path: Path) -> None:
    good = json.dumps({"url": URL, "text": "nine"}).encode() + b"\n"
    for cut in range(2, len(good) - 1):
        pages, skipped = read(tmp_path, good + good[:-cut])
        assert (len(pages), [type(error) for error in skipped]) == (1, [TruncatedRecord]), cut
    packed = gzip.compress(good * 2)
    pages, skipped = read(tmp_path, packed[:-9], "pages.jsonl.gz")
    assert [type(error) for error in skipped] == [TruncatedRecord]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=50), max_size=5))
def test_what_json_writes_is_read_again(texts: list[str], tmp_path: Path) -> None:
    lines = "".join(json.dumps({"url": URL, "text": text}) + "\n" for text in texts)
    pages, skipped = read(tmp_path, lines.encode())
    assert ([page.body for page in pages], skipped) == (texts, [])

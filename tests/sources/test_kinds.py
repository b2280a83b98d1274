from __future__ import annotations

import pytest

from sameish.sources.kinds import Kind, is_requisite, kind_by_bytes, kind_by_name, looks_like_text


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.HTML", Kind.HTML),
        ("a.htm.gz", Kind.HTML),
        ("a.warc.ZST", Kind.WARC),
        ("CC-MAIN.warc.wet.gz", Kind.WARC),
        ("a.ndjson.lz4", Kind.JSONL),
        ("a.wacz", Kind.WACZ),
        ("a.markdown", Kind.MARKDOWN),
        ("folder.html/a", None),
        ("a.gz", None),
        ("a.parquet", None),
        ("-", None),
    ],
)
def test_a_name_promises_a_kind(name: str, kind: Kind | None) -> None:
    assert kind_by_name(name) is kind


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"WARC/1.0\r\n", Kind.WARC),
        (b'{"url":', Kind.JSONL),
        (b"\xef\xbb\xbf\n<!doctype HTML>", Kind.HTML),
        (b"<p>nine", Kind.HTML),
        (b"<?xml version='1.0'?>", Kind.HTML),
        (b"\xff\xfe<\x00p\x00>\x00", Kind.TEXT),
        (b"The last ferry leaves at nine.", Kind.TEXT),
        (b"a < b and b < c", Kind.TEXT),
        (b'{\n  "pretty": 1', Kind.TEXT),
        (b"\x00\x01\x02", None),
        (b"", None),
    ],
)
def test_the_first_bytes_speak_of_a_kind(head: bytes, kind: Kind | None) -> None:
    assert kind_by_bytes(head) is kind


def test_pages_are_dressed_with_images_and_the_like() -> None:
    assert is_requisite("LOGO.PNG")
    assert is_requisite("style.css.gz")
    assert not is_requisite("png")


def test_escape_sequences_are_text() -> None:
    assert looks_like_text("日本語".encode("iso-2022-jp"))

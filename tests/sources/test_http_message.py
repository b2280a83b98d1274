from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish.sources.http_message import Message, is_page, split_message


@pytest.mark.parametrize(
    ("block", "message"),
    [
        (b"HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody", Message(200, (("a", "b"),), b"body")),
        (b"HTTP/2 404\r\n\r\nbody", Message(404, (), b"body")),
        (b"HTTP/1.0 200 OK\nA:b\nC : d \n\nbody\n\nmore", Message(200, (("a", "b"), ("c", "d")), b"body\n\nmore")),
        (b"HTTP/1.1 200 OK\r\nA: b", Message(200, (("a", "b"),), b"")),
        (b"HTTP/1.1 200 OK", Message(200, (), b"")),
        (b"HTTP/1.1 200 OK\r\nA: b\r\n  c\r\nno colon\r\n: no name\r\n\r\n", Message(200, (("a", "b c"),), b"")),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nbody", Message(200, (), b"body")),
        (b"HTTP/1.1 100 Continue\r\n\r\nbody", Message(100, (), b"body")),
        (b"<p>body", Message(None, (), b"<p>body")),
        (b"HTTP/1.1 2000 OK\r\n\r\n", Message(None, (), b"HTTP/1.1 2000 OK\r\n\r\n")),
        (b"HTTP/1.1 200 OK\r\nA: \xe4\r\n\r\n", Message(200, (("a", "ä"),), b"")),
    ],
)
def test_a_response_is_split(block: bytes, message: Message) -> None:
    assert split_message(block) == message


@given(st.binary())
def test_any_bytes_are_split(block: bytes) -> None:
    for start in (b"", b"HTTP/1.1 200 OK\r\n"):
        message = split_message(start + block)
        assert (start + block).endswith(message.body)


@pytest.mark.parametrize(
    ("kind", "body", "page"),
    [
        ("text/html; charset=utf-8", b"", True),
        ("TEXT/HTML", b"\x00", True),
        ("image/svg+xml", b"<svg/>", False),
        ("application/atom+xml", b"<feed/>", True),
        ("application/json", b"{}", False),
        ("text/css", b"p { }", False),
        ("application/octet-stream", b"<p>", True),
        ("application/octet-stream", b"%PDF-1.7\x00", True),
        ("application/octet-stream", b"\x00", False),
        ("html", b"<p>", True),
    ],
)
def test_documents_are_told_from_what_they_are_dressed_with(kind: str, body: bytes, page: bool) -> None:
    assert is_page(Message(200, (("content-type", kind),), body)) is page

from __future__ import annotations

import base64
import hashlib

import pytest

from sameish.sources.digests import is_altered

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
BODY = b"<p>The last ferry leaves at nine.</p>"
BLOCK = HEAD + BODY
SHA1 = hashlib.sha1(BLOCK, usedforsecurity=False).digest()
SHA256 = hashlib.sha256(BLOCK).digest()


def payload(body: bytes) -> str:
    return f"sha1:{base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()}"


@pytest.mark.parametrize(
    "digest",
    [
        f"sha1:{base64.b32encode(SHA1).decode()}",
        f"SHA-1:{base64.b32encode(SHA1).decode().lower()}",
        f"sha1:{SHA1.hex()}",
        f"sha256:{SHA256.hex().upper()}",
        f"sha256: {base64.b32encode(SHA256).decode()}",
        f"sha256:{base64.b32encode(SHA256).decode().rstrip('=')}",
    ],
)
def test_every_usual_spelling_is_compared(digest: str) -> None:
    assert not is_altered({"warc-block-digest": digest}, BLOCK)
    assert is_altered({"warc-block-digest": digest}, BLOCK.replace(b"nine", b"nice"))


@pytest.mark.parametrize(
    "digest", ["", "sha1", "sha1:", "sha1:short", "blake3:abcdef", "d41d8cd98f00b204e9800998ecf8427e"]
)
def test_a_digest_that_cannot_be_read_says_nothing(digest: str) -> None:
    assert not is_altered({"warc-block-digest": digest}, BLOCK)


def test_a_payload_clears_a_record_whose_http_header_was_spelled_anew() -> None:
    block = BLOCK.replace(b"Content-Type", b"content-type")
    old = {"warc-block-digest": f"sha1:{SHA1.hex()}"}
    assert is_altered(old, block)
    assert not is_altered({**old, "warc-payload-digest": payload(BODY)}, block)
    assert is_altered({**old, "warc-payload-digest": payload(b"another body")}, block)


def test_a_payload_may_be_digested_without_its_chunks() -> None:
    block = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n25\r\n" + BODY + b"\r\n0\r\n\r\n"
    old = {"warc-block-digest": f"sha1:{SHA1.hex()}"}
    assert not is_altered({**old, "warc-payload-digest": payload(BODY)}, block)
    assert is_altered({**old, "warc-payload-digest": payload(BODY)}, block.replace(b"0\r\n\r\n", b""))


def test_a_payload_alone_condemns_nothing() -> None:
    assert not is_altered({"warc-payload-digest": payload(b"another body")}, BLOCK)

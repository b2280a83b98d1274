"""Content codings off a body (RFC 9110, section 8.4), within bounds, whatever the body makes itself out to be."""

from __future__ import annotations

import re
import zlib

import brotli

from sameish.errors import ReadingError
from sameish.models import Page
from sameish.reading.decoding import BOMS
from sameish.reading.kinds import BINARY_MARKS

_FIRST_STEP, _CHUNK = 1024, 65_536
_ZSTD_WINDOW = 8 << 20
"""No sender of `Content-Encoding: zstd` may ask for a larger window (RFC 9659); it is memory, whatever the body's size."""
_ZSTD_STEP = 256
"""So few bytes at once, since four of them may become a block of 128 KiB, and this engine cannot be told to stop."""
_GZIP, _ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def inflate(page: Page, limit: int) -> bytes:
    """Return the body without its content coding (RFC 9110, section 8.4), if it still has one.

    HTTP clients take the coding off and keep the header, so a body that reads as text, or begins as an image does, is taken
    as it is.
    """
    body = page.body if isinstance(page.body, bytes) else page.body.encode("utf-8", "replace")
    if len(body) > limit:
        raise ReadingError(_too_large(page, len(body), limit))
    codings = (page.header("content-encoding") or "").lower().replace(",", " ").split()
    try:
        if body.startswith(_GZIP):
            return _inflate_gzip(body, page, limit)
        if body.startswith(_ZSTD) and "zstd" in codings:
            return _inflate_zstd(body, page, limit)
        if codings and not _reads_as_text(body) and not body.startswith(BINARY_MARKS):
            if "deflate" in codings:
                return _inflate_deflate(body, page, limit)
            if "br" in codings:
                return _inflate_brotli(body, page, limit)
    except (zlib.error, brotli.error) as error:
        raise ReadingError(f"{_name(page)}: the body does not decompress: {error}") from error
    return body


def _reads_as_text(body: bytes) -> bool:
    """Compressed bytes hold control characters soon; of text only UTF-16 does, which begins with a mark or with markup."""
    head = body[:512].lstrip()
    return not head or head.startswith((b"<", b"\x00<", *(mark for mark, _ in BOMS))) or not _CONTROLS.search(head)


def _inflate_gzip(body: bytes, page: Page, limit: int) -> bytes:
    """Inflate all members (RFC 1952, section 2.2); what follows the last one is padding."""
    parts, size, rest = [], 0, memoryview(body)
    while rest[: len(_GZIP)] == _GZIP:
        data, rest = _inflate_zlib(rest, 31, page, limit - size)
        parts.append(data)
        size += len(data)
    return b"".join(parts)


def _inflate_deflate(body: bytes, page: Page, limit: int) -> bytes:
    """Inflate the zlib format that the standard asks for, or the bare stream that many servers send."""
    has_zlib_head = len(body) > 1 and body[0] & 0x0F == 8 and (body[0] << 8 | body[1]) % 31 == 0
    return _inflate_zlib(memoryview(body), 15 if has_zlib_head else -15, page, limit)[0]


def _inflate_zlib(body: memoryview, window_bits: int, page: Page, limit: int) -> tuple[bytes, memoryview]:
    """Inflate one stream and return what follows it; in growing steps, since an engine copies what it does not use."""
    engine, parts, size, step = zlib.decompressobj(window_bits), [], 0, _FIRST_STEP
    whole = len(body)
    while not engine.eof:
        given = body[:step]
        if not given:
            raise ReadingError(f"{_name(page)}: the compressed body is cut off after {whole} bytes")
        parts.append(engine.decompress(given, limit + 1 - size))
        size += len(parts[-1])
        if size > limit:
            raise ReadingError(_too_large(page, None, limit))
        body = body[len(given) - len(engine.unused_data) :]
        step = min(2 * step, _CHUNK)
    return b"".join(parts), body


def _inflate_brotli(body: bytes, page: Page, limit: int) -> bytes:
    engine = brotli.Decompressor()
    parts = [engine.process(body, output_buffer_limit=_CHUNK)]
    size = len(parts[0])
    while size <= limit and not engine.is_finished():
        part = engine.process(b"", output_buffer_limit=_CHUNK)
        if not part and engine.can_accept_more_data():
            raise ReadingError(f"{_name(page)}: the compressed body is cut off after {len(body)} bytes")
        parts.append(part)
        size += len(part)
    if size > limit:
        raise ReadingError(_too_large(page, None, limit))
    return b"".join(parts)


def _inflate_zstd(body: bytes, page: Page, limit: int) -> bytes:
    """Inflate all frames (RFC 8878, section 3.1); what follows the last one is padding."""
    import zstandard  # noqa: PLC0415  # few bodies still have this coding when they get here

    parts, size, at = list[bytes](), 0, 0
    engine = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
    try:
        while body.startswith(_ZSTD, at):
            frame = engine.decompressobj()
            while not frame.eof:
                given = body[at : at + _ZSTD_STEP]
                if not given:
                    raise ReadingError(f"{_name(page)}: the compressed body is cut off after {len(body)} bytes")
                parts.append(frame.decompress(given))
                size += len(parts[-1])
                if size > limit:
                    raise ReadingError(_too_large(page, None, limit))
                at += len(given)
            at -= len(frame.unused_data)
    except zstandard.ZstdError as error:
        raise ReadingError(f"{_name(page)}: the body does not decompress: {error}") from error
    return b"".join(parts)


def _name(page: Page) -> str:
    return page.url or "a page without a URL"


def _too_large(page: Page, size: int | None, limit: int) -> str:
    found = f"{size:,} bytes" if size is not None else "more"
    return f"{_name(page)}: the body has {found}; the setting reading.max_body_bytes allows {limit:,}"

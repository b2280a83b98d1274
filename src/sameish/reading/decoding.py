"""From bytes to text: content codings, then the charset, in the order that browsers use.

Order of the WHATWG HTML standard ("determining the character encoding"): byte-order mark, `Content-Type`, `<meta>`,
content. Two departures, because archives and proxies keep headers that no longer fit the body: bytes that are valid
UTF-8 with characters beyond ASCII are UTF-8 whatever is declared, and a declaration under which the text is full of
garbage loses to a detection that is sure.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

import brotli

from sameish.errors import ReadingError
from sameish.models import Page
from sameish.reading import dom

_CHARSET = re.compile(r"""charset\s*=\s*["']?([^\s"';,]{1,40})""", re.IGNORECASE)
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be"))
# encodings whose bytes are all ASCII: a body of ASCII bytes may still be one of them
_ASCII_CLAD = ("iso-2022-jp", "utf-16le", "utf-16be")
_MANY_ERRORS = 0.002
"""Share of characters that may be garbage before a declaration is doubted."""
_SURE, _SURE_ENOUGH_FOR_GARBAGE, _MOSTLY_GARBAGE = 0.75, 0.3, 0.05
"""How sure a detection must be, and how sure where the declared charset gives text that nobody can read."""
_CHUNK = 65_536
# C1 controls do not occur in text; a wrong single-byte charset produces them
_GARBAGE = re.compile("[\ufffd\x80-\x9f]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A body as text. `.encoding`: lower-case WHATWG name, None for str; `.source`: see `Extract.encoding_source`."""

    text: str
    encoding: str | None
    source: str


def decode(page: Page, limit: int) -> Decoded:
    """Return the text of a page.

    Args:
        page: the page; its headers may name a content coding and a charset.
        limit: greatest number of bytes, before and after decompression.

    Raises:
        ReadingError: the body is larger, or does not decompress.
    """
    if isinstance(page.body, str):
        if len(page.body) > limit:
            raise ReadingError(_too_large(page, len(page.body), limit))
        return Decoded(_without_surrogates(page.body.removeprefix("\ufeff")), None, "str")
    return decode_bytes(inflate(page, limit), page.header("content-type"))


def inflate(page: Page, limit: int) -> bytes:
    """Return the body without its content coding (RFC 9110, section 8.4), if it still has one.

    HTTP clients take the coding off and keep the header, so a body that does not look compressed is taken as it is.
    """
    body = page.body if isinstance(page.body, bytes) else page.body.encode("utf-8", "replace")
    if len(body) > limit:
        raise ReadingError(_too_large(page, len(body), limit))
    coding = (page.header("content-encoding") or "").lower()
    try:
        if body[:3] == b"\x1f\x8b\x08":
            return _inflate_zlib(body, 31, page, limit)
        if (
            "deflate" in coding
            and body[:1]
            and body[0] & 0x0F == 8
            and len(body) > 1
            and (body[0] << 8 | body[1]) % 31 == 0
        ):
            return _inflate_zlib(body, 15, page, limit)
        if "br" in coding.replace(",", " ").split() and body.lstrip()[:1] != b"<":
            return _inflate_brotli(body, page, limit)
    except (zlib.error, brotli.error) as error:
        raise ReadingError(f"{_name(page)}: the body does not decompress: {error}") from error
    return body


def _inflate_zlib(body: bytes, window_bits: int, page: Page, limit: int) -> bytes:
    engine = zlib.decompressobj(window_bits)
    data = engine.decompress(body, limit + 1)
    if len(data) > limit:
        raise ReadingError(_too_large(page, None, limit))
    if not engine.eof:
        raise ReadingError(f"{_name(page)}: the compressed body is cut off after {len(body)} bytes")
    return data


def _inflate_brotli(body: bytes, page: Page, limit: int) -> bytes:
    engine = brotli.Decompressor()
    parts = [engine.process(body, output_buffer_limit=_CHUNK)]
    size = len(parts[0])
    while not engine.is_finished():
        part = engine.process(b"", output_buffer_limit=_CHUNK)
        size += len(part)
        if size > limit:
            raise ReadingError(_too_large(page, None, limit))
        if not part and engine.can_accept_more_data():
            raise ReadingError(f"{_name(page)}: the compressed body is cut off after {len(body)} bytes")
        parts.append(part)
    return b"".join(parts)


def _name(page: Page) -> str:
    return page.url or "a page without a URL"


def _too_large(page: Page, size: int | None, limit: int) -> str:
    found = f"{size:,} bytes" if size is not None else "more"
    return f"{_name(page)}: the body has {found}; the setting reading.max_body_bytes allows {limit:,}"


def decode_bytes(body: bytes, content_type: str | None = None) -> Decoded:
    """Return bytes as text; never fails. `content_type` is the header's value."""
    for mark, name in _BOMS:
        if body.startswith(mark):
            return Decoded(dom.decode_as(body[len(mark) :], name), name, "bom")
    declared, source = _declared(body, content_type)
    if body.isascii():
        if declared in _ASCII_CLAD:
            return Decoded(dom.decode_as(body, declared), declared, source)
        if b"\x1b$" in body or b"\x00" in body[:512]:
            return _detected(body, declared, source)
        return Decoded(body.decode("ascii"), declared or "utf-8", source)
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return _not_utf8(body, declared, source)
    if declared in (None, "utf-8"):
        return Decoded(text, "utf-8", source if declared else "detected")
    return Decoded(text, "utf-8", "overruled")


def _declared(body: bytes, content_type: str | None) -> tuple[str | None, str]:
    match = _CHARSET.search(content_type or "")
    if match and (name := dom.charset_name(match[1])):
        return name, "header"
    name = dom.declared_charset(body)
    return (name, "meta") if name else (None, "default")


def _not_utf8(body: bytes, declared: str | None, source: str) -> Decoded:
    if declared is None:
        return _detected(body, None, source)
    text = dom.decode_as(body, declared)
    garbage = _garbage_share(text)
    if garbage <= _MANY_ERRORS:
        return Decoded(text, declared, source)
    detected, confidence = dom.detect_charset(body)
    if detected == declared or confidence < (_SURE_ENOUGH_FOR_GARBAGE if garbage > _MOSTLY_GARBAGE else _SURE):
        return Decoded(text, declared, source)
    other = dom.decode_as(body, detected)
    if _garbage_share(other) < garbage:
        return Decoded(other, detected, "overruled")
    return Decoded(text, declared, source)


def _detected(body: bytes, declared: str | None, source: str) -> Decoded:
    wide = _utf16_without_mark(body)
    if wide:
        return Decoded(dom.decode_as(body, wide), wide, "detected" if declared is None else "overruled")
    if declared is not None:
        return Decoded(dom.decode_as(body, declared), declared, source)
    name, confidence = dom.detect_charset(body)
    return Decoded(dom.decode_as(body, name), name, "detected" if confidence > 0 else "default")


def _utf16_without_mark(body: bytes) -> str | None:
    """Mostly-Latin UTF-16 has a NUL in every other byte; no other text has."""
    sample = body[:512]
    half = len(sample) // 2
    if half >= 4 and sample[1::2].count(0) > half * 0.7 and sample[::2].count(0) < half * 0.1:
        return "utf-16le"
    if half >= 4 and sample[::2].count(0) > half * 0.7 and sample[1::2].count(0) < half * 0.1:
        return "utf-16be"
    return None


def _garbage_share(text: str) -> float:
    beyond_ascii = sum(1 for _ in _GARBAGE.finditer(text))
    return beyond_ascii / max(1, len(text))


def _without_surrogates(text: str) -> str:
    """Join surrogate pairs and replace lone surrogates, which no UTF-8 can hold."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text

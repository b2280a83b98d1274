"""Tells from headers and first bytes what kind of document a body is."""

from __future__ import annotations

import re

from sameish.models import Page
from sameish.reading import decoding

TEXT_TYPES = ("text/plain", "text/markdown", "text/x-markdown", "text/x-rst")
_MARKUP = re.compile(rb"<(?:!--|!doctype|/?[a-z][a-z0-9-]{0,12}[\s/>])", re.IGNORECASE)
_PAGE = re.compile(rb"<(?:!doctype\s{1,9})?html\b", re.IGNORECASE)
_FEED_OR_PAGE = re.compile(rb"<(?:(?:!doctype\s{1,9})?html|rss|feed|rdf:rdf)\b", re.IGNORECASE)
_ROOT_WITHIN = 4096
_CONTROLS = bytes(range(9)) + bytes(range(14, 27))
BINARY_MARKS = (
    b"%PDF-", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"RIFF", b"OggS", b"\x7fELF", b"wOF",
    b"\x00\x00\x01\x00",
)  # fmt: skip


def media_type(page: Page) -> str:
    """Return the media type, without parameters, in lower case; empty where none is given, or one that says nothing."""
    kind = (page.header("content-type") or "").split(";")[0].strip().lower()
    # the types that the WHATWG MIME Sniffing standard takes for unknown (section 5.1), and what is no type at all
    return "" if "/" not in kind or kind in ("unknown/unknown", "application/unknown", "*/*") else kind


def is_binary(page: Page, body: bytes) -> bool:
    """Tell whether a body is no page: by its first bytes, by its control characters, by a header that names another kind.

    `body` is the page's without its content coding.
    """
    if isinstance(page.body, str):
        return False
    if body.startswith(BINARY_MARKS):
        return True
    head, kind = body[:1024], media_type(page)
    if not kind and head.lstrip().startswith(b"<?xml"):
        kind = "text/xml"
    if kind and kind not in TEXT_TYPES and "html" not in kind:
        # servers name all kinds for pages; a page says what it is, and of other XML only feeds are read
        root = _FEED_OR_PAGE if "xml" in kind else _PAGE
        return bool(body) and not root.search(body[:_ROOT_WITHIN].replace(b"\0", b""))
    if decoding.is_utf16(body) or _MARKUP.search(head):
        return False
    return len(head) > 8 and len(head) - len(head.translate(None, _CONTROLS)) > len(head) // 32

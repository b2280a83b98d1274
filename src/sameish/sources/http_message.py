"""An HTTP response as archives keep it: status line, header fields, body (RFC 9112, sections 2 to 5)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sameish.models import HeaderPairs
from sameish.sources.kinds import HEAD, looks_like_markup, looks_like_text

_STATUS_LINE = re.compile(rb"HTTP/\d(?:\.\d)?[ \t]+(\d{3})(?!\d)[^\r\n]*(?:\r?\n|\Z)")
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_FOLD = re.compile(r"\r?\n[ \t]+")
_PDF_MAGIC = b"%PDF-"
_PAGE_TYPES = frozenset(("application/xhtml+xml", "application/xml", "application/pdf"))
_NOT_PAGES = frozenset(("text/css", "text/javascript", "text/ecmascript", "text/x-javascript", "text/vtt"))
_UNSURE = frozenset(("", "application/octet-stream", "unknown/unknown", "application/unknown", "unknown"))
_CODED = ("content-encoding", "transfer-encoding")


@dataclass(frozen=True, slots=True)
class Message:
    """`.status` is None where there was no HTTP header at all; header names are in lower case."""

    status: int | None
    headers: HeaderPairs
    body: bytes

    def header(self, name: str) -> str:
        """Return the first value of a header, or nothing."""
        return next((value for key, value in self.headers if key == name), "")


def split_message(block: bytes) -> Message:
    """Return the parts of a response; a block without status line is all body, one without empty line has none.

    Interim responses (RFC 9110, section 15.2) in front of the final one are passed over.
    """
    while line := _STATUS_LINE.match(block):
        end = _HEADER_END.search(block, max(0, line.end() - 2))
        head = block[line.end() : end.start() if end else len(block)]
        body = block[end.end() :] if end else b""
        status = int(line[1])
        if 100 <= status < 200 and _STATUS_LINE.match(body):
            block = body
            continue
        return Message(status, _fields(head), body)
    return Message(None, (), block)


def _fields(head: bytes) -> HeaderPairs:
    text = _FOLD.sub(" ", head.decode("latin-1"))  # RFC 9112, section 5.2: obsolete line folding
    pairs = (line.partition(":") for line in text.split("\n"))
    return tuple((name.strip().lower(), value.strip()) for name, colon, value in pairs if colon and name.strip())


def is_page(message: Message) -> bool:
    """Is it a document to read (HTML, text, XML, PDF), and not what pages are dressed with?

    Where no type is named the body's first bytes decide.
    """
    kind = message.header("content-type").partition(";")[0].strip().lower()
    if kind in _UNSURE or "/" not in kind:
        coded = any(message.header(name) for name in _CODED)
        return coded or not message.body or _is_readable(message.body[:HEAD])
    if kind.startswith("text/"):
        return kind not in _NOT_PAGES
    return kind in _PAGE_TYPES or (kind.startswith("application/") and kind.endswith("+xml"))


def _is_readable(head: bytes) -> bool:
    return head.startswith(_PDF_MAGIC) or looks_like_markup(head) or looks_like_text(head)

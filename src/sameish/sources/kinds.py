"""What kind of document an input is, told by its name and, where that says nothing, by its first bytes."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import PurePath


class Kind(StrEnum):
    """What an input holds, once unpacked."""

    HTML = "text/html"
    XHTML = "application/xhtml+xml"
    TEXT = "text/plain"
    MARKDOWN = "text/markdown"
    PDF = "application/pdf"
    WARC = "WARC"
    WACZ = "WACZ"
    JSONL = "JSONL"


ZIP_MAGIC = b"PK\x03\x04"
HEAD = 2048
"""How many first bytes are looked at."""

_PACKED = {".gz", ".zst", ".zstd", ".lz4"}
_BY_SUFFIX = {
    ".html": Kind.HTML, ".htm": Kind.HTML, ".xhtml": Kind.XHTML, ".xht": Kind.XHTML,
    ".txt": Kind.TEXT, ".text": Kind.TEXT, ".md": Kind.MARKDOWN, ".markdown": Kind.MARKDOWN,
    ".pdf": Kind.PDF,
    ".warc": Kind.WARC, ".wet": Kind.WARC, ".wacz": Kind.WACZ, ".jsonl": Kind.JSONL, ".ndjson": Kind.JSONL,
}  # fmt: skip
_NOT_YET = {".parquet": "Parquet", ".arc": "the ARC format from before WARC", ".mhtml": "MHTML", ".mht": "MHTML"}
# what pages are dressed with: not a page, and no reason to speak of it file by file
_REQUISITES = frozenset(
    (
        *(".css", ".js", ".mjs", ".map", ".wasm", ".woff", ".woff2", ".ttf", ".otf", ".eot", ".vtt", ".swf"),
        *(".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg", ".ico", ".bmp", ".tif", ".tiff"),
        *(".mp3", ".ogg", ".oga", ".opus", ".wav", ".flac", ".m4a", ".aac", ".mp4", ".m4v", ".webm", ".mov", ".avi"),
        *(".mkv", ".ogv"),
    )
)
_MARKUP = re.compile(rb"\s*<(?:!doctype|!--|\?xml|[a-z][a-z0-9-]*[\s>/])", re.IGNORECASE)
_JSON_LINE = re.compile(rb'\s*\{[ \t]*"')
_NEVER_IN_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")  # the WHATWG MIME Sniffing standard, "binary data byte"
_WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff")
_UTF8_BOM = b"\xef\xbb\xbf"


def kind_by_name(name: str) -> Kind | None:
    """Return the kind that a file name promises, compressed or not, or None."""
    return _BY_SUFFIX.get(_suffix(name))


def why_not(name: str) -> str:
    """Say why a file of no known kind is not read."""
    wanted = _NOT_YET.get(_suffix(name))
    return f"{wanted} is not supported yet" if wanted else "neither HTML, text, PDF, WARC, WACZ nor JSON Lines"


def is_requisite(name: str) -> bool:
    """Is it, by its name, an image, style sheet, script, font or the like?"""
    return _suffix(name) in _REQUISITES


def is_unsupported(name: str) -> bool:
    """Is it, by its name, of a kind that holds pages but is not supported?"""
    return _suffix(name) in _NOT_YET


def has_suffix(name: str) -> bool:
    """Has the name a suffix, beside one that speaks of compression?"""
    return bool(_suffix(name))


def _suffix(name: str) -> str:
    path = PurePath(name.lower())
    return PurePath(path.stem).suffix if path.suffix in _PACKED else path.suffix


def kind_by_bytes(head: bytes) -> Kind | None:
    """Return the kind that the first unpacked bytes speak of, or None for binary data and for nothing."""
    start = head.removeprefix(_UTF8_BOM)
    if start.startswith(b"WARC/"):
        return Kind.WARC
    if start.startswith(b"%PDF-"):
        return Kind.PDF
    if _JSON_LINE.match(start):
        return Kind.JSONL
    if _MARKUP.match(start):
        return Kind.HTML
    return Kind.TEXT if looks_like_text(head) else None


def looks_like_markup(head: bytes) -> bool:
    """Do the first bytes begin with a tag, a comment or a document type?"""
    return _MARKUP.match(head.removeprefix(_UTF8_BOM)) is not None


def looks_like_text(head: bytes) -> bool:
    """Is there something, and no byte that text never has? UTF-16 counts where a byte-order mark says so."""
    return bool(head) and (head.startswith(_WIDE_BOMS) or not _NEVER_IN_TEXT.search(head))

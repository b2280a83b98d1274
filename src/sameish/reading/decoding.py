"""From bytes to text: the charset, in the order that browsers use.

Order of the WHATWG HTML standard ("determining the character encoding"): byte-order mark, `Content-Type`, `<meta>` or XML
declaration, content. Three departures, because archives and proxies keep headers that no longer fit the body, and bodies
are cut off or hold a stray byte: bytes that are UTF-8 with characters beyond ASCII, but for a few errors, are UTF-8
whatever is declared; so are UTF-16 and ISO-2022-JP, whose bytes nobody can mistake; and a declaration under which the text
is full of garbage loses to a detection that is sure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sameish.models import Page
from sameish.reading import dom

_CHARSET = re.compile(r"""charset\s*=\s*["']?([^\s"';,]{1,40})""", re.IGNORECASE)
BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be"))
# ISO-2022-JP switches to kanji and back by these; no other text has them
_ISO_2022_JP = re.compile(rb"\x1b\$[@B][!-~]{2,}\x1b\(")
_XML_CHARSET = re.compile(rb"""^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']""")
# the commonest declaration; what may hide one must not stand before it
_META_UTF8 = re.compile(rb"""<meta\s[^<>]{0,200}?charset\s{0,3}=\s{0,3}["']?utf-8["'\s/>]""", re.IGNORECASE)
_HIDES = re.compile(rb"<(?:!--|script|style|noscript|template|body|title(?![^<]{0,300}</title))", re.IGNORECASE)
_PRESCAN = 1024
"""Bytes in which browsers look for a declaration first (WHATWG HTML, "prescan a byte stream")."""
_RIGHT_FOR_WRONG = 10
"""How many characters beyond ASCII stand by UTF-8 against each byte that is none."""
_MANY_ERRORS = 0.002
"""Share of all characters that may be garbage before a declaration is doubted."""
# the charsets of Latin script that servers send by default, whatever the page is in
_WESTERN = frozenset(("windows-1252", "iso-8859-15", "windows-1254", "iso-8859-2", "windows-1250", "macintosh"))
_ACCENTED_RUNS = re.compile("[\u00a1-\u00ff]{4,}")
_SURE, _SURE_ENOUGH_FOR_GARBAGE, _MOSTLY_GARBAGE = 0.75, 0.3, 0.05
"""How sure a detection must be; and how sure where so large a share of the characters beyond ASCII is garbage."""
# C1 controls do not occur in text; a wrong single-byte charset produces them
_GARBAGE = re.compile("[\ufffd\x80-\x9f]")
_BEYOND_ASCII = re.compile("[^\x00-\x7f]+")
_SAMPLE = 2048
"""How many bytes tell UTF-16."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A body as text. `.encoding`: lower-case WHATWG name, None for str; `.source`: see `Extract.encoding_source`."""

    text: str
    encoding: str | None
    source: str


def decode(page: Page, body: bytes) -> Decoded:
    """Return the text of a page whose body without content coding is `body`; never fails."""
    if isinstance(page.body, str):
        return Decoded(_without_surrogates(page.body.removeprefix("\ufeff")), None, "str")
    return decode_bytes(body, page.header("content-type"))


def decode_bytes(body: bytes, content_type: str | None = None) -> Decoded:
    """Return bytes as text; never fails. `content_type` is the header's value."""
    for mark, name in BOMS:
        if body.startswith(mark):
            return Decoded(dom.decode_as(body[len(mark) :], name), name, "bom")
    declared, source = _declared(body, content_type)
    certain = utf16_without_mark(body) or ("iso-2022-jp" if _is_iso_2022_jp(body) else None)
    if certain:
        how = source if certain == declared else "overruled" if declared else "detected"
        return Decoded(dom.decode_as(body, certain), certain, how)
    if body.isascii():
        if declared in ("utf-16le", "utf-16be"):  # it would have a NUL in every space and tag
            declared, source = None, "overruled"
        return Decoded(body.decode("ascii"), declared or "utf-8", source)
    text = _as_utf8(body)
    if text is not None:
        return Decoded(text, "utf-8", "detected" if not declared else source if declared == "utf-8" else "overruled")
    return _not_utf8(body, declared, source)


def _declared(body: bytes, content_type: str | None) -> tuple[str | None, str]:
    match = _CHARSET.search(content_type or "")
    if match and (name := _usable(match[1])):
        return name, "header"
    if name := "utf-8" if _says_utf8(body) else dom.declared_charset(body):
        return (name, "meta") if name != "replacement" else (None, "default")
    xml = _XML_CHARSET.match(body)
    if xml and (name := _usable(xml[1].decode("ascii", "replace"))):
        # who reads this declaration as single bytes cannot be in UTF-16
        return "utf-8" if name.startswith("utf-16") else name, "meta"
    return None, "default"


def _is_iso_2022_jp(body: bytes) -> bool:
    # a search for one byte is five times faster than one for a pattern
    return body.isascii() and b"\x1b" in body and bool(_ISO_2022_JP.search(body))


def _says_utf8(body: bytes) -> bool:
    """See without parsing that the first declaration is of UTF-8; False where that is not plain."""
    head = body[:_PRESCAN]
    at = head.lower().find(b"charset")
    start = head.rfind(b"<", 0, at) if at > 0 else -1
    if start < 0 or not _META_UTF8.match(head, start):
        return False
    return not _HIDES.search(head, 0, start)


def _usable(label: str) -> str | None:
    """Return the name of a label, None where it is unknown, or names a charset that browsers refuse to decode."""
    name = dom.charset_name(label)
    return None if name == "replacement" else name


def _as_utf8(body: bytes) -> str | None:
    """Return the text if the bytes are UTF-8, or are but for the last character or a few stray bytes."""
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        text = body.decode("utf-8", "replace")
    errors = text.count("\ufffd")
    right = _beyond_ascii(text) - errors
    return text if right and right >= _RIGHT_FOR_WRONG * (errors - text.endswith("\ufffd")) else None


def _not_utf8(body: bytes, declared: str | None, source: str) -> Decoded:
    if declared is None:
        name, confidence = dom.detect_charset(body)
        return Decoded(dom.decode_as(body, name), name, "detected" if confidence > 0 else "default")
    text = dom.decode_as(body, declared)
    if declared in _WESTERN and _is_mojibake(text):
        detected, confidence = dom.detect_charset(body)
        if detected not in _WESTERN and confidence >= _SURE_ENOUGH_FOR_GARBAGE:
            return Decoded(dom.decode_as(body, detected), detected, "overruled")
    garbage = len(_GARBAGE.findall(text))
    if garbage > _MANY_ERRORS * len(text):
        detected, confidence = dom.detect_charset(body)
        unreadable = garbage > _MOSTLY_GARBAGE * _beyond_ascii(text)
        if detected != declared and confidence >= (_SURE_ENOUGH_FOR_GARBAGE if unreadable else _SURE):
            other = dom.decode_as(body, detected)
            if len(_GARBAGE.findall(other)) * len(text) < garbage * len(other):
                return Decoded(other, detected, "overruled")
    return Decoded(text, declared, source)


def _is_mojibake(text: str) -> bool:
    """Tell whether most accented letters and signs stand four and more in a row, as in no language of Latin script."""
    return 2 * sum(map(len, _ACCENTED_RUNS.findall(text))) > _beyond_ascii(text)


def _beyond_ascii(text: str) -> int:
    return sum(map(len, _BEYOND_ASCII.findall(text)))


def is_utf16(body: bytes) -> bool:
    """Tell whether the bytes are UTF-16, by their mark or their NULs."""
    return body.startswith((b"\xff\xfe", b"\xfe\xff")) or utf16_without_mark(body) is not None


def utf16_without_mark(body: bytes) -> str | None:
    """Return the name of a UTF-16 without its mark: Latin letters, spaces and tags have a NUL on one and the same side."""
    sample = body[: _SAMPLE - _SAMPLE % 2]
    evens, odds = sample[::2].count(0), sample[1::2].count(0)
    if max(evens, odds) < max(4, len(sample) // 20) or min(evens, odds) * 20 >= max(evens, odds):
        return None
    return "utf-16le" if odds > evens else "utf-16be"


def _without_surrogates(text: str) -> str:
    """Join surrogate pairs and replace lone surrogates, which no UTF-8 can hold."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text

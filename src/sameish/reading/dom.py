"""The HTML engine, behind a small door: the only module that imports turbohtml.

The engine is young; one importing module makes a change of its behaviour a change in one place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final
from urllib.parse import urljoin

import turbohtml
from turbohtml import Document, DocumentFragment, Element, Feed, Markdown, PlainText, Text
from turbohtml import detect as _detect

__all__ = [
    "CELL_SEPARATOR", "CONTAINERS", "ENGINE", "KEPT", "Document", "Element", "Feed", "Text", "absolute", "annotated_text",
    "charset_name", "declared_charset", "decode_as", "detect_charset", "feed_of", "inline_shadow_roots", "joined",
    "markdown_of", "mend_lists", "parse", "parse_fragment", "reveal_shielded_mail", "spoken_text", "text_of",
]  # fmt: skip

ENGINE: Final = "turbohtml-" + ".".join(turbohtml.__version__.split(".")[:2])
"""Name and minor version of the engine; part of a fingerprint's scheme, since another version may read otherwise."""

_MARKDOWN = Markdown(tables=Markdown.Tables(cell_blocks="text"), links=Markdown.Links(autolink=False))
CELL_SEPARATOR: Final = " | "
# the engine takes only ASCII here: other characters come out as their UTF-8 bytes
_TEXT = PlainText(table_cell_separator=CELL_SEPARATOR, bullet="")
_CONTAINER_MARKS = {
    "article": "article", "main": "main", "#role=main": "[role=main]", "#id=content": "#content",
    "#id=main-content": "#main-content", "#id=main": "#main", "#itemprop=articleBody": "[itemprop=articleBody]",
}  # fmt: skip
KEPT: Final = "data-sameish-kept"
"""Attribute, with the value `yes`, of the elements that the settings keep."""
_LIST_PARTS = ("li", "ul", "ol", "menu", "script", "template", "style")
CONTAINERS: Final = ", ".join(_CONTAINER_MARKS.values())
"""Selector of the elements that may hold the main content."""
_TITLE, _TITLE_END = re.compile(r"<title\b[^<>]{0,500}>", re.IGNORECASE), re.compile(r"</title\b", re.IGNORECASE)
_TAG = re.compile(r"<[a-z/!]", re.IGNORECASE)
_NOT_IN_TITLE = re.compile(r"</head\b|<body\b|<svg\b", re.IGNORECASE)
_LONGEST_TITLE = 1000
"""A title with more characters has swallowed the page up to another title, such as that of a picture."""
_SELF_CLOSED = re.compile(r"<([A-Za-z][\w:-]{0,60})\b([^<>]*)/>")
_ABSOLUTE = re.compile(r"https?://[\w.-]+(?:/|$)")
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_LABELS = (
    {"a": ["link"], "h1": ["title"]}
    | {f"h{level}": ["headings"] for level in range(2, 5)}
    | {mark: ["container"] for mark in _CONTAINER_MARKS}
    | {f"#{KEPT}=yes": ["kept"]}
)
_PART_LABELS = (
    _LABELS
    | {"figcaption": ["captions"], "pre": ["code"], "table": ["tables"]}
    | {tag: ["lists"] for tag in ("ul", "ol", "menu", "dl")}
)
# the WHATWG prescan looks at 1024 bytes; browsers look further while the head lasts
_HEAD_BYTES = 8192


def parse(text: str, *, is_xml: bool = False) -> Document:
    """Parse a decoded page. Declarative shadow roots stay templates: `inline_shadow_roots` puts them where readers see them.

    A `<title>` that is never closed swallows the page (its content is text up to the end); it is closed at the first tag.
    In XML an element may close itself, where HTML would go on inside it.
    """
    if is_xml:
        text = _SELF_CLOSED.sub(_closed, text)
    return turbohtml.parse(_with_closed_title(text), positions=False, allow_declarative_shadow_roots=False)


def _closed(tag: re.Match[str]) -> str:
    return tag[0] if tag[1].lower() in _VOID else f"<{tag[1]}{tag[2]}></{tag[1]}>"


def _with_closed_title(text: str) -> str:
    opened = _TITLE.search(text)
    if not opened:
        return text
    closing = _TITLE_END.search(text, opened.end())
    end = closing.start() if closing else len(text)
    if closing and end - opened.end() <= _LONGEST_TITLE and not _NOT_IN_TITLE.search(text, opened.end(), end):
        return text
    tag = _TAG.search(text, opened.end(), end)
    return f"{text[: tag.start()]}</title>{text[tag.start() :]}" if tag else text


def feed_of(text: str) -> Feed | None:
    """Return what a feed holds, None where the text is no well-formed XML or no feed."""
    try:
        return turbohtml.parse_xml(text).feed()
    except turbohtml.HTMLParseError:
        return None


def parse_fragment(markup: str) -> Element:
    """Parse a piece of HTML as if inside a `<div>`."""
    return turbohtml.parse_fragment(markup, positions=False)


def text_of(node: Document | Element) -> str:
    """Return the text as laid out: one line a block, table cells apart, no markup, no addresses."""
    return node.to_text(_TEXT)


def annotated_text(node: Document | Element, *, with_parts: bool = False) -> tuple[str, list[tuple[int, int, str]]]:
    """Return the text as laid out, and (start, end, label) of elements that show something; none inside cells of tables.

    Labels are `link`, `container`, `kept`, `title`, `headings`, with parts `captions`, `lists`, `code` and `tables` too.
    """
    return node.to_annotated_text(_PART_LABELS if with_parts else _LABELS, _TEXT)


def spoken_text(node: Document | Element) -> str:
    """Return all text in document order, without layout; cheaper than `text_of` for measuring."""
    return node.text


def markdown_of(node: Document | Element) -> str:
    """Return GitHub-flavoured Markdown: ATX headings, fenced code, pipe tables, task lists."""
    return node.to_markdown(_MARKDOWN)


@lru_cache(maxsize=256)
def charset_name(label: str) -> str | None:
    """Return the lower-case WHATWG name of an encoding label (`GB2312` is `gbk`), None where it is unknown."""
    try:
        found = turbohtml.parse(b"", encoding=label.strip()).encoding
    except LookupError:
        return None
    return found.lower() if found else None


def declared_charset(body: bytes) -> str | None:
    """Return the lower-case WHATWG name that a `<meta>` in the head declares, or None."""
    head = turbohtml.parse(body[:_HEAD_BYTES])
    return head.encoding.lower() if head.encoding and head.encoding_confidence == "certain" else None


def detect_charset(body: bytes) -> tuple[str, float]:
    """Return the lower-case WHATWG name that the bytes themselves suggest, and how sure that is, 0..1."""
    # declarations would win over content, and here the content is asked: hide them
    hidden = body.replace(b"charset", b"xharset").replace(b"CHARSET", b"XHARSET")
    found = _detect.detect(hidden)
    return (found.encoding or "windows-1252").lower(), found.confidence


def decode_as(body: bytes, name: str) -> str:
    """Decode bytes with the WHATWG decoder of a name; what does not fit becomes U+FFFD."""
    return body.decode(f"whatwg-{name}", "replace")


def inline_shadow_roots(templates: Sequence[Element]) -> bool:
    """Put the content of declarative shadow roots, which may hold others, in their place; tell whether there was one."""
    roots = [template for template in templates if template.attr("shadowrootmode") is not None]
    for template in reversed(roots):
        content = template.children[0] if template.children else template
        template.replace_with(*(content.children if isinstance(content, DocumentFragment) else template.children))
    return bool(roots)


def mend_lists(lists: Iterable[Element], captions: Iterable[Element]) -> None:
    """Give a block to text that stands where HTML allows none, and that the engine's layout would drop.

    Browsers show text directly in a list, other elements between its items, and captions of tables all the same.
    """
    for element in lists:
        if any(
            not isinstance(child, Element) or child.tag not in _LIST_PARTS for child in element if not _is_blank(child)
        ):
            element.tag = "dl"  # a list all the same, and laid out as a div is
    for caption in captions:
        table = caption.parent
        if isinstance(table, Element) and table.tag == "table" and table.parent is not None:
            caption.tag = "figcaption"
            table.insert_before(caption)


def _is_blank(node: turbohtml.Node) -> bool:
    return isinstance(node, turbohtml.Comment) or (isinstance(node, Text) and not node.data.strip())


def reveal_shielded_mail(elements: Iterable[Element]) -> None:
    """Decode mail addresses that a content network hides in elements: hex bytes, each XORed with the first."""
    for element in elements:
        hidden = element.attr("data-cfemail")
        if hidden is not None:
            try:
                key, *rest = bytes.fromhex(hidden)
            except ValueError:
                continue  # not hexadecimal, or empty: what is shown stays as it is
            element.set_text(bytes(byte ^ key for byte in rest).decode("utf-8", "replace"))


def absolute(document: Document, address: str, base: str | None) -> str | None:
    """Return an address in a document made absolute; `base` is the document's own. None where it is no valid address."""
    return address if _ABSOLUTE.match(address) else joined(document.base_url(base or ""), address)


def joined(base: str, address: str) -> str | None:
    """Return an address made absolute by the base of its document (`Document.base_url`, which searches all of it, once)."""
    if _ABSOLUTE.match(address):
        return address
    try:
        return urljoin(base, address)
    except ValueError:
        return None

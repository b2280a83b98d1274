"""The order of the steps from a page to calm sentences; the steps do not know each other."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from sameish.models import Extract, IgnoredNoise, Page, State
from sameish.reading import (
    boilerplate,
    decoding,
    dom,
    feeds,
    main_content,
    markdown,
    noise,
    page_state,
    sentences,
    structured,
)
from sameish.reading.dom import Document
from sameish.settings import DEFAULT, Reading, SettingsLike, load

_INLINE = frozenset(
    "a abbr b bdi bdo br cite code em font i img kbd mark q s samp small span strong sub sup time u var wbr".split()
)
_HEADING_WEIGHT = 2
_FIELDS = 10
"""How many password fields are looked at."""
_SHELL_WORDS = 250
"""A page with fewer words may be a shell around its data."""
_TEXT_TYPES = ("text/plain", "text/markdown", "text/x-markdown", "text/x-rst")
_MARKUP = re.compile(rb"<(?:!--|!doctype|/?[a-z][a-z0-9-]{0,12}[\s/>])", re.IGNORECASE)
_PAGE = re.compile(rb"<(?:!doctype\s{1,9})?html\b", re.IGNORECASE)
_FEED_OR_PAGE = re.compile(rb"<(?:(?:!doctype\s{1,9})?html|rss|feed|rdf:rdf)\b", re.IGNORECASE)
_ROOT_WITHIN = 4096
_CONTROLS = bytes(range(9)) + bytes(range(14, 27))
_BINARY_MARKS = (
    b"%PDF-", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"RIFF", b"OggS", b"\x7fELF", b"wOF",
    b"\x00\x00\x01\x00",
)  # fmt: skip
_WRAPPED = 45
"""A line of plain text with so many characters goes on in the next one, unless that begins a new item."""
_NEW_ITEM = re.compile(r"(?:[-*+•>|#=~`\s]|\d{1,3}[.)] |[\w-]{1,20}: )")


class _Line(NamedTuple):
    """A line before it is calmed: how much it weighs, and whether it is mostly a link."""

    text: str
    weight: int = 1
    linked: bool = False


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page as read: the extract, a weight for each of its sentences, and the tags of its DOM in order."""

    extract: Extract
    weights: tuple[int, ...] = ()
    tags: tuple[str, ...] = ()


def extract(page: Page, settings: SettingsLike = None) -> Extract:
    """Return what a page says, without what stands around it.

    Args:
        page: what the server answered.
        settings: a `Settings` object, a mapping or a TOML file.

    Raises:
        ReadingError: the body is over the limit or does not decompress.
        SettingsError: a setting is wrong.
    """
    return read(page, load(settings).reading).extract


def read(page: Page, settings: Reading = DEFAULT.reading, *, with_markdown: bool = True) -> ReadPage:
    """Read a page.

    Args:
        page: what the server answered.
        settings: limits and extra selectors.
        with_markdown: False leaves `Extract.markdown` empty, which saves a tenth of the time.

    Raises:
        ReadingError: the body is over the limit or does not decompress.
    """
    if page.status == 304:
        return ReadPage(Extract(state=State.EMPTY, reason="HTTP 304: not modified, no body"))
    if 300 <= page.status < 400:
        return ReadPage(Extract(state=State.EMPTY, reason=f"HTTP {page.status}: a redirect"))
    if is_binary(page, settings.max_body_bytes):
        return ReadPage(Extract(state=State.NOT_HTML, reason="bytes of another kind"))
    decoded = decoding.decode(page, settings.max_body_bytes)
    if _kind_of(page) in _TEXT_TYPES:
        return _read_text(page, decoded, settings)
    return _read_html(page, decoded, settings, with_markdown)


def _kind_of(page: Page) -> str:
    """Return the media type, without parameters, in lower case; empty where none is given, or one that says nothing."""
    kind = (page.header("content-type") or "").split(";")[0].strip().lower()
    # the types that the WHATWG MIME Sniffing standard takes for unknown (section 5.1), and what is no type at all
    return "" if "/" not in kind or kind in ("unknown/unknown", "application/unknown", "*/*") else kind


def is_binary(page: Page, limit: int) -> bool:
    """Tell whether the body is no page: by its first bytes, by its control characters, by a header that names another kind."""
    if isinstance(page.body, str):
        return False
    body = decoding.inflate(page, limit)
    if body.startswith(_BINARY_MARKS):
        return True
    head, kind = body[:1024], _kind_of(page)
    if not kind and head.lstrip().startswith(b"<?xml"):
        kind = "text/xml"
    if kind and kind not in _TEXT_TYPES and "html" not in kind:
        # servers name all kinds for pages; a page says what it is, and of other XML only feeds are read
        root = _FEED_OR_PAGE if "xml" in kind else _PAGE
        return bool(body) and not root.search(body[:_ROOT_WITHIN].replace(b"\0", b""))
    if decoding.is_utf16(body) or _MARKUP.search(head):
        return False
    return len(head) > 8 and len(head) - len(head.translate(None, _CONTROLS)) > len(head) // 32


def _read_text(page: Page, decoded: decoding.Decoded, settings: Reading) -> ReadPage:
    plain = decoded.text.replace("\0", "")
    kept, ignored = _calm([_Line(line) for line in _unwrapped(plain)])
    text = "\n".join(one for one, _ in kept)
    state, reason = page_state.judge_state(
        page_state.Evidence(page.status, "", "", text, _count(kept), text[:4000], has_password=False),
        settings.thin_words,
    )
    found = Extract(
        markdown=plain.strip(),
        sentences=tuple(one for one, _ in kept),
        encoding=decoded.encoding,
        encoding_source=decoded.source,
        state=state,
        reason=reason,
        noise=ignored,
    )
    return ReadPage(found, tuple(weight for _, weight in kept))


def _unwrapped(text: str) -> list[str]:
    """Return the lines of a plain text, each paragraph that was wrapped at some column as one."""
    lines: list[list[str]] = []
    before = ""
    for line in text.splitlines():
        if len(before) >= _WRAPPED and line and not _NEW_ITEM.match(line):
            lines[-1].append(line)
        else:
            lines.append([line])
        before = line
    return [" ".join(parts) for parts in lines]


def _parse(page: Page, text: str) -> Document:
    kind = _kind_of(page)
    is_xml = "xml" in kind if kind else text.lstrip().startswith("<?xml")
    return dom.parse((feeds.as_page(text) if is_xml or not kind else None) or text, is_xml=is_xml)


def _read_html(page: Page, decoded: decoding.Decoded, settings: Reading, with_markdown: bool) -> ReadPage:
    document = _parse(page, decoded.text)
    dom.inline_shadow_roots(document, decoded.text)
    dom.reveal_shielded_mail(document, decoded.text)
    tags = tuple(element.tag for element in document.iter_elements() if element.tag not in _INLINE)
    scripts = structured.scripts_of(document)
    title = _squeeze(dom.title_of(document))
    language, canonical = dom.language_of(document), dom.canonical_of(document, page.url)
    has_password = any(
        boilerplate.stands_in_content(field) for field in document.select("input[type=password]")[:_FIELDS]
    )
    seen = _seen(document)
    removed = boilerplate.strip(document, remove=settings.remove, keep=settings.keep)
    markdown.prepare(document)
    layout = main_content.lay_out(document)
    span = main_content.choose(layout)
    h1 = document.select_one("main h1, article h1, [role=main] h1") or document.select_one("h1")
    headline = _squeeze(dom.text_of(h1)) if h1 is not None else ""
    kept, ignored = _calm(_lines_of(layout, span, headline or ("" if any(layout.heading[slice(*span)]) else title)))
    markdown_text = markdown.markdown_of(main_content.element_around(document, layout, span)) if with_markdown else ""
    data = structured.paragraphs_of(scripts) if scripts and _count(kept) < _SHELL_WORDS else ()
    if data and _is_shell(kept, data):
        seen_already = {sentence for sentence, _ in kept}
        hidden, _ = _calm([_Line(line) for line in (headline or title, *data) if line])
        kept += [(sentence, weight) for sentence, weight in hidden if sentence not in seen_already]
        markdown_text = "\n\n".join(part for part in (markdown_text, *data) if part)
    text = "\n".join(one for one, _ in kept)
    words = _count(kept)
    state, reason = page_state.judge_state(
        page_state.Evidence(page.status, title, headline, text, words, seen, has_password), settings.thin_words
    )
    facts = structured.facts_of(scripts)
    if words and facts:
        kept += [(sentences.calm(fact), 1) for fact in facts]
    found = Extract(
        markdown=_with_headline(markdown_text, headline),
        sentences=tuple(one for one, _ in kept),
        title=title or headline,
        encoding=decoded.encoding,
        state=state,
        canonical_url=canonical,
        language=language,
        removed=dict(removed),
        encoding_source=decoded.source,
        noise=ignored,
        reason=reason,
    )
    return ReadPage(found, tuple(weight for _, weight in kept), tags)


def _seen(document: Document) -> str:
    body = document.select_one("body")
    return dom.spoken_text(body)[:4000] if body is not None else ""


def _lines_of(layout: main_content.Layout, span: tuple[int, int], head: str) -> list[_Line]:
    """Return the lines of a span under the headline, headings heavier."""
    lines = [
        _Line(layout.lines[number], _HEADING_WEIGHT if layout.heading[number] else 1, layout.linked[number])
        for number in range(*span)
    ]
    if head and lines and all(line.text != head for line in lines):
        lines.insert(0, _Line(head, _HEADING_WEIGHT))
    return lines


def _calm(lines: list[_Line]) -> tuple[list[tuple[str, int]], tuple[IgnoredNoise, ...]]:
    """Calm and cut lines; set noise aside."""
    if not lines:
        return [], ()
    kept: list[tuple[str, int]] = []
    ignored: list[IgnoredNoise] = []
    calm = sentences.calm("\n".join(line.text for line in lines))
    for text, line in zip(calm.split("\n"), lines, strict=True):
        in_prose = False
        for sentence in sentences.cut(text):
            pattern = noise.noise_pattern(sentence, linked=line.linked)
            # a date that goes on with its line ("due on Fri. 3 June.") is part of what the line says
            if pattern is None or (in_prose and pattern == "date line"):
                kept.append((sentence, line.weight))
                in_prose = True
            else:
                ignored.append(IgnoredNoise(sentence, pattern))
    return kept, tuple(ignored)


def _count(kept: list[tuple[str, int]]) -> int:
    return sum(main_content.word_count(sentence) for sentence, _ in kept)


def _is_shell(kept: list[tuple[str, int]], data: tuple[str, ...]) -> bool:
    """The visible text is small beside the data."""
    return _count(kept) * 3 < sum(main_content.word_count(line) for line in data)


def _with_headline(text: str, headline: str) -> str:
    if not headline or headline in text.replace("\\", "").replace("*", "").replace("`", ""):
        return text
    return f"# {headline}\n\n{text}".strip()


def _squeeze(text: str) -> str:
    return " ".join(text.split())

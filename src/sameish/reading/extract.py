"""The order of the steps from a page to calm sentences; the steps do not know each other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from sameish.models import Extract, Page, State, require_page
from sameish.reading import (
    boilerplate,
    decoding,
    dom,
    feeds,
    kinds,
    main_content,
    markdown,
    page_state,
    pictures,
    structured,
)
from sameish.reading.calming import Calmed, Line, calm_lines
from sameish.reading.dom import Document, Element
from sameish.reading.elsewhere import lines_elsewhere
from sameish.reading.inflating import inflate
from sameish.reading.surroundings import Surroundings, look_around
from sameish.reading.survey import Survey, survey
from sameish.reading.words import text_word_count
from sameish.settings import DEFAULT, Reading, Weights

_MAIN = "main, article, [role=main]"
_SHELL_CHARACTERS = 1500
"""A page with fewer characters of content may be a shell around its data."""
_SEEN = 4000
"""Characters of visible text, furniture included, in which tell-tale phrases are sought."""
_SHIELDED = "protected]"
"""Stands at the end of what is shown in place of a hidden mail address."""
_WRAPPED = 45
"""A line of plain text with so many characters goes on in the next one, unless that begins a new item."""
_NEW_ITEM = re.compile(r"(?:[-*+•>|#=~`\s]|\d{1,3}[.)] |[\w-]{1,20}: )")


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page as read: the extract, a weight for each of its sentences, the tags of its DOM in order, the decompressed body."""

    extract: Extract
    weights: tuple[int, ...] = ()
    tags: tuple[str, ...] = ()
    body: bytes = b""


def read(
    page: Page, settings: Reading = DEFAULT.reading, weights: Weights = DEFAULT.weights, *, with_markdown: bool = True
) -> ReadPage:
    """Read a page.

    Args:
        page: what the server answered.
        settings: limits and extra selectors.
        weights: how much the parts of a page count.
        with_markdown: False leaves `Extract.markdown` empty, which saves a tenth of the time.

    Raises:
        ReadingError: the body is over the limit or does not decompress.
    """
    require_page(page)
    body = inflate(page, settings.max_body_bytes)
    if 300 <= page.status < 400:
        reason = "not modified, no body" if page.status == 304 else "a redirect"
        return ReadPage(Extract(state=State.EMPTY, reason=f"HTTP {page.status}: {reason}"), body=body)
    if kinds.is_binary(page, body):
        return ReadPage(Extract(state=State.NOT_HTML, reason="bytes of another kind"), body=body)
    decoded = decoding.decode(page, body)
    if kinds.media_type(page) in kinds.TEXT_TYPES:
        return _read_text(page, decoded, settings, weights, body)
    return _read_html(page, decoded, settings, weights, body, with_markdown=with_markdown)


def _read_text(page: Page, decoded: decoding.Decoded, settings: Reading, weights: Weights, body: bytes) -> ReadPage:
    plain = decoded.text.replace("\0", "")
    calmed = calm_lines([Line(line, weights.body) for line in _unwrapped(plain)])
    return _finish(
        page,
        decoded,
        settings,
        weights,
        body,
        around=Surroundings(),
        calmed=calmed,
        markdown_text=plain.strip(),
        seen=calmed.text[:_SEEN],
    )


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


def _read_html(
    page: Page, decoded: decoding.Decoded, settings: Reading, weights: Weights, body: bytes, *, with_markdown: bool
) -> ReadPage:
    document = _parse(page, decoded.text)
    found = _survey(document)
    around = look_around(document, found, page.url)
    stripped = boilerplate.strip(document, found, remove=settings.remove, keep=settings.keep)
    if _SHIELDED in stripped.text:
        dom.reveal_shielded_mail(found.of("a", "span"))
    pictures.name_pictures(stripped, found.of("a"))
    left = [element for element in found.of("ul", "ol", "menu") if not stripped.is_gone(element)]
    dom.mend_lists(left, found.of("caption"))
    markdown.prepare(found)
    headline = _headline_of([h1 for h1 in found.of("h1") if not stripped.is_gone(h1)])
    layout = main_content.lay_out(found.first("body") or document, with_parts=_differ(weights))
    span = main_content.choose(layout, around.title)
    head = headline or ("" if any(layout.heading[slice(*span)]) else around.title)
    calmed = calm_lines(_lines_of(layout, span, head, weights))
    text = ""
    if with_markdown:
        markdown.drop_data_addresses(found)
        text = markdown.markdown_of(main_content.element_around(document, layout, span))
    data = _hidden_paragraphs(around, calmed)
    if data:
        told = Line(headline or around.title, weights.title), *(Line(line, weights.body) for line in data)
        calmed.add(calm_lines([line for line in told if line.text]))
        text = "\n\n".join(part for part in (text, *data) if part)
    return _finish(
        page, decoded, settings, weights, body,
        around=around, calmed=calmed, markdown_text=_with_headline(text, headline), seen=stripped.text[:_SEEN],
        headline=headline, removed=dict(stripped.removed),
    )  # fmt: skip


def _parse(page: Page, text: str) -> Document:
    kind = kinds.media_type(page)
    is_xml = "xml" in kind if kind else text.lstrip().startswith("<?xml")
    return dom.parse((feeds.as_page(text) if is_xml or not kind else None) or text, is_xml=is_xml)


def _survey(document: Document) -> Survey:
    """Survey a document after its shadow roots are where readers see them."""
    found = survey(document)
    while dom.inline_shadow_roots(found.of("template")):
        found = survey(document)
    return found


def _headline_of(headlines: Sequence[Element]) -> str:
    inside = (h1 for h1 in headlines if h1.closest(_MAIN))
    h1 = next(inside, headlines[0] if headlines else None)
    return " ".join(dom.text_of(h1).split()) if h1 is not None else ""


def _lines_of(layout: main_content.Layout, span: tuple[int, int], head: str, weights: Weights) -> list[Line]:
    """Return the lines of a span under the headline, with their weights, without those that lead elsewhere."""
    aside = lines_elsewhere(layout, span)
    numbers = [n for n in (*main_content.prices_above(layout, span[0]), *range(*span)) if n not in aside]
    if _differ(weights):
        weighed = [getattr(weights, _part_of(layout, number, head)) for number in numbers]
    else:
        weighed = [weights.body] * len(numbers)
    lines = [
        Line(layout.lines[number], weight, layout.linked[number])
        for number, weight in zip(numbers, weighed, strict=True)
    ]
    if head and lines and all(line.text != head for line in lines):
        lines.insert(0, Line(head, weights.title))
    return lines


def _differ(weights: Weights) -> bool:
    return len(set(msgspec.structs.astuple(weights))) > 1


def _part_of(layout: main_content.Layout, number: int, head: str) -> main_content.Part:
    part = layout.parts[number]
    # of several h1 one is the headline, and that may take several lines
    return "headings" if part == "title" and layout.lines[number] not in head else part


def _hidden_paragraphs(around: Surroundings, calmed: Calmed) -> tuple[str, ...]:
    """Return the prose in a page's data, where the visible text is small beside it: the page is a shell."""
    if not around.scripts or len(calmed.text) > _SHELL_CHARACTERS:
        return ()
    data = structured.paragraphs_of(around.scripts)
    return data if calmed.words * 3 < text_word_count("\n".join(data)) else ()


def _finish(
    page: Page, decoded: decoding.Decoded, settings: Reading, weights: Weights, body: bytes, *,
    around: Surroundings, calmed: Calmed, markdown_text: str, seen: str, headline: str = "",
    removed: dict[str, int] | None = None,
) -> ReadPage:  # fmt: skip
    """Judge the state and put together what was found."""
    text = calmed.text
    words = text_word_count(text)
    evidence = page_state.Evidence(
        page.status, around.title, headline, text, words, seen, around.has_password, page.header("content-range") or ""
    )
    state, reason = page_state.judge_state(evidence, settings.thin_words)
    if words:
        facts = list(structured.facts_of(around.scripts, text))
        calmed.add(Calmed(facts, [weights.body] * len(facts)))
    compared = calmed.compared(max(1, settings.thin_words))
    found = Extract(
        markdown=markdown_text,
        sentences=tuple(compared.sentences),
        title=around.title or headline,
        encoding=decoded.encoding,
        state=state,
        canonical_url=around.canonical,
        language=around.language,
        translations=around.translations,
        removed=removed or {},
        encoding_source=decoded.source,
        noise=tuple(compared.noise),
        reason=reason,
    )
    return ReadPage(found, tuple(compared.weights), around.tags, body)


def _with_headline(text: str, headline: str) -> str:
    if not headline or headline in text.replace("\\", "").replace("*", "").replace("`", ""):
        return text
    return f"# {headline}\n\n{text}".strip()

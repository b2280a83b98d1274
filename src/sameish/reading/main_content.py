"""Chooses the main content: where the prose is, with a guard against picks that lose it.

Recall and stability from capture to capture matter more than precision. A container is chosen only if it holds nearly all
prose of the page; inside it everything from the headline or the first line of prose on is kept, up to where a list of links
begins after the last line of prose, whatever stands between.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

from sameish.reading import dom
from sameish.reading.dom import Document, Element
from sameish.reading.noise import noise_pattern
from sameish.reading.words import word_count

_KEEP = 0.85
"""Share of the page's prose that a container must hold to be chosen."""
_MOST_OF_IT = 0.8
_PROSE_WORDS, _CLOSED_WORDS, _NEAR_LINES = 15, 4, 4
"""Words that make a line prose; words of a sentence that may stand next to it; lines that a headline may stand above it."""
_ENDS, _CLOSERS = (".", "!", "?", "…", "。", "！", "？", "؟", "।"), "\"'”’»)]」』）"
_MOSTLY_LINK, _LIST_LINES = 0.6, 3
"""Share of a line in links that makes it one, and such lines in a row that make a list."""
_CURRENCY = r"[$€£¥₽₴₹]|\b(?:EUR|USD|GBP|CHF|JPY|CNY|SEK|NOK|DKK|PLN|kr|zł)\b"
_PRICE = re.compile(rf"(?:{_CURRENCY})[ \u00a0]?\d|\d[ \u00a0]?(?:{_CURRENCY})")


@dataclass(frozen=True, slots=True)
class Layout:
    """The non-empty lines of a page as laid out, parallel tuples: text, words, whether mostly a link, whether a heading.

    `.containers`, `.kept`: (first line, line after the last) of every element that may hold the main content, and of those
    that the settings keep.
    """

    lines: tuple[str, ...]
    words: tuple[int, ...]
    linked: tuple[bool, ...]
    heading: tuple[bool, ...]
    containers: tuple[tuple[int, int], ...]
    kept: tuple[tuple[int, int], ...] = ()


def lay_out(body: Document | Element) -> Layout:
    """Lay out a page, or its body."""
    text, spans = dom.annotated_text(body)
    lines, starts, at = [], [], 0
    for part in text.split("\n"):
        if part and not part.isspace():
            lines.append(part.strip())
            starts.append(at)
        at += len(part) + 1
    if not lines:
        return Layout((), (), (), (), ())
    linked, heading = [0] * len(lines), [False] * len(lines)
    containers: set[tuple[int, int]] = set()
    kept: set[tuple[int, int]] = set()
    for first, last, label in spans:
        number = max(0, bisect_right(starts, first) - 1)
        if label == "link":
            # a card is a link around a headline and a teaser: each of its lines is in the link
            while number < len(lines) and starts[number] < last:
                linked[number] += min(last, starts[number] + len(lines[number])) - max(first, starts[number])
                number += 1
        elif label == "heading":
            # an anchor beside a headline may be a heading of its own that shows nothing
            heading[number] = any(map(str.isalnum, lines[number]))
        else:
            place = (number if starts[number] >= first else number + 1, bisect_right(starts, max(first, last - 1)))
            (kept if label == "kept" else containers).add(place)
    return Layout(
        lines=tuple(lines),
        words=tuple(map(word_count, lines)),
        linked=tuple(link > _MOSTLY_LINK * len(line) for line, link in zip(lines, linked, strict=True)),
        heading=tuple(heading),
        containers=tuple(sorted(containers)),
        kept=tuple(sorted(kept)),
    )


def choose(layout: Layout, title: str = "") -> tuple[int, int]:
    """Return (first line, line after the last) of the main content; everything where the page has no prose.

    `title`: the page's, by which its headline is known among headings that stand above the prose.
    """
    prose = [
        words if words >= _PROSE_WORDS and not linked else 0
        for words, linked in zip(layout.words, layout.linked, strict=True)
    ]
    sums = list(accumulate(prose, initial=0))
    first, last = 0, len(layout.lines)
    for start, end in layout.containers:
        if end - start < last - first and sums[end] - sums[start] >= _KEEP * sums[-1] > 0:
            first, last = start, end
    places = [number for number in range(first, last) if prose[number]]
    if places:
        marked = (first, last) in layout.containers
        first, last = _stretch(layout, range(places[0], places[-1] + 1), range(first, last), title, marked=marked)
    return min([first, *(start for start, _ in layout.kept)]), max([last, *(end for _, end in layout.kept)])


def _stretch(layout: Layout, prose: range, within: range, title: str, *, marked: bool) -> tuple[int, int]:
    """Take in what follows the prose up to a list of links, short sentences above it, and the headline close above."""
    start, end = prose.start, _end_before_list(layout, prose.stop, within.stop)
    while start > within.start and _is_closed(layout, start - 1):
        start -= 1
    # in a container that was marked as the content the headline may stand further above: facts, dates, points stand between
    near = start if marked else _NEAR_LINES
    above = range(max(within.start, start - near), start)
    outside = range(max(0, within.start - _NEAR_LINES), within.start)
    # what stands outside counts only where nothing inside is the headline
    headings = [number for number in (*above, *outside) if layout.heading[number]]
    return _headline_among(layout, headings, title) if headings else start, end


def _end_before_list(layout: Layout, start: int, stop: int) -> int:
    """Return the line after the last before a list of links, or before the end; bylines and counters may stand in a list."""
    end, links = start, 0
    for number in range(start, stop):
        if layout.linked[number]:
            links += 1
        elif not links or noise_pattern(layout.lines[number]) is None:
            end, links = number + 1, 0
        if links == _LIST_LINES:
            break
    return end


def _headline_among(layout: Layout, headings: list[int], title: str) -> int:
    """Return the first heading; but the one that the title names, where the first names the site and no fact is between."""
    first, *others = headings
    named = [number for number in others if _is_named(layout.lines[number], title, least=2)]
    if not named or _is_named(layout.lines[first], title, least=1):
        return first
    return first if any(map(_holds_digit, layout.lines[first : named[-1]])) else named[-1]


def _is_named(heading: str, title: str, *, least: int) -> bool:
    """Whether a title of so many words is in a heading, or the other way round."""
    short, long = sorted((heading.casefold(), title.casefold()), key=len)
    return len(short.split()) >= least and short in long


def _holds_digit(line: str) -> bool:
    return any(map(str.isdigit, line))


def prices_above(layout: Layout, first: int) -> list[int]:
    """Return the lines with a price between the page's first heading and a line; shops put them above the description."""
    top = next((number for number in range(first) if layout.heading[number]), first)
    return [number for number in range(top, first) if not layout.linked[number] and _PRICE.search(layout.lines[number])]


def _is_closed(layout: Layout, number: int) -> bool:
    """Whether a line ends as a sentence does."""
    return layout.words[number] >= _CLOSED_WORDS and layout.lines[number].rstrip(_CLOSERS).endswith(_ENDS)


def element_around(document: Document, layout: Layout, span: tuple[int, int]) -> Document | Element:
    """Return the smallest container that lays out all lines of a span, else the body."""
    best: Document | Element = document.select_one("body") or document
    lines = layout.lines[span[0] : span[1]]
    if not lines:
        return best
    # the layout adds at most a separator for each cell, so a container with much less text cannot hold the lines
    wanted, least = "\n".join(lines), _MOST_OF_IT * sum(len(line) - line.count(" ") for line in lines)
    size = len(dom.spoken_text(best))
    for element in document.select(dom.CONTAINERS):
        length = len(dom.spoken_text(element))
        if least <= length < size and wanted in _laid_out(element):
            best, size = element, length
    return best


def _laid_out(element: Element) -> str:
    lines = (line.strip() for line in dom.text_of(element).split("\n"))
    return "\n".join(line for line in lines if line)

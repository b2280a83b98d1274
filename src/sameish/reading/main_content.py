"""Chooses the main content: where the prose is, with a guard against picks that lose it.

Recall and stability from capture to capture matter more than precision. A container is chosen only if it holds nearly all
prose of the page; inside it everything from the headline or the first line of prose on is kept, up to where a list of links
begins after the last line of prose, whatever stands between.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Literal, TypeAlias

from sameish.reading import dom
from sameish.reading.dom import Document, Element
from sameish.reading.listing import is_listing
from sameish.reading.noise import noise_pattern
from sameish.reading.prices import holds_price
from sameish.reading.words import rough_word_counts

_KEEP = 0.85
"""Share of the page's prose that a container must hold to be chosen."""
_MOST_OF_IT = 0.8
_PROSE_WORDS, _CLOSED_WORDS, _NEAR_LINES = 15, 4, 4
"""Words that make a line prose; words of a sentence that may stand next to it; lines that a headline may stand above it."""
_ENDS, _CLOSERS = (".", "!", "?", "…", "。", "！", "？", "؟", "।"), "\"'”’»)]」』）"
_MOSTLY_LINK, _LIST_LINES = 0.6, 3
"""Share of a line in links that makes it one, and such lines in a row that make a list."""
_DIALLED, _LEAST_DIALLED = frozenset("0123456789 +()-/.\u00a0\u2011"), 9
"""What a telephone number consists of, and its digits: more than a date has."""

Part: TypeAlias = Literal["title", "headings", "body", "captions", "lists", "code", "tables"]
"""What a line is in the structure of its page; the settings weigh each."""
_PARTS: Final[tuple[Part, ...]] = ("lists", "tables", "code", "captions", "headings", "title")
"""From the least telling to the most: a line that stands in two of them is of the later one."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The non-empty lines of a page as laid out, in parallel tuples.

    `.words`: how many, of long lines roughly. `.linked`: mostly a link. `.links`: words of each link that begins in such a
    line, one entry a link. `.heading`: a heading begins. `.parts`: of which part of
    the page each line is; every `h1` is `title` here. `.containers`, `.kept`: (first line, line after the last) of every element
    that may hold the main content, and of those that the settings keep.
    """

    lines: tuple[str, ...]
    words: tuple[int, ...]
    linked: tuple[bool, ...]
    heading: tuple[bool, ...]
    parts: tuple[Part, ...]
    containers: tuple[tuple[int, int], ...]
    links: tuple[int, ...] = ()
    kept: tuple[tuple[int, int], ...] = ()


def lay_out(body: Document | Element, *, with_parts: bool = True) -> Layout:
    """Lay out a page, or its body; without parts all but headings is `body`, which is cheaper."""
    text, spans = dom.annotated_text(body, with_parts=with_parts)
    lines, starts = _lines_of(text)
    if not lines:
        return Layout((), (), (), (), (), ())
    links: list[tuple[int, int]] = []
    places: defaultdict[str, set[tuple[int, int]]] = defaultdict(set)
    for first, last, label in spans:
        if label == "link":
            links.append((first, last))
        else:
            number = bisect_right(starts, first, 1) - 1
            begins_there = first < starts[number] + len(lines[number])
            end = bisect_right(starts, max(first, last - 1))
            places[label].add((number if begins_there else number + 1, end))
    linked = _mostly_links(lines, starts, links)
    listed = [text[first:last].strip() for first, last in links if linked[bisect_right(starts, first, 1) - 1]]
    return Layout(
        lines=tuple(lines),
        words=rough_word_counts(lines),
        linked=linked,
        links=rough_word_counts(listed),
        heading=_headings(lines, places["title"] | places["headings"]),
        parts=_parts_of(len(lines), places),
        containers=tuple(sorted(places["container"])),
        kept=tuple(sorted(places["kept"])),
    )


def _lines_of(text: str) -> tuple[list[str], list[int]]:
    """Return the lines that are not blank, without the space around them, and where each starts."""
    lines, starts, at = [], [], 0
    for part in text.split("\n"):
        line = part.strip()
        if line:
            lines.append(line)
            starts.append(at if line is part else at + part.index(line[0]))
        at += len(part) + 1
    return lines, starts


def _mostly_links(lines: Sequence[str], starts: Sequence[int], links: Iterable[tuple[int, int]]) -> tuple[bool, ...]:
    linked = [0] * len(lines)
    for first, last in links:
        number = bisect_right(starts, first, 1) - 1
        # a card is a link around a headline and a teaser: each of its lines is in the link
        while number < len(lines) and starts[number] < last:
            inside = min(last, starts[number] + len(lines[number])) - max(first, starts[number])
            # a link may begin with space, behind the line before its text
            if inside > 0:
                linked[number] += inside
            number += 1
    return tuple(
        link > _MOSTLY_LINK * len(line) and not _is_telephone(line) for line, link in zip(lines, linked, strict=True)
    )


def _is_telephone(line: str) -> bool:
    """Whether a line is a telephone number, which is said and not only linked."""
    return _DIALLED.issuperset(line) and sum(map(str.isdigit, line)) >= _LEAST_DIALLED


def _headings(lines: Sequence[str], places: Iterable[tuple[int, int]]) -> tuple[bool, ...]:
    heading = [False] * len(lines)
    for first, last in places:
        # an anchor beside a headline may be a heading of its own that shows nothing
        if first < last:
            heading[first] = any(map(str.isalnum, lines[first]))
    return tuple(heading)


def _parts_of(count: int, places: Mapping[str, Iterable[tuple[int, int]]]) -> tuple[Part, ...]:
    """Return the part that each line is of, from the lines (first, after the last) of the elements of each part."""
    parts: list[Part] = ["body"] * count
    for part in _PARTS:
        done = 0
        for first, last in sorted(places.get(part, ())):
            start = max(first, done)  # lists stand in lists: each line is written once
            if start < last:
                parts[start:last] = [part] * (last - start)
                done = last
    return tuple(parts)


def choose(layout: Layout, title: str = "") -> tuple[int, int]:
    """Return (first line, line after the last) of the main content; everything where the page has no prose.

    `title`: the page's, by which its headline is known among headings that stand above the prose.
    """
    lines = list(zip(layout.words, layout.linked, strict=True))
    # of a listing the links are what it is for, as prose is elsewhere
    listing = is_listing(layout.links, sum(words for words, linked in lines if not linked))
    prose = [words if (listing if linked else words >= _PROSE_WORDS) else 0 for words, linked in lines]
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
    return [number for number in range(top, first) if not layout.linked[number] and holds_price(layout.lines[number])]


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

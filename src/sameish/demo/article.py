"""The articles of the invented newspaper, as values: read from `articles/*.md`, cut into blocks, put into plain words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph, a sub-heading or a quotation; `.kind` is `p`, `h2` or `blockquote`."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list; `.kind` is `ul` or `ol`."""

    kind: str
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """A listing."""

    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the first row is its head."""

    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """An image with its caption."""

    source: str
    alternative: str
    caption: str


Block: TypeAlias = Prose | Items | Code | Table | Figure


@dataclass(frozen=True, slots=True)
class Article:
    """One article. `.slug` is its name on the site; `.price` is set for a reviewed product."""

    slug: str
    title: str
    author: str
    published: date
    section: str
    language: str
    body: tuple[Block, ...]
    price: str = ""

    @property
    def path(self) -> str:
        """Where the site shows it."""
        return f"/{self.section}/{self.slug}"

    @property
    def teaser(self) -> str:
        """The first paragraph."""
        return next(block.text for block in self.body if isinstance(block, Prose))

    @property
    def wording(self) -> str:
        """Every word a reader can read, a line a block: two pages say the same if and only if these are equal."""
        lines = (self.title, self.author, *(line for block in self.body for line in _lines(block)))
        return "\n".join(plain(line) for line in lines)


def plain(text: str) -> str:
    """Return a text without the marks of emphasis and code."""
    return re.sub(r"\*\*|\*|`", "", text)


def _lines(block: Block) -> tuple[str, ...]:
    match block:
        case Items(items=items):
            return items
        case Table(rows=rows):
            return tuple(" | ".join(row) for row in rows)
        case Figure(caption=caption):
            return (caption,)
        case Prose(text=text) | Code(text=text):
            return (text,)


def parse(slug: str, source: str) -> Article:
    """Return the article that a source file describes: `name: value` lines, a line `---`, and Markdown."""
    head, body = source.split("\n---\n", 1)
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    return Article(
        slug=slug,
        title=fields["title"],
        author=fields["author"],
        published=date.fromisoformat(fields["published"]),
        section=fields["section"],
        language=fields["language"],
        price=fields.get("price", ""),
        body=tuple(_block(chunk) for chunk in _chunks(body)),
    )


def _chunks(body: str) -> Iterator[str]:
    # a listing may hold empty lines, everything else ends at one
    for position, part in enumerate(re.split(r"^```$\n?", body, flags=re.MULTILINE)):
        if position % 2:
            yield f"```{part}"
        else:
            yield from (chunk for chunk in re.split(r"\n\n+", part.strip()) if chunk)


def _block(chunk: str) -> Block:
    if chunk.startswith("```"):
        return Code(chunk[3:].rstrip("\n"))
    if figure := re.fullmatch(r'!\[(.*)\]\((\S+) "(.*)"\)', chunk):
        return Figure(source=figure[2], alternative=figure[1], caption=figure[3])
    lines = chunk.splitlines()
    if chunk.startswith("|"):
        rows = (line.strip("|").split("|") for number, line in enumerate(lines) if number != 1)
        return Table(tuple(tuple(cell.strip() for cell in row) for row in rows))
    if chunk.startswith("- "):
        return Items("ul", tuple(line.removeprefix("- ") for line in lines))
    if re.match(r"\d+\. ", chunk):
        return Items("ol", tuple(line.split(". ", 1)[1] for line in lines))
    for mark, kind in (("## ", "h2"), ("> ", "blockquote")):
        if chunk.startswith(mark):
            return Prose(kind, chunk.removeprefix(mark))
    return Prose("p", chunk)


@cache
def sources() -> dict[str, str]:
    """Return the source text of every article by its slug, in alphabetical order."""
    folder = files("sameish.demo") / "articles"
    texts = ((entry.name.removesuffix(".md"), entry.read_text("utf-8")) for entry in folder.iterdir())
    return dict(sorted(texts))

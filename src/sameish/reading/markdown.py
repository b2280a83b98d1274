"""Writes the main content as GitHub-flavoured Markdown."""

from __future__ import annotations

import re
from itertools import islice

from sameish.reading import dom
from sameish.reading.dom import Document, Element
from sameish.reading.survey import Survey

# how highlighters name a language: highlight.js, Prism, Rouge, Sphinx, GitHub, google-code-prettify, SyntaxHighlighter
_NAMED = re.compile(r"(?:^|\s)(?:(?:language|lang)-|brush:\s*)([\w#+-]+)")
_NAMED_AROUND = re.compile(r"(?:^|\s)(?:language|highlight-source|highlight)-([\w#+-]+)")
_MARKED = ("hljs", "sourceCode")
"""Classes beside which another one is the bare name of the language (highlight.js, Pandoc)."""
_NOT_LANGUAGES = frozenset(
    "hljs sourceCode nohighlight code highlight copyable line-numbers numberLines prettyprint linenums default none "
    "plaintext no-highlight".split()
)
_LANGUAGE_ATTRIBUTES = ("data-lang", "data-language")
_WRAPPERS = 3
"""How many elements around a code block may name its language."""
# data stands in cells without headings, code or tables of their own
_LAYOUT_TABLE = "table:has(table, h1, h2, h3, pre):not(:has(th))"
_ROW_GROUPS = ("tbody", "thead", "tfoot", "colgroup")
_FENCE = re.compile(r"^[ >]*+(`{3,})")


def prepare(found: Survey) -> None:
    """Make ready for Markdown and for the layout of text what the engine would write otherwise."""
    for block in found.of("pre"):
        _name_language(block)
        for line_break in block.select("br"):
            line_break.replace_with(dom.Text("\n"))
    for table in reversed(found.of("table")):
        if table.parent is not None and table.matches(_LAYOUT_TABLE):
            _dissolve(table)


def _dissolve(table: Element) -> None:
    """Make blocks of the cells of a table that places parts of a page."""
    for part in _elements_in(table):
        for row in _elements_in(part) if part.tag in _ROW_GROUPS else [part]:
            for cell in _elements_in(row):
                cell.wrap_children(Element("div"))
                cell.unwrap()
            row.unwrap()
        if part.tag in _ROW_GROUPS:
            part.unwrap()
    table.unwrap()


def _elements_in(element: Element) -> list[Element]:
    return [one for one in element.children if isinstance(one, Element)]


def _name_language(block: Element) -> None:
    """Give a code block the class that the engine reads its language from."""
    first = next((one for one in block.children if isinstance(one, Element)), None)
    code = first if first is not None and first.tag == "code" else block
    language = _language_of(code) or _language_of(block) or _language_around(block)
    if language and not code.has_class(f"language-{language}"):
        code.attrs["class"] = f"language-{language}"


def _language_of(element: Element) -> str | None:
    names = element.attr("class") or ""
    found = _NAMED.search(names)
    named = found[1] if found else next(filter(None, map(element.attr, _LANGUAGE_ATTRIBUTES)), None)
    words = names.split()
    if named is None and any(mark in words for mark in _MARKED):
        named = next((word.removeprefix("hljs-") for word in words if word not in _NOT_LANGUAGES), None)
    return named if named not in _NOT_LANGUAGES else None


def _language_around(block: Element) -> str | None:
    for above in islice(block.ancestors, _WRAPPERS):
        found = _NAMED_AROUND.search(above.attr("class") or "") if isinstance(above, Element) else None
        if found:
            return found[1] if found[1] not in _NOT_LANGUAGES else None
    return None


def drop_data_addresses(found: Survey) -> None:
    """A file inside its own address is kilobytes of noise; an image's description, and the address it loads later, stay."""
    for image in filter(_holds_data, found.of("img")):
        later = (image.attr(name) or "" for name in ("data-src", "data-original", "data-lazy-src"))
        address = next((one for one in later if one and not one.lower().startswith("data:")), "")
        if address or image.attr("alt"):
            image.attrs["src"] = address
        else:
            image.extract()
    for link in filter(_holds_data, found.of("a")):
        if link.parent is not None:
            link.unwrap()


def _holds_data(element: Element) -> bool:
    return (element.attr("src") or element.attr("href") or "").lower().startswith("data:")


def markdown_of(element: Document | Element) -> str:
    """Return the Markdown of an element, no more than one blank line between blocks; code keeps its blank lines."""
    lines: list[str] = []
    fence = ""
    for line in dom.markdown_of(element).split("\n"):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and line.strip(" >") == mark[1]:
            fence = ""
        if fence or line or not lines or lines[-1]:
            lines.append(line)
    return "\n".join(lines).strip()

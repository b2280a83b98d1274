"""Writes the main content as GitHub-flavoured Markdown."""

from __future__ import annotations

import re

from sameish.reading import dom
from sameish.reading.dom import Document, Element

# how highlighters name a language beside the `language-*` and `lang-*` that the engine knows
_BRUSH = re.compile(r"\bbrush:\s*([\w#+-]+)")
_NOT_LANGUAGES = frozenset(
    ("hljs", "nohighlight", "code", "highlight", "copyable", "line-numbers", "prettyprint", "linenums")
)
_MANY_NEWLINES = re.compile(r"\n{3,}")


def name_code_languages(document: Document) -> None:
    """Give every code block the class that the engine reads its language from."""
    for element in document.select(
        "code.hljs, pre.hljs, pre[class*='brush:'], pre[class*='highlight-source-'], div[class*='highlight-source-']"
    ):
        language = _language_of(element.attr("class") or "")
        target = element.select_one("code") or (
            element if element.tag in ("code", "pre") else element.select_one("pre")
        )
        if language and target is not None:
            target.add_class(f"language-{language}")


def _language_of(names: str) -> str | None:
    if found := _BRUSH.search(names):
        return found[1]
    words = names.split()
    if any(word.startswith(("language-", "lang-")) for word in words):
        return None
    source = next(
        (word.removeprefix("highlight-source-") for word in words if word.startswith("highlight-source-")), None
    )
    if source or "hljs" not in words:
        return source
    return next((word.removeprefix("hljs-") for word in words if word not in _NOT_LANGUAGES), None)


def drop_data_images(document: Document) -> None:
    """An image inside its own address is kilobytes of noise; its description stays."""
    for image in document.select("img[src^='data:']"):
        lazy = next(
            (address for name in ("data-src", "data-original", "data-lazy-src") if (address := image.attr(name))), None
        )
        if lazy and not lazy.startswith("data:"):
            image.attrs["src"] = lazy
        else:
            image.extract()


def markdown_of(element: Document | Element) -> str:
    """Return the Markdown of an element, no more than one blank line between blocks."""
    return _MANY_NEWLINES.sub("\n\n", dom.markdown_of(element)).strip()

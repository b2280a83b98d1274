"""Text that a page carries as data: JSON-LD, `__NEXT_DATA__` and other JSON scripts.

Two uses: the article of a page whose visible part is a shell, and facts that readers see only after a script has run
(price and availability of a product).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Any, TypeAlias

import msgspec

from sameish.reading import dom
from sameish.reading.dom import Element

JSON: TypeAlias = Any
_LINKED_DATA = "application/ld+json"
_DATA = (_LINKED_DATA, "application/json")
_PROSE_WORDS = 8
_SHORTEST = 2 * _PROSE_WORDS - 1
"""Characters of the shortest words, with spaces between them."""
_LONG_WORDS = 20
"""Strings of an article are paragraphs; the messages of a program are shorter."""
_MAX_DEPTH = 40
_ARTICLE_KEYS = ("articleBody", "text", "reviewBody", "recipeInstructions")
# how old templates hide a script's content from XML parsers
_WRAPPING = re.compile(r"(?:/\*|//|\A)[ ]?<!\[CDATA\[(?:[ ]?\*/)?|(?:/\*|//)?[ ]?\]\]>(?:[ ]?\*/)?[ \n]*\Z")
_NEAR = 40
"""Characters from the ends of a script within which such a wrapping stands."""
_LONGEST_FACT = 80
# schema.org/Offer: what a shopper would call a change
_PRICES = ("price", "lowPrice", "highPrice")
_FACTS = (*_PRICES, "priceCurrency", "availability")
_MOST_FACTS = 50
_NUMBER = re.compile(r"\d[\d.,]*(?<![.,])")


def scripts_of(scripts: Iterable[Element]) -> tuple[tuple[bool, str], ...]:
    """Return (is JSON-LD, text) of every script that holds data; decoding waits until somebody asks."""
    kinds = ((script, (script.attr("type") or "").lower()) for script in scripts)
    return tuple(
        (kind.startswith(_LINKED_DATA), dom.spoken_text(script))
        for script, kind in kinds
        if kind.startswith(_DATA) or script.attr("id") == "__NEXT_DATA__"
    )


def _decode(text: str) -> JSON:
    bare = text.strip().removeprefix("<!--").removesuffix("-->")
    if "[CDATA[" in bare[:_NEAR] or "]]>" in bare[-_NEAR:]:
        bare = _WRAPPING.sub("", bare)
    bare = bare.strip().rstrip(";")
    try:
        return msgspec.json.decode(bare)
    except (msgspec.DecodeError, RecursionError):
        pass
    try:
        # line breaks inside strings are the commonest fault
        return json.loads(bare, strict=False)
    except (ValueError, RecursionError):
        return None  # a script that is no JSON holds no data; pages are full of them


def facts_of(scripts: Iterable[tuple[bool, str]], text: str) -> tuple[str, ...]:
    """Return prices and availabilities of the offers in JSON-LD, as far as the text does not name them; at most fifty."""
    facts: dict[str, None] = {}
    named: set[str] | None = None
    for is_linked_data, source in scripts:
        if is_linked_data and "rice" in source:
            named = {_amount(number[0]) for number in _NUMBER.finditer(text)} if named is None else named
            for node in _objects(_decode(source), 0):
                facts |= dict.fromkeys(_facts_of_offer(node, named))
                if len(facts) >= _MOST_FACTS:
                    return tuple(facts)[:_MOST_FACTS]
    return tuple(facts)


def _facts_of_offer(node: dict[str, Any], named: set[str]) -> Iterator[str]:
    said = {key: _plain(node[key]) for key in _FACTS if isinstance(node.get(key), str | int | float)}
    prices = [said[key] for key in _PRICES if key in said]
    if not prices:
        return
    if not all(_amount(price) in named for price in prices):
        yield " ".join(["offer price", *prices, said.get("priceCurrency", "")]).strip()
    if "availability" in said:
        yield f"offer availability {said['availability']}"


def _amount(number: str) -> str:
    """Return a price in one spelling: a point before the cents, and none where they are zero."""
    whole, _, cents = (
        number.replace(",", ".").rpartition(".") if re.search(r"[.,]\d{1,2}$", number) else (number, "", "")
    )
    whole = whole.replace(".", "").replace(",", "")
    return f"{whole}.{cents.ljust(2, '0')}" if cents.strip("0") else whole


def _plain(value: str | float) -> str:
    text = " ".join(_encodable(str(value)).split())[:_LONGEST_FACT]
    return text.removeprefix("https://schema.org/").removeprefix("http://schema.org/")


def paragraphs_of(scripts: Iterable[tuple[bool, str]]) -> tuple[str, ...]:
    """Return the prose in the data: article bodies of JSON-LD, and every string of eight words or more in other JSON.

    Other JSON counts only where most of its prose stands in long strings: programs also carry their messages in it.
    """
    found: dict[str, None] = {}
    for is_linked_data, source in scripts:
        value = _decode(source)
        texts = _article_texts(value) if is_linked_data else _strings(value)
        paragraphs = dict.fromkeys(paragraph for text in texts for paragraph in _paragraphs(text))
        if is_linked_data or _reads_as_article(paragraphs):
            found |= paragraphs
    return tuple(found)


def _reads_as_article(paragraphs: Iterable[str]) -> bool:
    sizes = [max(text.count(" ") + 1, len(text) // 6) for text in paragraphs]
    return sum(size for size in sizes if size >= _LONG_WORDS) * 2 > sum(sizes)


def _article_texts(value: JSON) -> Iterator[str]:
    for node in _objects(value, 0):
        for key in _ARTICLE_KEYS:
            if isinstance(node.get(key), str):
                yield node[key]


def _objects(value: JSON, depth: int) -> Iterator[dict[str, Any]]:
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, dict):
        yield value
    for below in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(below, depth + 1)


def _strings(value: JSON) -> Iterator[str]:
    """Yield the strings in a value in their order, but those too short for prose."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, str):
            if len(one) >= _SHORTEST and not (one.isascii() and sum(map(one.count, " \n\t")) < _PROSE_WORDS - 1):
                yield one
        elif isinstance(one, dict):
            left.extend(reversed(one.values()))
        elif isinstance(one, list):
            left.extend(reversed(one))


def _paragraphs(text: str) -> Iterator[str]:
    """Data holds plain text or HTML; both become lines of text. Addresses, styles and code names are not prose."""
    text = _encodable(text)
    if "<" in text and ">" in text:
        text = dom.text_of(dom.parse_fragment(text))
    elif "&" in text:
        text = unescape(text)
    for line in text.splitlines():
        stripped = line.strip()
        if _is_prose(stripped):
            yield stripped


def _encodable(text: str) -> str:
    """JSON can name half of a surrogate pair, which no UTF-8 holds, and NUL, which no database does."""
    return text.encode("utf-8", "replace").decode().replace("\0", "")


def _is_prose(line: str) -> bool:
    if line.isascii():
        return line.count(" ") >= _PROSE_WORDS - 1 and "{" not in line
    return line.count(" ") >= _PROSE_WORDS - 1 or len(line) >= 3 * _PROSE_WORDS

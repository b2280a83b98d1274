"""The well-known recipe step by step, beside the schemes: what each step wins on labelled pairs, and what it costs."""

from __future__ import annotations

import hashlib

import sameish
from benchmarks.labelled import Library
from benchmarks.measuring import Judge, Way, measure, print_results
from sameish import Fingerprint, Page, classic
from sameish.fingerprint.schemes import SchemeName
from sameish.models import ComparisonKind
from sameish.reading import dom
from sameish.reading.decoding import decode
from sameish.reading.inflating import inflate
from sameish.settings import DEFAULT, Settings

_UNSEEN = "script, style, noscript, template"


def run(library: Library) -> None:
    """Print a row for each step."""
    print_results(measure(WAYS, library), library)


def by_scheme(name: str, scheme: SchemeName, settings: Settings = DEFAULT) -> Way:
    """Return the way of a scheme under settings: what is stored is the whole fingerprint."""
    return Way(
        name,
        lambda page: sameish.fingerprint(page, scheme, settings).to_bytes(),
        lambda a, b: sameish.compare(Fingerprint.from_bytes(a), Fingerprint.from_bytes(b), settings).kind,
    )


def _md5(page: Page) -> bytes:
    body = page.body if isinstance(page.body, bytes) else page.body.encode()
    return hashlib.md5(body, usedforsecurity=False).digest()


def _equal(a: bytes, b: bytes) -> ComparisonKind:
    return ComparisonKind.IDENTICAL if a == b else ComparisonKind.DIFFERENT


def _html(page: Page) -> str:
    return decode(page, inflate(page, DEFAULT.reading.max_body_bytes)).text


def _plain_text(page: Page) -> str:
    """Everything that a reader may see, menus and footers included."""
    document = dom.parse(_html(page))
    for element in document.select(_UNSEEN):
        element.extract()
    body = document.select_one("body") or document.root
    return "" if body is None else dom.text_of(body)


def _simhash(text: str) -> bytes:
    """Every occurrence of a word votes; no word at all gives 0, as in the recipe."""
    return classic.simhash(classic.tokens(text)).to_bytes(8)


def _markdown(page: Page) -> bytes:
    return _simhash(sameish.extract(page, DEFAULT).markdown)


def _by_bands(identical: int, near: int = DEFAULT.judging.classic_near_bits) -> Judge:
    """Return a judge that calls so many bits identical, so many near, and more different."""

    def judge(a: bytes, b: bytes) -> ComparisonKind:
        distance = sameish.hamming_distance(int.from_bytes(a), int.from_bytes(b))
        if distance <= identical:
            return ComparisonKind.IDENTICAL
        return ComparisonKind.NEAR_DUPLICATE if distance <= near else ComparisonKind.DIFFERENT

    return judge


_RECIPE = _by_bands(DEFAULT.judging.classic_identical_bits)
WAYS = (
    Way("MD5 of the HTML", _md5, _equal),
    Way("simhash of the HTML", lambda page: _simhash(_html(page)), _RECIPE),
    Way("simhash of all text", lambda page: _simhash(_plain_text(page)), _RECIPE),
    Way("simhash of the Markdown", _markdown, _RECIPE),
    Way("the same, identical at 0 bits only", _markdown, _by_bands(0)),
    by_scheme("scheme `classic`", "classic"),
    by_scheme("scheme `text`", "text"),
)
"""From the simplest to the default. Simhashes are judged by the recipe's bands unless the name says otherwise."""

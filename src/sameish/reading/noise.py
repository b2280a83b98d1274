"""Recognises sentences that change from load to load and say nothing: by what they are, never by "ignore the digits".

A sentence is noise only as a whole: it must be short, every word of it must belong to the construct (a date line, a
counter, a relative time ...), and it must have the construct's own sign (a date, the word for what is counted, "ago").
`Price: 64.90 EUR` and `Delivered from 21 October` hold words that belong to none, so they stay; so do bare numbers, which
may be a price, a score or a telephone, and bare times and days, which may be opening hours. All look-ups are set look-ups
over one tokenisation and patterns without nested repetition: linear in the length of the text.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sameish.reading.bylines import BYLINE_OPENERS, is_byline
from sameish.reading.controls import CONTROL_OPENERS, CONTROL_WORDS, LONGEST_CONTROL, is_control
from sameish.reading.missing import MISSING_OPENERS, MISSING_WORDS, says_what_is_missing
from sameish.reading.noise_words import (
    AD_LABELS,
    AD_WORDS,
    AGO,
    COUNTED,
    COUNTED_SIGNS,
    COUNTER,
    FACTS,
    GENERATED,
    MADE,
    MONTHS,
    OPENERS,
    PAGE_MADE,
    READ,
    READING_TIME,
    TOOK,
    UPDATED,
)
from sameish.reading.when import has_date, is_date, is_date_line, is_relative_time, known_words

_MAX_CHARACTERS = 160
_NUMBER, _NUMBERS = re.compile(r"\d"), re.compile(r"\d[\d.,]*")
_SIGN = re.compile(r"[^\W_]|[%°$€£¥₽+<>=✓✔✗✘✅❌]")
_RIGHTS = re.compile(
    r"^(?:all rights reserved|alle rechte vorbehalten|tous droits réservés|todos los derechos reservados|"
    r"tutti i diritti riservati|todos os direitos reservados|все права защищены)\W*$"
)
_COPYRIGHT = ("©", "copyright ©", "copyright (c)", "版权所有", "版權所有")
_COPYRIGHT_YEAR = re.compile(r"^(?:copyright|\(c\))[ ,:]*(?:by )?(?:19|20)\d\d(?!\d)")
_COPYRIGHT_WORDS = 16
_COPYRIGHT_BEGINS = frozenset("©c(版atв")
"""What any of the above begins with: a look that spares most sentences the others."""
_LIST_NUMBER = re.compile(r"^\(?\d{1,3}[.)]$")


_LEADS_ELSEWHERE = re.compile(
    r"^(?:read (?:also|more|next)|also read|see also|related(?: (?:story|article|coverage))?|more on this(?: story)?|recommended"
    r"|lesen sie auch|mehr zum thema|auch interessant|siehe auch|(?:à )?lire aussi|voir aussi|lea también|te puede interesar"
    r"|leggi anche|leia (?:também|mais)|lees ook|czytaj (?:też|także)|читайте (?:также|ещё)|читать также|читайте також"
    r"|延伸阅读|相关阅读|相关文章|推荐阅读|延伸閱讀|あわせて読みたい|関連記事|こちらも読みたい|관련 ?기사|اقرأ أيضا)\b"
)
# Arabic is written with or without them
_VOWEL_SIGNS = re.compile("[\u064b-\u0652\u0670]")
_LEADS_OPENERS = frozenset(
    "read also see related more recommended lesen mehr auch siehe lire voir lea te leggi leia lees czytaj читайте читать".split()
)
# names, owners of rights, and titles of other articles follow these
_ANY_AFTER = (BYLINE_OPENERS | _LEADS_OPENERS).union("copyright all alle tous todos tutti".split())
_OPENERS = OPENERS | CONTROL_OPENERS | MISSING_OPENERS | BYLINE_OPENERS | _LEADS_OPENERS
_CONTINUES = _OPENERS | CONTROL_WORDS | MISSING_WORDS | AD_WORDS
# the first words in scripts with letter case, after a number, a bullet or a quote
_LETTERS = "[A-Za-z\u00c0-\u024f\u0370-\u052f]"
_OTHER_WORD = f"(?: ({_LETTERS}++)(?=[ ,:;]))?"
_FIRST_WORDS = re.compile(rf"""[\d .,:;"'(*/#|+-]{{0,9}}+\b({_LETTERS}++)(?=[ ,.:;/-]){_OTHER_WORD}{_OTHER_WORD}""")


PATTERN_NAMES = (
    "page control", "missing address", "advertisement label", "related link", "byline", "copyright", "no words", "list number",
    "date line", "relative time", "counter", "reading time", "generation time", "page facts",
)  # fmt: skip
"""The names that `noise_pattern` returns, in the order in which it asks."""


def noise_pattern(sentence: str, *, linked: bool = False) -> str | None:
    """Return the name of the pattern that a calm sentence falls under, None where it is content.

    `linked` tells that the sentence is mostly a link.
    """
    if len(sentence) > _MAX_CHARACTERS or _begins_as_content(sentence):
        return None
    return _pattern_of(sentence, linked)


@lru_cache(maxsize=16_384)  # the short lines of a site's templates come again on every page
def _pattern_of(sentence: str, linked: bool) -> str | None:
    if len(sentence) <= LONGEST_CONTROL and is_control(sentence):
        return "page control"
    if says_what_is_missing(sentence):
        return "missing address"
    text = sentence.casefold()
    if not text.isascii():
        text = _VOWEL_SIGNS.sub("", text)
    return _pattern_of_phrases(sentence, text, linked=linked) or _pattern_of_words(text)


def _pattern_of_phrases(sentence: str, text: str, *, linked: bool) -> str | None:
    if text.rstrip(" :") in AD_LABELS:
        return "advertisement label"
    if linked and _LEADS_ELSEWHERE.match(text):
        return "related link"
    if is_byline(sentence):
        return "byline"
    return "copyright" if _is_copyright(text) else None


def _pattern_of_words(text: str) -> str | None:
    words = known_words(text)
    if words is None:
        return None
    has_number = bool(_NUMBER.search(text))
    if not words and not has_number:
        return None if _SIGN.search(text) else "no words"
    if _LIST_NUMBER.match(text):
        return "list number"
    return next((name for name, fits in _PATTERNS if fits(text, words, has_number)), None)


def says_when(line: str) -> bool:
    """Tell whether a line is noise, or a date or time and nothing else, which beside other lines may be content."""
    return len(line) <= _MAX_CHARACTERS and (is_date(line.casefold()) or noise_pattern(line) is not None)


def _begins_as_content(sentence: str) -> bool:
    """See at the first words that no construct begins so, as is true of nearly every sentence."""
    head = sentence.partition(" ")[0]
    if head.isascii() and head.isalpha() and head.lower() not in _OPENERS:
        return True
    found = _FIRST_WORDS.match(sentence)
    if found is None:
        return False
    first = found[1].lower()
    if first not in _OPENERS:
        return True
    others = found.groups()[1:]
    return first not in _ANY_AFTER and any(word is not None and word.lower() not in _CONTINUES for word in others)


def _is_copyright(text: str) -> bool:
    if text[:1] not in _COPYRIGHT_BEGINS or text.count(" ") >= _COPYRIGHT_WORDS:
        return False
    if text.startswith(_COPYRIGHT) or _RIGHTS.match(text):
        return True
    # `(c)` alone numbers a clause, and `copyright` may begin a sentence about it
    return bool(_COPYRIGHT_YEAR.match(text))


def _is_counter(_: str, words: frozenset[str], has_number: bool) -> bool:
    return has_number and words <= COUNTER and not words.isdisjoint(COUNTED_SIGNS)


def _is_reading_time(_: str, words: frozenset[str], has_number: bool) -> bool:
    return has_number and words <= READING_TIME and not words.isdisjoint(READ)


def _is_generation_time(text: str, words: frozenset[str], has_number: bool) -> bool:
    if not has_number or not words <= PAGE_MADE or words.isdisjoint(GENERATED):
        return False
    # `Query time: 3 seconds` may be what was measured, `21 queries in 0.3 seconds` is of the page
    if words.isdisjoint(MADE) and len(_NUMBERS.findall(text)) == 1:
        return False
    return not words.isdisjoint(TOOK) or has_date(text, words)


def _is_page_facts(_: str, words: frozenset[str], has_number: bool) -> bool:
    """Several of the above in one line: `Updated 5 minutes ago 1,204 views 3 min read`."""
    said = (words & UPDATED, words & AGO, words & COUNTED - READ, words & READ)
    return has_number and words <= FACTS and sum(map(bool, said)) > 1 and not words.isdisjoint(AGO | COUNTED | MONTHS)


_PATTERNS = (
    ("date line", is_date_line),
    ("relative time", is_relative_time),
    ("counter", _is_counter),
    ("reading time", _is_reading_time),
    ("generation time", _is_generation_time),
    ("page facts", _is_page_facts),
)

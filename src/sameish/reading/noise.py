"""Recognises sentences that change from load to load and say nothing: by what they are, never by "ignore the digits".

A sentence is noise only as a whole: it must be short, every word of it must belong to the construct (a date line, a
counter, a relative time ...), and it must have the construct's own sign (a date, the word for what is counted, "ago").
`Price: 64.90 EUR` and `Delivered from 21 October` hold words that belong to none, so they stay; so do bare numbers, which
may be a price, a score or a telephone, and bare times and days, which may be opening hours. All look-ups are set look-ups
over one tokenisation and patterns without nested repetition: linear in the length of the text.
"""

from __future__ import annotations

import re

from sameish.reading.controls import is_control
from sameish.reading.missing import says_what_is_missing
from sameish.reading.noise_words import (
    AD_LABELS,
    AGO,
    COUNTED,
    COUNTER,
    DATE_LINE,
    DID_UPDATE,
    FACTS,
    GENERATED,
    GLUE,
    JOINING,
    JUST_NOW,
    KNOWN,
    LATELY,
    MONTHS,
    OPENERS,
    PAGE_MADE,
    READ,
    READING_TIME,
    RELATIVE,
    RELATIVE_DAYS,
    SEVERAL,
    STAFF,
    THIS,
    TOOK,
    UNITS,
    UPDATED,
    WITHIN,
)

_MAX_CHARACTERS = 160
_NUMBER = re.compile(r"\d")
_SIGN = re.compile(r"[^\W_]|[%°$€£¥₽+<>=✓✔✗✘✅❌]")
# a day in a month, a month in a year, or all in digits; not `3.5`, `10:00`, `1-2`
_DATE = re.compile(
    r"(?<!\d)(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:\d{4}|\d\d)|\d{1,2} ?[月월] ?\d{1,2} ?[日일])(?!\d)"
)
_TIME = re.compile(r"\d:\d\d")
_SECONDS = re.compile(r"\d:\d\d:\d\d")
_RIGHTS = re.compile(
    r"^(?:all rights reserved|alle rechte vorbehalten|tous droits réservés|todos los derechos reservados|"
    r"tutti i diritti riservati|todos os direitos reservados|все права защищены)\W*$"
)
_COPYRIGHT = ("©", "copyright ©", "copyright (c)", "版权所有", "版權所有")
_COPYRIGHT_YEAR = re.compile(r"^(?:copyright|\(c\))[ ,:]*(?:by )?(?:19|20)\d\d(?!\d)")
_COPYRIGHT_WORDS = 16
_LIST_NUMBER = re.compile(r"^\(?\d{1,3}[.)]$")


_LEADS_ELSEWHERE = re.compile(
    r"^(?:read (?:also|more|next)|also read|see also|related(?: (?:story|article|coverage))?|more on this(?: story)?|recommended"
    r"|lesen sie auch|mehr zum thema|auch interessant|siehe auch|(?:à )?lire aussi|voir aussi|lea también|te puede interesar"
    r"|leggi anche|leia (?:também|mais)|lees ook|czytaj (?:też|także)|читайте (?:также|ещё)|читать также|читайте також"
    r"|延伸阅读|相关阅读|相关文章|推荐阅读|延伸閱讀|あわせて読みたい|関連記事|こちらも読みたい|관련 ?기사|اقرأ أيضا)\b"
)
_BYLINE = re.compile(
    r"^(?:(?:(?:words|story|text|report|reporting|written|posted) )?by|von|par|por|di|door|автор|текст|文|记者|記者|作者|撰文"
    r"|بقلم)(?: ?[:：] ?| )(\S.{1,60})$",
    re.IGNORECASE,
)
_NAMES_WITHOUT_CASE = 3
# Arabic is written with or without them
_VOWEL_SIGNS = re.compile("[\u064b-\u0652\u0670]")
_WORD = re.compile(r"[^\W\d_]+|[%°$€£¥₽=<>]")
_FIRST_WORD = re.compile(r"\b[A-Za-z]++(?=[ ,.:;])")
_SPACELESS = re.compile("|".join(sorted((word for word in KNOWN if word >= "\u2e80"), key=len, reverse=True)))


PATTERN_NAMES = (
    "page control", "missing address", "advertisement label", "related link", "byline", "copyright", "no words", "list number",
    "date line", "relative time", "counter", "reading time", "generation time", "page facts",
)  # fmt: skip
"""The names that `noise_pattern` returns, in the order in which it asks."""


def noise_pattern(sentence: str, *, linked: bool = False) -> str | None:
    """Return the name of the pattern that a calm sentence falls under, None where it is content.

    `linked` tells that the sentence is mostly a link.
    """
    if is_control(sentence):
        return "page control"
    if says_what_is_missing(sentence):
        return "missing address"
    if len(sentence) > _MAX_CHARACTERS or (not linked and _begins_as_content(sentence)):
        return None
    text = _VOWEL_SIGNS.sub("", sentence.casefold())
    return _pattern_of_phrases(sentence, text, linked=linked) or _pattern_of_words(text)


def _pattern_of_phrases(sentence: str, text: str, *, linked: bool) -> str | None:
    if text in AD_LABELS:
        return "advertisement label"
    if linked and _LEADS_ELSEWHERE.match(text):
        return "related link"
    if _is_byline(sentence):
        return "byline"
    return "copyright" if _is_copyright(text) else None


def _pattern_of_words(text: str) -> str | None:
    words = _known_words(text)
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
    text = line.casefold()
    if len(text) > _MAX_CHARACTERS or not _NUMBER.search(text):
        return False
    words = _known_words(text)
    if words is not None and words <= DATE_LINE and (_DATE.search(text) or _TIME.search(text) or words & MONTHS):
        return True
    return noise_pattern(line) is not None


def _begins_as_content(sentence: str) -> bool:
    """See at the first word, where that is plain ASCII, that no construct begins so: it is so of nearly every sentence."""
    first = _FIRST_WORD.match(sentence)
    return first is not None and first[0].lower() not in OPENERS


def _known_words(text: str) -> frozenset[str] | None:
    """Return the words, None if one belongs to no construct: nearly every sentence ends at its first or second word."""
    found = set()
    for match in _WORD.finditer(text):
        word = match[0]
        if word in KNOWN:
            found.add(word)
            continue
        # scripts without spaces run words together
        parts = _SPACELESS.findall(word) if word >= "\u2e80" else ()
        if "".join(parts) != word:
            return None
        found.update(parts)
    return frozenset(found)


def _is_byline(sentence: str) -> bool:
    """A word such as `by`, then one name or a few: capitals where the script has them."""
    found = _BYLINE.match(sentence)
    if not found:
        return False
    names = sentence[found.start(1) :].replace(",", " ").split()
    if len(names) > 8 or sentence.endswith((".", "!", "?", "。")) or any(name[0].isdecimal() for name in names):
        return False
    cased = [name for name in names if name.casefold() not in JOINING | STAFF]
    with_case = bool(names[0][0].upper() != names[0][0].lower())
    if with_case:
        enough = len(cased) > 1 or any(name.casefold() in STAFF for name in names)
        return enough and all(name[0].isupper() for name in cased)
    return len(names) <= _NAMES_WITHOUT_CASE and not any(name.isascii() for name in names)


def _is_copyright(text: str) -> bool:
    if text.count(" ") >= _COPYRIGHT_WORDS:
        return False
    if text.startswith(_COPYRIGHT) or _RIGHTS.match(text):
        return True
    # `(c)` alone numbers a clause, and `copyright` may begin a sentence about it
    return bool(_COPYRIGHT_YEAR.match(text))


def _is_date_line(text: str, words: frozenset[str], has_number: bool) -> bool:
    """Dates that a word or their form says are dates of the page; a bare date may be the day of the concert."""
    if not has_number or not words <= DATE_LINE:
        return False
    if _SECONDS.search(text) or not words.isdisjoint(RELATIVE_DAYS):
        return True
    return not words.isdisjoint(UPDATED) and bool(_DATE.search(text) or _TIME.search(text) or words & MONTHS)


def _is_relative_time(_: str, words: frozenset[str], has_number: bool) -> bool:
    if words and words <= JUST_NOW | UPDATED:
        return not words.isdisjoint(JUST_NOW)
    if not words.isdisjoint(DID_UPDATE) and _is_lately(words, has_number=has_number):
        return True
    return (
        words <= RELATIVE
        and not words.isdisjoint(AGO)
        and not words.isdisjoint(UNITS)
        and (has_number or not words.isdisjoint(SEVERAL | {"a"}))
    )


def _is_lately(words: frozenset[str], *, has_number: bool) -> bool:
    """Today, this week, or in the last 15 minutes."""
    if words <= UPDATED | GLUE | RELATIVE_DAYS:
        return not words.isdisjoint(RELATIVE_DAYS)
    if not words <= LATELY or words.isdisjoint(UNITS):
        return False
    return has_number and not words.isdisjoint(WITHIN) if words.isdisjoint(THIS) else not has_number


def _is_counter(_: str, words: frozenset[str], has_number: bool) -> bool:
    return has_number and words <= COUNTER and not words.isdisjoint(COUNTED)


def _is_reading_time(_: str, words: frozenset[str], has_number: bool) -> bool:
    return has_number and words <= READING_TIME and not words.isdisjoint(READ)


def _is_generation_time(text: str, words: frozenset[str], has_number: bool) -> bool:
    if not has_number or not words <= PAGE_MADE or words.isdisjoint(GENERATED):
        return False
    return not words.isdisjoint(TOOK) or bool(_DATE.search(text) or _TIME.search(text))


def _is_page_facts(_: str, words: frozenset[str], has_number: bool) -> bool:
    """Several of the above in one line: `Updated 5 minutes ago 1,204 views 3 min read`."""
    said = (words & UPDATED, words & AGO, words & COUNTED, words & READ)
    return has_number and words <= FACTS and sum(map(bool, said)) > 1 and not words.isdisjoint(AGO | COUNTED | MONTHS)


_PATTERNS = (
    ("date line", _is_date_line),
    ("relative time", _is_relative_time),
    ("counter", _is_counter),
    ("reading time", _is_reading_time),
    ("generation time", _is_generation_time),
    ("page facts", _is_page_facts),
)

"""Recognises bylines: a word such as `by`, then names, and perhaps the day on which they wrote."""

from __future__ import annotations

import re
from typing import Final

from sameish.reading.noise_words import DATE_BEGINS, JOINING, NO_NAMES, STAFF
from sameish.reading.when import is_date

_BYLINE = re.compile(
    r"^(?:(?:(?:words|story|text|report|reporting|written|posted) )?by|von|par|por|di|door|автор|текст|文|记者|記者|作者|撰文"
    r"|بقلم)(?: ?[:：] ?| )(\S.{1,60})$",
    re.IGNORECASE,
)
BYLINE_OPENERS: Final = frozenset(
    "words story text report reporting written posted by von par por di door автор текст".split()
)
"""The words, in scripts with letter case, with which a byline may begin."""
_BEGINNINGS = frozenset("by vo pa po di do ав те 文 记 記 作 撰 بق wo st re wr".split())
_MOST_NAMES, _NAMES_WITHOUT_CASE = 8, 3
_NO_END = (".", "!", "?", "。", ":")


def is_byline(sentence: str) -> bool:
    """A word such as `by`, then one name or a few: capitals where the script has them."""
    found = _BYLINE.match(sentence) if sentence[:2].casefold() in _BEGINNINGS or sentence[:1] in _BEGINNINGS else None
    if not found:
        return False
    names = _without_date(sentence[found.start(1) :].replace(",", " ").replace("@", " @").split())
    if not names or len(names) > _MOST_NAMES or sentence.endswith(_NO_END):
        return False
    if any(name[0].isdecimal() or name.casefold() in NO_NAMES for name in names):
        return False
    cased = [name for name in names if name.casefold() not in JOINING | STAFF]
    with_case = bool(names[0][0].upper() != names[0][0].lower())
    if with_case:
        enough = len(cased) > 1 or any(name.casefold() in STAFF for name in names)
        return enough and all(name[0].isupper() for name in cased)
    return len(names) <= _NAMES_WITHOUT_CASE and not any(name.isascii() for name in names)


def _without_date(names: list[str]) -> list[str]:
    """Return what stands before the account and the date that a byline may go on with."""
    end = next((at for at, name in enumerate(names) if _begins_date(name)), len(names))
    date = " ".join(names[end:])
    names = names[:end] if date and is_date(date.casefold()) else names
    return names[:-1] if names and names[-1].startswith("@") else names


def _begins_date(name: str) -> bool:
    return name[0].isdecimal() or name.casefold().strip(".:|•-") in DATE_BEGINS

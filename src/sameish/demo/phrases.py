"""What the site says around its articles, in each of its languages."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Phrases:
    """The phrases of one language, as `phrases.toml` has them; `.language` is its BCP 47 tag."""

    language: str
    table: Mapping[str, str | list[str]]

    def say(self, name: str, /, **filled: object) -> str:
        """Return a phrase with its gaps filled."""
        phrase = self.table[name]
        if not isinstance(phrase, str):
            raise TypeError(f"{name} is a list of phrases")
        return phrase.format(**filled)

    def all(self, name: str) -> list[str]:
        """Return a list of phrases."""
        phrases = self.table[name]
        if isinstance(phrases, str):
            raise TypeError(f"{name} is one phrase")
        return phrases

    def date(self, day: date) -> str:
        """Return a date as readers of the language write it."""
        months = self.all("months")
        month = months[day.month - 1] if months else ""
        return self.say("date", d=day.day, m=month, n=day.month, y=day.year)

    def number(self, count: int) -> str:
        """Return a number as the language groups it."""
        mark = {"de": ".", "ru": "\N{NO-BREAK SPACE}"}.get(self.language, ",")
        return f"{count:,}".replace(",", mark)


@cache
def phrases(language: str) -> Phrases:
    """Return the phrases of a language."""
    source = (files("sameish.demo") / "phrases.toml").read_text("utf-8")
    return Phrases(language, tomllib.loads(source)[language])

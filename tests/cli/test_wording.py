from __future__ import annotations

import time
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish.cli.wording import edited_words, likeness, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A ticket costs 8.40 EUR, today!", ["a", "ticket", "costs", "8.40", "eur", "today"]),
        ("渡轮，六点", ["渡", "轮", "六", "点"]),
        ("हिन्दी में।", ["हिन्दी", "में"]),
        ("شَرِكة، النقل", ["شَرِكة", "النقل"]),
        ("... - !", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_likeness() -> None:
    assert likeness(Counter("abc"), Counter("abd")) == pytest.approx(2 / 3)
    assert likeness(Counter(), Counter()) == 0
    assert likeness(Counter("aab"), Counter("abb")) == pytest.approx(2 / 3)


def marked(before: str, after: str) -> str:
    signs = {"common": "{}", "removed": "-{}-", "added": "+{}+"}
    return "".join(signs[part.kind].format(part.text) for part in edited_words(before, after))


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("It costs 8.40 now.", "It costs 9.60 now.", "It costs -8.40 -+9.60 +now."),
        ("It costs 8.40.", "It costs 9.60.", "It costs -8.40-+9.60+."),
        ("One two", "One two three", "One two +three+"),
        ("Zero one two", "one two", "-Zero -one two"),
        ("船は六時に出る", "船は七時に出る", "船は-六-+七+時に出る"),
        ("Read THE page", "read the book", "read the -page-+book+"),
        ("old a word here", "new a term here", "-old a word -+new a term +here"),
    ],
)
def test_changed_words_are_told(before: str, after: str, shown: str) -> None:
    assert marked(before, after) == shown


@given(st.text("ab .,語"), st.text("ab .,語"))
def test_the_parts_hold_all_words_of_both(before: str, after: str) -> None:
    parts = edited_words(before, after)
    for kind, text in (("removed", before), ("added", after)):
        told = " ".join(part.text for part in parts if part.kind in ("common", kind))
        assert "".join(told.split()) == "".join(text.split())


def test_a_very_long_edit_is_told_as_a_whole() -> None:
    words = [f"w{number % 50}" for number in range(20_000)]
    start = time.process_time()
    parts = edited_words("same " + " ".join(words), "same " + " ".join(words[::-1]))
    assert time.process_time() - start < 5
    assert [part.kind for part in parts] == ["common", "removed", "added"]

from __future__ import annotations

import pytest

from sameish.reading.words import word_count


@pytest.mark.parametrize(
    ("text", "words"),
    [("one", 1), ("one two three", 3), ("图书馆的屋顶", 4), ("ห้องสมุด", 4), ("도서관 지붕", 4), ("naïve café", 2)],
)
def test_words_of_scripts_without_spaces_count_by_their_letters(text: str, words: int) -> None:
    assert abs(word_count(text) - words) <= 1


def test_quotes_and_signs_beyond_ascii_are_no_words() -> None:
    assert word_count("“it’s – one”") == 3


def test_nothing_is_one_word_less_than_none() -> None:
    assert word_count("") == 1

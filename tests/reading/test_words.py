from __future__ import annotations

import pytest

from sameish.reading.words import word_count, word_counts


@pytest.mark.parametrize(
    ("text", "words"),
    [("one", 1), ("one two three", 3), ("图书馆的屋顶", 4), ("ห้องสมุด", 4), ("도서관 지붕", 4), ("naïve café", 2)],
)
def test_words_of_scripts_without_spaces_count_by_their_letters(text: str, words: int) -> None:
    assert abs(word_count(text) - words) <= 1


def test_lines_are_counted_one_by_one() -> None:
    lines = ["one two", "图书馆的屋顶", "it’s – one", ""]
    assert word_counts(lines)[0::2] == [2, 3]
    assert sum(word_counts(lines)) == word_count("\n".join(lines))


def test_nothing_has_no_words() -> None:
    assert word_count("") == 0

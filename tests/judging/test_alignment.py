from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from sameish.judging.alignment import Block, Side, alone, joints, longest_rise, recut_blocks


@given(st.permutations(range(7)))
def test_longest_rise_is_the_longest(values: list[int]) -> None:
    rise = longest_rise(values)
    found = [values[place] for place in rise]
    assert rise == sorted(rise)
    assert found == sorted(found)
    longer = combinations(values, len(rise) + 1)
    assert not any(list(some) == sorted(some) for some in longer)


def test_longest_rise_of_nothing() -> None:
    assert longest_rise([]) == []


def recut(before: list[str], after: list[str]) -> list[Block]:
    return recut_blocks(Side(before), Side(after), (0, len(before), 0, len(after)))


def test_blocks_end_where_both_sides_end() -> None:
    before, after = ["a b", "c", "x", "d e f"], ["new", "a", "b c", "y", "d e", "f"]
    assert recut(before, after) == [(0, 2, 1, 3), (3, 4, 4, 6)]


def test_equal_sentences_are_not_cut_elsewhere() -> None:
    assert recut(["a b"], ["A, b"]) == []


def test_what_only_begins_alike_is_not_cut_elsewhere() -> None:
    assert recut(["a b", "c"], ["a b d"]) == []
    assert recut(["a b", "x", "c"], ["a b c"]) == []
    assert recut(["5 %", "c"], ["5 c"]) == []


def test_a_sentence_without_words_does_not_hide_a_cut() -> None:
    assert recut(["a b", "***", "c"], ["-", "a b c"]) == [(0, 3, 1, 2)]


def test_equal_sentences_join_pages_in_reading_order() -> None:
    assert joints(Side(["a", "b", "c"]), Side(["c", "A!", "new", "b"])) == [(0, 1, 1, 2), (1, 2, 3, 4)]


def test_pages_of_the_same_words_are_joined_by_their_cuts() -> None:
    # each page has both "p q" and "r", of other words of the text
    before, after = Side(["p q", "r", "p q r"]), Side(["p", "q r", "p q", "r"])
    assert joints(before, after) == [(0, 2, 0, 2), (2, 3, 2, 4)]


def test_alone_is_what_no_other_page_says() -> None:
    before = ["The boat leaves at six.", "Tickets", "on board", "End"]
    after = ["Tickets on board!", "The boat leaves at nine.", "END"]
    assert alone(Side(before), Side(after)) == (["The boat leaves at six."], ["The boat leaves at nine."])

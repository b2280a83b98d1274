from __future__ import annotations

from sameish.cli.pairing import edited_pairs


def test_each_edit_finds_the_one_most_like_it() -> None:
    before = {3: "the first boat leaves at six", 4: "the last boat leaves at nine"}
    after = {7: "something new", 8: "the first boat leaves at seven", 9: "the last boat comes at nine"}
    assert edited_pairs(before, after) == [(3, 8), (4, 9)]


def test_unlike_sentences_are_no_pair() -> None:
    assert edited_pairs({0: "cut the rhubarb"}, {0: "beat the butter well"}) == []
    assert edited_pairs({}, {0: "beat the butter"}) == []


def test_pairs_do_not_cross() -> None:
    first, second = "the first boat leaves at six", "a ticket costs two euros"
    assert len(edited_pairs({0: first, 1: second}, {0: f"{second} now", 1: f"{first} now"})) == 1


def test_rows_of_a_table_are_paired_though_all_their_words_are_frequent() -> None:
    before = {row: f"ferry line {row % 3} pier {row % 5}" for row in range(60)}
    after = before | {40: "ferry line 9 pier 0"}
    assert (40, 40) in edited_pairs(before, after)


def test_chinese_letters_are_words() -> None:
    assert edited_pairs({0: "渡轮六点离开港口"}, {0: "渡轮七点离开港口"}) == [(0, 0)]

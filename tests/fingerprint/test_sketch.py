from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish.errors import ReadingError
from sameish.fingerprint import sketch
from sameish.fingerprint.features import features_of

SENTENCES = st.lists(
    st.lists(st.sampled_from("ferry harbour roof slate price lamp not open".split()), min_size=1, max_size=8),
    max_size=12,
)


def packed(*sentences: str) -> bytes:
    return sketch.pack(features_of(sentences))


def test_a_sketch_is_a_set_and_forgets_order_and_repetition() -> None:
    one, two = (
        sketch.unpack(packed(*lines)) for lines in (("one two", "three four", "one two"), ("three four", "one two"))
    )
    assert one.entries.tolist() == two.entries.tolist()


def test_no_words_no_sketch() -> None:
    assert packed() == packed("...") == b""
    assert sketch.unpack(b"").entries.size == 0


@given(SENTENCES)
def test_entries_survive_the_bytes_in_ascending_order(sentences: list[list[str]]) -> None:
    data = packed(*(" ".join(words) for words in sentences))
    entries = sketch.unpack(data).entries
    assert np.all(entries[1:] > entries[:-1])
    assert len(data) == (9 + 6 * entries.size if entries.size else 0)


@given(SENTENCES, SENTENCES)
def test_overlap_is_symmetric_and_bounded(a: list[list[str]], b: list[list[str]]) -> None:
    first, second = (packed(*(" ".join(words) for words in side)) for side in (a, b))
    there, back = sketch.overlap(first, second), sketch.overlap(second, first)
    assert (there.common, there.only_a, there.only_b, there.recut) == (
        back.common,
        back.only_b,
        back.only_a,
        back.recut,
    )
    assert 0.0 <= there.similarity == back.similarity <= 1.0
    assert sketch.overlap(first, first).similarity == (1.0 if a else 0.0)


@given(SENTENCES, SENTENCES)
def test_overlap_counts_what_sets_of_sentences_do(a: list[list[str]], b: list[list[str]]) -> None:
    first, second = ({tuple(words) for words in side} for side in (a, b))
    sketches = (packed(*(" ".join(words) for words in side)) for side in (a, b))
    shared = sketch.overlap(*sketches)
    assert (shared.left_a, shared.left_b) == (len(first - second), len(second - first))
    counts = [sum(map(len, side)) for side in (first & second, first - second, second - first)]
    assert [shared.common, shared.only_a, shared.only_b] == counts


@given(
    st.sets(st.integers(1, 400).map(lambda number: number << 8 | number % 7)),
    st.sets(st.integers(1, 400).map(lambda number: number << 8 | number % 7)),
)
def test_common_entries_are_those_of_both_sets(a: set[int], b: set[int]) -> None:
    left, right = (np.array(sorted(side), np.uint64) for side in (a, b))
    assert sketch._common(left, right).tolist() == sorted(a & b)


def test_sentences_cut_elsewhere_are_recognised() -> None:
    one = packed("the ferry leaves at nine the roof is mended", "a lamp")
    two = packed("the ferry leaves at nine", "the roof is mended", "a lamp")
    assert sketch.overlap(one, two).recut
    assert sketch.overlap(two, one).recut


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (("the ferry beats the lamp",), ("the lamp beats the ferry",)),
        (("the price is 64.90", "now"), ("the price is 46.90", "now")),
        (("the ferry leaves", "at nine"), ("the ferry leaves at ten",)),
        (("open", "all day"), ("open",)),
        (("the red bike costs 100", "the blue bike costs 200"), ("the red bike costs 200", "the blue bike costs 100")),
        (("Alice beat Bob", "Carol beat Dave", "so it went"), ("Alice beat Dave", "Carol beat Bob so it went")),
    ],
)
def test_a_change_is_not_a_cut(a: tuple[str, ...], b: tuple[str, ...]) -> None:
    assert not sketch.overlap(packed(*a), packed(*b)).recut


def test_size_is_bounded_and_two_thinned_pages_are_thinned_alike() -> None:
    sentences = [f"sentence number {number} of a very long page" for number in range(40_000)]
    whole, edited = (
        packed(*sentences),
        packed(*sentences[:36_000], *(f"other {number} words" for number in range(4_000))),
    )
    assert len(whole) <= 9 + 6 * sketch.LIMIT < 16_384
    assert len(edited) <= 9 + 6 * sketch.LIMIT
    shared = sketch.overlap(whole, edited)
    assert shared.thinned
    assert shared.similarity == pytest.approx(0.9 * 2 * 8 / (8 + 0.9 * 8 + 0.1 * 3), abs=0.04)


def test_a_thinned_page_against_a_short_one_still_sees_the_common_share() -> None:
    sentences = [f"sentence number {number} of a very long page" for number in range(9_000)]
    shared = sketch.overlap(packed(*sentences), packed(*sentences[:2_500]))
    assert shared.common
    assert shared.only_b == 0


@pytest.mark.parametrize("size", [1, 8, 10, 16])
def test_a_wrong_length_is_refused(size: int) -> None:
    with pytest.raises(ReadingError, match=f"sketch of {size} bytes"):
        sketch.unpack(bytes(size))

from __future__ import annotations

import random
import time
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sameish.cli.differences import Line, Repetition, differences, repetitions, runs
from sameish.fingerprint.features import features_of
from sameish.fingerprint.schemes import _digest


def kinds(before: list[str], after: list[str]) -> list[tuple[str, str]]:
    return [(line.kind, line.text) for line in differences(before, after)]


def test_they_keep_the_reading_order() -> None:
    assert kinds(["One", "two", "three"], ["one", "four", "three"]) == [
        ("common", "One"), ("removed", "two"), ("added", "four"), ("common", "three"),
    ]  # fmt: skip


def test_places_count_from_one() -> None:
    assert differences(["a b c"], ["new", "a b d"]) == [
        Line("added", (), ("new",), None, 1),
        Line("edited", ("a b c",), ("a b d",), 1, 2),
    ]


def test_what_fingerprints_do_not_count_is_no_difference() -> None:
    assert kinds(["Hello, WORLD!", "***"], ["hello world"]) == [("common", "Hello, WORLD!")]
    assert kinds(["5 %"], ["5"]) == [("edited", "5 %")]


def test_as_few_sentences_as_possible_have_moved() -> None:
    assert differences(["a", "b", "c", "d"], ["d", "a", "b", "c"]) == [
        Line("moved", ("d",), ("d",), 4, 1),
        Line("common", ("a",), ("a",), 1, 2),
        Line("common", ("b",), ("b",), 2, 3),
        Line("common", ("c",), ("c",), 3, 4),
    ]


def test_a_repetition_is_no_difference_but_is_told() -> None:
    before, after = ["buy now", "first", "Buy now", "second"], ["buy now", "first", "second"]
    assert {kind for kind, _ in kinds(before, after)} == {"common"}
    assert repetitions(before, after) == [Repetition("buy now", 2, 1)]


def test_two_edits_in_a_row_stand_as_pairs() -> None:
    before = ["The boat leaves at six.", "A ticket costs 8.40 EUR.", "End."]
    after = ["The boat leaves at nine.", "A ticket costs 9.60 EUR.", "A dog is free.", "End."]
    assert kinds(before, after) == [
        ("edited", "The boat leaves at six."), ("edited", "A ticket costs 8.40 EUR."), ("added", "A dog is free."),
        ("common", "End."),
    ]  # fmt: skip


def test_the_same_words_cut_elsewhere() -> None:
    lines = differences(
        ["Opening hours", "Monday to Friday.", "8 to 5", "End"], ["Opening hours Monday to", "Friday. 8 to 5", "End"]
    )
    assert [line.kind for line in lines] == ["recut", "common"]
    assert lines[0].before == ("Opening hours", "Monday to Friday.", "8 to 5")
    assert lines[0].after == ("Opening hours Monday to", "Friday. 8 to 5")


def test_cut_elsewhere_with_a_repeated_label_within() -> None:
    before = ["Price", "8 EUR", "Price", "9 EUR"]
    assert [line.kind for line in differences(before, ["Price 8 EUR", "Price 9 EUR"])] == ["recut", "recut"]


def test_an_edit_beside_a_new_cut() -> None:
    before = ["The boat leaves at six.", "Tickets", "on board"]
    after = ["The boat leaves at nine.", "Tickets on board"]
    assert [line.kind for line in differences(before, after)] == ["edited", "recut"]


def test_runs_of_one_kind() -> None:
    lines = [Line("common", ("a",)), Line("common", ("b",)), Line("added", (), ("c",))]
    assert [(kind, [line.text for line in run]) for kind, run in runs(lines)] == [
        ("common", ["a", "b"]),
        ("added", ["c"]),
    ]


SENTENCES = st.lists(st.text("ab .,語", min_size=1, max_size=6), max_size=12)


@given(SENTENCES, SENTENCES)
@example(["aa", "a", "語", "語語"], ["aa", "語語", "a", "語", "語", "語"])
@example(["a", "b", "a b"], ["a b", "a", "b"])
def test_no_difference_exactly_where_digests_are_equal(before: list[str], after: list[str]) -> None:
    changed = {"removed", "added", "edited", "recut"}
    equal = _digest(features_of(before)) == _digest(features_of(after))
    assert equal == changed.isdisjoint(line.kind for line in differences(before, after))


@given(SENTENCES, SENTENCES)
def test_every_distinct_sentence_is_told_at_most_once_a_page(before: list[str], after: list[str]) -> None:
    lines = [line for line in differences(before, after) if line.kind != "recut"]
    for texts in ([t for line in lines for t in line.before], [t for line in lines for t in line.after]):
        keys = [features_of([text]).sentences.tobytes() for text in texts]
        assert len(keys) == len(set(keys))
    assert all(line.before[0] in before for line in lines if line.before)
    assert all(line.after[0] in after for line in lines if line.after)


@given(SENTENCES, SENTENCES)
def test_the_other_way_round_what_was_added_is_removed(before: list[str], after: list[str]) -> None:
    there, back = (Counter(line.kind for line in differences(*sides)) for sides in ((before, after), (after, before)))
    if not there["recut"] and not there["edited"] and not back["recut"] and not back["edited"]:
        assert (there["added"], there["removed"]) == (back["removed"], back["added"])
    assert (there["moved"], there["common"]) == (back["moved"], back["common"]) or there["recut"] or back["recut"]


def words(count: int, of: int, seed: int = 1) -> list[str]:
    draw = random.Random(seed)  # noqa: S311  # guards no secret
    return [" ".join(f"w{draw.randrange(of)}" for _ in range(12)) for _ in range(count)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (words(20, 900) * 250, words(20, 900)[::-1] * 250),
        (words(5000, 900), words(5000, 900)[::-1]),
        (words(5000, 900), [f"{text} more" for text in words(5000, 900)]),
        (words(5000, 4), words(5000, 4, seed=2)),
        (["yes"] * 5000, ["yes yes"] * 2500),
        ([" ".join(words(5000, 900))], [" ".join(words(5000, 900)[::-1])]),
    ],
    ids=["repeats", "reversed", "all edited", "few words", "one word", "one sentence"],
)
def test_five_thousand_sentences_take_no_time(before: list[str], after: list[str]) -> None:
    start = time.process_time()
    differences(before, after)
    assert time.process_time() - start < 5  # a quadratic way took minutes

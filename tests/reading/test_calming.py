from __future__ import annotations

from sameish.models import IgnoredNoise
from sameish.reading.calming import Calmed, Line, calm_lines

LINES = [Line("Adults pay twelve.", 0), Line("Children swim free.", 3), Line("1,204 views", 0)]


def test_a_sentence_has_the_weight_of_its_line() -> None:
    found = calm_lines([Line("One is short. Two is shorter.", 4), Line("Three.", 2)])
    assert list(zip(found.sentences, found.weights, strict=True)) == [
        ("One is short.", 4), ("Two is shorter.", 4), ("Three.", 2),
    ]  # fmt: skip


def test_what_is_added_keeps_its_weight_and_is_there_once() -> None:
    found = Calmed(["a", "b"], [1, 2])
    found.add(Calmed(["b", "c"], [5, 6]))
    assert (found.sentences, found.weights) == (["a", "b", "c"], [1, 2, 6])


def test_sentences_that_weigh_nothing_are_noise_with_a_name_of_its_own() -> None:
    found = calm_lines(LINES).compared(least=3)
    assert (found.sentences, found.weights) == (["Children swim free."], [3])
    assert found.noise == [IgnoredNoise("1,204 views", "counter"), IgnoredNoise("Adults pay twelve.", "weight 0")]


def test_nothing_is_left_out_where_too_few_words_would_stay() -> None:
    found = calm_lines(LINES).compared(least=4)
    assert (found.sentences, found.weights) == (["Adults pay twelve.", "Children swim free."], [1, 3])
    assert [one.pattern for one in found.noise] == ["counter"]

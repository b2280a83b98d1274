"""Figures over labelled answers."""

from __future__ import annotations

import pytest

from sameish.judging import measures
from sameish.judging.labelled import Judged, Label
from sameish.models import Comparison, ComparisonKind
from sameish.settings import Judging

KINDS = ComparisonKind


def judged(
    label: Label,
    kind: ComparisonKind,
    sure: float = 0.9,
    *,
    similarity: float = 0.9,
    site: str = "a",
    loose: bool = False,
) -> Judged:
    signals = {
        "common_words": 100 * similarity,
        "only_a_words": 100 * (1 - similarity),
        "only_b_words": 100 * (1 - similarity),
    }
    comparison = Comparison(kind, 30, similarity, sure, f"sketch: {similarity:.0%}", signals)
    return Judged(label, site, comparison, 900, loose=loose)


@pytest.mark.parametrize(
    ("label", "right"),
    [
        (Label.SAME, {KINDS.IDENTICAL}),
        (Label.MINOR, {KINDS.NEAR_DUPLICATE}),
        (Label.CHANGED, {KINDS.NEAR_DUPLICATE, KINDS.DIFFERENT}),
        (Label.DIFFERENT, {KINDS.DIFFERENT, KINDS.UNDETERMINED}),
    ],
)
def test_which_answers_are_right(label: Label, right: set[ComparisonKind]) -> None:
    assert {kind for kind in KINDS if judged(label, kind).right} == right


def test_a_loose_pair_may_be_answered_otherwise() -> None:
    loose = {(label, kind) for label in Label for kind in KINDS if judged(label, kind, loose=True).right}
    strict = {(label, kind) for label in Label for kind in KINDS if judged(label, kind).right}
    assert loose - strict == {(Label.SAME, KINDS.NEAR_DUPLICATE), (Label.CHANGED, KINDS.UNDETERMINED)}


def test_recall_by_kind_and_precision_by_answer() -> None:
    known = [
        *[judged(Label.SAME, KINDS.IDENTICAL)] * 3,
        judged(Label.SAME, KINDS.NEAR_DUPLICATE),
        *[judged(Label.MINOR, KINDS.NEAR_DUPLICATE)] * 2,
    ]
    same = measures.kind_score(known[:4])
    assert (same.pairs, same.answers, same.recall) == (4, {"identical": 3, "near_duplicate": 1}, 0.75)
    scores = measures.answer_scores(known)
    assert list(scores) == ["identical", "near_duplicate"]
    assert scores["identical"] == measures.AnswerScore(3, 1.0)
    assert scores["near_duplicate"].precision == pytest.approx(2 / 3)


def test_the_interval_draws_sites_as_wholes() -> None:
    five_alike = [(site, right) for site in "abcde" for right in (True, False) for _ in range(50)]
    assert measures.interval(five_alike) == (0.5, 0.5)
    low, high = measures.interval([(str(number), number % 2 == 0) for number in range(100)])
    assert low is not None
    assert high is not None
    assert 0.35 < low < 0.5 < high < 0.65


def test_of_few_sites_no_interval_is_claimed() -> None:
    assert measures.interval([]) == (None, None)
    assert measures.interval([(site, at < 7) for site in "abcd" for at in range(10)]) == (None, None)


@pytest.mark.parametrize(("sites", "low"), [(5, 0.478), (100, 0.964)])
def test_answers_that_are_all_right_leave_doubt_about_other_sites(sites: int, low: float) -> None:
    names = [f"{number}.example" for number in range(sites)] * 9
    right, wrong = (measures.interval([(name, one) for name in names]) for one in (True, False))
    assert right == pytest.approx((low, 1.0), abs=0.001)
    assert wrong == pytest.approx((0.0, 1 - low), abs=0.001)


def test_the_reliability_table_sets_confidence_beside_truth() -> None:
    table = measures.reliability([(0.92, True)] * 9 + [(0.94, False)] + [(1.0, True)] * 2)
    assert [(one.low, one.high, one.answers, one.right) for one in table] == [(0.9, 0.95, 10, 0.9), (0.98, 1.0, 2, 1.0)]
    assert table[0].confidence == pytest.approx(0.922)
    assert measures.gap(table) == pytest.approx(10 / 12 * 0.022)
    assert measures.gap([]) == 0.0


def test_undetermined_claims_nothing() -> None:
    known = [judged(Label.SAME, KINDS.UNDETERMINED, 0.0), judged(Label.SAME, KINDS.IDENTICAL, 0.9)]
    assert measures.claims(known, [0.0, 0.9]) == [(0.9, True)]


def test_the_sweep_says_what_other_thresholds_give() -> None:
    known = [
        judged(Label.MINOR, KINDS.NEAR_DUPLICATE, similarity=0.85),
        judged(Label.MINOR, KINDS.DIFFERENT, similarity=0.45),
        judged(Label.DIFFERENT, KINDS.DIFFERENT, similarity=0.25),
        judged(Label.CHANGED, KINDS.NEAR_DUPLICATE, similarity=0.65),
    ]
    rows = {
        row.value: (row.together, row.apart, row.changed_near) for row in measures.sweep_similarity(known, Judging())
    }
    assert rows[0.2] == (1.0, 0.0, 1.0)
    assert rows[0.4] == (1.0, 1.0, 1.0)
    assert rows[0.5] == (0.5, 1.0, 1.0)
    assert rows[0.7] == (0.5, 1.0, 0.0)
    (bare, *_) = measures.sweep_similarity(known[:2], Judging())
    assert (bare.together, bare.apart, bare.changed_near) == (1.0, None, None)
    assert 0.55 in {row.value for row in measures.sweep_similarity(known, Judging(near_similarity=0.55))}
    bits = {row.value: row.together for row in measures.sweep_bits(known, Judging(near_bits=31))}
    assert bits[31] == 1.0
    assert bits[8] == 0.5


def test_the_worst_is_wrong_and_surest() -> None:
    known = [judged(Label.SAME, KINDS.NEAR_DUPLICATE, sure) for sure in (0.3, 0.9, 0.6)]
    right = judged(Label.SAME, KINDS.IDENTICAL, 0.99)
    assert [one.comparison.confidence for one in measures.worst([*known, right], 2)] == [0.9, 0.6]

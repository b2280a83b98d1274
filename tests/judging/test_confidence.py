"""How sure an answer is, and what that was learned from."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sameish
from sameish.judging import confidence
from sameish.judging.compare import compare_fingerprints
from sameish.judging.confidence import Model, NearCurve, model_of, shipped, step_of, text_of
from sameish.judging.labelled import Judged, Label
from sameish.judging.learning import folded, learn
from sameish.models import Comparison, ComparisonKind

KINDS = ComparisonKind


def answer(kind: ComparisonKind, reason: str, changed: float = 0.0, structure: float = 0.0) -> Comparison:
    signals = {"common_words": 100.0, "only_a_words": changed, "only_b_words": 0.0, "structure_bits": structure}
    return Comparison(kind, 5, 0.9, 0.0, reason, signals)


def near(label: Label, changed: float, structure: float = 0.0, site: str = "a.example") -> Judged:
    return Judged(label, site, answer(KINDS.NEAR_DUPLICATE, "sketch: 90% of the words", changed, structure), 100)


@pytest.mark.parametrize(
    ("kind", "reason", "step"),
    [
        (KINDS.IDENTICAL, "digest: the same sentences", "exact"),
        (KINDS.IDENTICAL, "sketch: the same words, cut into other sentences", "exact"),
        (KINDS.NEAR_DUPLICATE, "sketch: 90% of the words stand in common sentences", "near"),
        (KINDS.NEAR_DUPLICATE, "simhash: 3 bits, at most 8 for 900 words", "near"),
        (KINDS.DIFFERENT, "sketch: 2% of the words in common; simhash: 28 bits, over 9", "different"),
        (KINDS.DIFFERENT, "thin: too little text, and not equal", "thin"),
        (KINDS.DIFFERENT, "bytes: not equal", "bytes"),
        (KINDS.NEAR_DUPLICATE, "classic: 5 bits, at most 8", "classic_near_duplicate"),
        (KINDS.UNDETERMINED, "a page is empty", "undetermined"),
    ],
)
def test_the_step_that_decided_is_known_by_the_reason(kind: ComparisonKind, reason: str, step: str) -> None:
    assert step_of(answer(kind, reason)) == step


@given(st.floats(0, 1e9), st.floats(0, 64))
def test_a_curve_gives_a_chance_that_is_never_certain(changed: float, structure: float) -> None:
    assert 0.01 <= shipped().near.at(changed, structure) <= 0.99


@given(st.floats(0, 1e5), st.floats(0, 1e5), st.floats(0, 64), st.floats(0, 64))
def test_more_words_make_an_edit_likelier_and_another_template_less(
    few: float, more: float, near_bits: float, far_bits: float
) -> None:
    few, more = sorted((few, more))
    near_bits, far_bits = sorted((near_bits, far_bits))
    assert shipped().near.at(few, far_bits) <= shipped().near.at(more, near_bits)


def test_the_shipped_model_knows_every_step() -> None:
    kinds = ("identical", "near_duplicate", "different")
    assert set(shipped().steps) == {"exact", "thin", "different", *(f"classic_{kind}" for kind in kinds)}
    assert shipped().of_step("exact") > 0.95
    assert shipped().of_step("classic_near_duplicate") < shipped().of_step("exact")
    assert shipped().of_step("a step that nobody measured") == 0.5


def test_the_shipped_file_says_where_its_numbers_are_from() -> None:
    head = Path(confidence.__file__).with_name(confidence.RESOURCE).read_text("utf-8").splitlines()
    assert "scripts/learn_confidence.py" in head[0]
    assert "pairs of" in head[1]


def test_a_model_survives_being_written() -> None:
    model = Model({"exact": 0.9812, "thin": 0.75}, NearCurve(-1.25, 0.5, -0.125))
    assert model_of(text_of(model, "two\nlines")) == model


def test_comparisons_carry_the_confidence_of_the_model() -> None:
    told = (
        "The ferry leaves at six and the crew sells tickets on board until the boat has reached the island again. " * 3
    )
    a, b = (
        sameish.fingerprint(sameish.Page(f"<main><p>{told}</p><p>A ticket costs {price}.</p></main>"))
        for price in (8, 9)
    )
    for other in (a, b):
        found = compare_fingerprints(a, other)
        assert found.confidence == shipped().of(found)
    assert compare_fingerprints(a, b).signals["structure_bits"] == 0.0


def test_another_template_lowers_the_confidence_of_a_near_duplicate() -> None:
    told = (
        "<p>The ferry leaves at six and the crew sells tickets on board until the boat has reached the island.</p>" * 3
    )
    before = f"<main>{told}<p>A ticket costs 8.</p></main>"
    after = f"<main>{told}<p>A ticket costs 9.</p></main>"
    moved = (
        f"<table><tr><td><main><section>{told}<ul><li>A ticket costs 9.</li></ul></section></main></td></tr></table>"
    )
    stayed, redesigned = (sameish.compare(sameish.Page(before), sameish.Page(page)) for page in (after, moved))
    assert str(stayed.kind) == str(redesigned.kind) == "near_duplicate"
    assert redesigned.signals["structure_bits"] > 0
    assert redesigned.confidence < stayed.confidence


# Learning


def test_a_step_s_confidence_is_the_share_that_was_right() -> None:
    known = [Judged(Label.SAME, "a.example", answer(KINDS.IDENTICAL, "digest: the same sentences")) for _ in range(97)]
    wrong = Judged(Label.MINOR, "a.example", answer(KINDS.IDENTICAL, "digest: the same sentences"))
    assert learn([*known, wrong]).steps == {"exact": 98 / 100}


def test_of_few_near_duplicates_only_the_share_is_learned() -> None:
    curve = learn([near(Label.MINOR, 5), near(Label.MINOR, 5), near(Label.SAME, 5)]).near
    assert (curve.log_changed_words, curve.structure_bits) == (0.0, 0.0)
    assert curve.at(5, 5) == pytest.approx(3 / 5)


def test_a_curve_learns_what_tells_edits_from_noise() -> None:
    edits = [near(Label.MINOR, words, 0) for words in range(20, 120)]
    noise = [near(Label.SAME, words, bits) for words in range(1, 11) for bits in range(10)]
    curve = learn([*edits, *noise]).near
    assert curve.log_changed_words > 0
    assert curve.structure_bits < 0
    assert curve.at(100, 0) > 0.9
    assert curve.at(2, 8) < 0.1


def test_learned_confidence_is_true_where_the_truth_is_a_curve() -> None:
    counts = {1: 0.1, 10: 0.4, 100: 0.8, 1000: 0.95}
    judged = [
        near(Label.MINOR if number < 100 * share else Label.SAME, words)
        for words, share in counts.items()
        for number in range(100)
    ]
    curve = learn(judged).near
    for words, share in counts.items():
        assert curve.at(words, 0) == pytest.approx(share, abs=0.08)


def test_folded_confidence_is_not_learned_from_the_site_itself() -> None:
    # on one site every identical answer is wrong, which only this site could have told
    same = [
        Judged(Label.SAME, f"{number}.example", answer(KINDS.IDENTICAL, "digest: the same sentences"))
        for number in range(200)
    ]
    odd = Judged(Label.MINOR, "odd.example", answer(KINDS.IDENTICAL, "digest: the same sentences"))
    judged = [*same, *[odd] * 50]
    sure = dict(zip((one.site for one in judged), folded(judged), strict=True))
    assert sure["odd.example"] > 0.98
    assert min(value for site, value in sure.items() if site != "odd.example") < 0.85
    assert not any(math.isnan(value) for value in sure.values())


def test_folded_confidence_is_the_same_on_every_run() -> None:
    judged = [
        near(Label.MINOR if number % 3 else Label.SAME, number, 0, f"{number % 7}.example") for number in range(90)
    ]
    assert folded(judged) == folded(judged)

"""Thresholds chosen from labelled pairs."""

from __future__ import annotations

import random

import pytest

import sameish
from sameish.judging.calibrate import NEEDED, answer_at, calibrate, choose, is_enough, telling
from sameish.judging.compare import compare_fingerprints
from sameish.judging.labelled import Judged, Label
from sameish.models import Comparison, ComparisonKind
from sameish.settings import Judging

KINDS = ComparisonKind


def judged(label: Label, similarity: float, *, distance: int = 30, site: str = "a", reason: str = "sketch: ") -> Judged:
    half = 100 * (1 - similarity)
    signals = {"common_words": 100 * similarity, "only_a_words": half, "only_b_words": half}
    kind = KINDS.NEAR_DUPLICATE if similarity >= 0.5 else KINDS.DIFFERENT
    return Judged(label, site, Comparison(kind, distance, similarity, 0.9, reason, signals), 900)


def spread(label: Label, low: float, high: float, count: int = 60) -> list[Judged]:
    return [judged(label, low + (high - low) * at / count, site=f"{label}{at}.example") for at in range(count)]


def test_thresholds_that_are_right_stay_as_they_are() -> None:
    known = [*spread(Label.MINOR, 0.55, 0.99), *spread(Label.DIFFERENT, 0.0, 0.4)]
    found = calibrate(known, Judging())
    assert not found.changed
    assert (found.error_before.mean, found.error_after.mean, found.error_held_out.mean) == (0.0, 0.0, 0.0)
    assert (found.together, found.apart) == (60, 60)


def test_the_middle_of_the_best_is_chosen_where_articles_grow() -> None:
    known = [*spread(Label.MINOR, 0.22, 0.9), *spread(Label.DIFFERENT, 0.0, 0.09)]
    found = calibrate(known, Judging())
    assert found.after == Judging(near_similarity=0.15)
    assert found.error_before.torn > 0.3
    assert found.error_held_out.mean < 0.05


def test_a_higher_share_is_chosen_where_pages_are_sisters() -> None:
    found = calibrate([*spread(Label.MINOR, 0.85, 0.99), *spread(Label.DIFFERENT, 0.5, 0.72)], Judging())
    assert 0.72 <= found.after.near_similarity <= 0.85
    assert found.error_before.thrown == 1.0
    assert found.error_after.thrown == 0.0


def test_one_pair_moves_nothing() -> None:
    known = [*spread(Label.MINOR, 0.55, 0.99), judged(Label.MINOR, 0.45), *spread(Label.DIFFERENT, 0.0, 0.2)]
    assert choose(known, Judging()) != Judging()
    assert not calibrate(known, Judging()).changed


def test_what_is_chance_is_not_learned() -> None:
    draw = random.Random(3)  # noqa: S311  # guards no secret
    known = [
        judged(label, draw.random(), site=f"{number}.example")
        for number in range(200)
        for label in (Label.MINOR, Label.DIFFERENT)
    ]
    assert not calibrate(known, Judging()).changed


@pytest.mark.parametrize(("grown", "believed"), [(3, False), (4, False), (12, True)])
def test_what_a_few_sites_say_with_many_pairs_is_not_learned(grown: int, believed: bool) -> None:
    fine = [*spread(Label.MINOR, 0.55, 0.99), *spread(Label.DIFFERENT, 0.0, 0.1)]
    torn = [judged(Label.MINOR, 0.3, site=f"{at % grown}.grown.example") for at in range(120)]
    assert calibrate([*fine, *torn], Judging()).changed is believed


def test_bits_are_learned_where_the_distance_knows_better() -> None:
    near = [judged(Label.MINOR, 0.05, distance=15, site=f"{at}.example") for at in range(40)]
    far = [judged(Label.DIFFERENT, 0.05, distance=26, site=f"{at}.far.example") for at in range(40)]
    found = calibrate([*near, *far], Judging())
    assert found.after.near_bits in (16, 18)
    assert found.after.near_similarity == 0.5
    assert found.error_held_out.mean == 0.0


def test_pairs_that_no_threshold_decides_teach_nothing() -> None:
    exact = Judged(Label.SAME, "a", Comparison(KINDS.IDENTICAL, 0, 1.0, 0.9, "digest: the same sentences"))
    thin = judged(Label.DIFFERENT, 0.1, reason="thin: too little text, and not equal")
    lost = Judged(Label.DIFFERENT, "a", Comparison(KINDS.UNDETERMINED, None, 0.0, 0.0, "a page is empty"))
    either = judged(Label.CHANGED, 0.6)
    assert telling([exact, thin, lost, either]) == ([], [])
    assert [answer_at(one, Judging(near_similarity=0.0)) for one in (exact, thin, lost)] == [
        KINDS.IDENTICAL, KINDS.DIFFERENT, KINDS.UNDETERMINED,
    ]  # fmt: skip


@pytest.mark.parametrize(("minor", "different", "enough"), [(20, 20, True), (19, 99, False), (99, 19, False)])
def test_how_much_is_enough(minor: int, different: int, enough: bool) -> None:
    assert NEEDED == 20
    assert is_enough([judged(Label.MINOR, 0.9)] * minor + [judged(Label.DIFFERENT, 0.1)] * different) is enough


@pytest.mark.parametrize(
    "settings", [Judging(), Judging(near_similarity=0.95), Judging(near_similarity=1.0, near_bits=40)]
)
def test_other_thresholds_are_foreseen_as_they_are_answered(settings: Judging) -> None:
    lines = [
        f"<p>Sentence number {number} tells of the ferry and of what the harbour office wrote.</p>"
        for number in range(12)
    ]
    prints = [sameish.fingerprint(sameish.Page(f"<main>{''.join(lines[at:])}</main>")) for at in range(9)]
    for a in prints:
        for b in prints:
            one = Judged(Label.MINOR, "a", compare_fingerprints(a, b), min(a.words, b.words))
            assert answer_at(one, settings) is compare_fingerprints(a, b, settings).kind

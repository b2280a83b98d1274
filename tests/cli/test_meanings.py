from __future__ import annotations

from sameish.cli.meanings import NOISE, RULES
from sameish.reading import boilerplate_rules, calming, names, noise


def test_every_noise_pattern_is_explained() -> None:
    assert tuple(NOISE) == (*noise.PATTERN_NAMES, calming.WEIGHTLESS)


def test_every_rule_for_boilerplate_is_explained() -> None:
    unweighed = {"settings", "not-text", "line-number", "link-list"}
    assert set(RULES) == {*boilerplate_rules._ORDER, *names._STRONG, *names._PAIRS} | unweighed


def test_explanations_are_one_short_sentence() -> None:
    for text in (*NOISE.values(), *RULES.values()):
        assert 10 < len(text) < 100
        assert "\n" not in text
        assert not text.endswith(".")

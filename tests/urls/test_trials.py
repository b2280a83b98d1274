"""How often to fetch although rules say that it is known."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from sameish.urls.acting import acting
from sameish.urls.learner import Pair, learn
from sameish.urls.rules import SiteRules
from sameish.urls.trials import learning_share

AT = datetime(2026, 12, 1, tzinfo=UTC)
Q = "https://quay.example"


def share(rules: SiteRules, path: str) -> float:
    now = acting(rules)
    reduced, used = now.class_key(f"{Q}{path}")
    assert used
    return learning_share(now, reduced, used)


def taught(sections: list[str], values: int) -> SiteRules:
    rules = SiteRules()
    for n in range(24):
        a, b = (f"{Q}/{sections[n % len(sections)]}/{n}-a-b?x={(2 * n + i) % values}" for i in (0, 1))
        rules = learn(rules, Pair(a, b, True, n), AT)
    return rules


def test_a_parameter_with_few_values_is_watched_closely() -> None:
    assert share(taught(["news"], 2), "/news/c?x=1") == 0.075
    assert share(taught(["news"], 40), "/news/c?x=1") < 0.02


def test_a_shape_without_evidence_is_tried() -> None:
    rules = taught(["news", "sport", "boats", "tides"], 40)
    assert share(rules, "/walls/c?x=1") == pytest.approx(0.14)
    assert share(rules, "/news/c?x=1") < 0.02


def test_what_has_no_values_is_tried_on_new_shapes_only() -> None:
    rules = SiteRules()
    for n in range(9):
        rules = learn(rules, Pair(f"{Q}/news/{n}", f"{Q}/news/{n}/print", True, n), AT)
    assert share(rules, "/news/c/print") == 0

"""Which skips are fetched all the same."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest

from sameish.urls.acting import Acting, acting
from sameish.urls.evidence import day_of
from sameish.urls.learner import Pair, audit, learn
from sameish.urls.rules import SiteRules
from sameish.urls.trials import Trials, few_values_share, new_shape_share

AT = datetime(2026, 12, 1, tzinfo=UTC)
TODAY, LATER = day_of(AT), day_of(AT) + 3
Q = "https://quay.example"


def taught(sections: list[str], values: int, name: str = "x") -> Acting:
    rules = SiteRules()
    for n in range(24):
        a, b = (f"{Q}/{sections[n % len(sections)]}/{n}-a-b?{name}={(2 * n + i) % values}" for i in (0, 1))
        rules = learn(rules, Pair(a, b, True, n), AT)
    return acting(rules)


def audits(now: Acting, paths: list[str], *, day: int = LATER, share: float = 0.02, seed: int = 1) -> int:
    trials, found = Trials(random.Random(seed)), 0  # noqa: S311 - it draws audits, no secrets
    for path in paths:
        reduced, used = now.class_key(f"{Q}{path}")
        assert used
        found += trials.is_due(now, reduced, used, share, day)
    return found


def test_a_parameter_with_few_values_is_watched_closely() -> None:
    assert few_values_share(taught(["news"], 2), "query:x") == pytest.approx(0.05)
    assert few_values_share(taught(["news"], 2, "ref"), "query:ref") == pytest.approx(0.02)
    assert few_values_share(taught(["news"], 40), "query:x") < 0.02


def test_a_parameter_with_few_values_is_watched_until_it_was_tried_often() -> None:
    rules = SiteRules()
    for n in range(200):  # pairs that came by chance are of what was fetched: no skip is tested by them
        rules = learn(rules, Pair(f"{Q}/news/{n}-a-b?x=0", f"{Q}/news/{n}-a-b?x=1", True, n), AT)
    assert few_values_share(acting(rules), "query:x") == pytest.approx(0.05)
    for n in range(150):
        rules = audit(rules, Pair(f"{Q}/news/{n}-c-d?x=0", f"{Q}/news/{n}-c-d?x=1", True, 1000 + n), AT)
    assert few_values_share(acting(rules), "query:x") == pytest.approx(0.05 / 3)


def test_a_shape_without_evidence_is_tried() -> None:
    now = taught(["news", "sport", "boats", "tides"], 40)
    assert new_shape_share(now, "query:x", "/walls/*") == pytest.approx(0.06)
    assert new_shape_share(now, "query:x", "/news/*") == 0
    tried = audits(now, [f"/walls/{n}-a-b?x=1" for n in range(200)])
    assert 11 <= tried <= 16


def test_what_has_no_values_is_tried_on_new_shapes_only() -> None:
    rules = SiteRules()
    for n in range(9):
        rules = learn(rules, Pair(f"{Q}/news/{n}", f"{Q}/news/{n}/print", True, n), AT)
    assert few_values_share(acting(rules), "suffix:print") == 0


@pytest.mark.parametrize("share", [0.02, 0.1, 1.0])
def test_the_share_is_kept_whichever_rules_come_together(share: float) -> None:
    rules = SiteRules()
    for n in range(9):
        for one, other in (("x=17ab5c2d", "x=98cd0e1f"), ("y=55aa21b7", "y=0c1d2e3f")):
            rules = learn(rules, Pair(f"{Q}/news/{n}?{one}{n}", f"{Q}/news/{n}?{other}{n}", True, n), AT)
    paths = [f"/news/{n}?{('x=1', 'y=1', 'x=1&y=1')[n % 3]}" for n in range(3_000)]
    assert 0.95 * share <= audits(acting(rules), paths, share=share) / 3_000 <= 1.05 * share


def test_the_share_is_kept_where_hardly_two_skips_are_by_the_same_rules() -> None:
    names, rules = [f"n{n}" for n in range(12)], SiteRules()
    for n in range(9):
        for name in names:
            a, b = (f"{Q}/news/{n}?{name}={drawn}{n}" for drawn in ("17ab5c2d", "98cd0e1f"))
            rules = learn(rules, Pair(a, b, True, n), AT)
    draw = random.Random(5)  # noqa: S311 - it draws URLs, no secrets
    queries = ["&".join(f"{name}=1" for name in draw.sample(names, draw.randint(1, 6))) for _ in range(600)]
    assert 0.09 <= audits(acting(rules), [f"/news/{n}?{one}" for n, one in enumerate(queries)], share=0.1) / 600 <= 0.16


def test_a_rule_that_was_learned_today_has_been_tested() -> None:
    now = taught(["news"], 40)
    paths = [f"/news/{n}?x=1" for n in range(50)]
    soon = sum(audits(now, paths, day=TODAY, seed=seed) for seed in range(100))
    assert soon < 20
    assert 80 <= sum(audits(now, paths, seed=seed) for seed in range(100)) <= 120


def test_a_page_that_stands_for_many_more_urls_than_others_is_looked_at_again() -> None:
    now = taught(["news"], 40)
    assert audits(now, [f"/news/one?x={n}" for n in range(8)], day=TODAY) == 1
    few = [f"/news/{n}?x={m}" for n in range(5) for m in range(4)]
    assert audits(now, few, day=TODAY) == 0
    assert audits(now, [*few, *(f"/news/one?x={n}" for n in range(16))], day=TODAY) == 1
    many = [f"/news/{n}?x={m}" for m in range(12) for n in range(4)]
    assert audits(now, many, day=TODAY) <= 2


def test_nothing_is_counted_twice_for_what_has_no_rule() -> None:
    trials = Trials(random.Random(1))  # noqa: S311 - it draws audits, no secrets
    assert sum(trials.is_due_by("trap: calendar", 0.1) for _ in range(1_000)) == 100

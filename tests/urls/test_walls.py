"""What a site answers everywhere for a while."""

from __future__ import annotations

from datetime import UTC, datetime

from sameish.urls.acting import Acting, acting
from sameish.urls.learner import Pair, learn
from sameish.urls.rules import SiteRules
from sameish.urls.walls import Walls

AT = datetime(2026, 12, 1, tzinfo=UTC)
NOON = AT.timestamp()
NONE = Acting()
Q = "https://quay.example"
WALL = 7_000


def alive() -> Walls:
    walls = Walls()
    for number in range(10):
        walls.see(number, f"{Q}/berth/b{number}", NOON, NONE)
    return walls


def shown(walls: Walls, *keys: str, rules: Acting = NONE, at: float = NOON) -> list[bool]:
    told = []
    for key in keys:
        walls.see(WALL, key, at, rules)
        told.append(walls.is_one(WALL, at))
    return told


def test_what_four_of_five_unrelated_addresses_show_is_a_wall() -> None:
    assert shown(alive(), *(f"{Q}/{word}/x" for word in "abcde")) == [False, False, False, True, True]


def test_one_that_still_answered_is_passed_over() -> None:
    walls = alive()
    assert not any(shown(walls, f"{Q}/a/x", f"{Q}/b/x"))
    walls.see(3, f"{Q}/berth/b3", NOON, NONE)
    assert shown(walls, f"{Q}/c/x", f"{Q}/d/x") == [False, True]
    assert not walls.is_one(3, NOON)


def test_variants_of_one_address_are_no_wall() -> None:
    assert not any(shown(alive(), *(f"{Q}/a/x?quux={number}" for number in range(9))))


def test_a_site_that_shows_nothing_else_has_none() -> None:
    assert not any(shown(Walls(), *(f"{Q}/{word}/x" for word in "abcdefghijklm")))


def test_soft_404s_among_pages_are_none() -> None:
    walls = alive()
    for number, word in enumerate("abcdefgh"):
        assert not any(shown(walls, f"{Q}/{word}/gone"))
        walls.see(100 + number, f"{Q}/{word}/here", NOON, NONE)


def test_it_stands_an_hour_before_and_after_it_was_seen() -> None:
    walls = alive()
    shown(walls, *(f"{Q}/{word}/x" for word in "abcd"))
    shown(walls, *(f"{Q}/{word}/y" for word in "abcd"), at=NOON + 600)
    assert walls.is_one(WALL, NOON - 3_600)
    assert walls.is_one(WALL, NOON + 4_200)
    assert not walls.is_one(WALL, NOON - 3_601)
    assert not walls.is_one(WALL, NOON + 4_201)


def test_what_a_learned_parameter_leads_to_is_none() -> None:
    rules = SiteRules()
    for word in "abcd":
        for value in ("v84731900", "v99817263", "v11187263"):
            rules = learn(rules, Pair(f"{Q}/{word}/y", f"{Q}/{word}/y?quux={value}", agree=True, content=ord(word)), AT)
    acts = acting(rules)
    assert acts.class_key(f"{Q}/e/y?quux=v22837465")[1] == ("query:quux",)
    assert not any(shown(alive(), *(f"{Q}/{word}/y?quux=v22837465" for word in "abcdefg"), rules=acts))
    assert shown(alive(), *(f"{Q}/{word}/y{'?quux=v22837465' * (word < 'd')}" for word in "abcd"), rules=acts)[-1]

"""What pairs of captures teach about the URLs of a site, and what takes it back."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.urls.made_keys import KEYS

from sameish.urls.acting import acting
from sameish.urls.ageing import aged
from sameish.urls.learner import Pair, audit, class_key, learn, met, suspend_all
from sameish.urls.rule_rows import rows
from sameish.urls.rules import SiteRules, decode
from sameish.urls.standings import Limits, RuleState

AT = datetime(2026, 12, 1, tzinfo=UTC)
Q = "https://quay.example"


def taught(*pairs: tuple[str, str], rules: SiteRules | None = None, at: datetime = AT) -> SiteRules:
    """Return rules after pairs that agree, each with its own content."""
    rules = rules or SiteRules()
    for number, (a, b) in enumerate(pairs):
        rules = learn(rules, Pair(f"{Q}{a}", f"{Q}{b}", True, number), at)
    return rules


def contradicted(rules: SiteRules, a: str, b: str) -> SiteRules:
    return learn(rules, Pair(f"{Q}{a}", f"{Q}{b}", False), AT)


def reduced(rules: SiteRules, path: str) -> str:
    return class_key(rules, f"{Q}{path}")[0].removeprefix(Q)


def tracking(shape: str = "/news", count: int = 3, name: str = "x", start: int = 0) -> list[tuple[str, str]]:
    return [
        (f"{shape}/a-b-{n}?{name}={2 * n}", f"{shape}/a-b-{n}?{name}={2 * n + 1}") for n in range(start, start + count)
    ]


def test_a_rule_acts_after_three_pages_and_not_before() -> None:
    assert reduced(taught(*tracking(count=2)), "/news/c?x=0") == "/news/c?x=0"
    rules = taught(*tracking())
    assert class_key(rules, f"{Q}/news/c?p=1&x=99") == (f"{Q}/news/c?p=1", ("query:x",))


@pytest.mark.parametrize(
    ("asked", "fetched", "told"),
    [
        ("/news/c?x=1&y=1", "/news/c", ("query:x", "query:y")),
        ("/news/c?x=1&y=1", "/news/c?y=1", ("query:x",)),
        ("/news/c?x=1", "/news/c?y=1", ("query:x", "query:y")),
        ("/news/c", "/news/c?y=1", ("query:y",)),
        ("/news/c/print?x=1", "/news/c/print?x=2", ("query:x",)),
    ],
)
def test_two_pages_are_the_same_by_the_rules_in_which_they_differ(
    asked: str, fetched: str, told: tuple[str, ...]
) -> None:
    printed = [(f"/news/e-f-{n}", f"/news/e-f-{n}/print") for n in range(3)]
    now = acting(taught(*tracking(), *tracking(name="y", start=9), *printed))
    assert now.same_by(f"{Q}{asked}", f"{Q}{fetched}") == (f"{Q}/news/c", told)


def test_a_scheme_beside_a_port_is_no_rule_that_was_used() -> None:
    plain = Q.replace("https", "http")
    rules = SiteRules()
    for number in range(3):
        rules = learn(rules, Pair(f"{plain}/a-b-{number}", f"{Q}/a-b-{number}", True, number), AT)
    assert class_key(rules, f"{plain}/c") == (f"{Q}/c", ("scheme",))
    assert class_key(rules, f"{plain}:8080/c") == (f"{plain}:8080/c", ())


def test_one_page_seen_often_is_one_witness() -> None:
    same_page = [(f"/news/a-b-c?x={n}", f"/news/a-b-c?x={n + 1}") for n in range(9)]
    assert reduced(taught(*same_page), "/news/c?x=1") == "/news/c?x=1"


def test_one_content_on_many_pages_is_one_witness() -> None:
    rules = SiteRules()
    for a, b in tracking(count=9):
        rules = learn(rules, Pair(f"{Q}{a}", f"{Q}{b}", True, 7), AT)
    assert reduced(rules, "/news/c?x=1") == "/news/c?x=1"


def test_a_pair_speaks_for_all_in_which_it_differs() -> None:
    pairs = [(f"/news/a-b-{n}?x={n}", f"/news/a-b-{n}/print?y={n}&x=t") for n in range(3)]
    assert reduced(taught(*pairs), "/news/c/print?x=1&y=2") == "/news/c"


def test_another_shape_asks_for_a_pair_of_its_own() -> None:
    rules = taught(*tracking())
    assert reduced(rules, "/sport/c?x=1") == "/sport/c?x=1"
    rules = taught(*tracking("/sport", 1, start=20), rules=rules)
    assert reduced(rules, "/sport/c?x=1") == "/sport/c"


def test_a_rule_shown_in_many_places_acts_everywhere() -> None:
    sections = ("news", "sport", "boats", "tides", "walls", "ropes")
    pairs = [(f"/{one}/a-b-{n}?x={n}", f"/{one}/a-b-{n}?x=t{n}") for n, one in enumerate(sections)]
    rules = taught(*pairs)
    assert reduced(rules, "/knots/c?x=1") == "/knots/c"
    rules = contradicted(rules, "/list?x=1", "/list?x=2")
    assert reduced(rules, "/list?x=1") == "/list?x=1"
    assert reduced(rules, "/knots/c?x=1") == "/knots/c?x=1"


def test_only_a_value_that_was_met_is_taken_away_while_there_are_few() -> None:
    rules = taught(*[(f"/news/a-b-{n}?v=one", f"/news/a-b-{n}?v=two") for n in range(5)])
    assert reduced(rules, "/news/c?v=one") == "/news/c"
    assert reduced(rules, "/news/c?v=three") == "/news/c?v=three"


def test_a_value_that_means_the_same_as_none() -> None:
    rules = taught(*[(f"/list/a-b-{n}", f"/list/a-b-{n}?page=1") for n in range(3)])
    assert class_key(rules, f"{Q}/list/c?page=1") == (f"{Q}/list/c", ("query:page=1",))
    assert reduced(rules, "/list/c?page=2") == "/list/c?page=2"
    rules = contradicted(rules, "/list/c?page=1", "/list/c?page=2")
    assert reduced(rules, "/list/c?page=1") == "/list/c"
    rules = contradicted(rules, "/list/d", "/list/d?page=1")
    assert reduced(rules, "/list/c?page=1") == "/list/c?page=1"


def test_what_matters_on_one_shape_need_not_on_another() -> None:
    rules = contradicted(SiteRules(), "/list?x=1", "/list?x=2")
    rules = taught(*tracking(), rules=rules)
    assert reduced(rules, "/news/c?x=1") == "/news/c"
    assert reduced(rules, "/list?x=1") == "/list?x=1"


def test_in_a_family_of_shapes_where_it_matters_each_shape_stands_alone() -> None:
    rules = contradicted(SiteRules(), "/gallery/a?x=1", "/gallery/a?x=2")
    rules = taught(*tracking(count=2), *tracking("/sport", 2, start=20), rules=rules)
    assert reduced(rules, "/news/c?x=1") == "/news/c"
    assert reduced(rules, "/walls/c?x=1") == "/walls/c?x=1"
    assert reduced(rules, "/gallery/c?x=1") == "/gallery/c?x=1"


def test_a_few_values_say_nothing_about_other_shapes() -> None:
    pairs = [
        (f"/{name}/a-b-{n}?x={n % 3}", f"/{name}/a-b-{n}") for n, name in enumerate(["news", "sport", "boats"] * 3)
    ]
    rules = taught(*pairs)
    assert reduced(rules, "/news/c?x=1") == "/news/c"
    assert reduced(rules, "/walls/c?x=1") == "/walls/c?x=1"


def test_a_few_values_are_believed_where_pages_need_no_query_once_three_sections_agree() -> None:
    sections = ("news", "sport", "boats", "tides")
    pairs = [(f"/{sections[n % 4]}/a-b-{n}?x={n % 3}", f"/{sections[n % 4]}/a-b-{n}") for n in range(8)]
    named = contradicted(taught(*pairs), "/gallery/a?x=1", "/gallery/a?x=2")
    assert reduced(named, "/walls/c?x=1") == "/walls/c?x=1"
    for path in ("/walls/b", "/gallery/a?x=1"):
        named = met(named, acting(named), f"{Q}{path}")
    assert reduced(named, "/walls/c?x=1") == "/walls/c"
    assert reduced(named, "/walls/c?x=1&p=1") == "/walls/c?x=1&p=1"
    assert reduced(named, "/gallery/c?x=1") == "/gallery/c?x=1"
    chosen = contradicted(named, "/lists/a?x=1", "/lists/a")  # it matters where it can be left out
    assert reduced(chosen, "/walls/c?x=1") == "/walls/c?x=1"
    assert reduced(chosen, "/news/c?x=1") == "/news/c"


def test_the_first_page_of_a_list_is_believed_after_one_list() -> None:
    rules = contradicted(taught(("/list/a-b-1", "/list/a-b-1?page=1")), "/list/a-b-1", "/list/a-b-1?page=2")
    assert reduced(rules, "/list/c?page=1") == "/list/c"
    assert reduced(rules, "/list/c?page=2") == "/list/c?page=2"
    rules = contradicted(taught(("/list/a-b-1", "/list/a-b-1?part=1")), "/list/a-b-1", "/list/a-b-1?part=2")
    assert reduced(rules, "/list/c?part=1") == "/list/c?part=1"


def test_a_pair_that_differs_in_several_unknowns_teaches_nothing_against() -> None:
    rules = SiteRules()
    assert contradicted(rules, "/a?x=1&y=1", "/a?x=2&y=2") is rules
    assert contradicted(rules, "/a", "/b") is rules
    assert contradicted(rules, "/a", "/a") is rules


def test_known_rules_leave_one_unknown_to_blame() -> None:
    rules = contradicted(taught(*tracking()), "/news/c?x=1&p=1", "/news/c?x=2&p=2")
    assert [one.rule for one in rows(rules) if one.evidence_against] == ["query:p"]
    assert reduced(rules, "/news/c?x=1") == "/news/c"


def test_a_rule_that_was_caught_where_it_was_well_known_begins_anew_and_never_returns_there() -> None:
    rules = contradicted(taught(*tracking(), *tracking("/sport", 3, start=20)), "/news/c?x=1", "/news/c?x=2")
    assert {row.state for row in rows(rules)} == {RuleState.SUSPENDED}
    rules = taught(*tracking(count=6, start=40), *tracking("/sport", 1, start=60), rules=rules)
    assert not acting(rules).standings
    rules = taught(*tracking("/sport", 1, start=80), rules=rules)
    assert reduced(rules, "/sport/c?x=1") == "/sport/c"
    assert reduced(rules, "/news/c?x=1") == "/news/c?x=1"


def test_a_rule_that_was_caught_where_it_was_a_guess_acts_only_where_it_was_shown() -> None:
    rules = taught(*tracking(), *tracking("/sport", 4, start=20))
    assert reduced(rules, "/walls/c?x=1") == "/walls/c"
    rules = contradicted(rules, "/walls/c?x=1", "/walls/c?x=2")
    assert reduced(rules, "/walls/c?x=1") == "/walls/c?x=1"
    assert reduced(rules, "/tides/c?x=1") == "/tides/c?x=1"
    assert reduced(rules, "/news/c?x=1") == "/news/c"
    states = {row.shape: row.state for row in rows(rules)}
    assert states == {"/walls/*": RuleState.SUSPENDED, "/news/*": RuleState.ACTIVE, "/sport/*": RuleState.ACTIVE}


def test_a_guess_is_to_blame_before_what_was_shown() -> None:
    rules = taught(*tracking(), *tracking("/sport", 4, start=20))
    pairs = [(f"/walls/a-b-{n}?y=a{n}", f"/walls/a-b-{n}?y=b{n}") for n in range(4)]
    rules = audit(taught(*pairs, rules=rules), Pair(f"{Q}/walls/c?x=1&y=1", f"{Q}/walls/c?x=2&y=2", False), AT)
    assert reduced(rules, "/walls/d?x=1&y=1") == "/walls/d?x=1"
    assert reduced(rules, "/sport/d?x=1") == "/sport/d"


def test_a_segment_is_no_layout_in_places_where_it_was_never_shown() -> None:
    pairs = [(f"/{name}/a-b-{n}", f"/{name}/a-b-{n}/print") for n, name in enumerate(("news", "sport", "boats") * 2)]
    rules = taught(*pairs)
    assert reduced(rules, "/tides/c/print") == "/tides/c"
    assert reduced(rules, "/shop/print") == "/shop/print"
    rules = taught(*[(f"/{name}", f"/{name}/print") for name in ("shop", "help")], rules=rules)
    assert reduced(rules, "/about/print") == "/about"


def test_a_value_is_that_of_pages_without_one_only_if_it_is_on_all_pages() -> None:
    colours = ("red", "red", "red", "blue")
    pairs = [(f"/boats/a-b-{n}", f"/boats/a-b-{n}?colour={one}") for n, one in enumerate(colours)]
    rules = contradicted(taught(*pairs[:3]), "/boats/c", "/boats/c?colour=blue")
    assert reduced(rules, "/boats/d?colour=red") == "/boats/d"
    assert reduced(taught(pairs[3], rules=rules), "/boats/d?colour=red") == "/boats/d?colour=red"


def test_blame_is_not_laid_on_a_parameter_while_another_may_be_guilty() -> None:
    rules = taught(*tracking(), *tracking("/sport", 4, start=20))
    pair = ("/walls/c?x=1&p=1", "/walls/c?x=2&p=2")  # x was never seen on walls
    assert contradicted(rules, *pair) is rules
    rules = contradicted(taught(*tracking("/walls", 3, start=40), rules=rules), *pair)
    assert [one.rule for one in rows(rules) if one.evidence_against] == ["query:p"]


def test_where_several_rules_may_be_to_blame_all_stop_and_the_innocent_return() -> None:
    pairs = [(f"/news/a-b-{n}?x={n}&y=a{n}", f"/news/a-b-{n}?x=t{n}&y=b{n}") for n in range(3)]
    rules = contradicted(taught(*pairs), "/news/c?x=1&y=1", "/news/c?x=2&y=2")
    assert not acting(rules).standings
    rules = taught(*tracking(start=30), rules=rules)
    assert reduced(rules, "/news/c?x=1&y=1") == "/news/c?y=1"


def test_a_wrong_audit_revokes() -> None:
    rules = taught(*tracking())
    for n in range(5):
        rules = audit(rules, Pair(f"{Q}/news/d-e-{n}?x=1", f"{Q}/news/d-e-{n}?x=2", True, 100 + n), AT)
    (row,) = rows(rules)
    assert (row.audits, row.wrong, row.wrong_skip_rate, row.state) == (5, 0, 0.0, RuleState.ACTIVE)
    rules = audit(rules, Pair(f"{Q}/news/e?x=1", f"{Q}/news/e?x=2", False), AT)
    (row,) = rows(rules)
    assert (row.audits, row.wrong, row.state) == (6, 1, RuleState.REVOKED)
    assert 1 / 6 < row.upper_bound < 1
    again = taught(*tracking(count=20, start=40), rules=rules)
    assert reduced(again, "/news/c?x=1") == "/news/c?x=1"
    assert not aged(rules, AT + timedelta(days=91)).aspects


def test_a_wrong_audit_of_two_rules_is_laid_at_the_door_of_the_one_that_is_wrong_again() -> None:
    pairs = [(f"/news/a-b-{n}?x={n}&y=a{n}", f"/news/a-b-{n}?x=t{n}&y=b{n}") for n in range(3)]
    rules = audit(taught(*pairs), Pair(f"{Q}/news/c?x=1&y=1", f"{Q}/news/c?x=2&y=2", False), AT)
    assert {row.wrong for row in rows(rules)} == {1}
    rules = contradicted(taught(*tracking(start=30), rules=rules), "/news/c?y=1", "/news/c?y=2")
    found = {row.rule: (row.wrong, row.state) for row in rows(rules)}
    assert found == {"query:x": (0, RuleState.ACTIVE), "query:y": (1, RuleState.REVOKED)}


def test_a_burst_of_contradictions_stops_all_rules() -> None:
    names = ("x", "y", "z", "innocent")
    rules = taught(*itertools.chain(*(tracking(name=name, start=10 * i) for i, name in enumerate(names))))
    assert len(acting(rules).standings) == 4
    for number, name in enumerate(names[:3]):
        assert "query:innocent" in acting(rules).standings
        rules = contradicted(rules, f"/news/{number}?{name}=1", f"/news/{number}?{name}=2")
    assert not acting(rules).standings


def test_contradictions_far_apart_are_no_burst() -> None:
    names = ("x", "y", "z", "innocent")
    rules = taught(*itertools.chain(*(tracking(name=name, start=10 * i) for i, name in enumerate(names))))
    for number, name in enumerate(names[:3]):
        rules = contradicted(rules, f"/news/{number}?{name}=1", f"/news/{number}?{name}=2")
        rules = taught(*tracking(name="innocent", count=20, start=100), rules=rules)
    assert list(acting(rules).standings) == ["query:innocent"]


def test_a_redesign_stops_all_rules() -> None:
    rules = suspend_all(taught(*tracking()), AT)
    assert not acting(rules).standings
    assert [row.state for row in rows(rules)] == [RuleState.SUSPENDED]


def test_rules_age_unless_they_are_confirmed() -> None:
    rules = taught(*tracking())
    assert aged(rules, AT + timedelta(days=90)) is rules
    assert aged(rules, AT + timedelta(days=91)) == SiteRules()
    confirmed = taught(*tracking(count=1), rules=rules, at=AT + timedelta(days=60))
    assert reduced(aged(confirmed, AT + timedelta(days=120)), "/news/c?x=1") == "/news/c"


def test_a_settled_site_writes_nothing() -> None:
    rules = taught(*tracking(count=120))
    assert taught(*tracking(count=10, start=500), rules=rules) is rules
    rules = contradicted(rules, "/news/c?p=1", "/news/c?p=2")
    for number in range(40):
        rules = contradicted(rules, f"/news/{number}?p=1", f"/news/{number}?p=2")
    assert contradicted(rules, "/news/x?p=1", "/news/x?p=2") is rules


def test_evidence_is_bounded() -> None:
    rules = SiteRules()
    for n in range(400):
        rules = taught((f"/news/a?n{n}=1", f"/news/a?n{n}=2"), (f"/s{'abcdefghij'[n % 10]}{'klmnopqrst'[n // 10 % 10]}/a?x={n}", f"/s{'abcdefghij'[n % 10]}{'klmnopqrst'[n // 10 % 10]}/a?x={n}0"), rules=rules)  # fmt: skip
    assert len(rules.aspects) <= 300
    assert len(rules.aspects["query:x"].shapes) <= 64
    assert len(rules.encode()) < 100_000


def test_limits_are_settings() -> None:
    rules = taught(*tracking(count=2))
    assert class_key(rules, f"{Q}/news/c?x=0", Limits(pages=2))[1] == ("query:x",)


def test_rules_of_another_version_are_not_read() -> None:
    assert decode(msgspec.msgpack.encode({"version": 0, "aspects": 5})) is None
    with pytest.raises(msgspec.DecodeError):
        decode(b"\xc1")


PAIRS = st.lists(st.builds(Pair, KEYS, KEYS, st.booleans(), st.integers(0, 20)), max_size=30)


@given(PAIRS)
def test_encoding_loses_nothing(pairs: list[Pair]) -> None:
    rules = SiteRules()
    for pair in pairs:
        rules = learn(rules, pair, AT)
    assert decode(rules.encode()) == rules
    rows(rules)


@given(PAIRS, KEYS)
def test_a_class_key_is_its_own_class_key(pairs: list[Pair], key: str) -> None:
    rules = SiteRules()
    for pair in pairs:
        rules = learn(rules, pair, AT, Limits(pages=1))
    now = acting(rules, Limits(pages=1))
    once, used = now.class_key(key)
    assert (once == key) == (not used)
    assert now.class_key(once) == (once, ())


@given(st.permutations(tracking() + tracking("/sport", 2, start=10) + tracking(name="y", start=20)), st.randoms())
def test_the_order_of_agreeing_pairs_says_nothing(pairs: list[tuple[str, str]], random: object) -> None:
    rules = SiteRules()
    for a, b in pairs:
        if getattr(random, "random")() < 0.5:  # noqa: B009 - Hypothesis gives its own kind of Random
            a, b = b, a  # noqa: PLW2901 - nor which of them came first
        rules = learn(rules, Pair(f"{Q}{a}", f"{Q}{b}", True, hash(frozenset((a, b)))), AT)
    assert acting(rules) == acting(taught(*tracking(), *tracking("/sport", 2, start=10), *tracking(name="y", start=20)))


@given(st.sets(st.sampled_from(["x", "y", "z"]), min_size=1), st.integers(3, 30), st.booleans())
def test_one_contradiction_always_stops_the_rules(names: set[str], pages: int, audited: bool) -> None:
    ordered = sorted(names)
    rules = SiteRules()
    for n in range(pages):
        a, b = ("&".join(f"{name}={n}{side}" for name in ordered) for side in "ab")
        rules = learn(rules, Pair(f"{Q}/news/a-b-{n}?{a}", f"{Q}/news/a-b-{n}?{b}", True, n), AT)
    assert set(acting(rules).standings) == {f"query:{name}" for name in names}
    a, b = ("&".join(f"{name}={side}" for name in ordered) for side in "ab")
    rules = (audit if audited else learn)(rules, Pair(f"{Q}/news/c?{a}", f"{Q}/news/c?{b}", False), AT)
    assert not acting(rules).standings

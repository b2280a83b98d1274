"""What a key may hold without changing the content, and the key without it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.urls.made_keys import ASPECTS, KEYS

from sameish.urls.anatomy import assemble, dissect
from sameish.urls.aspects import aspects_of, take_away, values_of
from sameish.urls.keys import url_key

Q = "https://quay.example"


@pytest.mark.parametrize(
    ("key", "held"),
    [
        (f"{Q}/", {}),
        (f"{Q}/a", {}),
        (f"{Q}/a?x=1&x=2", {"query:x": ("1&2", f"{Q}/a")}),
        (f"{Q}/a?print&x=", {"bare:print": ("", f"{Q}/a?x="), "query:x": ("", f"{Q}/a?print")}),
        (f"{Q}/a;v=1/b;v=2;w", {
            "path_param:v": ("1=1;2=2", f"{Q}/a/b;w"),
            "path_param:w": ("2", f"{Q}/a;v=1/b;v=2"),
            "prefix:a;v=1": ("", f"{Q}/b;v=2;w"),
            "suffix:b;v=2;w": ("", f"{Q}/a;v=1"),
        }),
        (f"{Q}/m/A", {"case": ("", f"{Q}/m/a"), "prefix:m": ("", f"{Q}/A"), "suffix:A": ("", f"{Q}/m")}),
        (f"{Q}/%C3%A9", {}),
        (f"{Q}/a/", {"slash": ("", f"{Q}/a")}),
        (f"{Q}/a.html", {"index:a.html": ("", f"{Q}/"), "extension:.html": ("", f"{Q}/a")}),
        (f"{Q}/a/b/", {"slash": ("", f"{Q}/a/b"), "suffix:b": ("", f"{Q}/a/"), "prefix:a": ("", f"{Q}/b/")}),
        ("http://m.quay.example/", {"scheme": ("", "https://m.quay.example/"), "host:m": ("", "http://quay.example/")}),
        ("http://quay.example:81/", {}),
        ("http://quay.co.uk:81/", {}),
        ("http://127.0.0.1:81/", {}),
        ("https://[::1]:81/?x=1", {"query:x": ("1", "https://[::1]:81/")}),
        (f"{Q}/#!a?x=1", {}),
        ("file:///a/b.html?x=1", {}),
        ("urn:isbn:1", {}),
        ("", {}),
    ],
)  # fmt: skip
def test_what_a_key_holds(key: str, held: dict[str, tuple[str, str]]) -> None:
    assert url_key(key) == key
    assert {one.aspect: (one.value, one.without) for one in aspects_of(key)} == held


@pytest.mark.parametrize(
    ("key", "aspects", "without"),
    [
        (f"{Q}/a?page=1&x=2", {"query:page=1"}, f"{Q}/a?x=2"),
        (f"{Q}/a?page=2&x=2", {"query:page=1"}, f"{Q}/a?page=2&x=2"),
        (f"{Q}/a?page=1&page=1", {"query:page=1"}, f"{Q}/a?page=1&page=1"),
        (f"{Q}/m/m/a/print/print", {"prefix:m", "suffix:print"}, f"{Q}/a"),
        (f"{Q}/m/print", {"prefix:m", "suffix:print"}, f"{Q}/m"),
        (f"{Q}/A/Index.html", {"case", "index:index.html", "slash"}, f"{Q}/a"),
        ("http://www.m.quay.example/", {"host:m", "host:www", "host:quay", "scheme"}, f"{Q}/"),
        ("http://www.m.quay.example/", {"host:m"}, "http://www.m.quay.example/"),
    ],
)
def test_several_at_once(key: str, aspects: set[str], without: str) -> None:
    assert take_away(key, aspects) == without


@given(KEYS)
def test_a_key_is_put_together_as_it_was(key: str) -> None:
    parts = dissect(key)
    assert parts is not None
    assert assemble(parts) == key


@given(KEYS, ASPECTS, st.randoms())
def test_the_order_of_aspects_says_nothing(key: str, aspects: set[str], random: object) -> None:
    listed = sorted(aspects)
    getattr(random, "shuffle")(listed)  # noqa: B009 - Hypothesis gives its own kind of Random
    assert take_away(key, listed) == take_away(key, aspects)


@given(KEYS, ASPECTS)
def test_taking_away_twice_is_taking_away_once(key: str, aspects: set[str]) -> None:
    once = take_away(key, aspects)
    assert take_away(once, aspects) == once


@given(KEYS, ASPECTS)
def test_what_is_left_is_a_canonical_key(key: str, aspects: set[str]) -> None:
    left = take_away(key, aspects)
    assert url_key(left) == left


@given(KEYS)
def test_what_is_held_can_be_taken_away(key: str) -> None:
    for held in aspects_of(key):
        assert held.without == take_away(key, [held.aspect]) != key


@given(KEYS, st.text())
def test_any_text_may_be_given_for_an_aspect(key: str, text: str) -> None:
    take_away(key, [text, f"query:{text}", f"suffix:{text}"])
    assert take_away(text, ["slash"]) is not None


def test_of_a_key_with_thousands_of_parameters_some_aspects_are_looked_at_and_all_values_known() -> None:
    key = url_key(f"{Q}/a?" + "&".join(f"p{number}={number}" for number in range(5_000)))
    assert len(aspects_of(key)) == 64
    assert len(values_of(key)) == 5_000


@given(KEYS)
def test_the_values_are_those_of_the_aspects(key: str) -> None:
    assert values_of(key) == {one.aspect: one.value for one in aspects_of(key)}

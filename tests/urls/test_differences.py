"""Why two keys differ, in aspects."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.urls.made_keys import ASPECTS, KEYS

from sameish.urls.aspects import take_away
from sameish.urls.differences import difference

Q = "https://quay.example"


@pytest.mark.parametrize(
    ("a", "b", "names"),
    [
        ("/a?x=1", "/a?x=1", []),
        ("/a?x=1&y=2", "/a/print?x=3", ["query:x", "query:y", "suffix:print"]),
        ("/a?print", "/a", ["bare:print"]),
        ("/a;v=1", "/a;v=2", ["path_param:v"]),
        ("/a;v=1/b", "/a/b;v=1", ["path_param:v"]),
        ("/a/index.html", "/a/", ["index:index.html"]),
        ("/a/index.html", "/a", ["index:index.html", "slash"]),
        ("/a.html", "/a", ["extension:.html"]),
        ("/m/a", "/a/print/", ["prefix:m", "slash", "suffix:print"]),
        ("/A", "/a", ["case"]),
        ("/a", "/b", None),
        ("/news/a", "/news/b", None),
        ("/news/a", "/sport/a", None),
        ("/a?x=1&x=2", "/a?x=2&x=1", ["query:x"]),
        ("/a#!x", "/a", None),
        ("/", "/a", None),
    ],
)
def test_a_difference_is_named(a: str, b: str, names: list[str] | None) -> None:
    found = difference(f"{Q}{a}", f"{Q}{b}")
    assert (None if found is None else [one.aspect for one in found]) == names


@pytest.mark.parametrize(
    ("a", "b", "names"),
    [
        ("http://quay.example/", "https://m.quay.example/", ["host:m", "scheme"]),
        ("https://www.quay.example/", "https://m.quay.example/", ["host:m", "host:www"]),
        ("http://quay.example:81/", "https://quay.example:81/", None),
        ("https://quay.example:81/", "https://quay.example/", None),
        ("https://ann@quay.example/", "https://quay.example/", None),
        ("https://quay.example/", "https://pier.example/", None),
        ("https://ann.github.io/", "https://bea.github.io/", None),
        ("file:///a", "file:///b", None),
    ],
)
def test_hosts_and_schemes(a: str, b: str, names: list[str] | None) -> None:
    found = difference(a, b)
    assert (None if found is None else [one.aspect for one in found]) == names


def test_values_are_told() -> None:
    found = difference(f"{Q}/a?x=1&y=2", f"{Q}/a?x=3&z=")
    assert found == (("query:x", "1", "3"), ("query:y", "2", None), ("query:z", None, ""))


@given(KEYS, KEYS)
def test_a_difference_explains(a: str, b: str) -> None:
    found = difference(a, b)
    if found is not None:
        names = [one.aspect for one in found]
        assert take_away(a, names) == take_away(b, names)
        assert (names == []) == (a == b)
        for left_out in names:  # none is superfluous
            fewer = [name for name in names if name != left_out]
            assert take_away(a, fewer) != take_away(b, fewer)


@given(KEYS, KEYS)
def test_a_difference_is_the_same_from_both_sides(a: str, b: str) -> None:
    there, back = difference(a, b), difference(b, a)
    assert (there is None) == (back is None)
    if there is not None and back is not None:
        assert [(one.aspect, one.value_b, one.value_a) for one in back] == [tuple(one) for one in there]


@given(KEYS, ASPECTS)
def test_a_key_and_itself_without_something_differ_explicably(key: str, aspects: set[str]) -> None:
    less = take_away(key, [one for one in aspects if one.startswith(("query", "bare", "host", "scheme", "path_param"))])
    assert difference(key, less) is not None


def test_keys_that_differ_in_more_than_pages_do_are_not_explained() -> None:
    def key(number: int) -> str:
        return f"{Q}/a?" + "&".join(f"p{one:02}={one}" for one in range(number))

    found = difference(key(32), f"{Q}/a")
    assert found is not None
    assert len(found) == 32
    assert difference(key(33), f"{Q}/a") is None

"""What is left of a page without its dates and its place in a count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish.urls.undated import undated

SITE = "https://quay.example"
REST = "The house is open from ten to six, and dogs wait in the yard."

ALIKE = {
    "months": (["Events in April 2031", REST], "/on/2031-04", ["Events in June 2032", REST], "/on/2032-06"),
    "months in other languages": (["Programm: März 2031"], "/2031/03", ["Programm: Dezember 2031"], "/2031/12"),
    "days": (["Tuesday, 1 April"], "/2031/04/01", ["Wednesday, 30 April"], "/2031/04/30"),
    "dates in digits": (["From 2031-04-01 on", REST], "/a/20310401", ["From 2031-05-01 on", REST], "/a/20310501"),
    "another way round": (["On 1.4.2031"], "/a", ["On 17.04.2031"], "/a"),
    "grids": (["1", "2 3 4 5 6 7 8", "30"], "/2031/04", ["1 2 3", "28", "4 31"], "/2031/05"),
    "a date alone and none": (["April 2031", REST], "/2031/04", [REST], "/2031/05"),
    "places in a list": (["Page 45", REST, "44"], "/list?page=45", ["Page 46", REST, "47"], "/list?page=46"),
    "order": ([REST, "No events."], "/a", ["No events.", REST], "/a"),
}

APART = {
    "a concert": (["April 2031", "Brass on the pier"], "/2031/04", ["June 2031", "Choir at the mole"], "/2031/06"),
    "a concert and none": (["April 2031", "Brass on the pier"], "/2031/04", ["June 2031"], "/2031/06"),
    "prices": (["Rope, price 17"], "/item/4", ["Rope, price 24"], "/item/5"),
    "prices alone": (["17.40"], "/item/4", ["12.20"], "/item/5"),
    "larger prices alone": (["1200"], "/item/4", ["1300"], "/item/5"),
    "sizes": (["Screw, 12 mm"], "/item/4", ["Screw, 14 mm"], "/item/5"),
    "times of a tide": (["17 April: high at 6:12"], "/2031/04/17", ["18 April: high at 7:01"], "/2031/04/18"),
    "scores": (["Quay 3, Mole 1"], "/match/40", ["Quay 2, Mole 2"], "/match/41"),
    "words": (["Anchor"], "/item/4", ["Ribbon"], "/item/5"),
}


@pytest.mark.parametrize(("one", "key", "other", "other_key"), ALIKE.values(), ids=ALIKE)
def test_they_say_the_same(one: list[str], key: str, other: list[str], other_key: str) -> None:
    assert undated(one, SITE + key) == undated(other, SITE + other_key)


@pytest.mark.parametrize(("one", "key", "other", "other_key"), APART.values(), ids=APART)
def test_each_says_something_of_its_own(one: list[str], key: str, other: list[str], other_key: str) -> None:
    assert undated(one, SITE + key) != undated(other, SITE + other_key)


@given(st.lists(st.text(max_size=60), max_size=8), st.text(max_size=40))
def test_any_sentences_have_a_digest(sentences: list[str], key: str) -> None:
    assert len(undated(sentences, key)) == 16
    assert undated(sentences, key) == undated([*reversed(sentences), *sentences], key)

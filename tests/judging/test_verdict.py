from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sameish.cli.differences import differences
from sameish.fingerprint import sketch
from sameish.fingerprint.features import features_of
from sameish.fingerprint.schemes import _digest
from sameish.judging.compare import compare_fingerprints
from sameish.judging.verdict import changes
from sameish.models import Change, ComparisonKind, Fingerprint, State


def test_case_and_punctuation_are_no_change() -> None:
    before = ["The boat leaves at six.", "“Tickets” are sold on board"]
    after = ["THE BOAT LEAVES AT SIX", "Tickets are sold on board!", "..."]
    assert changes(before, after) == ()


def test_a_sign_that_means_something_is_a_change() -> None:
    assert changes(["Down 5 %", "End"], ["Down 5", "End"]) == (Change("removed", "Down 5 %"), Change("added", "Down 5"))


def test_a_new_cut_beside_an_edit_is_no_change() -> None:
    before = ["The boat leaves at six.", "Tickets", "on board", "End"]
    after = ["The boat leaves at nine.", "Tickets on board", "End"]
    assert changes(before, after) == (
        Change("removed", "The boat leaves at six."),
        Change("added", "The boat leaves at nine."),
    )


def test_nothing_is_said_where_the_earlier_sentences_are_not_kept() -> None:
    assert changes(None, ["The boat leaves at six."]) == ()


WORDS = st.sampled_from("p q r, S! 5 5% 8.40 渡轮 voilà … 😀".split())
TEXT = st.lists(WORDS, max_size=12)


@st.composite
def cut(draw: st.DrawFn, text: list[str]) -> list[str]:
    """Cut a text into sentences, some of them without a word."""
    ends = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    return [" ".join(text[a:b]) for a, b in zip([0, *ends], [*ends, len(text)], strict=True)]


@st.composite
def two_pages(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Draw the sentences of two pages: mostly of one text, cut twice, in another case, in another order or edited."""
    text = draw(TEXT)
    before = draw(cut(text))
    how = draw(st.sampled_from(("cut", "shuffled", "edited", "other")))
    if how == "shuffled":
        return before, draw(st.permutations([*before, *before[:1]]))
    if how == "other":
        return before, draw(cut(draw(TEXT)))
    again = [word.upper() for word in text]
    if how == "edited" and again:
        again[draw(st.integers(0, len(again) - 1))] = draw(WORDS)
    return before, draw(cut(again))


def printed(sentences: list[str]) -> Fingerprint:
    features = features_of(sentences)
    return Fingerprint(0, None, _digest(features), sketch.pack(features), features.words, State.CONTENT, "text:test")


@given(two_pages())
def test_pages_that_are_identical_have_no_changes(pages: tuple[list[str], list[str]]) -> None:
    before, after = pages
    identical = compare_fingerprints(printed(before), printed(after)).kind is ComparisonKind.IDENTICAL
    if identical:
        assert changes(before, after) == changes(after, before) == ()


@given(TEXT.flatmap(lambda text: st.tuples(cut(text), cut([word.upper() for word in text]))))
def test_pages_that_are_only_cut_elsewhere_are_identical_and_have_no_changes(
    pages: tuple[list[str], list[str]],
) -> None:
    first, second = map(printed, pages)
    assert compare_fingerprints(first, second).kind is ComparisonKind.IDENTICAL
    assert changes(*pages) == changes(*reversed(pages)) == ()


@given(two_pages())
def test_changes_are_what_explain_shows_as_such(pages: tuple[list[str], list[str]]) -> None:
    lines = [line for line in differences(*pages) if line.kind in ("removed", "added", "edited")]
    found = changes(*pages)
    assert [one.text for one in found if one.kind == "removed"] == [text for line in lines for text in line.before]
    assert [one.text for one in found if one.kind == "added"] == [text for line in lines for text in line.after]

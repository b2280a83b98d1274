from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sameish
from sameish import Fingerprint, Page
from sameish.fingerprint import sketch
from sameish.fingerprint.features import features_of
from sameish.fingerprint.schemes import SchemeName, scheme_of
from sameish.judging.compare import compare_fingerprints
from sameish.models import ComparisonKind, State
from sameish.settings import Judging, load

PARAGRAPHS = [
    "The council has approved a new winter timetable for the ferry that links the northern pier with the small island.",
    "From the first Monday in November the boat leaves every fifty minutes, and the last crossing moves from eleven to nine.",
    "Residents told the hearing that the earlier finish would make shift work at the hospital almost impossible for them.",
    "The operator answered that passenger numbers after nine had fallen to four people on an average night last winter.",
    "A review is planned after three months, when the council will compare the counts and decide about the late boat.",
    "The school asked for heating and benches in the waiting room, since pupils often wait there for an hour in a storm.",
]
OTHER = [
    "Engineers who inspected the public library found that rain had entered the reading room through cracked slates.",
    "The repair will take about five weeks, and the children's section moves to the hall of the old fire station.",
    "A foundation has promised half of the cost on condition that the gutters are replaced with copper ones.",
]


def page(*paragraphs: str, head: str = "Fewer ferries") -> Page:
    return Page(f"<article><h1>{head}</h1>" + "".join(f"<p>{text}</p>" for text in paragraphs) + "</article>")


def edited(text: str, old: str, new: str) -> list[str]:
    assert old in "".join(PARAGRAPHS)
    return [paragraph.replace(old, new) for paragraph in text.split("\n")]


ALL = "\n".join(PARAGRAPHS)


@pytest.mark.parametrize(
    ("paragraphs", "kind"),
    [
        (PARAGRAPHS, "identical"),
        (PARAGRAPHS[::-1], "identical"),
        ([text.upper() for text in PARAGRAPHS], "identical"),
        ([" ".join(PARAGRAPHS)], "identical"),
        ([f"{PARAGRAPHS[0]} {PARAGRAPHS[1]}", *PARAGRAPHS[2:]], "identical"),
        (edited(ALL, "fifty", "forty"), "near_duplicate"),
        (edited(ALL, "would make", "would not make"), "near_duplicate"),
        (edited(ALL, "from eleven to nine", "from nine to eleven"), "near_duplicate"),
        (PARAGRAPHS[:-1], "near_duplicate"),
        ([*PARAGRAPHS, OTHER[0]], "near_duplicate"),
        (OTHER, "different"),
        ([*PARAGRAPHS[:1], *OTHER], "different"),
    ],
)
def test_kinds(paragraphs: list[str], kind: str) -> None:
    there, back = (
        sameish.compare(*pair)
        for pair in ((page(*PARAGRAPHS), page(*paragraphs)), (page(*paragraphs), page(*PARAGRAPHS)))
    )
    assert str(there.kind) == kind, there.reason
    assert there == back or (there.kind, there.distance, there.similarity) == (
        back.kind,
        back.distance,
        back.similarity,
    )
    assert 0.0 <= there.similarity <= 1.0
    assert (there.similarity == 1.0) is (kind == "identical")
    assert there.reason


def test_a_changed_headline_is_noticed() -> None:
    assert str(sameish.compare(page(*PARAGRAPHS), page(*PARAGRAPHS, head="More ferries")).kind) == "near_duplicate"


def test_pages_and_their_fingerprints_compare_alike() -> None:
    a, b = page(*PARAGRAPHS), page(*PARAGRAPHS[:-1])
    assert sameish.compare(a, b) == sameish.compare(sameish.fingerprint(a), sameish.fingerprint(b))


def made(
    state: State = State.CONTENT, scheme: SchemeName = "text", text: str = ALL, simhash: int | None = 5
) -> Fingerprint:
    features = features_of(text.split("\n"))
    return Fingerprint(
        simhash,
        None,
        features.sentences.tobytes()[:16],
        sketch.pack(features),
        features.words,
        state,
        scheme_of(scheme),
    )


@pytest.mark.parametrize("state", [State.EMPTY, State.BLOCKED])
def test_nothing_is_said_of_pages_without_content(state: State) -> None:
    found = compare_fingerprints(made(state), made(state))
    assert (found.kind, found.reason) == (ComparisonKind.UNDETERMINED, f"a page is {state}")


def test_nothing_is_said_across_schemes() -> None:
    found = compare_fingerprints(made(), made(scheme="classic"))
    assert found.kind is ComparisonKind.UNDETERMINED
    assert "different schemes, classic:1" in found.reason


@pytest.mark.parametrize("state", [State.PARTIAL, State.ERROR])
def test_the_text_of_teasers_and_errors_is_compared(state: State) -> None:
    assert compare_fingerprints(made(state), made(state)).kind is ComparisonKind.IDENTICAL


def test_thin_pages_are_compared_exactly() -> None:
    one, two = Page("<p>Closed on Monday.</p>"), Page("<p>Closed on Tuesday.</p>")
    assert str(sameish.compare(one, one).kind) == "identical"
    assert str(sameish.compare(one, two).kind) == "different"


@pytest.mark.parametrize(
    ("bits", "kind"),
    [(0, "identical"), (3, "identical"), (4, "near_duplicate"), (8, "near_duplicate"), (9, "different")],
)
def test_classic_has_the_recipes_bands(bits: int, kind: str) -> None:
    found = compare_fingerprints(made(scheme="classic", simhash=0), made(scheme="classic", simhash=(1 << bits) - 1))
    assert (str(found.kind), found.distance) == (kind, bits)


def test_classic_bands_are_settings() -> None:
    wide = Judging(classic_identical_bits=10, classic_near_bits=20)
    assert (
        compare_fingerprints(made(scheme="classic", simhash=0), made(scheme="classic", simhash=0x3FF), wide).kind
        is ComparisonKind.IDENTICAL
    )


def test_the_share_in_common_is_a_setting() -> None:
    half = page(*PARAGRAPHS[:4], *OTHER)
    kinds = {
        share: str(sameish.compare(page(*PARAGRAPHS), half, {"judging": {"near_similarity": share}}).kind)
        for share in (0.5, 0.95)
    }
    assert kinds == {0.5: "near_duplicate", 0.95: "different"}


WORDS = st.lists(
    st.sampled_from("the ferry roof lamp price is not open 64 90 at nine".split()), min_size=1, max_size=12
)


@given(st.lists(WORDS, max_size=8), st.lists(WORDS, max_size=8))
def test_compare_is_symmetric_and_identical_on_itself(a: list[list[str]], b: list[list[str]]) -> None:
    first, second = (sameish.fingerprint(page(*(" ".join(words) + "." for words in side))) for side in (a, b))
    there, back = compare_fingerprints(first, second), compare_fingerprints(second, first)
    assert (there.kind, there.distance, there.similarity) == (back.kind, back.distance, back.similarity)
    if first.simhash is not None:
        assert compare_fingerprints(first, first).kind is ComparisonKind.IDENTICAL


@pytest.mark.parametrize("make", [sameish.extract, sameish.fingerprint, lambda one: sameish.compare(one, one)])
def test_a_body_over_the_limit_is_refused(make: Callable[[Page], object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMEISH_READING__MAX_BODY_BYTES", "10")
    assert load().reading.max_body_bytes == 10
    with pytest.raises(
        sameish.ReadingError,
        match=r"https://a.example/: the body has 11 bytes; the setting reading.max_body_bytes allows 10",
    ):
        make(Page(b"x" * 11, "https://a.example/"))

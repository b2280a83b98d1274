"""The array arithmetic against a word-by-word model of the same definition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish.fingerprint import features
from sameish.fingerprint.features import features_of

BASE, STEP_1, STEP_2, MASK = 0x9E3779B97F4A7C15, 0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53, (1 << 64) - 1
TEXT = st.text(alphabet=st.one_of(st.sampled_from("ab c.,-'%$é渡轮けーกำ가نُ"), st.characters()), max_size=60)


def mixed(value: int) -> int:
    value ^= value >> 33
    value = value * STEP_1 & MASK
    value ^= value >> 33
    value = value * STEP_2 & MASK
    return value ^ value >> 33


def words_of(line: str) -> list[str]:
    """Words by their definition, one character after the other."""
    kinds = features._classes()
    found: list[str] = []
    before = "gap"
    for character in line.casefold().encode("utf-32-le", "replace").decode("utf-32-le"):
        kind = ("gap", "gap", "word", "own", "mark")[kinds[ord(character)]]
        if kind == "own" or (kind != "gap" and before == "gap") or (kind == "word" and before == "own"):
            found.append(character)
        elif kind != "gap":
            found[-1] += character
        before = kind
    return found


def hashed(parts: list[int]) -> int:
    power, total = 1, 0
    for part in parts:
        total += part * power
        power = power * BASE & MASK
    return mixed(total & MASK)


def model(sentences: list[str]) -> tuple[list[int], int, list[int], list[int]]:
    hashes, flow, sizes, shingles = [], [], [], set()
    for line in "\n".join(sentences).split("\n"):
        words = [hashed([ord(character) for character in word]) for word in words_of(line)]
        if words:
            hashes.append(hashed(words))
            flow += words
            sizes.append(len(words))
            if len(words) < 3:
                shingles.add(hashes[-1])
            for a, b, c in zip(words, words[1:], words[2:], strict=False):
                shingles.add(mixed((a * BASE + b * STEP_1 + c * STEP_2) & MASK))
    return hashes, hashed(flow) if flow else 0, sizes, sorted(shingles)


@given(st.lists(TEXT, max_size=6))
def test_arrays_agree_with_the_definition(sentences: list[str]) -> None:
    found = features_of(sentences)
    hashes, flow, sizes, shingles = model(sentences)
    assert found.sentences.tolist() == hashes
    assert found.flow == flow
    assert found.sizes.tolist() == sizes
    assert found.shingles.tolist() == shingles
    assert found.words == sum(sizes)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("The Café's pump-house", ["the", "café", "s", "pump", "house"]),
        ("渡轮 timetable", ["渡", "轮", "timetable"]),
        ("สามเดือน", ["ส", "า", "ม", "เ", "ดื", "อ", "น"]),
        ("أعلن جدولاً", ["أعلن", "جدولاً"]),
        ("50% €20 <b", ["50", "%", "€", "20", "<", "b"]),
        ("한국어", ["한", "국", "어"]),
        ("... — !", []),
    ],
)
def test_words_by_script(line: str, words: list[str]) -> None:
    assert words_of(line) == words
    assert features_of([line]).words == len(words)


def test_a_text_longer_than_the_kept_powers_has_the_same_hashes() -> None:
    line = "one two three"
    long = features_of([*["four five"] * 15_000, line])
    assert long.sentences[-1] == features_of([line]).sentences[0]
    assert long.sentences[0] == long.sentences[14_999] == features_of(["four five"]).sentences[0]


def test_a_long_word_keeps_the_places_of_its_letters() -> None:
    long = "x" * 3000
    assert features_of([long + "ab"]).sentences.tolist() != features_of([long + "ba"]).sentences.tolist()


def test_weights_follow_their_sentence_and_the_heaviest_counts() -> None:
    found = features_of(["one two three", "four five six", "one two three"], [1, 3, 2])
    of = dict(zip(found.shingles.tolist(), found.weights.tolist(), strict=True))
    first, second = (features_of([text]).shingles[0] for text in ("one two three", "four five six"))
    assert (of[int(first)], of[int(second)]) == (2, 3)


def test_weights_of_sentences_without_words_are_skipped() -> None:
    found = features_of(["...", "one two three"], [9, 4])
    assert found.weights.tolist() == [4]


def test_the_flow_does_not_depend_on_cuts_but_on_order() -> None:
    whole = features_of(["one two three four five"])
    assert features_of(["one two", "three four five"]).flow == whole.flow
    assert features_of(["three four five", "one two"]).flow != whole.flow


def test_lone_surrogates_do_not_break_it() -> None:
    assert features_of(["a \ud800 b"]).words >= 2


@pytest.mark.parametrize("sentences", [[], [""], ["", "\n"], ["…"]])
def test_no_words_no_features(sentences: list[str]) -> None:
    found = features_of(sentences, [1] * len(sentences))
    assert (found.words, found.sentences.size, found.shingles.size, found.weights.size) == (0, 0, 0, 0)

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sameish.fingerprint.features import features_of
from sameish.fingerprint.word_hashes import word_hashes

SENTENCES = st.lists(st.text("ab .,%語\u0301ß", max_size=6), max_size=8)


def test_case_and_punctuation_do_not_count() -> None:
    assert word_hashes(["The ferry, at 8.40!"]) == word_hashes(["the FERRY at 8 40"])
    assert word_hashes(["5 %"]) != word_hashes(["5"])
    assert [len(words) for words in word_hashes(["渡轮 ferry", "***", "", "a"])] == [3, 0, 0, 1]


def test_nothing_has_no_words() -> None:
    assert word_hashes([]) == []
    assert word_hashes([""]) == word_hashes(["..."]) == [()]


def test_a_line_feed_is_a_space() -> None:
    assert word_hashes(["one\ntwo", "three"]) == word_hashes(["one two", "three"])


@given(SENTENCES)
def test_each_sentence_has_the_words_it_has_alone(sentences: list[str]) -> None:
    assert word_hashes(sentences) == [word_hashes([sentence])[0] for sentence in sentences]
    assert sum(map(len, word_hashes(sentences))) == features_of(sentences).words


@given(SENTENCES, SENTENCES)
def test_words_are_equal_where_sentences_of_fingerprints_are(before: list[str], after: list[str]) -> None:
    for one in before:
        for other in after:
            equal = features_of([one]).sentences.tolist() == features_of([other]).sentences.tolist()
            assert equal == (word_hashes([one]) == word_hashes([other]))


@given(SENTENCES, SENTENCES)
def test_flows_are_equal_where_all_words_are(before: list[str], after: list[str]) -> None:
    first, second = ([word for words in word_hashes(side) for word in words] for side in (before, after))
    assert (features_of(before).flow == features_of(after).flow) == (first == second)

"""The classic recipe against frozen vectors (tests/data/make_classic_vectors.mjs) and against its plain definition."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import mmh3
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish import classic
from sameish.errors import SettingsError

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent / "data" / "classic_vectors.json").read_text(encoding="utf-8")
)
ANY_TEXT = st.text(st.characters(exclude_categories=()))  # lone surrogates too
WORDS = st.lists(st.sampled_from(["tide", "sea", "rope", "salt", "Φάρος", "燈", "🗼"]), max_size=60)


def plain_simhash(features: list[str]) -> int:
    """The recipe as it is told: every occurrence votes on every bit."""
    sums = [0] * 64
    for value in map(classic.hash64, features):
        for bit in range(64):
            sums[bit] += 1 if value >> bit & 1 else -1
    return sum(1 << bit for bit in range(64) if sums[bit] > 0)


@pytest.mark.parametrize("vector", VECTORS["strings"], ids=lambda vector: ascii(vector["text"])[:20])
def test_hash_of_a_string_is_frozen(vector: dict[str, str]) -> None:
    assert f"{classic.hash64(vector['text']):016x}" == vector["hash64"]


@pytest.mark.parametrize("vector", VECTORS["documents"], ids=lambda vector: ascii(vector["text"])[:20])
def test_document_is_frozen(vector: dict[str, Any]) -> None:
    assert classic.tokens(vector["text"]) == vector["tokens"]
    assert classic.shingles(vector["text"]) == vector["shingles"]
    assert f"{classic.simhash(vector['tokens']):016x}" == vector["simhash_tokens"]
    assert f"{classic.simhash(vector['shingles']):016x}" == vector["simhash_shingles"]


def test_halves_are_murmur_seeded_with_zero_and_with_the_first_half() -> None:
    value = classic.hash64("harbour")
    upper = mmh3.hash(b"harbour", 0, signed=False)
    assert value >> 32 == upper
    assert value & 0xFFFFFFFF == mmh3.hash(b"harbour", upper, signed=False)


def test_white_space_is_that_of_javascript() -> None:
    assert classic.tokens("salt\ufeffwind\u2029tide") == ["salt", "wind", "tide"]
    assert classic.tokens("salt\x1cwind salt\x85wind salt\u180ewind salt\u200bwind") == [
        "salt\x1cwind",
        "salt\x85wind",
        "salt\u180ewind",
        "salt\u200bwind",
    ]


def test_length_counts_utf16_units() -> None:
    assert classic.tokens("ox 🗼 🗼a 🗼🌊 \ud83dab \ud83d\ude00") == ["🗼a", "🗼🌊", "\ud83dab"]


def test_lone_surrogates_are_hashed_as_replacement_characters_and_pairs_as_one_character() -> None:
    assert classic.hash64("a\ud83db") == classic.hash64("a\ufffdb")
    assert classic.hash64("\ude00\ud83d") == classic.hash64("\ufffd\ufffd")
    assert classic.hash64("\ud83d\ude00") == classic.hash64("😀")


def test_lower_case_is_that_of_unicode_with_its_context() -> None:
    assert classic.tokens("ΦΑΡΟΣ İZMİR ẞTRAND") == ["φαρος", "i\u0307zmi\u0307r", "ßtrand"]


def test_shingles_keep_the_empty_words_at_the_ends_and_take_any_size() -> None:
    assert classic.shingles(" a b ") == [" a b", "a b "]
    assert classic.shingles("a b") == []
    assert classic.shingles("a b c", size=1) == ["a", "b", "c"]
    assert classic.shingles("a b c d", size=4) == ["a b c d"]


def test_shingles_of_no_words_are_refused() -> None:
    with pytest.raises(SettingsError, match="size"):
        classic.shingles("a b c", size=0)


def test_a_tie_gives_zero_bits_and_so_does_nothing() -> None:
    one, other = classic.hash64("tide"), classic.hash64("rope")
    assert classic.simhash(["tide", "rope"]) == one & other
    assert classic.simhash([]) == 0
    assert classic.simhash(iter(["tide"])) == one


@given(WORDS)
def test_simhash_is_the_vote_of_every_occurrence(features: list[str]) -> None:
    assert classic.simhash(features) == plain_simhash(features)


@given(ANY_TEXT)
def test_any_text_is_hashed(text: str) -> None:
    assert 0 <= classic.hash64(text) < 1 << 64
    assert 0 <= classic.simhash(classic.tokens(text)) < 1 << 64
    assert 0 <= classic.simhash(classic.shingles(text)) < 1 << 64


def test_more_distinct_features_than_one_block_holds() -> None:
    features = [f"word{number % 9000}" for number in range(10_000)]
    assert classic.simhash(features) == plain_simhash(features)


def test_hashes_do_not_depend_on_the_process() -> None:
    program = "from sameish import classic; print(classic.simhash(classic.tokens('salt wind tide rope sea')))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(run.stdout) == classic.simhash(["salt", "wind", "tide", "rope", "sea"])


@pytest.mark.parametrize("piece", [" ", "a", "a ", "\ud83d", "\ufeff\x85", "Σ", "🗼 "], ids=ascii)
def test_a_megabyte_takes_linear_time(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    start = time.process_time()
    classic.tokens(text)
    assert time.process_time() - start < 3

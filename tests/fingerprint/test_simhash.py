from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish.fingerprint.simhash import bit_similarity, hamming_distance, simhash

U64 = st.integers(0, 2**64 - 1)


@given(st.lists(st.tuples(U64, st.integers(1, 5)), min_size=1, max_size=40))
def test_each_bit_is_the_weighted_majority_and_a_tie_is_zero(votes: list[tuple[int, int]]) -> None:
    expected = 0
    for bit in range(64):
        balance = sum(weight if value >> bit & 1 else -weight for value, weight in votes)
        expected |= (balance > 0) << bit
    hashes = np.array([value for value, _ in votes], np.uint64)
    weights = np.array([weight for _, weight in votes], np.int64)
    assert simhash(hashes, weights) == expected


def test_no_features_no_hash() -> None:
    assert simhash(np.empty(0, np.uint64), np.empty(0, np.int64)) is None


@given(U64, U64, U64)
def test_distance_is_a_metric(a: int, b: int, c: int) -> None:
    assert hamming_distance(a, b) == hamming_distance(b, a) == (a ^ b).bit_count()
    assert hamming_distance(a, a) == 0
    assert hamming_distance(a, c) <= hamming_distance(a, b) + hamming_distance(b, c)


def test_signed_twins_from_databases_count_as_their_unsigned_values() -> None:
    assert hamming_distance(-1, 0) == 64
    assert hamming_distance(-4, 3) == 64
    assert hamming_distance(-(2**63), 0) == 1


@pytest.mark.parametrize(("x", "y", "percent"), [(0, 0, 100.0), (0, 2**64 - 1, 0.0), (0, 0b111, 95.3125)])
def test_bit_similarity_is_the_recipes(x: int, y: int, percent: float) -> None:
    assert bit_similarity(x, y) == percent

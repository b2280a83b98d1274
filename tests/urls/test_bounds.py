"""How wrong a rule may be, judged by a few audits."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish.urls.bounds import upper_bound


@pytest.mark.parametrize(
    ("wrong", "audits", "bound"),
    [(0, 0, 1.0), (0, 1, 0.95), (1, 1, 1.0), (0, 10, 0.25887), (1, 10, 0.39416), (5, 100, 0.10225), (0, 299, 0.00997)],
)
def test_the_bound_of_the_tables(wrong: int, audits: int, bound: float) -> None:
    assert upper_bound(wrong, audits) == pytest.approx(bound, abs=5e-5)


@given(st.integers(1, 300), st.data())
def test_at_the_bound_so_few_are_just_unlikely(audits: int, data: st.DataObject) -> None:
    wrong = data.draw(st.integers(0, audits - 1))
    rate = upper_bound(wrong, audits)
    assert wrong / audits < rate < 1
    chance = sum(math.comb(audits, k) * rate**k * (1 - rate) ** (audits - k) for k in range(wrong + 1))
    assert chance == pytest.approx(0.05, abs=1e-6)


def test_thousands_of_audits() -> None:
    assert upper_bound(100, 100_000) == pytest.approx(0.00118, abs=1e-4)

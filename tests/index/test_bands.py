"""Whatever is near shares a bucket that is looked in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish.index.bands import BITS, PROBED, Widths, firsts, keys, probes, radii, shifts, widths_for

ALL_WIDTHS = sorted({widths_for(rows) for rows in (0, 1 << 17, 1 << 24)})
HASHES = st.integers(0, (1 << 64) - 1)


def test_there_is_a_cut_for_few_many_and_very_many_rows() -> None:
    assert len(ALL_WIDTHS) == 3


@pytest.mark.parametrize("widths", ALL_WIDTHS)
def test_bands_are_disjoint_and_cover_all_bits(widths: Widths) -> None:
    covered = [bit for width, shift in zip(widths, shifts(widths), strict=True) for bit in range(shift, shift + width)]
    assert covered == list(range(BITS))


@pytest.mark.parametrize("widths", ALL_WIDTHS)
def test_the_number_of_a_first_bucket_has_no_bit_of_a_key(widths: Widths) -> None:
    for width, first in zip(widths, firsts(widths), strict=False):
        assert first & ((1 << width) - 1) == 0


@given(st.integers(1, 8), st.integers(0, 64))
def test_radii_are_just_large_enough(bands: int, within: int) -> None:
    assert sum(radius + 1 for radius in radii(bands, within)) == within + 1
    assert min(radii(bands, within)) >= -1
    assert max(radii(bands, within)) - min(radii(bands, within)) <= 1


@given(st.sampled_from(ALL_WIDTHS), HASHES, st.sets(st.integers(0, 63), max_size=PROBED), st.data())
def test_a_near_hash_is_in_a_bucket_that_is_looked_in(
    widths: Widths, stored: int, flips: set[int], data: st.DataObject
) -> None:
    within = data.draw(st.integers(len(flips), PROBED))
    query = stored ^ sum(1 << bit for bit in flips)
    looked_in = {query >> shift & mask ^ number for shift, mask, number in probes(widths, within).steps}
    holding = firsts(widths)[:-1] + keys(widths, np.array([stored], np.uint64))[0]
    assert looked_in & set(holding.tolist())


@given(st.sampled_from(ALL_WIDTHS), HASHES, st.integers(0, 8))
def test_steps_and_arrays_name_the_same_buckets_each_once(widths: Widths, query: int, within: int) -> None:
    found = probes(widths, within)
    by_steps = [query >> shift & mask ^ number for shift, mask, number in found.steps]
    by_arrays = found.numbers ^ keys(widths, np.array([query], np.uint64))[0][found.bands]
    assert by_steps == by_arrays.tolist()
    assert len(set(by_steps)) == len(by_steps)

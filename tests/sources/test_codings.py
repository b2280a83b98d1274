from __future__ import annotations

import gzip
import random
import time
import zlib
from collections.abc import Callable

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from sameish.sources.codings import Undecodable, without_codings

PAGE = b"<!DOCTYPE html><p>The last ferry leaves at nine.</p>" * 20
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstandard.compress,
}


def decoded(body: bytes, coding: str, limit: int = 1_000_000) -> bytes:
    return without_codings(body, (("content-encoding", coding),), limit)[0]


@pytest.mark.parametrize("coding", PACKERS)
@given(body=st.binary(max_size=3000))
def test_a_coding_comes_off_as_it_went_on(coding: str, body: bytes) -> None:
    assert decoded(PACKERS[coding](body), coding) == body


@pytest.mark.parametrize("coding", PACKERS)
@given(body=st.binary(max_size=300))
def test_any_bytes_come_back_or_are_refused(coding: str, body: bytes) -> None:
    try:
        decoded(body, coding)
    except Undecodable:
        assert body


@pytest.mark.parametrize("coding", PACKERS)
def test_half_a_body_is_never_taken_for_a_whole_one(coding: str) -> None:
    packed = PACKERS[coding](PAGE)
    for cut in range(5, len(packed)):
        with pytest.raises(Undecodable):
            decoded(packed[:cut], coding)


@pytest.mark.parametrize("coding", PACKERS)
def test_the_limit_holds_to_the_byte(coding: str) -> None:
    packed = PACKERS[coding](PAGE)
    assert decoded(packed, coding, len(PAGE)) == PAGE
    with pytest.raises(Undecodable, match=r"reading\.max_body_bytes"):
        decoded(packed, coding, len(PAGE) - 1)


def test_a_plain_body_has_the_same_limit() -> None:
    assert without_codings(PAGE, (), len(PAGE)) == (PAGE, ())
    with pytest.raises(Undecodable):
        without_codings(PAGE, (), len(PAGE) - 1)


def test_several_codings_come_off_from_the_last_to_the_first() -> None:
    body = gzip.compress(brotli.compress(PAGE))
    assert decoded(body, "br, gzip") == PAGE
    assert without_codings(body, (("content-encoding", "br"), ("content-encoding", "gzip")), 10_000) == (PAGE, ())


def test_all_members_of_a_gzip_body_count_and_junk_behind_them_does_not() -> None:
    assert decoded(gzip.compress(PAGE) + gzip.compress(PAGE) + b"\0\0junk", "gzip") == PAGE * 2


@pytest.mark.parametrize("body", [b"", b"a", PAGE])
def test_twice_as_many_gzip_members_take_twice_as_long(body: bytes) -> None:
    member = gzip.compress(body)
    count = 500_000 // len(member)

    def seconds(members: int) -> float:
        packed = member * members
        times = []
        for _ in range(3):
            began = time.perf_counter()
            assert decoded(packed, "gzip", 1 << 30) == body * members
            times.append(time.perf_counter() - began)
        return min(times)

    assert seconds(4 * count) < 10 * seconds(count)


def test_a_long_member_among_short_ones_comes_out_whole() -> None:
    noise = random.Random(1).randbytes(300_000)  # noqa: S311 - guards no secret
    parts = [b"a", noise, b"", bytes(1_000_000), b"b"]
    assert decoded(b"".join(map(gzip.compress, parts)), "gzip", 1 << 21) == b"".join(parts)


@pytest.mark.parametrize("coding", [*PACKERS, "identity", "compress", "utf-8"])
def test_a_header_that_no_longer_fits_is_passed_over(coding: str) -> None:
    assert decoded(PAGE, coding) == PAGE
    assert decoded(b"just text, nine o'clock", coding) == b"just text, nine o'clock"
    assert decoded(b"", coding) == b""


def test_only_the_headers_of_the_coding_are_taken_off() -> None:
    headers = (("content-type", "text/html"), ("content-encoding", "gzip"), ("content-length", "9"), ("etag", "a"))
    assert without_codings(gzip.compress(PAGE), headers, 10_000)[1] == (("content-type", "text/html"), ("etag", "a"))

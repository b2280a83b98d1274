from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish.sources.chunked import CutChunks, without_chunks

PAGE = b"<!DOCTYPE html><p>The last ferry leaves at nine.</p>"


def framed(parts: list[bytes], end: bytes = b"0\r\n\r\n") -> bytes:
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts if part) + end


@given(st.lists(st.binary(max_size=300), max_size=6))
def test_framing_comes_off_as_it_went_on(parts: list[bytes]) -> None:
    assert without_chunks(framed(parts)) == b"".join(parts)


@pytest.mark.parametrize("end", [b"0\r\n\r\n", b"0\r\n", b"000\r\n\r\n", b"0;last\r\nTrailer: yes\r\n\r\n", b"0\n\n"])
def test_the_last_chunk_may_be_written_in_several_ways(end: bytes) -> None:
    assert without_chunks(framed([PAGE], end)) == PAGE


def test_extensions_spaces_and_bare_line_feeds_are_accepted() -> None:
    body = b"%X;name=value\r\n%b\r\n%x  \n%b\n0\r\n\r\n" % (len(PAGE), PAGE, len(PAGE), PAGE)
    assert without_chunks(body) == PAGE * 2


@pytest.mark.parametrize(
    "body", [b"", PAGE, b"12", b"12\r\n", b"abc\r\ndef", b"5\r\ntoo long for five\r\n0\r\n\r\n", b"\r\n" + PAGE]
)
def test_what_is_not_framed_stays_as_it_is(body: bytes) -> None:
    assert without_chunks(body) == body


@given(st.binary())
def test_any_bytes_come_back_or_are_refused(body: bytes) -> None:
    try:
        without_chunks(body)
    except CutChunks:
        assert body[:1].isalnum()


def test_half_of_a_framed_page_is_refused_wherever_it_is_cut() -> None:
    body = framed([PAGE, PAGE, PAGE])
    for cut in range(6, len(body) - 4):
        with pytest.raises(CutChunks):
            without_chunks(body[:cut])


def test_framing_that_goes_wrong_is_refused() -> None:
    with pytest.raises(CutChunks, match="byte 58"):
        without_chunks(framed([PAGE], b"") + b"what?\r\n0\r\n\r\n")

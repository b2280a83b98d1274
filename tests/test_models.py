from __future__ import annotations

import contextlib
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish import Fingerprint, Page, ReadingError
from sameish.models import State, normal_headers

FINGERPRINTS = st.builds(
    Fingerprint,
    simhash=st.none() | st.integers(0, 2**64 - 1),
    structure=st.none() | st.integers(0, 2**64 - 1),
    digest=st.binary(min_size=16, max_size=16),
    sketch=st.binary(max_size=60),
    words=st.integers(0, 2**32 - 1),
    state=st.sampled_from(State),
    scheme=st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
)


@given(FINGERPRINTS)
def test_a_fingerprint_survives_its_bytes(fingerprint: Fingerprint) -> None:
    assert Fingerprint.from_bytes(fingerprint.to_bytes()) == fingerprint


@given(FINGERPRINTS, st.data())
def test_damaged_bytes_are_refused_or_read_but_never_crash(fingerprint: Fingerprint, data: st.DataObject) -> None:
    whole = fingerprint.to_bytes()
    cut = data.draw(st.integers(0, len(whole) - 1))
    with pytest.raises(ReadingError):
        Fingerprint.from_bytes(whole[:cut])
    with pytest.raises(ReadingError):
        Fingerprint.from_bytes(whole + b"x")


@given(st.binary(max_size=200))
def test_any_bytes_raise_nothing_else(noise: bytes) -> None:
    with contextlib.suppress(ReadingError):
        Fingerprint.from_bytes(noise)


def test_a_newer_format_says_so() -> None:
    data = bytearray(Fingerprint(1, None, bytes(16), b"", 1, State.CONTENT, "text:1").to_bytes())
    data[2] = 9
    with pytest.raises(ReadingError, match="format 9; this program reads format 1"):
        Fingerprint.from_bytes(bytes(data))


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "text/html", "ETag": '"v1"'},
        [("Content-Type", "text/html"), ("ETag", '"v1"')],
        (("CONTENT-TYPE", " text/html "), ("etag", '"v1"')),
        {b"Content-Type": [b"text/html"], b"ETag": [b'"v1"']},
        [[b"content-type", b"text/html"], ["eTag", b'"v1"']],
    ],
)
def test_headers_in_any_shape(headers: Any) -> None:
    page = Page("x", headers=headers)
    assert page.headers == (("content-type", "text/html"), ("etag", '"v1"'))
    assert page.header("Etag") == page.header("ETAG") == '"v1"'
    assert page.header("date") is None


def test_repeated_headers_are_kept_and_the_first_is_found() -> None:
    page = Page("x", headers={"Set-Cookie": ["a=1", "b=2"]})
    assert page.headers == (("set-cookie", "a=1"), ("set-cookie", "b=2"))
    assert page.header("set-cookie") == "a=1"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"body": 5}, "body is int"),
        ({"body": "x", "url": b"https://a.example/"}, "url is bytes"),
        ({"body": "x", "requested_url": 1}, "requested_url is int"),
        ({"body": "x", "status": "200"}, "status is str"),
        ({"body": "x", "status": 99999999999999999999}, "status is 99999999999999999999, expected 0..999"),
        ({"body": "x", "status": -1}, "status is -1"),
        ({"body": "x", "redirects": 5}, "redirects is not a list"),
        ({"body": "x", "redirects": [5]}, "redirects is not a list"),
        (
            {"body": "x", "fetched_at": datetime(9999, 12, 31, 23, tzinfo=timezone(-timedelta(hours=12)))},
            "no equal in UTC",
        ),
        ({"body": "x", "headers": 7}, "int is neither a mapping nor pairs"),
        ({"body": "x", "headers": ["abc"]}, "not a \\(name, value\\) pair"),
        ({"body": "x", "headers": {"a": 1}}, "a value is int"),
        ({"body": "x", "headers": {1: "a"}}, "a name is int"),
        ({"body": "x", "fetched_at": datetime(2026, 1, 1)}, "no time zone"),  # noqa: DTZ001  # naive on purpose
        ({"body": "x", "fetched_at": 1.5}, "fetched_at is float"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ReadingError, match=message):
        Page(**arguments)


def test_times_are_kept_in_utc() -> None:
    moment = datetime(2026, 3, 1, 14, tzinfo=timezone(timedelta(hours=2)))
    assert Page("x", fetched_at=moment).fetched_at == moment
    assert Page("x", fetched_at=moment).fetched_at.tzinfo is UTC  # type: ignore[union-attr]  # it was given


def test_what_stands_for_nothing() -> None:
    page = Page(body=None, status=None, headers=None, redirects=None)  # type: ignore[arg-type]  # callers in untyped code pass None
    assert (page.body, page.status, page.headers) == (b"", 200, ())


def test_other_kinds_of_bytes() -> None:
    assert Page(bytearray(b"ab")).body == Page(memoryview(b"ab")).body == b"ab"  # type: ignore[arg-type]  # what sockets give


def test_a_page_is_a_value() -> None:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    assert Page("x", fetched_at=moment) == Page("x", fetched_at=moment)
    assert len({Page("x"), Page("x")}) == 1
    assert normal_headers(Page("x", headers={"A": "b"}).headers) == (("a", "b"),)

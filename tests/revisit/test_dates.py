"""Dates of HTTP and of sitemaps."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish.revisit.dates import http_date, retry_after, sitemap_date

NOON = datetime(2031, 3, 9, 12, 0, 0, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    "text",
    [
        "Sun, 09 Mar 2031 12:00:00 GMT",
        "Sunday, 09-Mar-31 12:00:00 GMT",
        "Sun Mar  9 12:00:00 2031",
        "Sun, 09 Mar 2031 13:00:00 +0100",
    ],
)
def test_all_forms_of_an_http_date_are_read(text: str) -> None:
    assert http_date(text) == NOON


@pytest.mark.parametrize("text", [None, "", "0", "yesterday", "Sun, 99 Mar 2031 12:00:00 GMT", "2031-03-09T12:00:00Z?"])
def test_what_is_no_http_date_is_none(text: str | None) -> None:
    assert http_date(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2031-03-09T12:00:00Z", NOON),
        ("2031-03-09T12:00Z", NOON),
        (" 2031-03-09T14:00:00.000+02:00 ", NOON),
        ("2031-03-09T12:00:00", NOON),
        ("2031-03-09", NOON - 43_200),
        ("2031-03", NOON - 43_200 - 8 * 86_400),
        ("2031", datetime(2031, 1, 1, tzinfo=UTC).timestamp()),
        ("2031-13-01", None),
        ("09.03.2031", None),
        ("", None),
        (None, None),
    ],
)
def test_dates_of_sitemaps(text: str | None, expected: float | None) -> None:
    assert sitemap_date(text) == expected


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("120", 120),
        ("Sun, 09 Mar 2031 12:02:00 GMT", 120),
        ("Sun, 09 Mar 2031 11:00:00 GMT", 0),
        ("-5", 0),
        ("soon", 0),
        (None, 0),
    ],
)
def test_retry_after(text: str | None, seconds: float) -> None:
    assert retry_after(text, NOON) == seconds


@given(st.text(max_size=60))
def test_no_text_raises(text: str) -> None:
    http_date(text)
    sitemap_date(text)
    assert retry_after(text, NOON) >= 0

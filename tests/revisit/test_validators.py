"""Which validators are kept, and which are sent."""

from __future__ import annotations

from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish.revisit.after import Answer, after_fetch
from sameish.revisit.before import Plan, Step, askable_headers, before_fetch
from sameish.revisit.policy import DAY
from sameish.revisit.state import Validators, Visits
from sameish.revisit.trust import HostTrust, ValidatorTrust
from sameish.revisit.validators import (
    LONGEST,
    freshened,
    is_disputed,
    received,
    replaced,
    request_headers,
    same_etag,
    url_number,
)

URL = "https://quay.example/tides"
T0 = 1_900_000_000
OLD_DATE = "Tue, 01 Jan 2030 08:15:00 GMT"


def visited(headers: dict[str, str], url: str = URL, at: float = T0) -> Visits:
    return after_fetch(None, None, Answer(url, at, headers=headers))[0]


def planned(page: Visits, url: str = URL, at: float = T0 + 40 * DAY) -> Plan:
    return before_fetch(page, None, url, at)


VALUES = st.text(
    st.characters(min_codepoint=32, max_codepoint=0x24F, categories=["L", "N", "P", "S"]), min_size=2, max_size=60
)


@given(VALUES, VALUES)
def test_both_are_sent_exactly_as_received(etag: str, modified: str) -> None:
    plan = planned(visited({"eTaG": etag, "Last-Modified": modified}))
    assert plan.step is Step.REVALIDATE
    assert plan.headers == {"If-None-Match": etag, "If-Modified-Since": modified}


@pytest.mark.parametrize(
    "modified",
    [OLD_DATE, "Tuesday, 01-Jan-30 08:15:00 GMT", "Tue, 1 Jan 2030 09:15:00 +0100", "2030-01-01T08:15:00Z", "r17"],
)
def test_a_date_in_any_style_goes_back_in_that_style(modified: str) -> None:
    assert planned(visited({"last-modified": modified})).headers == {"If-Modified-Since": modified}


def test_a_date_later_than_the_servers_own_is_no_validator() -> None:
    late = {"Last-Modified": formatdate(T0 + 20, usegmt=True), "ETag": '"t"'}
    assert planned(visited(late)).headers == {"If-None-Match": '"t"'}
    assert "If-Modified-Since" in planned(visited({**late, "Date": formatdate(T0 + 20, usegmt=True)})).headers
    early_clock = {"Last-Modified": formatdate(T0 - 50, usegmt=True), "Date": formatdate(T0 - 60, usegmt=True)}
    assert planned(visited(early_clock)).step is Step.FETCH


@pytest.mark.parametrize("etag", ["*", "", '"a"\r\nCookie: x', "x" * (LONGEST + 1)])
def test_what_would_do_harm_is_not_sent(etag: str) -> None:
    assert planned(visited({"ETag": etag})).step is Step.FETCH


def test_a_variant_url_is_never_sent_the_date_of_another_url() -> None:
    page = visited({"ETag": '"t1"', "Last-Modified": OLD_DATE})
    assert planned(page, URL + "?print=1").headers == {"If-None-Match": '"t1"'}
    only_date = visited({"Last-Modified": OLD_DATE})
    assert planned(only_date, URL + "?print=1").step is Step.FETCH
    assert planned(only_date).headers == {"If-Modified-Since": OLD_DATE}


def test_the_validators_belong_to_the_url_that_answered_last() -> None:
    page, host = after_fetch(None, None, Answer(URL, T0, headers={"Last-Modified": OLD_DATE}))
    variant = Answer(
        URL + "?print=1", T0 + DAY, headers={"Last-Modified": "Wed, 02 Jan 2030 00:00:00 GMT"}, changed=False
    )
    page, _ = after_fetch(page, host, variant)
    assert planned(page).step is Step.FETCH
    assert planned(page, URL + "?print=1").headers == {"If-Modified-Since": "Wed, 02 Jan 2030 00:00:00 GMT"}


def test_a_304_to_a_variant_leaves_the_validators_alone() -> None:
    held = Validators('"a"', OLD_DATE, url_number(URL))
    new = received({"etag": 'W/"a"', "last-modified": "Wed, 02 Jan 2030 00:00:00 GMT"}, T0)
    assert freshened(held, new, url_number(URL + "?p")) == held
    fresh = freshened(held, new, url_number(URL))
    assert (fresh.etag, fresh.last_modified) == (new.etag, new.last_modified)
    assert freshened(held, received({}, T0), url_number(URL)) == held


def test_a_304_about_other_content_leaves_the_validators_alone() -> None:
    held = Validators('"a"', OLD_DATE, 1)
    assert freshened(held, received({"etag": '"b"', "last-modified": "Wed, 02 Jan 2030 00:00:00 GMT"}, T0), 1) == held


def test_a_body_replaces_both_even_by_nothing() -> None:
    held = Validators('"a"', OLD_DATE, 1)
    assert replaced(held, received({"last-modified": OLD_DATE}, T0), 1) == Validators(None, OLD_DATE, 1)
    assert replaced(held, received({}, T0), 2) == Validators(None, None, 2)


def test_when_the_server_says_a_page_changed_is_read_by_the_clock_of_the_reader() -> None:
    headers = {"date": formatdate(T0 - 500, usegmt=True), "last-modified": formatdate(T0 - 700, usegmt=True)}
    assert received(headers, T0).changed_at == T0 - 200


def test_nothing_is_sent_of_a_page_without_validators() -> None:
    assert request_headers(visited({}), HostTrust(), T0, own_url=True) == {}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('"a"', 'W/"a"'),
        ('"5f-63c-gzip"', '"5f-63c"'),
        ('"5f-63c-gzip"', '"5f-63c-br"'),
        ('W/"5f--gzip"', '"5f"'),
        ("5f-zstd", "5f"),
    ],
)
def test_one_etag_however_it_is_written_or_compressed(one: str, other: str) -> None:
    assert same_etag(one, other)
    assert same_etag(other, one)


@pytest.mark.parametrize(
    ("one", "other"), [('"a"', '"b"'), ('"a-gzip"', '"b-gzip"'), ('"a-gzip-2"', '"a"'), ('"a-"', '"a"'), ('"a"', '"A"')]
)
def test_two_etags(one: str, other: str) -> None:
    assert not same_etag(one, other)


EARLIER, LATER = OLD_DATE, "Wed, 02 Jan 2030 00:00:00 GMT"


@pytest.mark.parametrize(
    ("sent", "said", "disputed"),
    [
        ({"if-none-match": '"a"'}, {"etag": '"b"'}, True),
        ({"if-none-match": '"a"', "if-modified-since": LATER}, {"etag": '"b"', "last-modified": LATER}, True),
        ({"if-none-match": '"a"'}, {"etag": 'W/"a"'}, False),
        ({"if-none-match": '"a-gzip"'}, {"etag": '"a"'}, False),
        ({"if-none-match": '"x", W/"a"'}, {"etag": '"a"'}, False),
        ({"if-none-match": '"a, b"'}, {"etag": '"a, b"'}, False),
        ({"if-none-match": '"a"', "if-modified-since": EARLIER}, {"etag": '"a"', "last-modified": LATER}, False),
        ({"if-none-match": '"a"'}, {}, False),
        ({"if-modified-since": EARLIER}, {"last-modified": LATER}, True),
        ({"if-modified-since": EARLIER}, {"etag": '"b"', "last-modified": EARLIER}, False),
        ({"if-modified-since": LATER}, {"last-modified": EARLIER}, False),
        ({"if-modified-since": "r17"}, {"last-modified": LATER}, False),
        ({"if-modified-since": EARLIER}, {}, False),
    ],
)
def test_a_304_is_disputed_where_it_names_other_content(
    sent: dict[str, str], said: dict[str, str], disputed: bool
) -> None:
    assert is_disputed(sent, received(said, T0)) is disputed


@pytest.mark.parametrize(
    ("etag", "modified", "sent"),
    [
        (ValidatorTrust(kept=6, renewed=7), ValidatorTrust(kept=7), {"If-Modified-Since"}),
        (ValidatorTrust(kept=6, renewed=7), ValidatorTrust(kept=7, renewed=7), {"If-Modified-Since"}),
        (ValidatorTrust(kept=6, renewed=6), ValidatorTrust(kept=7), {"If-None-Match", "If-Modified-Since"}),
        (ValidatorTrust(kept=0, renewed=2), ValidatorTrust(kept=7), {"If-None-Match", "If-Modified-Since"}),
        (ValidatorTrust(kept=6, renewed=7), ValidatorTrust(kept=2), {"If-None-Match", "If-Modified-Since"}),
        (ValidatorTrust(kept=6, renewed=7), ValidatorTrust(kept=7, renewed=20), {"If-None-Match", "If-Modified-Since"}),
        (ValidatorTrust(kept=6, renewed=7), ValidatorTrust(kept=7, off_until=2**40), {"If-None-Match"}),
    ],
)
def test_a_date_that_keeps_better_than_restless_etags_goes_alone(
    etag: ValidatorTrust, modified: ValidatorTrust, sent: set[str]
) -> None:
    page = visited({"etag": '"v1"', "last-modified": OLD_DATE})
    headers = askable_headers(page, HostTrust(etag=etag, modified=modified), URL, T0 + DAY)
    assert set(headers) == sent


def test_not_where_the_date_alone_was_caught() -> None:
    page = visited({"etag": '"v1"', "last-modified": OLD_DATE})
    etag, alone = ValidatorTrust(kept=6, renewed=7), ValidatorTrust(off_until=2**40)
    host = HostTrust(etag=etag, modified=ValidatorTrust(kept=7), modified_alone=alone)
    assert "If-None-Match" in askable_headers(page, host, URL, T0 + DAY)

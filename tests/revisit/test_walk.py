"""Before a fetch and after it: what people who watch pages reported as lost, and what they expected."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish.revisit.after import Answer, after_fetch
from sameish.revisit.before import Step, before_fetch
from sameish.revisit.policy import DAY, HOUR, Policy
from sameish.revisit.state import Visits
from sameish.revisit.trust import HostTrust

URL = "https://quay.example/tides"
T0 = 1_900_000_000
MONDAY, TUESDAY = "Mon, 04 Feb 2030 07:00:00 GMT", "Tue, 05 Feb 2030 07:00:00 GMT"
Known = tuple[Visits | None, HostTrust | None]
NOTHING: Known = (None, None)


def told(known: Known, answer: Answer) -> Known:
    return after_fetch(*known, answer)


def due(known: Known) -> float:
    page = known[0]
    return float(page.due_at) if page else T0


def sent(known: Known) -> dict[str, str]:
    return dict(before_fetch(*known, URL, due(known)).headers)


def body(known: Known, headers: dict[str, str], *, changed: bool | None = None, good: bool = True) -> Known:
    return told(known, Answer(URL, due(known), headers=headers, changed=changed, good=good, sent=sent(known)))


def not_modified(known: Known, headers: dict[str, str] | None = None, *, after: float = 0) -> Known:
    return told(known, Answer(URL, due(known) + after, 304, headers or {}, sent=sent(known)))


def test_a_304_without_validators_keeps_the_old_and_a_200_replaces_both() -> None:
    known = body(NOTHING, {"ETag": 'W/"one"', "Last-Modified": MONDAY})
    both = {"If-None-Match": 'W/"one"', "If-Modified-Since": MONDAY}
    assert sent(known) == both
    known = not_modified(known)
    assert sent(known) == both
    for changed in (True, False):
        later = body(known, {"ETag": 'W/"two"', "Last-Modified": MONDAY}, changed=changed)
        assert sent(later) == {"If-None-Match": 'W/"two"', "If-Modified-Since": MONDAY}
    assert sent(body(known, {}, changed=True)) == {}


def test_with_a_body_the_content_decides_however_equal_the_etag_is() -> None:
    known = body(NOTHING, {"ETag": '"fixed"', "Last-Modified": MONDAY})
    known = body(known, {"ETag": '"fixed"', "Last-Modified": TUESDAY}, changed=True)
    page = known[0]
    assert page is not None
    assert page.changes.run == 1
    assert sent(known) == {"If-Modified-Since": TUESDAY}


def test_304_for_eight_days_brings_one_request_without_conditions() -> None:
    known = body(NOTHING, {"ETag": '"e"', "Last-Modified": MONDAY})
    while (page := known[0]) is None or page.not_modified.span_s < 8 * DAY:
        assert before_fetch(*known, URL, due(known)).step is Step.REVALIDATE
        known = not_modified(known)
    plan = before_fetch(*known, URL, due(known))
    assert (plan.step, plan.headers) == (Step.CHECK, {})
    same = body(known, {"ETag": '"e"', "Last-Modified": MONDAY}, changed=False)
    assert before_fetch(*same, URL, due(same)).step is Step.REVALIDATE
    other = body(known, {"ETag": '"f"'}, changed=True)
    assert before_fetch(*other, URL, due(other)).step is Step.FETCH


def test_a_long_time_since_the_last_body_alone_brings_no_such_request() -> None:
    known = body(NOTHING, {"ETag": '"e"'})
    assert before_fetch(*known, URL, T0 + 25 * DAY).step is Step.REVALIDATE
    known = not_modified(known, after=25 * DAY)
    assert before_fetch(*known, URL, due(known)).step is Step.REVALIDATE


def test_a_date_decades_ahead_is_not_sent() -> None:
    assert sent(body(NOTHING, {"Last-Modified": "Mon, 04 Feb 2069 07:00:00 GMT", "Date": MONDAY})) == {}


def test_validators_of_a_body_that_could_not_be_stored_are_not_kept() -> None:
    known = body(NOTHING, {"ETag": '"one"'})
    failed = body(known, {"ETag": '"two"'}, changed=True, good=False)
    assert sent(failed) == {"If-None-Match": '"one"'}
    assert sent(body(failed, {"ETag": '"two"'}, changed=True)) == {"If-None-Match": '"two"'}


def test_a_page_never_fetched_is_fetched() -> None:
    assert before_fetch(None, None, URL, T0).step is Step.FETCH


def test_a_page_is_not_due_for_a_day() -> None:
    known = body(NOTHING, {})
    assert before_fetch(*known, URL, T0 + DAY - 1).step is Step.WAIT
    assert before_fetch(*known, URL, T0 + DAY).step is Step.FETCH


def test_a_visit_from_the_future_proves_nothing() -> None:
    known = body(NOTHING, {"ETag": '"e"'})
    assert before_fetch(*known, URL, T0 - DAY).step is Step.REVALIDATE


def test_news_that_come_late_change_nothing() -> None:
    known = body(NOTHING, {"ETag": '"e"'})
    assert told(known, Answer(URL, T0 - 5, headers={"ETag": '"old"'}, changed=True)) == known


@pytest.mark.parametrize("status", [301, 403, 404, 410, 429, 500, 503])
def test_errors_are_no_changes_and_come_again_sooner(status: int) -> None:
    known = body(NOTHING, {"ETag": '"e"'})
    for _ in range(3):
        known = not_modified(known)
    before = known[0]
    known = told(known, Answer(URL, due(known), status, changed=True))
    page = known[0]
    assert before is not None
    assert page is not None
    assert page.changes == before.changes
    assert page.last_visit == before.last_visit
    assert page.due_at - page.last_try == HOUR
    assert sent(known) == {"If-None-Match": '"e"'}


def test_a_wall_is_no_change_either() -> None:
    known = body(body(NOTHING, {}), {}, changed=True, good=False)
    page = known[0]
    assert page is not None
    assert page.changes.visits == 0


def test_a_server_that_asks_to_be_left_alone_is_left_alone() -> None:
    known = told(body(NOTHING, {}), Answer(URL, T0 + DAY, 503, {"Retry-After": "40000"}))
    assert due(known) == T0 + DAY + 40_000


def test_a_page_that_never_answered_well_is_fetched_when_it_is_due() -> None:
    known = told(NOTHING, Answer(URL, T0, 404))
    assert before_fetch(*known, URL, T0 + 60).step is Step.WAIT
    assert before_fetch(*known, URL, due(known)).step is Step.FETCH


def test_a_304_that_nobody_asked_for_is_a_failure() -> None:
    known = body(NOTHING, {"ETag": '"e"'})
    page = told(known, Answer(URL, due(known), 304, sent={}))[0]
    assert page is not None
    assert page.failures == 1
    first = told(NOTHING, Answer(URL, T0, 304))[0]
    assert first is not None
    assert not first.seen


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ({"ETag": '"one"'}, {"ETag": '"two"'}),
        ({"ETag": '"one"', "Last-Modified": MONDAY}, {"ETag": '"two"', "Last-Modified": MONDAY}),
        ({"Last-Modified": MONDAY}, {"Last-Modified": TUESDAY}),
    ],
)
def test_a_304_that_names_other_content_brings_a_body_soon(first: dict[str, str], said: dict[str, str]) -> None:
    known = body(NOTHING, first)
    visit = known[0]
    known = not_modified(known, said)
    page = known[0]
    assert visit is not None
    assert page is not None
    assert (page.last_visit, page.validators, page.changes) == (visit.last_visit, visit.validators, visit.changes)
    assert page.due_at - page.last_try == HOUR
    plan = before_fetch(*known, URL, due(known))
    assert (plan.step, plan.headers) == (Step.FETCH, {})
    assert "other content" in plan.reason
    for changed in (True, False):
        later = body(known, said, changed=changed)
        assert set(sent(later).values()) == set(said.values())


def test_a_304_in_another_coding_is_no_dispute() -> None:
    known = body(NOTHING, {"ETag": '"7a-1f-gzip"'})
    known = not_modified(known, {"ETag": '"7a-1f"'})
    page = known[0]
    assert page is not None
    assert page.not_modified.count == 1
    assert sent(known) == {"If-None-Match": '"7a-1f"'}


def test_what_was_sent_is_guessed_where_it_is_not_told() -> None:
    known = body(NOTHING, {"ETag": '"e"'})
    told_of = told(known, Answer(URL, T0 + DAY, 304, sent={"if-none-match": '"e"'}))
    assert told(known, Answer(URL, T0 + DAY, 304)) == told_of


@given(st.lists(st.tuples(st.floats(60, 60 * DAY), st.booleans()), min_size=1, max_size=60))
def test_a_304_never_counts_as_a_change(answers: list[tuple[float, bool]]) -> None:
    known, at = told(NOTHING, Answer(URL, T0, headers={"ETag": '"e"'})), float(T0)
    for wait, changed in answers:
        at += wait
        known = told(known, Answer(URL, at, 304, changed=changed or None, sent={"If-None-Match": '"e"'}))
    page = known[0]
    assert page is not None
    assert page.changes.changed == {}
    assert page.interval_s >= DAY


@given(st.floats(HOUR, 5 * DAY), st.floats(5 * DAY, 300 * DAY), st.lists(st.booleans(), max_size=40))
def test_intervals_stay_within_the_bounds_of_the_settings(shortest: float, longest: float, changes: list[bool]) -> None:
    policy = Policy(shortest_s=shortest, longest_s=longest)
    page, host = after_fetch(None, None, Answer(URL, T0), policy)
    for changed in changes:
        page, host = after_fetch(page, host, Answer(URL, page.due_at, changed=changed), policy)
        assert int(shortest) <= page.due_at - page.last_visit <= longest


def test_another_url_of_the_page_catches_an_etag_that_stays() -> None:
    known = body(NOTHING, {"ETag": '"fixed"'})
    for etag, lies in (('"fixed"', True), ('"another"', False)):
        page, host = told(known, Answer(f"{URL}?from=here", due(known), headers={"ETag": etag}, changed=True, sent={}))
        assert page is not None
        assert host is not None
        assert (page.validators.etag_off_until > 0) is lies
        assert bool(host.etag.liars) is lies
        assert host.etag.followed == 0

"""Servers as they are: what is asked of them next, and what is believed, over several visits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta

import pytest

import sameish
from sameish import Detector, Page, Verdict
from sameish.models import FetchAction, FetchDecision, VerdictKind

URL = "https://harbour.example/notices/dredging"
MARCH_1, MARCH_4 = "Sat, 01 Mar 2031 06:30:00 GMT", "Tue, 04 Mar 2031 09:00:00 GMT"
WORDS = "anchor barge canvas dredger estuary ferry gangway hawser islet jetty keel lantern mooring netting oar pilot".split()


def html(version: int) -> str:
    """Return a page; two versions have hardly a sentence in common."""
    sentences = [
        f"The {WORDS[(version + n) % 16]} of berth {version * 31 + n} goes to the {WORDS[(version * 7 + n * 3) % 16]}."
        for n in range(12)
    ]
    return f"<title>Notice {version}</title><main><h1>Notice {version}</h1><p>{' '.join(sentences)}</p></main>"


class Visitor:
    """Visits one page, with a clock that it moves itself."""

    def __init__(self) -> None:
        self.now = datetime(2031, 3, 5, 8, tzinfo=UTC)
        self.detector: Detector = sameish.open(":memory:", clock=lambda: self.now)

    def decide(self, url: str = URL) -> FetchDecision:
        return self.detector.gate.decide(url)

    def wait(self, url: str = URL) -> FetchDecision:
        """Let time pass until the page is due; return what to do then."""
        for _ in range(24 * 70):
            decision = self.decide(url)
            if decision.action is not FetchAction.SKIP:
                return decision
            self.now += timedelta(hours=1)
        raise AssertionError("never due")

    def get(
        self,
        version: int | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        status: int = 200,
        body: str = "",
        url: str = URL,
    ) -> Verdict:
        """Remember an answer."""
        body = body if version is None else html(version)
        return self.detector.observe(Page(body, url, headers=headers or {}, status=status, fetched_at=self.now))


@pytest.fixture
def visitor() -> Iterator[Visitor]:
    visitor = Visitor()
    yield visitor
    visitor.detector.close()


@pytest.mark.parametrize("etags", [('"one"', '"two"'), ('W/"7"', 'W/"8"'), ("one", "two")])
@pytest.mark.parametrize("date", [MARCH_1, "Saturday, 01-Mar-31 06:30:00 GMT", "2031-03-01T06:30:00Z", "r2207"])
def test_both_validators_are_asked_with_as_received_and_each_is_renewed_by_a_body(
    visitor: Visitor, etags: tuple[str, str], date: str
) -> None:
    assert dict(visitor.decide().request_headers) == {}
    visitor.get(1, {"ETag": etags[0], "Last-Modified": date})
    asked = {"If-None-Match": etags[0], "If-Modified-Since": date}
    assert dict(visitor.wait().request_headers) == asked
    visitor.get(status=304)
    assert dict(visitor.wait().request_headers) == asked
    assert visitor.get(1, {"ETag": etags[1], "Last-Modified": date}).kind is VerdictKind.UNCHANGED
    assert dict(visitor.wait().request_headers) == {**asked, "If-None-Match": etags[1]}


@pytest.mark.parametrize(
    ("headers", "later", "left"),
    [
        ({"ETag": '"6f"', "Last-Modified": MARCH_1}, MARCH_4, {"If-Modified-Since": MARCH_4}),
        ({"ETag": '"6f"', "Last-Modified": MARCH_1}, MARCH_1, {}),
        ({"ETag": '"6f"'}, None, {}),
        ({"Last-Modified": MARCH_1}, MARCH_1, {}),
    ],
)
def test_with_a_body_the_content_decides_and_what_stood_still_is_not_asked_with_again(
    visitor: Visitor, headers: dict[str, str], later: str | None, left: dict[str, str]
) -> None:
    visitor.get(1, headers)
    visitor.wait()
    verdict = visitor.get(2, {**headers, **({"Last-Modified": later} if later else {})})
    assert verdict.kind is VerdictKind.UPDATED
    assert dict(visitor.wait().request_headers) == left


@pytest.mark.parametrize(
    "headers",
    [
        {"ETag": '"always"'},
        {"Last-Modified": MARCH_1},
        {"ETag": '"Mon, 02 Jun 2064 10:00:00 GMT"', "Last-Modified": "Mon, 02 Jun 2064 10:00:00 GMT"},
    ],
)
def test_a_page_that_is_never_modified_is_looked_at_after_a_while_and_then_no_longer_believed(
    visitor: Visitor, headers: dict[str, str]
) -> None:
    visitor.get(1, headers)
    while (decision := visitor.wait()).request_headers:
        assert "Mon, 02 Jun 2064 10:00:00 GMT" not in decision.request_headers.values()
        assert visitor.get(status=304).kind is VerdictKind.UNCHANGED
        assert visitor.now < datetime(2031, 5, 1, tzinfo=UTC)
    assert "304" in decision.reason
    assert visitor.get(2, headers).kind is VerdictKind.UPDATED
    assert dict(visitor.wait().request_headers) == {}


def process_and_fail(detector: Detector, page: Page, error: type[BaseException]) -> None:
    with detector.observing(page) as verdict:
        assert verdict.kind is VerdictKind.UPDATED
        raise error


@pytest.mark.parametrize("error", [RuntimeError, OSError, KeyboardInterrupt])
def test_a_page_whose_processing_fails_is_asked_for_with_what_was_known_before(
    visitor: Visitor, error: type[BaseException]
) -> None:
    visitor.get(1, {"ETag": '"one"', "Last-Modified": MARCH_1})
    before = visitor.wait()
    page = Page(html(2), URL, headers={"ETag": '"two"', "Last-Modified": MARCH_4}, fetched_at=visitor.now)
    with pytest.raises(error):
        process_and_fail(visitor.detector, page, error)
    assert visitor.decide() == before
    assert visitor.detector.observe(page).kind is VerdictKind.UPDATED
    assert visitor.wait().request_headers["If-None-Match"] == '"two"'


LOGIN = "<title>Log in</title><main><h1>Log in</h1><form><input name=user><input type=password></form></main>"
NO_PAGES = {
    "no body": (200, ""),
    "markup only": (200, "<html><head></head><body><div id='app'></div></body></html>"),
    "gone": (410, "<p>Gone.</p>"),
    "not found": (404, "<p>Not found.</p>"),
    "precondition failed": (412, "<p>Precondition failed.</p>"),
    "too many requests": (429, "<p>Slow down.</p>"),
    "unavailable": (503, "<p>Back soon.</p>"),
    "a redirect that was not followed": (302, ""),
    "a login form": (200, LOGIN),
}


@pytest.mark.parametrize(("status", "body"), NO_PAGES.values(), ids=NO_PAGES)
def test_an_answer_that_is_no_page_leaves_the_validators_and_is_tried_again_soon(
    visitor: Visitor, status: int, body: str
) -> None:
    visitor.get(1, {"ETag": '"one"'})
    visitor.wait()
    assert visitor.get(body=body, status=status, headers={"ETag": '"other"'}).kind is VerdictKind.UNDETERMINED
    failed = visitor.now
    decision = visitor.wait()
    assert visitor.now - failed <= timedelta(hours=2)
    assert dict(decision.request_headers) == {"If-None-Match": '"one"'}
    assert visitor.get(1, {"ETag": '"one"'}).kind is VerdictKind.UNCHANGED


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("asked", "waited"),
    [
        ("7200", timedelta(hours=2)),
        ("Sat, 08 Mar 2031 08:00:00 GMT", timedelta(days=1)),
        ("soon", timedelta(hours=1)),
        ("99999999999", timedelta(days=30)),
    ],
)
def test_a_server_that_asks_for_time_gets_it_within_bounds(
    visitor: Visitor, status: int, asked: str, waited: timedelta
) -> None:
    visitor.get(1)
    visitor.now = datetime(2031, 3, 7, 8, tzinfo=UTC)
    visitor.get(body="Busy.", status=status, headers={"Retry-After": asked})
    visitor.now += waited - timedelta(minutes=1)
    assert visitor.decide().action is FetchAction.SKIP
    visitor.now += timedelta(minutes=1)
    assert visitor.decide().action is FetchAction.FETCH


def test_a_page_that_is_gone_is_asked_for_ever_more_rarely_and_may_come_back(visitor: Visitor) -> None:
    visitor.get(1, {"ETag": '"one"'})
    waits = []
    for _ in range(9):
        visitor.wait()
        visitor.get(body="Gone.", status=410)
        gone = visitor.now
        visitor.wait()
        waits.append(visitor.now - gone)
    assert waits == sorted(waits)
    assert waits[-1] > timedelta(days=7)
    assert visitor.get(1, {"ETag": '"one"'}).kind is VerdictKind.UNCHANGED
    assert visitor.detector.cached(URL) is not None


def test_a_304_for_a_page_that_nobody_has_is_no_answer(visitor: Visitor) -> None:
    assert visitor.get(status=304, headers={"ETag": '"one"'}).kind is VerdictKind.UNDETERMINED
    decision = visitor.decide()
    assert (decision.action, dict(decision.request_headers)) == (FetchAction.FETCH, {})


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ({"ETag": '"one"'}, {"ETag": '"two"'}),
        ({"ETag": '"one"', "Last-Modified": MARCH_1}, {"ETag": '"two"', "Last-Modified": MARCH_1}),
        ({"Last-Modified": MARCH_1}, {"Last-Modified": MARCH_4}),
    ],
)
def test_a_304_that_names_other_content_brings_a_body_within_hours(
    visitor: Visitor, held: dict[str, str], said: dict[str, str]
) -> None:
    visitor.get(1, held)
    visitor.wait()
    visitor.get(status=304, headers=said)
    asked = visitor.now
    decision = visitor.wait()
    assert visitor.now - asked <= timedelta(hours=2)
    assert (decision.action, dict(decision.request_headers)) == (FetchAction.FETCH, {})
    assert "other content" in decision.reason
    assert visitor.get(2, said).kind is VerdictKind.UPDATED
    assert set(visitor.wait().request_headers.values()) == set(said.values())


@pytest.mark.parametrize(
    ("plain", "marked"),
    [('"4c-1f"', '"4c-1f-gzip"'), ('"4c-1f"', 'W/"4c-1f"'), ('"4c"', '"4c--gzip"'), ('"4c"', 'W/"4c-br"')],
)
def test_weak_or_compressed_it_is_the_same_etag(visitor: Visitor, plain: str, marked: str) -> None:
    visitor.get(1, {"ETag": marked})
    for number in range(4):
        assert visitor.wait().action is FetchAction.REVALIDATE
        assert visitor.get(status=304, headers={"ETag": plain}).kind is VerdictKind.UNCHANGED
        visitor.wait()
        assert visitor.get(1, {"ETag": (plain, marked)[number % 2]}).kind is VerdictKind.UNCHANGED
    assert visitor.wait().action is FetchAction.REVALIDATE


def test_machines_that_each_have_an_etag_of_their_own_are_asked_by_the_date(visitor: Visitor) -> None:
    for number in range(5):
        for path in ("/a", "/b", "/c"):
            url = URL + path
            visitor.wait(url)
            visitor.get(ord(path[1]), {"ETag": f'"{number % 2}-{path}"', "Last-Modified": MARCH_1}, url=url)
    asked = [dict(visitor.wait(URL + path).request_headers) for path in ("/a", "/b", "/c")]
    assert all(headers in ({}, {"If-Modified-Since": MARCH_1}) for headers in asked)
    assert {"If-Modified-Since": MARCH_1} in asked


@pytest.mark.parametrize("skew", [timedelta(days=-3), timedelta(hours=-2), timedelta(hours=2), timedelta(days=3)])
def test_a_date_is_judged_by_the_clock_of_the_server(visitor: Visitor, skew: timedelta) -> None:
    clock = visitor.now + skew
    before, after = (f"{clock + step:%a, %d %b %Y %H:%M:%S} GMT" for step in (timedelta(-1), timedelta(1)))
    for path, date, asked in (("/past", before, True), ("/ahead", after, False)):
        visitor.get(1, {"Date": f"{clock:%a, %d %b %Y %H:%M:%S} GMT", "Last-Modified": date}, url=URL + path)
        assert ("If-Modified-Since" in visitor.wait(URL + path).request_headers) is asked


@pytest.mark.parametrize("harmful", ['"a"\r\nCookie: x=1', "*", '"' + "a" * 600 + '"', "\x00", ""])
def test_what_would_do_harm_is_not_sent_back(visitor: Visitor, harmful: str) -> None:
    visitor.get(1, {"ETag": harmful, "Last-Modified": harmful if harmful != "*" else ""})
    assert dict(visitor.wait().request_headers) == {}


def test_a_clock_that_ran_ahead_does_not_keep_a_page_from_being_fetched(visitor: Visitor) -> None:
    visitor.now += timedelta(days=900)
    visitor.get(1)
    visitor.now -= timedelta(days=900)
    assert visitor.decide().action is FetchAction.FETCH


def test_a_304_to_a_request_without_conditions_says_nothing(visitor: Visitor) -> None:
    visitor.get(1, {"ETag": '"one"'})
    visitor.wait()
    page = Page(url=URL, status=304, headers={"ETag": '"one"'}, fetched_at=visitor.now)
    verdict = visitor.detector.observe(page, request_headers={"Accept": "*/*"})
    assert verdict.kind is VerdictKind.UNDETERMINED
    assert "without conditions" in verdict.reason
    assert visitor.wait().action is not FetchAction.SKIP
    asked = visitor.detector.observe(page, request_headers={"If-None-Match": '"one"'})
    assert asked.kind is VerdictKind.UNCHANGED


@pytest.mark.parametrize("remember", [True, False])
def test_a_304_that_names_other_content_is_no_verdict(visitor: Visitor, remember: bool) -> None:
    visitor.get(1, {"ETag": '"one"'})
    headers = visitor.wait().request_headers
    page = Page(url=URL, status=304, headers={"ETag": '"two"'}, fetched_at=visitor.now)
    if remember:
        verdict = visitor.detector.observe(page, request_headers=headers)
    else:
        with visitor.detector.observing(page, request_headers=headers) as verdict:
            pass
    assert verdict.kind is VerdictKind.UNDETERMINED
    assert "other content" in verdict.reason
    assert not [one for one in visitor.detector.store.ledger() if one.name == "saved:not_modified"]
    decision = visitor.wait()
    assert decision.action is FetchAction.FETCH
    assert not decision.request_headers


@pytest.mark.parametrize("told", ["with the page", "without it"])
def test_a_page_that_is_sent_elsewhere_for_a_while_is_looked_at_as_often_as_its_own_changes_ask(
    visitor: Visitor, told: str
) -> None:
    home = "https://harbour.example/"
    visitor.get(100, url=home)
    for _ in range(6):
        visitor.now = max(visitor.now, visitor.detector.store.visits_of("harbour.example", 9)[0].due_at)
        visitor.get(100, url=home)
    for version in range(1, 9):
        visitor.get(version)
        visitor.now += timedelta(hours=6)
    visitor.wait()
    moved = visitor.now
    if told == "with the page":
        page = Page(html(100), home, requested_url=URL, fetched_at=visitor.now)
        visitor.detector.observe(page)
    else:
        visitor.detector.redirected(URL, home)
    assert visitor.decide().action is FetchAction.SKIP
    visitor.wait()
    assert visitor.now - moved <= timedelta(days=2)


@pytest.mark.parametrize("told", ["with the page", "without it"])
def test_a_new_url_that_is_sent_elsewhere_is_looked_at_as_soon_as_a_new_page_and_then_less(
    visitor: Visitor, told: str
) -> None:
    home, waited = "https://harbour.example/", []
    visitor.get(100, url=home)
    for _ in range(8):
        visitor.now = max(visitor.now, visitor.detector.store.visits_of("harbour.example", 9)[0].due_at)
        visitor.get(100, url=home)
    for _ in range(4):
        if told == "with the page":
            visitor.detector.observe(Page(html(100), home, requested_url=URL, fetched_at=visitor.now))
        else:
            visitor.detector.redirected(URL, home)
        moved = visitor.now
        visitor.wait()
        waited.append((visitor.now - moved) / timedelta(days=1))
    assert 0.9 <= waited[0] <= 1.1
    assert waited == sorted(waited)
    assert waited[-1] > 3


@pytest.mark.parametrize("shared", [True, False])
def test_another_urls_etag_is_not_sent_where_one_etag_stands_for_several_contents(
    visitor: Visitor, shared: bool
) -> None:
    for number in range(1, 8):
        etag = '"build-7"' if shared else f'"{number}"'
        for query in ("", "?sip=12345678", "?sip=87654321"):
            url = f"https://harbour.example/boats/the-boat-{'x' * number}{query}"
            visitor.get(number, {"ETag": etag}, url=url)
    url = "https://harbour.example/boats/the-boat-xxx?sip=99999999"
    decision = visitor.wait(url)
    assert decision.same_as not in (None, url)
    assert dict(decision.request_headers) == ({} if shared else {"If-None-Match": '"3"'})

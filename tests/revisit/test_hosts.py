"""Hosts that tell the truth about their pages, and hosts that do not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import formatdate

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish.revisit.after import Answer, after_fetch
from sameish.revisit.before import Plan, Step, before_fetch
from sameish.revisit.changes import change_rate
from sameish.revisit.policy import DAY, DEFAULT, HOUR, Policy
from sameish.revisit.state import Visits
from sameish.revisit.trust import HostTrust

START = 1_900_000_000.0


@dataclass
class Host:
    """Pages with a version each, and how their validators are made.

    `.etag`, `.modified`: `true`, `new` (another each time), `stuck` (always the same) or `none`; an ETag also `coded` (true,
    but marked by one of two codings in turn). `.always_304`: answers 304 to whatever is conditional. `.bare_304`: its 304 names no
    validators. `.by_date`: looks at the date though an ETag was sent.
    """

    etag: str = "true"
    modified: str = "none"
    always_304: bool = False
    bare_304: bool = False
    by_date: bool = False
    versions: dict[str, int] = field(default_factory=dict)
    edited_at: dict[str, float] = field(default_factory=dict)
    served: int = 0

    def edit(self, url: str, at: float) -> None:
        self.versions[url] = self.versions.get(url, 0) + 1
        self.edited_at[url] = at

    def headers(self, url: str, at: float) -> dict[str, str]:
        self.served += 1
        version, edited = self.versions.get(url, 0), self.edited_at.get(url, START - 1e6)
        etags = {"true": f'"v{version}"', "new": f'"n{self.served}"', "stuck": '"s"'}
        etags["coded"] = f'"v{version}{("-gzip", "")[round(at / DAY) % 2]}"'
        dates = {"true": edited, "new": at, "stuck": START - 1e6}
        headers = {"Date": formatdate(at, usegmt=True)}
        if self.etag in etags:
            headers["ETag"] = etags[self.etag]
        if self.modified in dates:
            headers["Last-Modified"] = formatdate(dates[self.modified], usegmt=True)
        return headers

    def status(self, sent: Mapping[str, str], headers: Mapping[str, str]) -> int:
        if not sent:
            return 200
        if (
            "If-None-Match" in sent and "ETag" in headers and not self.by_date
        ):  # RFC 9110, 13.2.2: then the date is not looked at
            same = sent["If-None-Match"] == headers["ETag"]
        else:
            same = sent.get("If-Modified-Since") == headers.get("Last-Modified")
        return 304 if same or self.always_304 else 200


@dataclass
class Crawler:
    """Visits pages of one host; knows which versions it has."""

    host: Host
    policy: Policy = DEFAULT
    trust: HostTrust = field(default_factory=HostTrust)
    pages: dict[str, Visits] = field(default_factory=dict)
    have: dict[str, int] = field(default_factory=dict)
    bodies: int = 0
    requests: int = 0

    def plan(self, url: str, at: float) -> Plan:
        return before_fetch(self.pages.get(url), self.trust, url, at, policy=self.policy)

    def visit(self, url: str, at: float) -> Plan:
        """Do what the plan says; return it."""
        plan = self.plan(url, at)
        if plan.step is Step.WAIT:
            return plan
        headers = self.host.headers(url, at)
        status = self.host.status(plan.headers, headers)
        version, known = self.host.versions.get(url, 0), self.have.get(url)
        changed = None if known is None else version != known
        if status == 304 and self.host.bare_304:
            headers = {"Date": headers["Date"]}
        answer = Answer(url, at, status, headers, None if status == 304 else changed, sent=plan.headers)
        self.pages[url], self.trust = after_fetch(self.pages.get(url), self.trust, answer, self.policy)
        self.requests += 1
        if status == 200:
            self.bodies += 1
            self.have[url] = version
        return plan


URLS = [f"https://quay.example/berth/{n}" for n in range(30)]


def crawled(host: Host, rounds: int, *, every: float = DAY, edits: Mapping[int, list[str]] | None = None) -> Crawler:
    """Visit all pages in rounds; `edits`: before which round which pages are edited."""
    crawler = Crawler(host, Policy(first_s=every, shortest_s=every, longest_s=every))
    for n in range(rounds):
        at = START + n * every
        for url in (edits or {}).get(n, ()):
            host.edit(url, at - every / 2)
        for url in URLS:
            crawler.visit(url, at)
    return crawler


def step_of(crawler: Crawler, url: str = URLS[0]) -> Plan:
    """Return what would be done next, not in its turn to be checked."""
    page = crawler.pages[url]
    return before_fetch(page, crawler.trust, url, page.due_at, turn=0, policy=crawler.policy)


def stale(crawler: Crawler) -> list[str]:
    return [url for url, version in crawler.have.items() if version != crawler.host.versions.get(url, 0)]


def test_one_in_ten_revalidations_of_an_honest_host_is_unconditional() -> None:
    crawler = crawled(Host(), rounds=1)
    steps = [crawler.visit(url, START + DAY).step for url in URLS]
    assert steps.count(Step.CHECK) == 3
    assert steps.count(Step.REVALIDATE) == 27


def test_whoever_decides_about_many_at_once_counts_them() -> None:
    crawler = crawled(Host(), rounds=1)
    plans = [before_fetch(crawler.pages[u], crawler.trust, u, START + DAY, turn=n) for n, u in enumerate(URLS)]
    assert [n for n, plan in enumerate(plans) if plan.step is Step.CHECK] == [9, 19, 29]
    assert all(plan.headers == {} for plan in plans if plan.step is Step.CHECK)


@pytest.mark.parametrize(
    ("etag", "modified"), [("true", "none"), ("none", "true"), ("true", "true"), ("true", "stuck")]
)
def test_an_honest_host_stays_trusted_and_saves_its_bodies(etag: str, modified: str) -> None:
    edits = {n: URLS[n % 3 :: 10] for n in range(1, 40)}
    crawler = crawled(Host(etag, modified), 40, edits=edits)
    assert stale(crawler) == []
    assert step_of(crawler).step is Step.REVALIDATE
    assert crawler.bodies < 0.4 * crawler.requests


def test_new_etags_for_the_same_content_are_found_out_and_the_date_is_used_alone() -> None:
    crawler = crawled(Host(etag="new", modified="true"), 3)
    assert crawler.trust.etag.useless
    assert set(step_of(crawler).headers) == {"If-Modified-Since"}


def test_a_host_whose_only_validator_is_useless_is_just_fetched() -> None:
    crawler = crawled(Host(etag="new"), 3)
    plan = step_of(crawler)
    assert plan.step is Step.FETCH
    assert "not to be trusted" in plan.reason


def test_a_host_that_compresses_now_and_then_is_not_taken_for_one_whose_etags_are_useless() -> None:
    crawler = crawled(Host(etag="coded"), 12)
    assert not crawler.trust.etag.useless
    assert step_of(crawler).step is Step.REVALIDATE


def test_a_host_that_answers_by_the_date_whatever_its_etags_are_is_asked_by_the_date() -> None:
    host = Host(etag="new", modified="true", by_date=True)
    crawler = crawled(host, 40, edits={n: URLS[n % 9 :: 9] for n in range(1, 40)})
    assert stale(crawler) == []
    assert set(step_of(crawler).headers) == {"If-Modified-Since"}
    assert crawler.bodies < 0.4 * crawler.requests


def test_a_host_that_mends_its_etags_is_trusted_again() -> None:
    host = Host(etag="new")
    crawler = crawled(host, 3)
    host.etag = "true"
    for n in range(3, 12):
        for url in URLS:
            crawler.visit(url, START + n * DAY)
    assert step_of(crawler).step is Step.REVALIDATE


def test_the_same_etag_for_new_content_ends_the_trust_on_its_page_at_once() -> None:
    crawler = crawled(Host(etag="stuck"), 11, edits={1: [URLS[0]]})
    assert step_of(crawler, URLS[0]).step is Step.FETCH
    assert step_of(crawler, URLS[1]).step is Step.REVALIDATE
    assert stale(crawler) == []


def test_the_same_etag_for_new_content_on_two_pages_ends_the_trust_in_the_host() -> None:
    crawler = crawled(Host(etag="stuck", modified="true"), 12, edits={1: URLS[:2]})
    assert set(step_of(crawler, URLS[9]).headers) == {"If-Modified-Since"}
    assert stale(crawler) == []


def test_a_date_that_stands_still_ends_the_trust_in_dates() -> None:
    crawler = crawled(Host(etag="none", modified="stuck"), 12, edits={1: URLS[:2]})
    assert step_of(crawler, URLS[9]).step is Step.FETCH
    assert stale(crawler) == []


def test_a_date_that_stands_still_beside_a_new_etag_is_never_sent_alone() -> None:
    host = Host(etag="true", modified="stuck")
    crawler = crawled(host, 3, edits={1: URLS[:2]})
    assert set(step_of(crawler).headers) == {"If-None-Match", "If-Modified-Since"}
    host.etag = "new"
    for n in range(3, 8):
        for url in URLS:
            crawler.visit(url, START + n * DAY)
    assert step_of(crawler, URLS[9]).step is Step.FETCH


@pytest.mark.parametrize("modified", ["none", "true", "new", "stuck"])
@pytest.mark.parametrize("etag", ["none", "true", "new", "stuck", "coded"])
def test_whatever_a_host_lies_an_edit_is_found_within_its_bound(etag: str, modified: str) -> None:
    for always, bare in ((False, False), (True, False), (True, True)):
        host = Host(etag, modified, always_304=always, bare_304=bare)
        # the ninth day of 304 answers brings a body, one day more for the visit itself
        crawler = crawled(host, 60, edits={n: URLS[n::20] for n in range(1, 50)})
        assert stale(crawler) == []


def test_304_to_everything_ends_the_trust_in_the_host() -> None:
    crawler = crawled(Host(always_304=True, bare_304=True), 40, edits={n: URLS[n % 5 :: 5] for n in range(1, 40)})
    plan = step_of(crawler)
    assert plan.step is Step.FETCH
    assert crawler.trust.answers.off_until > START


def test_304_to_everything_does_no_harm_where_it_names_the_new_etag() -> None:
    crawler = crawled(Host(always_304=True), 6, edits={5: URLS[:3]})
    assert stale(crawler) == URLS[:3]
    for url in URLS:
        crawler.visit(url, START + 6 * DAY)
    assert stale(crawler) == []


def test_an_honest_host_of_slow_pages_is_not_taken_for_a_liar() -> None:
    edits = {n: [URLS[n % 30]] for n in range(1, 120)}
    crawler = crawled(Host(), 120, edits=edits)
    assert crawler.trust.answers.off_until == 0
    assert crawler.bodies < 0.45 * crawler.requests


def test_a_304_that_its_own_date_gives_the_lie_is_noted_for_the_page() -> None:
    host = Host(etag="true", modified="true", always_304=True, bare_304=True)
    crawler = Crawler(host)
    url = URLS[0]
    crawler.visit(url, START)
    host.edit(url, START + HOUR)
    assert crawler.visit(url, START + 1.5 * DAY).step is Step.REVALIDATE
    answer = Answer(url, START + 3 * DAY, 200, host.headers(url, START + 3 * DAY), changed=True, sent={})
    page, _ = after_fetch(crawler.pages[url], crawler.trust, answer)
    assert page.not_modified.strikes == 1
    assert before_fetch(page, None, url, START + 20 * DAY).step is Step.FETCH
    assert before_fetch(page, None, url, START + 40 * DAY).step is Step.REVALIDATE  # one more chance


def test_a_page_that_changed_by_chance_after_its_last_304_keeps_its_validators() -> None:
    host = Host(etag="true", modified="true")
    crawler = crawled(host, 10)
    host.edit(URLS[0], START + 9.5 * DAY)
    assert crawler.visit(URLS[0], START + 10 * DAY).step is Step.CHECK
    assert step_of(crawler).step is Step.REVALIDATE


def test_a_date_that_stands_still_beside_an_honest_etag_does_not_spoil_the_estimate() -> None:
    crawler = crawled(Host(etag="true", modified="stuck"), 60, edits=dict.fromkeys(range(3, 60, 3), URLS[:3]))
    changes = crawler.pages[URLS[0]].changes
    assert changes.visits > 50
    assert DAY / 5 < 1 / change_rate(changes) < DAY * 5


STEPS = st.lists(
    st.tuples(
        st.sampled_from(URLS[:4]),
        st.floats(0, 40 * DAY),
        st.booleans(),
        st.sampled_from([200, 200, 304, 404, 429, 500, 301, 204]),
        st.sampled_from([None, True, False]),
        st.text(max_size=2_000),
        st.text(max_size=2_000),
        st.none() | st.just({}) | st.just({"If-None-Match": "x"}),
    ),
    max_size=40,
)


@given(STEPS)
def test_any_history_is_kept_in_a_bounded_number_of_bytes_and_gives_headers_as_received(
    steps: list[tuple[str, float, bool, int, bool | None, str, str, dict[str, str] | None]],
) -> None:
    pages: dict[str, Visits] = {}
    trust, at = HostTrust(), START
    texts: set[str] = set()
    for url, wait, good, status, changed, etag, modified, sent in steps:
        at += wait
        answer = Answer(url, at, status, {"ETag": etag, "Last-Modified": modified}, changed, good, sent, at - wait)
        pages[url], trust = after_fetch(pages.get(url), trust, answer)
        texts |= {etag, modified}
        stored = msgspec.msgpack.encode(pages[url])
        assert len(stored) < 6_000
        assert msgspec.msgpack.decode(stored, type=Visits) == pages[url]
        assert at + HOUR - 2 <= pages[url].due_at <= at + 30 * DAY
        assert set(before_fetch(pages[url], trust, url, at + 31 * DAY).headers.values()) <= texts
    stored = msgspec.msgpack.encode(trust)
    assert len(stored) < 300
    assert msgspec.msgpack.decode(stored, type=HostTrust) == trust


def test_a_usual_page_takes_few_bytes_however_often_it_was_visited() -> None:
    crawler = crawled(Host(etag="true", modified="true"), 300, edits=dict.fromkeys(range(1, 300, 5), URLS[::7]))
    assert max(len(msgspec.msgpack.encode(page)) for page in crawler.pages.values()) < 220


def test_a_host_whose_304_never_told_of_a_change_is_looked_behind_soon() -> None:
    crawler, url = Crawler(Host(etag="stuck", modified="stuck")), URLS[0]
    crawler.visit(url, START)
    crawler.host.edit(url, START + DAY)
    for day in (2, 8, 16, 24):
        crawler.visit(url, START + day * DAY)
    assert stale(crawler) == []

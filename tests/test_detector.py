"""The detector on its two stores: what a crawler hears, one page after the other."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import sameish
from sameish import Detector, Page, ReadingError, SchemeMismatch, SettingsError, StoreError
from sameish.models import Capture

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
FERRY = [
    "The council has approved a new winter timetable for the ferry that links the northern pier with the small island.",
    "From the first Monday in November the boat leaves every fifty minutes, and the last crossing moves from eleven to nine.",
    "Residents told the hearing that the earlier finish would make shift work at the hospital almost impossible for them.",
    "A review is planned after three months, when the council will compare the counts and decide about the late boat.",
]
ROOF = [
    "Engineers who inspected the public library found that rain had entered the reading room through cracked slates.",
    "The repair will take about five weeks, and the children's section moves to the hall of the old fire station.",
    "A foundation has promised half of the cost on condition that the gutters are replaced with copper ones.",
]
CHALLENGE = (
    "<title>Just a moment...</title><h1>Checking your browser</h1><p>Enable JavaScript and cookies to continue</p>"
)
URL = "https://news.example/ferry"


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def pass_(self, **span: float) -> None:
        self.now += timedelta(**span)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def detector(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Detector]:
    target: str | Path = ":memory:" if request.param == "memory" else tmp_path / "crawl.db"
    if request.param == "postgres":
        target = request.getfixturevalue("databases").new()
    with sameish.open(target, clock=clock) as made:
        yield made


def page(paragraphs: list[str], url: str | None = URL, ad: str = "Boots, half price", **more: object) -> Page:
    text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    html = f"<title>News</title><nav><a href=/>Home</a></nav><div class=ad-slot>{ad}</div><article><h1>News</h1>{text}</article>"
    return Page(html, url, **more)  # type: ignore[arg-type]  # keyword arguments of Page


def kinds(detector: Detector, *pages: Page) -> list[str]:
    return [str(detector.observe(one).kind) for one in pages]


def edited(paragraphs: list[str]) -> list[str]:
    return [text.replace("fifty", "forty") for text in paragraphs]


def test_captures_expire_as_the_settings_or_the_caller_say(clock: Clock) -> None:
    kept = {"store": {"expire_after_days": 10, "site_budget": 3}}
    with sameish.open(":memory:", kept, clock) as detector:
        for _ in range(5):
            detector.observe(page(FERRY))
            clock.pass_(days=4)
        assert detector.expire().aged == 3  # of 20, 16 and 12 days
        detector.observe(page(FERRY))
        detector.observe(page(ROOF, "https://news.example/roof"))
        assert detector.expire().surplus == 1
        assert detector.expire(before=clock.now, site_budget=9).captures == 1
        told: list[object] = []
        assert detector.expire(before=clock.now + timedelta(days=1), told=told.append).pages == 2
        assert told
        assert str(detector.observe(page(FERRY)).kind) == "new"


@pytest.mark.parametrize("wrong", [{}, {"site_budget": 0}, {"before": datetime(2026, 1, 1)}, {"before": "2026-01-01"}])  # noqa: DTZ001
def test_an_expiry_without_a_bound_is_refused(detector: Detector, wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match="expire: "):
        detector.expire(**wrong)


def test_what_a_near_page_has_in_common_counts_less_with_its_age(clock: Clock) -> None:
    with sameish.open(":memory:", {"lookup": {"half_life_days": 30}}, clock) as detector:
        detector.observe(page(FERRY))
        clock.pass_(days=10)
        again = detector.observe(page(edited(FERRY), "https://news.example/a"))
        assert (str(again.kind), again.match and again.match.url) == ("near_duplicate", URL)
        clock.pass_(days=100)
        late = detector.check(page([*edited(FERRY)[:3], ROOF[0]], "https://news.example/b"))
        assert (str(late.kind), late.match) == ("new", None)
        assert late.reason.startswith("the nearest stored page is of 2026-03-11, too old for what they share: ")
        assert str(detector.check(page(FERRY, "https://news.example/c")).kind) == "duplicate"
    with sameish.open(":memory:", clock=clock) as detector:
        detector.observe(page(FERRY))
        clock.pass_(days=110)
        late = detector.check(page([*edited(FERRY)[:3], ROOF[0]], "https://news.example/b"))
        assert str(late.kind) == "near_duplicate"


def test_the_fresher_of_two_near_pages_is_named(clock: Clock) -> None:
    longer = [*FERRY, "The harbour office answers questions on the telephone."]
    for half_life, named in ((None, "old"), (100, "fresh")):
        with sameish.open(":memory:", {"lookup": {"half_life_days": half_life}}, clock) as detector:
            detector.observe(page(FERRY, "https://news.example/old"))
            clock.pass_(days=60)
            detector.observe(page(longer, "https://news.example/fresh"))
            verdict = detector.check(page(edited(FERRY), "https://news.example/c"))
            assert verdict.match is not None
            assert verdict.match.url == f"https://news.example/{named}"


def test_a_page_that_goes_back_says_to_which_state(detector: Detector, clock: Clock) -> None:
    states = [FERRY, edited(FERRY), FERRY, edited(FERRY), ROOF]
    heard = []
    for text in states:
        heard.append(detector.observe(page(text, URL)))
        clock.pass_(days=1)
    assert [str(verdict.kind) for verdict in heard] == ["new"] + 4 * ["updated"]
    assert [verdict.earlier and verdict.earlier.id for verdict in heard] == [None, None, 1, 2, None]
    assert heard[2].reason.startswith("back to what it said on 2026-03-01 at 12:00 UTC")
    assert heard[2].match is None
    assert {change.kind for change in heard[2].changes} == {"removed", "added"}  # from the last one, as ever


def test_the_life_of_a_page(detector: Detector, clock: Clock) -> None:
    heard = []
    for body in (page(FERRY), page(FERRY, ad="Tax help"), page(edited(FERRY)), page(ROOF), page(FERRY)):
        clock.pass_(hours=1)
        heard += kinds(detector, body)
    assert heard == ["new", "unchanged", "updated", "updated", "updated"]


def test_the_same_elsewhere(detector: Detector) -> None:
    print_url, other_site = "https://news.example/print/ferry", "https://mirror.example/a"
    assert kinds(detector, page(FERRY), page(FERRY, print_url), page(FERRY, other_site), page(edited(FERRY), f"{URL}/2")) == [
        "new", "duplicate", "duplicate", "near_duplicate"]  # fmt: skip
    verdict = detector.check(page(FERRY, "https://news.example/amp"))
    assert verdict.match is not None
    assert verdict.match.url == URL
    assert verdict.comparison is not None
    assert verdict.comparison.similarity == 1.0


def test_the_match_is_the_page_known_longest(detector: Detector, clock: Clock) -> None:
    for url in (f"{URL}/a", f"{URL}/b", f"{URL}/a"):
        clock.pass_(hours=1)
        kinds(detector, page(FERRY, url))
    match = detector.check(page(FERRY, f"{URL}/c")).match
    assert match is not None
    assert match.url == f"{URL}/a"


def test_near_duplicates_are_sought_in_the_site_unless_told_otherwise(tmp_path: Path) -> None:
    for scope, kind in (("site", "new"), ("everywhere", "near_duplicate")):
        with sameish.open(tmp_path / f"{scope}.db", {"lookup": {"scope": scope}}) as detector:
            assert kinds(detector, page(FERRY), page(edited(FERRY), "https://mirror.example/a")) == ["new", kind]


def test_tracking_parameters_are_the_same_page(detector: Detector) -> None:
    assert kinds(detector, page(FERRY), page(FERRY, f"{URL}?utm_source=mail")) == ["new", "unchanged"]


def test_an_update_that_now_equals_another_page_names_it(detector: Detector, clock: Clock) -> None:
    kinds(detector, page(FERRY), page(ROOF, "https://news.example/roof"))
    clock.pass_(hours=1)
    verdict = detector.observe(page(ROOF))
    assert (str(verdict.kind), verdict.match and verdict.match.url) == ("updated", "https://news.example/roof")


def test_what_changed_is_named(detector: Detector, clock: Clock) -> None:
    kinds(detector, page(FERRY))
    clock.pass_(hours=1)
    changes = detector.check(page(edited(FERRY))).changes
    assert [(one.kind, one.text) for one in changes] == [("removed", FERRY[1]), ("added", edited(FERRY)[1])]


def test_without_kept_sentences_changes_are_empty(tmp_path: Path, clock: Clock) -> None:
    with sameish.open(tmp_path / "x.db", {"store": {"keep_sentences": False}}, clock) as detector:
        kinds(detector, page(FERRY))
        clock.pass_(hours=1)
        verdict = detector.check(page(edited(FERRY)))
        assert (str(verdict.kind), verdict.changes) == ("updated", ())


@pytest.mark.parametrize(
    "bad",
    [
        Page(CHALLENGE, URL, status=503),
        Page(CHALLENGE, URL),
        Page("", URL),
        Page("<title>404</title><h1>Page not found</h1><p>Use the search box.</p>", URL),
        Page(
            "<h1>Oops</h1>" + "<p>Something went wrong on our side, please try again in a while.</p>" * 9,
            URL,
            status=500,
        ),
    ],
    ids=["challenge 503", "challenge 200", "empty", "soft 404", "HTTP 500"],
)
def test_a_bad_answer_between_two_good_ones_replaces_nothing(detector: Detector, clock: Clock, bad: Page) -> None:
    heard = []
    for one in (page(FERRY), bad, page(FERRY, ad="Tax help")):
        clock.pass_(hours=1)
        heard += kinds(detector, one)
    assert heard == ["new", "undetermined", "unchanged"]
    cached = detector.cached(URL)
    assert cached is not None
    assert "fifty minutes" in (cached.markdown or "")


def test_bad_answers_of_two_urls_are_no_duplicates(detector: Detector) -> None:
    walls = [Page(CHALLENGE, f"https://news.example/{number}") for number in range(3)]
    assert kinds(detector, *walls) == ["undetermined"] * 3
    assert kinds(detector, page(FERRY)) == ["new"]


def test_check_remembers_nothing(detector: Detector) -> None:
    assert [str(detector.check(page(FERRY)).kind) for _ in range(2)] == ["new", "new"]


def test_a_capture_is_stored_once(detector: Detector) -> None:
    one = page(FERRY, fetched_at=NOON)
    assert kinds(detector, one, one) == ["new", "unchanged"]
    assert detector.store.totals().captures == 1


def test_observing_forgets_a_page_whose_block_raised(detector: Detector) -> None:
    with pytest.raises(ZeroDivisionError), detector.observing(page(FERRY)):
        raise ZeroDivisionError
    with detector.observing(page(FERRY)) as verdict:
        assert str(verdict.kind) == "new"
    assert str(detector.check(page(FERRY)).kind) == "unchanged"


def test_validators_are_not_kept_for_a_page_that_was_not_processed(detector: Detector, clock: Clock) -> None:
    with pytest.raises(ZeroDivisionError), detector.observing(page(FERRY, headers={"ETag": '"v1"'})):
        raise ZeroDivisionError
    clock.pass_(days=30)
    decision = detector.decide(URL)
    assert (str(decision.action), decision.request_headers) == ("fetch", {})


def test_304_is_unchanged_and_needs_no_body(detector: Detector, clock: Clock) -> None:
    assert kinds(detector, Page(url=URL, status=304)) == ["undetermined"]
    kinds(detector, page(FERRY))
    clock.pass_(days=3)
    assert kinds(detector, Page(url=URL, status=304)) == ["unchanged"]
    assert str(detector.decide(URL).action) == "skip"
    assert kinds(detector, Page(status=304)) == ["undetermined"]


def test_both_validators_are_sent_back_as_received(detector: Detector, clock: Clock) -> None:
    date = "Wed, 06 Mar 2024 05:40:12 GMT"
    sent: list[dict[str, str]] = []
    for answer in (
        page(FERRY, headers={"ETag": '"v1"', "Last-Modified": date}),
        Page(url=URL, status=304),
        page(FERRY, headers={"ETag": '"v2"', "Last-Modified": date}),
    ):
        sent.append(dict(detector.decide(URL).request_headers))
        detector.observe(answer)
        clock.pass_(days=31)
    sent.append(dict(detector.decide(URL).request_headers))
    first, second = ({"If-None-Match": tag, "If-Modified-Since": date} for tag in ('"v1"', '"v2"'))
    assert sent == [{}, first, first, second]


def test_decide(detector: Detector, clock: Clock) -> None:
    assert (str(detector.decide(URL).action), detector.decide(URL).reason) == ("fetch", "never seen")
    kinds(detector, page(FERRY, headers={"ETag": '"v1"'}))
    clock.pass_(hours=3)
    again, tracked = detector.decide(URL), detector.decide(f"{URL}?fbclid=1")
    assert (str(again.action), again.reason, again.rule) == ("skip", "not due for 21 hours", None)
    assert (str(tracked.action), tracked.same_as, tracked.rule) == ("skip", URL, "static key")
    clock.pass_(days=1)
    assert str(detector.decide(URL).action) == "revalidate"
    # the file of another URL may have another date, but hardly the same ETag and another content
    tracked = detector.decide(f"{URL}?fbclid=1")
    assert (str(tracked.action), tracked.request_headers) == ("revalidate", {"If-None-Match": '"v1"'})


@pytest.mark.parametrize("at", [NOON + timedelta(days=30_000), datetime.max.replace(tzinfo=UTC)])
def test_a_capture_from_the_future_proves_nothing(detector: Detector, clock: Clock, at: datetime) -> None:
    kinds(detector, page(FERRY, fetched_at=at))
    assert str(detector.decide(URL).action) == "fetch"
    clock.pass_(hours=1)
    kinds(detector, page(FERRY))
    assert str(detector.decide(URL).action) == "skip"  # one that is of now does


def test_a_validator_with_control_characters_is_not_sent_back(detector: Detector, clock: Clock) -> None:
    kinds(detector, page(FERRY, headers={"ETag": "x\r\nEvil: 1", "Last-Modified": "Wed, 06 Mar 2024 05:40:12 GMT"}))
    clock.pass_(days=2)
    assert detector.decide(URL).request_headers == {"If-Modified-Since": "Wed, 06 Mar 2024 05:40:12 GMT"}


def test_facts_that_changed_places_are_a_change(detector: Detector, clock: Clock) -> None:
    rows = "<table><tr><th>Smith<td>1200 votes<tr><th>Jones<td>1300 votes</table>"
    swapped = rows.replace("1200", "x").replace("1300", "1200").replace("x", "1300")
    heard = []
    for table in (rows, swapped):
        clock.pass_(hours=1)
        heard += kinds(detector, page([*FERRY, table]))
    assert heard == ["new", "updated"]


def test_a_part_that_weighs_nothing_on_a_site_changes_nothing_there() -> None:
    settings = {"site": {"news.example": {"weights": {"lists": 0}}}}
    today, tomorrow = ([*FERRY, f"<ul><li>{day}: 14 degrees</ul>"] for day in ("Monday", "Tuesday"))
    with sameish.open(":memory:", settings=settings) as detector:
        for url, kind in ((URL, "unchanged"), ("https://other.example/ferry", "updated")):
            detector.observe(page(today, url))
            assert str(detector.check(page(tomorrow, url)).kind) == kind


def test_settings_of_a_site_hold_without_a_store_too() -> None:
    settings = {"site": {"news.example": {"reading": {"remove": ["p:nth-of-type(2)"]}}}}
    with sameish.open(":memory:", settings) as detector:
        detector.observe(page(FERRY))
        stored = detector.cached(URL)
    assert stored is not None
    assert stored.fingerprint == sameish.fingerprint(page(FERRY), settings=settings)
    assert FERRY[1] not in sameish.extract(page(FERRY), settings).sentences
    assert FERRY[1] in sameish.extract(page(FERRY, "https://other.example/"), settings).sentences


@pytest.mark.parametrize("call", [sameish.extract, sameish.fingerprint, lambda one: sameish.compare(one, one)])
def test_what_is_no_page_is_refused(call: Callable[[object], object]) -> None:
    with pytest.raises(ReadingError, match=r"str is no page; build a sameish\.Page from it"):
        call("<p>text")


@pytest.mark.parametrize("method", ["check", "observe", "similar"])
def test_what_is_no_page_is_refused_by_a_detector(detector: Detector, method: str) -> None:
    with pytest.raises(ReadingError, match=r"NoneType is no page; build a sameish\.Page from it"):
        getattr(detector, method)(None)
    with pytest.raises(ReadingError, match="bytes is no page"), detector.observing(b"<p>text"):  # type: ignore[arg-type]  # as untyped code may
        pytest.fail("there is no verdict on it")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda one: one.announce(URL, 5.0), "the lastmod of .* is float"),
        (lambda one: one.similar(page(FERRY), within=65), r"within is 65, expected 0\.\.64"),
        (lambda one: one.similar(page(FERRY), within="near"), "within is 'near'"),
        (lambda one: one.similar(page(FERRY), limit=0), "limit is 0, expected 1 or more"),
        (lambda one: one.expire(site_budget="all"), "a budget of 'all' captures"),
    ],
)
def test_arguments_of_a_wrong_kind_are_named(detector: Detector, call: Callable[[Detector], object], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        call(detector)


def test_a_sitemap_without_a_time_says_nothing(detector: Detector) -> None:
    detector.announce(URL, None)
    assert str(detector.decide(URL).action) == "fetch"


def test_what_names_no_store_is_refused() -> None:
    untyped: Any = 5
    with pytest.raises(StoreError, match="5 names no store"):
        sameish.open(untyped)
    with pytest.raises(SettingsError, match="clock: 5 cannot be called"):
        sameish.open(":memory:", clock=untyped)


def test_a_wall_is_not_seen(detector: Detector) -> None:
    kinds(detector, Page(CHALLENGE, URL, status=403))
    assert str(detector.decide(URL).action) == "fetch"


def test_similar_is_nearest_first(detector: Detector) -> None:
    kinds(detector, page(ROOF, "https://news.example/roof"), page(edited(FERRY), f"{URL}/2"), page(FERRY))
    found = detector.similar(page(FERRY), within=64)
    assert [capture.url for capture, _ in found] == [URL, f"{URL}/2", "https://news.example/roof"]
    assert found[0][1] == 0
    assert detector.similar(page(FERRY), within=0, limit=1)[0][0].url == URL
    assert detector.similar(page(FERRY), within=64, site="other.example") == []
    assert detector.similar(Page("")) == []


def test_forget(detector: Detector, clock: Clock) -> None:
    kinds(detector, page(FERRY), page(ROOF, "https://other.example/roof"))
    assert detector.forget(url=f"{URL}?utm_source=x") == 1
    assert detector.cached(URL) is None
    clock.pass_(hours=1)
    assert detector.forget(before=clock.now, site="other.example") == 1
    with pytest.raises(SettingsError, match="name a url, a site or a time"):
        detector.forget()
    with pytest.raises(SettingsError, match="not a datetime with a time zone"):
        detector.forget(before=datetime(2026, 1, 1))  # noqa: DTZ001  # naive on purpose


def test_a_page_without_a_url_is_known_by_its_bytes(detector: Detector) -> None:
    assert kinds(detector, page(FERRY, None), page(FERRY, None), page(ROOF, None)) == ["new", "unchanged", "new"]


def test_bytes_of_another_kind(detector: Detector, clock: Clock) -> None:
    pdf = b"%PDF-1.7 " + bytes(range(250))
    heard = []
    for one in (Page(pdf, URL), Page(pdf, URL), Page(pdf, f"{URL}.pdf"), Page(pdf + b"x", URL)):
        clock.pass_(hours=1)
        heard += kinds(detector, one)
    assert heard == ["new", "unchanged", "duplicate", "updated"]


def test_classic_looks_at_the_hundred_most_recent_hashes_of_the_site(tmp_path: Path, clock: Clock) -> None:
    settings = {"fingerprint": {"scheme": "classic"}, "lookup": {"classic_recent": 2}}
    with sameish.open(tmp_path / "classic.db", settings, clock) as detector:
        heard = []
        for number, paragraphs in enumerate(
            (FERRY, ROOF, ["lamp head night walk beam gloves nylon gravel frost hut ring seals"] * 3, FERRY)
        ):
            clock.pass_(hours=1)
            heard += kinds(detector, page(paragraphs, f"https://news.example/{number}"))
    assert heard[0] == heard[1] == "new"
    assert heard[3] == "new", "the hash of the first page is the third most recent"


def test_two_schemes_in_one_store_only_when_asked_for(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "crawl.db"
    with sameish.open(path, clock=clock) as detector:
        kinds(detector, page(FERRY))
    classic = {"fingerprint": {"scheme": "classic"}}
    with pytest.raises(SchemeMismatch, match=r"text:1.*classic:1"):
        sameish.open(path, classic)
    clock.pass_(hours=1)
    with sameish.open(path, {**classic, "store": {"several_schemes": True}}, clock) as detector:
        verdict = detector.observe(page(FERRY))
        assert str(verdict.kind) == "undetermined"
        assert "new baseline" in verdict.reason
        clock.pass_(hours=1)
        assert kinds(detector, page(FERRY)) == ["unchanged"]


def test_settings_of_one_site(tmp_path: Path, clock: Clock) -> None:
    settings = {"site": {"news.example": {"reading": {"remove": ["p:nth-of-type(2)"]}}}}
    with sameish.open(tmp_path / "x.db", settings, clock) as detector:
        heard = []
        for url in (URL, "https://other.example/ferry"):
            heard += kinds(detector, page(FERRY, url))
            clock.pass_(hours=1)
            heard += kinds(detector, page(edited(FERRY), url))
    assert heard[1::2] == ["unchanged", "updated"]


def test_what_is_remembered_survives_the_process(tmp_path: Path) -> None:
    with sameish.open(tmp_path / "crawl.db") as detector:
        kinds(detector, page(FERRY))
    with sameish.open(tmp_path / "crawl.db") as detector:
        assert str(detector.check(page(FERRY)).kind) == "unchanged"
        cached = detector.cached(URL)
    assert isinstance(cached, Capture)


def test_of_many_threads_that_observe_one_content_one_hears_new(detector: Detector) -> None:
    heard: list[str] = []
    gate = threading.Barrier(6)

    def work(number: int) -> None:
        gate.wait()
        heard.append(str(detector.observe(page(FERRY, f"https://news.example/{number}")).kind))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(heard) == ["duplicate"] * 5 + ["new"]


def test_a_closed_detector_refuses(detector: Detector) -> None:
    detector.close()
    with pytest.raises(StoreError):
        detector.check(page(FERRY))


@pytest.mark.parametrize("target", ["mysql://host/db", "postgresql://host/db"])
def test_an_address_without_a_store_is_refused(target: str) -> None:
    with pytest.raises(StoreError, match=target.split(":", maxsplit=1)[0]):
        sameish.open(target)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"reading": {"remove": ["p[["]}}, r"reading\.remove: .*p\[\["),
        ({"site": {"news.example": {"reading": {"keep": [":::"]}}}}, r'\[site\."news\.example"\] reading\.keep'),
        ({"site": {"www.news.example": {"gate": {"first_interval_s": 1}}}}, r'did you mean \[site\."news\.example"\]'),
        ({"site": {"News.example": {"gate": {"first_interval_s": 1}}}}, r'did you mean \[site\."news\.example"\]'),
        ({"site": {"x y": {"gate": {"first_interval_s": 1}}}}, "by registrable domain"),
    ],
)
def test_settings_that_no_page_could_follow_are_refused_when_opening(settings: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        sameish.open(":memory:", settings)


@pytest.mark.parametrize("told", ["noon", 1_700_000_000.0, None, datetime(2026, 5, 1)])  # noqa: DTZ001  # that is the fault
def test_a_clock_that_tells_no_aware_datetime_is_refused(told: Any) -> None:
    with pytest.raises(SettingsError, match=r"^clock: .* is no aware datetime"):
        sameish.open(":memory:", clock=lambda: told)

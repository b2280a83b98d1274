"""Addresses as sites make them: which pages are fetched, which are not, and what is never taken for something else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest

import sameish
from sameish import Detector, Page, Verdict
from sameish.models import FetchAction, FetchDecision, VerdictKind

SITE = "https://harbour.example"
WORDS = "anchor barge canvas dredger estuary ferry gangway hawser islet jetty keel lantern mooring netting oar pilot".split()


def text(number: int) -> str:
    """Return a text; two of them have hardly a sentence in common."""
    sentences = [
        f"The {WORDS[(number + n) % 16]} of berth {number * 31 + n} goes to the {WORDS[(number * 7 + n * 3) % 16]}."
        for n in range(12)
    ]
    return f"<h1>Notice {number}</h1><p>{' '.join(sentences)}</p>"


def html(main: str, head: str = "") -> str:
    return f"<!doctype html><title>Harbour</title>{head}<nav><a href='/'>Home</a></nav><main>{main}</main>"


class Crawler:
    """Fetches what it is told to, with a clock that it moves itself; no audits, so that every skip shows."""

    def __init__(self) -> None:
        self.now = datetime(2031, 3, 5, 8, tzinfo=UTC)
        self.detector: Detector = sameish.open(
            ":memory:", settings={"gate": {"audit_share": 0}}, clock=lambda: self.now
        )

    def decide(self, url: str) -> FetchDecision:
        return self.detector.gate.decide(url)

    def skips(self, url: str) -> bool:
        return self.decide(url).action is FetchAction.SKIP

    def get(self, url: str, body: str, *, asked: str | None = None, status: int = 200) -> Verdict:
        return self.detector.observe(Page(body, url, status=status, fetched_at=self.now, requested_url=asked))

    def crawl(self, urls: Iterable[str], body: Callable[[str], str]) -> list[str]:
        """Fetch what is not skipped; return it."""
        fetched = []
        for url in urls:
            if not self.skips(url):
                self.get(url, body(url))
                fetched.append(url)
        return fetched


@pytest.fixture
def crawler() -> Iterator[Crawler]:
    crawler = Crawler()
    yield crawler
    crawler.detector.close()


ONE_PAGE = {
    "campaign tags": ("/p?id=3&utm_source=mail&utm_campaign-x=y&fbclid=IwX", "/p?id=3"),
    "campaign tags between semicolons": ("/p?utm_source=mail;id=3;utm_medium=web", "/p?id=3"),
    "campaign tags behind an entity": ("/p?id=3&amp;utm_source=mail", "/p?id=3"),
    "a session in the path": ("/shop/list.do;jsessionid=6E1F0A22B7.node4_1?p=2", "/shop/list.do?p=2"),
    "a session after the host": (";jsessionid=6E1F0A22B7.n3?p=2", "/?p=2"),
    "a session in the query": ("/p?PHPSESSID=77c2b91d04e8aa31", "/p"),
    "a session as a folder": ("/(S(q1w2e3r4t5y1u2i3o4p5a1s2))/p.aspx", "/p.aspx"),
    "a fragment": ("/p#berths", "/p"),
    "no path": ("?b=2&a=1#berths", "/?a=1&b=2"),
    "an escaped tilde": ("/%7Eann/", "/~ann/"),
    "escapes in any case": ("/f%c3%a6rge", "/færge"),
    "steps in the path": ("/a/b/%2e%2e/c", "/a/c"),
    "a port that goes without saying": (":443/p", "/p"),
    "a dot after the host": ("./p", "/p"),
}


@pytest.mark.parametrize(("one", "other"), ONE_PAGE.values(), ids=ONE_PAGE)
def test_one_page_is_fetched_once(crawler: Crawler, one: str, other: str) -> None:
    crawler.get(SITE + one, html(text(1)))
    assert crawler.skips(SITE + other)


TWO_PAGES = {
    "bare queries": ("/cgi-bin/log?2207", "/cgi-bin/log?2208"),
    "a bare query and none": ("/cgi-bin/log?2207", "/cgi-bin/log"),
    "paths in the query": ("/index.php?/berth/7-quay/", "/index.php?/berth/8-quay/"),
    "pages of a list": ("/list?page=2", "/list"),
    "what looks like a tag": ("/p?part=utm_source", "/p"),
    "what stands behind a tag": ("/p?utm_source=mail;id=3", "/p?utm_source=mail;id=4"),
    "parameters of the path": ("/map;v=2/tile", "/map;v=3/tile"),
    "pages behind a hash-bang": ("/#!berths/7", "/#!berths/8"),
    "a hash-bang and none": ("/#!berths/7", "/"),
    "a trailing slash": ("/berths/", "/berths"),
    "another port": (":8443/p", "/p"),
    "capitals": ("/Berths", "/berths"),
    "an empty value": ("/p?day=", "/p?day"),
    "a plus and a space": ("/p?q=a+b", "/p?q=a%2Bb"),
    "an escaped slash": ("/a%2Fb", "/a/b"),
    "values in another order": ("/p?tag=a&tag=b", "/p?tag=b&tag=a"),
}


@pytest.mark.parametrize(("one", "other"), TWO_PAGES.values(), ids=TWO_PAGES)
def test_what_may_be_another_page_is_fetched(crawler: Crawler, one: str, other: str) -> None:
    crawler.get(SITE + one, html(text(1)))
    assert crawler.decide(SITE + other).action is FetchAction.FETCH


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://havn-ø.example/a", "http://xn--havn--zua.example/a"),
        ("http://HAVN.example./a", "http://havn.example/a"),
        ("http://[2001:DB8:0::1]:80/a", "http://[2001:db8::1]/a"),
        ("http://ann:secret@havn.example/a", "http://ann@havn.example/a"),
    ],
)
def test_one_host_in_several_spellings(crawler: Crawler, one: str, other: str) -> None:
    crawler.get(one, html(text(1)))
    assert crawler.skips(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("http://harbour.example/a", "https://harbour.example/a"), ("https://www.harbour.example/a", f"{SITE}/a")],
)
def test_another_scheme_or_www_is_only_believed_once_it_was_seen(crawler: Crawler, one: str, other: str) -> None:
    first, second = one.removesuffix("/a"), other.removesuffix("/a")
    crawler.get(one, html(text(1)))
    assert crawler.decide(other).action is FetchAction.FETCH
    for number in range(1, 9):
        crawler.get(f"{first}/berth/quay-no-{number}", html(text(number)))
        crawler.get(f"{second}/berth/quay-no-{number}", html(text(number)))
    crawler.get(f"{first}/berth/quay-no-9", html(text(9)))
    assert crawler.skips(f"{second}/berth/quay-no-9")


@pytest.mark.parametrize(
    ("plain", "amp"),
    [
        ("/news/{}", "/news/{}/amp/"),
        ("/news/{}", "/news/{}/amp"),
        ("/news/{}", "/amp/news/{}"),
        ("/news/{}", "/news/{}?amp=1"),
    ],
)
def test_pages_for_telephones_are_duplicates_and_soon_not_fetched(crawler: Crawler, plain: str, amp: str) -> None:
    for number in range(1, 9):
        name = f"quay-no-{number}"
        crawler.get(SITE + plain.format(name), html(text(number), f"<link rel=amphtml href='{amp.format(name)}'>"))
        if number < 8:
            verdict = crawler.get(
                SITE + amp.format(name), html(text(number), f"<link rel=canonical href='{plain.format(name)}'>")
            )
            assert verdict.kind is VerdictKind.DUPLICATE
            assert verdict.match is not None
            assert verdict.match.url == SITE + plain.format(name)
    assert crawler.skips(SITE + amp.format("quay-no-8"))


CANONICAL = {
    "home": "/",
    "home by its full address": f"{SITE}/",
    "the first page of the list": "/berth",
    "a page that is not there": "/berth/gone",
    "another site": "https://mole.example/",
    "this computer": "http://localhost:3000/",
    "nothing": "",
    "no address": "javascript:void(0)",
}


@pytest.mark.parametrize("named", CANONICAL.values(), ids=CANONICAL)
@pytest.mark.parametrize("path", ["/berth?page={}", "/berth/{}", "/berth/quay-no-{}.html"])
def test_a_template_that_names_one_canonical_address_everywhere_hides_nothing(
    crawler: Crawler, named: str, path: str
) -> None:
    crawler.get(f"{SITE}/berth/gone", "Not found.", status=404)
    urls = [f"{SITE}/", f"{SITE}/berth", *(SITE + path.format(number) for number in range(2, 12))]
    head = f"<link rel=canonical href='{named}'>"
    assert crawler.crawl(urls, lambda url: html(text(urls.index(url)), head)) == urls


@pytest.mark.parametrize("repeated", ["mole.example/imprint/", "a/b/c/", "info.html/", "img/"])
@pytest.mark.parametrize("start", ["/en/terms/", "/"])
def test_a_link_that_is_appended_to_itself_is_cut_off(crawler: Crawler, repeated: str, start: str) -> None:
    urls = [SITE + start + repeated * times for times in range(15)]
    fetched = crawler.crawl(urls, lambda _: html(text(1)))
    assert fetched == urls[: len(fetched)]
    assert len(fetched) <= 5


def test_a_folder_in_a_folder_of_its_name_is_fetched(crawler: Crawler) -> None:
    urls = [f"{SITE}/img/img/{name}" for name in WORDS]
    assert crawler.crawl(urls, lambda url: html(text(urls.index(url)))) == urls


@pytest.mark.parametrize("name", ["back", "returnUrl", "continue"])
def test_a_login_page_that_holds_its_own_address_is_cut_off(crawler: Crawler, name: str) -> None:
    urls = [f"{SITE}/help?{name}=/berths"]
    for _ in range(25):
        inner = urls[-1].removeprefix(SITE).replace("%", "%25").replace("?", "%3F").replace("=", "%3D")
        urls.append(f"{SITE}/help?{name}={inner}")
    assert len(crawler.crawl(urls, lambda _: html(text(1)))) <= 8


MONTHS = "january february march april may june july august september october november december".split()
CALENDARS: dict[str, Callable[[int, int], str]] = {
    "folders": lambda year, month: f"/tides/{year}/{month:02d}/",
    "one piece": lambda year, month: f"/tides?from={year}-{month:02d}-01&view=list",
    "two pieces": lambda year, month: f"/tides?month={month}&year={year}",
    "an extension's pieces": lambda year, month: f"/tides?cal[month]={month}&cal[year]={year}",
    "words": lambda year, month: f"/tides/{year}/{MONTHS[month - 1]}",
    "a word and a year": lambda year, month: f"/tides/{MONTHS[month - 1][:3]}-{year}",
}


@pytest.mark.parametrize("address", CALENDARS.values(), ids=CALENDARS)
@pytest.mark.parametrize("step", [1, -1])
def test_an_empty_calendar_is_not_followed_for_ever(
    crawler: Crawler, address: Callable[[int, int], str], step: int
) -> None:
    urls = [SITE + address(2031 + month // 12, month % 12 + 1) for month in range(0, 90 * step, step)]
    assert (
        len(crawler.crawl(urls, lambda _: html("<h1>Tides</h1><p>" + "No tides are known for this month. " * 9))) < 30
    )


def test_filters_in_any_order_are_one_page(crawler: Crawler) -> None:
    filters = ["colour=red", "size=4", "brand=mole", "sort=price"]
    urls = [f"{SITE}/ropes?{'&'.join(order)}" for order in permutations(filters)]
    assert crawler.crawl(urls, lambda _: html(text(1))) == urls[:1]


@pytest.mark.parametrize("wall", ["<h1>Log in</h1><form><input name=user><input type=password></form>"])
def test_redirects_of_a_site_to_its_login_page_change_nothing(crawler: Crawler, wall: str) -> None:
    urls = [f"{SITE}/berth/quay-no-{number}" for number in range(8)]
    assert crawler.crawl(urls, lambda url: html(text(urls.index(url)))) == urls
    crawler.now += timedelta(days=2)
    for url in urls:
        verdict = crawler.get(f"{SITE}/login?next={url}", html(wall), asked=url)
        assert verdict.kind is VerdictKind.UNDETERMINED
    assert [crawler.decide(url).same_as for url in urls] == urls
    assert not any(crawler.skips(url) for url in urls)
    assert crawler.get(urls[0], html(text(0))).kind is VerdictKind.UNCHANGED


def test_a_site_that_moves_to_https_is_not_fetched_twice(crawler: Crawler) -> None:
    old = [f"http://harbour.example/berth/quay-no-{number}" for number in range(8)]
    crawler.crawl(old, lambda url: html(text(old.index(url))))
    crawler.now += timedelta(days=2)
    for number, url in enumerate(old):
        assert crawler.get(url.replace("http:", "https:"), html(text(number)), asked=url).kind is VerdictKind.DUPLICATE
    assert all(crawler.skips(url) and crawler.skips(url.replace("http:", "https:")) for url in old)


def test_a_redirect_in_a_circle_is_remembered_without_harm(crawler: Crawler) -> None:
    crawler.get(f"{SITE}/a", html(text(1)))
    crawler.detector.redirected(f"{SITE}/b", f"{SITE}/a")
    crawler.detector.redirected(f"{SITE}/a", f"{SITE}/b")
    crawler.detector.redirected(f"{SITE}/c", f"{SITE}/c")
    assert crawler.decide(f"{SITE}/c").action is FetchAction.FETCH
    crawler.now += timedelta(days=40)
    assert not any(crawler.skips(SITE + path) for path in ("/a", "/b"))


def test_an_address_that_leads_elsewhere_by_and_by_is_asked_for_again(crawler: Crawler) -> None:
    for number in range(1, 4):
        assert not crawler.skips(f"{SITE}/notices/latest")
        assert (
            crawler.get(f"{SITE}/notices/{number}", html(text(number)), asked=f"{SITE}/notices/latest").kind
            is VerdictKind.NEW
        )
        assert crawler.skips(f"{SITE}/notices/latest")
        crawler.now += timedelta(days=2)


@pytest.mark.parametrize("every", [1, 3, 7])
@pytest.mark.parametrize("address", CALENDARS.values(), ids=CALENDARS)
def test_a_calendar_with_one_event_now_and_then_is_read_to_its_end(
    crawler: Crawler, address: Callable[[int, int], str], every: int
) -> None:
    urls = [SITE + address(2031 + month // 12, month % 12 + 1) for month in range(60)]
    house = "The house is open from ten to six. Members pay half the price. Dogs must wait outside in the yard. " * 2

    def month(url: str) -> str:
        number = urls.index(url)
        event = "" if number % every else f"<li>Choir of the {WORDS[number % 16]} at the {WORDS[number // 16]}</li>"
        return html(f"<h1>{MONTHS[number % 12].title()} {2031 + number // 12}</h1><p>{house}</p><ul>{event}</ul>")

    assert crawler.crawl(urls, month) == urls


def test_a_calendar_is_read_on_as_long_as_its_months_lead_to_new_pages(crawler: Crawler) -> None:
    months = [f"{SITE}/tides?month={2031 + month // 12}-{month % 12 + 1:02d}" for month in range(60)]
    table = " ".join(f"<td>{day}</td>" for day in range(1, 32))
    for number, url in enumerate(months):
        assert not crawler.skips(url)
        has_one = number % 10 == 0
        event = f"<a href='/event/{number}'>event</a>" if has_one else ""
        crawler.get(url, html(f"<h1>Tides</h1>{event}<table><tr>{table}</tr></table>"))
        if has_one:
            page = Page(html(text(number)), f"{SITE}/event/{number}", fetched_at=crawler.now)
            crawler.detector.observe(page, request_headers={"Referer": url})
    beyond = [f"{SITE}/tides?month={2036 + month // 12}-{month % 12 + 1:02d}" for month in range(60)]
    crawled = crawler.crawl(beyond, lambda _: html(f"<h1>Tides</h1><table><tr>{table}</tr></table>"))
    assert len(crawled) <= 12


def test_articles_of_a_shop_that_resemble_each_other_are_all_fetched(crawler: Crawler) -> None:
    urls = [f"{SITE}/item/{number}" for number in range(120)]
    terms = "Goods are sent by post within three days. Whoever wants to return something writes to the office. " * 3

    def body(url: str) -> str:
        number = urls.index(url)
        return html(f"<h1>Rope {WORDS[number % 16]}</h1><p>{terms}</p><p>{7 * number} crowns</p>")

    assert crawler.crawl(urls, body) == urls

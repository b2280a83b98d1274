"""Crawler traps: suspected by their URLs, proved by what they bring."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from urllib.parse import quote

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish.urls.keys import url_key
from sameish.urls.traps import LIMITS, Suspicion, TrapFamilies, TrapKind, is_trap, outcome, suspicions

SITE = "https://quay.example"


def kinds(url: str) -> set[str]:
    return {str(found.kind) for found in suspicions(url_key(url))}


def crawled(urls: Iterable[str], content: Callable[[str], str]) -> list[str]:
    """Return which of the URLs are fetched, given what each of them shows."""
    known, seen, fetched = TrapFamilies(), set[str](), []
    for url in urls:
        found = suspicions(url_key(url))
        if is_trap(known, found):
            continue
        shown = content(url)
        known = outcome(known, found, brought_new=shown not in seen, content=digest(shown))
        seen.add(shown)
        fetched.append(url)
    return fetched


def digest(text: str) -> bytes:
    return random.Random(text).randbytes(16)  # noqa: S311  # guards no secret


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/", set()),
        ("/img/img/mast.png", set()),
        ("/img/img/img/mast.png", {"repeated path"}),
        ("/en/berths/en/berths/", {"repeated path"}),
        ("/en/berths/fr/berths/", set()),
        ("/a//a//a/", {"repeated path"}),
        ("/list?tag=a&tag=b&tag=c", set()),
        ("/list?tag=a&tag=a&tag=a", {"repeated parameter"}),
        ("/list?tag=a&tag=a", set()),
        ("/tides/2031/04/", {"calendar"}),
        ("/tides/2031/4/17", {"calendar"}),
        ("/tides?on=2031-04-17", {"calendar"}),
        ("/tides?on=20310417", {"calendar"}),
        ("/tides?on=17.04.2031", {"calendar"}),
        ("/tides/2031-W17", {"calendar"}),
        ("/tides?year=2031&month=4", {"calendar"}),
        ("/tides/2031/april/", {"calendar"}),
        ("/tides/17-Apr-2031", {"calendar"}),
        ("/tides/avril_2031", {"calendar"}),
        ("/tides/märz-17-2031.html", {"calendar"}),
        ("/tides?on=2031.Dezember", {"calendar"}),
        ("/tides/marathon-2031", {"counter"}),
        ("/tides/april", set()),
        ("/tides?tx_cal[month]=4&tx_cal[year]=2031", {"calendar"}),
        ("/tides?calMonth=4&calYear=2031", {"calendar"}),
        ("/tides?cal_jahr=2031&cal_monat=4&cal_tag=17", {"calendar"}),
        ("/tides?calm=4&class=2031", {"counter"}),
        ("/login?back=/login%3Fback%3D/login%253Fback%253D/login%25253Fback", {"repeated parameter"}),
        ("/login?back=/login?back=/login?back=/login?back=/a", {"repeated parameter"}),
        ("/login?back=/a%3Fback%3D/b%253Fback%253D/c", set()),
        ("/to/https%252525253A%252525252F", {"endless depth"}),
        ("/to/https%25253A%25252F", set()),
        ("/tides?month=4&view=week", {"counter"}),
        ("/tides/2031-02-30", {"calendar"}),  # calendars link to days that do not exist
        ("/berth/17", {"counter"}),
        ("/berth-17.html", {"counter"}),
        ("/17-berths-left", set()),
        ("/list?page=3", {"counter"}),
        ("/list?page=3a", set()),
        ("/" + "/".join("abcdefghijklmnopqrstu"), {"endless depth"}),
        ("/" + "x" * 2_001, {"endless depth"}),
        ("/v1/notes-2b", {"counter"}),
    ],
)
def test_what_is_suspicious(path: str, expected: set[str]) -> None:
    assert expected <= kinds(SITE + path) <= expected | {"counter"}
    assert bool(expected) == bool(kinds(SITE + path))


def test_a_link_without_a_scheme_that_grows_is_cut_off_after_three_more_fetches() -> None:
    urls = [f"{SITE}/en/terms/" + "shop.example/imprint/" * n for n in range(12)]
    fetched = crawled(urls, lambda _: "the terms")
    assert fetched == urls[:4]


def test_a_repeated_path_that_brings_something_each_time_is_followed() -> None:
    urls = [f"{SITE}/en/shop/en/shop/{n}/a" for n in range(40)]
    assert crawled(urls, str) == urls


def test_a_folder_in_a_folder_of_the_same_name_is_none_of_it() -> None:
    urls = [f"{SITE}/img/img/{name}.png" for name in "abcdefghij"]
    assert crawled(urls, lambda _: "the same picture") == urls


@pytest.mark.parametrize(
    ("kind", "url"),
    [
        (TrapKind.COUNTER, "/list?page={}"),
        (TrapKind.COUNTER, "/list/page-{}.html"),
        (TrapKind.COUNTER, "/list?sort=name&start={}"),
        (TrapKind.CALENDAR, "/tides/{:04d}/06/"),
        (TrapKind.CALENDAR, "/tides?day=3&month=6&year={}"),
        (TrapKind.CALENDAR, "/tides?tx_cal[day]=3&tx_cal[month]=6&tx_cal[year]={}"),
        (TrapKind.CALENDAR, "/tides/june-{}/"),
    ],
)
def test_pages_that_only_count_up_are_bounded(kind: TrapKind, url: str) -> None:
    urls = [SITE + url.format(n) for n in range(2000, 2100)]
    full = urls[30]
    fetched = crawled(urls, lambda url: url if url <= full else "nothing here")
    assert urls[:31] == fetched[:31]
    assert len(fetched) == 32 + LIMITS[kind]  # the first empty page is new


def test_months_by_name_are_counted_as_months() -> None:
    names = "january february march april may june july august september october november december".split()
    urls = [f"{SITE}/tides/{2031 + n // 12}/{names[n % 12]}" for n in range(60)]
    assert [suspicions(url_key(url))[0].number for url in urls] == sorted({suspicions(url)[0].number for url in urls})
    assert len(crawled(urls, lambda _: "no tides")) == 1 + LIMITS[TrapKind.CALENDAR]


@pytest.mark.parametrize("name", ["back", "returnUrl", "next", "redirect_to"])
@pytest.mark.parametrize("encode", [lambda text: text, quote, lambda text: quote(quote(text, safe=""), safe="")])
def test_an_address_that_takes_itself_in_again_and_again_is_cut_off(name: str, encode: Callable[[str], str]) -> None:
    urls = [f"{SITE}/tides"]
    for _ in range(40):
        urls.append(f"{SITE}/login?{name}={encode(urls[-1])}")
    assert len(crawled(urls, lambda _: "log in")) < 9


@pytest.mark.parametrize("path", ["/to/%{}2Fharbour", "/login?back=%{}2Ftides", "/a?b=1&c=x%{}26y"])
def test_an_escape_that_is_escaped_again_and_again_is_cut_off(path: str) -> None:
    urls = [SITE + path.format("25" * n) for n in range(40)]
    assert len(crawled(urls, lambda _: "the harbour")) < 9


def test_pages_behind_an_escape_that_bring_something_are_followed() -> None:
    urls = [f"{SITE}/to/{'%25' + '25' * 4}2F{name}" for name in "abcdefghij"]
    assert crawled(urls, str) == urls


def test_a_calendar_is_bounded_in_both_directions() -> None:
    months = [f"{SITE}/tides/{2030 + n // 12}/{n % 12 + 1:02d}" for n in range(-300, 300)]
    order = [month for n in range(300) for month in (months[300 + n], months[299 - n])]
    fetched = crawled(order, lambda url: url if "/2030/" in url else "no tides")
    assert len(fetched) < 60


def test_what_lies_in_between_is_fetched_still() -> None:
    urls = [f"{SITE}/list?page={n}" for n in range(100, 400)]
    known = TrapFamilies()
    for url in urls[:60]:
        known = outcome(known, suspicions(url), brought_new=False, content=b"same")
    assert is_trap(known, suspicions(f"{SITE}/list?page=900"))
    assert not is_trap(known, suspicions(f"{SITE}/list?page=99"))
    assert not is_trap(known, suspicions(f"{SITE}/list?page=50"))


def test_something_new_starts_the_count_again() -> None:
    known = TrapFamilies()
    for n in range(60):
        known = outcome(known, suspicions(f"{SITE}/list?page={n}"), brought_new=False, content=b"same")
    assert is_trap(known, suspicions(f"{SITE}/list?page=80"))
    known = outcome(known, suspicions(f"{SITE}/list?page=90"), brought_new=True, content=b"more")  # an audit
    assert not is_trap(known, suspicions(f"{SITE}/list?page=91"))


def followed(urls: Iterable[str], says: Callable[[int], str]) -> int:
    """Return how many pages are fetched that all resemble each other, given what each says but for its date."""
    known, fetched = TrapFamilies(), 0
    for number, url in enumerate(urls):
        found = suspicions(url_key(url))
        if not is_trap(known, found):
            known = outcome(known, found, brought_new=not number, content=digest(says(number)), similar=number > 0)
            fetched += 1
    return fetched


MONTHS = [f"{SITE}/events/{2031 + n // 12}-{n % 12 + 1:02d}" for n in range(120)]
ITEMS = [f"{SITE}/item/{n}" for n in range(200)]


@pytest.mark.parametrize("urls", [MONTHS, ITEMS])
def test_pages_that_resemble_each_other_and_say_something_each_are_followed(urls: list[str]) -> None:
    assert followed(urls, str) == len(urls)


@pytest.mark.parametrize("every", [2, 5, 11])
def test_a_calendar_with_an_event_now_and_then_is_followed(every: int) -> None:
    assert followed(MONTHS, lambda n: str(n) if n % every == 0 else "no events") == len(MONTHS)


@pytest.mark.parametrize("period", [1, 3, 4])
def test_a_calendar_that_says_the_same_few_things_is_cut_off(period: int) -> None:
    assert followed(MONTHS, lambda n: f"no events {n % period}") <= 1 + LIMITS[TrapKind.CALENDAR] + period


def test_an_address_that_takes_itself_in_is_cut_off_though_its_pages_name_it() -> None:
    assert followed([f"{SITE}/en/terms/" + "shop.example/imprint/" * n for n in range(12)], str) == 4


def test_second_addresses_of_numbered_pages_are_no_trap() -> None:
    """A site whose pages are found plainly up to 60, and from there on only with where they were linked from."""
    plain = [f"{SITE}/berth/{n}" for n in range(60)]
    linked = [f"{SITE}/berth/{n}?from=7" for n in range(120)]
    fetched = crawled([*plain, *linked], lambda url: url.partition("?")[0])
    assert fetched == [*plain, *linked]


def test_nothing_is_lost_of_many_addresses_for_few_contents_in_any_order() -> None:
    for seed in range(5):
        draw = random.Random(seed)  # noqa: S311  # guards no secret
        shows = {f"{SITE}/item/{n}": f"content {n % 160}" for n in range(800)}
        urls = draw.sample(sorted(shows), len(shows))
        fetched = crawled(urls, shows.__getitem__)
        assert {shows[url] for url in fetched} == set(shows.values())


def test_a_suspicion_names_its_family_for_people() -> None:
    assert suspicions(f"{SITE}/list?page=3") == (Suspicion(TrapKind.COUNTER, f"{SITE}/list?page={{number}}", 3),)
    assert suspicions(f"{SITE}/x/a/b/a/b/")[0].family == f"{SITE}/x/(a/b)"
    assert suspicions(f"{SITE}/tides/2031/4/17")[0].family == f"{SITE}/tides/{{date}}"


def test_a_family_that_never_wasted_a_fetch_is_not_kept() -> None:
    known = TrapFamilies()
    for n in range(100):
        assert outcome(known, suspicions(f"{SITE}/list?page={n}"), brought_new=True, content=b"%d" % n) is known


def test_a_settled_trap_is_not_written_again() -> None:
    known = TrapFamilies()
    for n in range(60):
        known = outcome(known, suspicions(f"{SITE}/list?page={n}"), brought_new=False, content=b"same")
    assert outcome(known, suspicions(f"{SITE}/list?page=99"), brought_new=False, content=b"same") is known


SEGMENTS = st.sampled_from(["a", "b", "2031", "04", "7", "", "x-9", "20310417", "%20", "é"])
KEYS = st.builds(
    lambda path, query: f"{SITE}/{'/'.join(path)}?{'&'.join(query)}",
    st.lists(SEGMENTS, max_size=30),
    st.lists(st.sampled_from(["a=1", "b=2", "year=2031", "month=4", "month=99", "d=2031-04-17", "x"]), max_size=8),
)


@given(KEYS | st.text(max_size=200))
def test_any_text_can_be_asked_about(key: str) -> None:
    assert suspicions(key) == suspicions(key)
    assert all(isinstance(found.family, str) and found.number >= 0 for found in suspicions(key))


@given(st.lists(st.tuples(KEYS, st.booleans(), st.binary(max_size=16)), max_size=60))
def test_families_are_kept_in_a_bounded_number_of_bytes(pages: list[tuple[str, bool, bytes]]) -> None:
    known = TrapFamilies()
    for key, new, content in pages:
        found = suspicions(key)
        known = outcome(known, found, brought_new=new, content=content)
        assert not (new and is_trap(known, found))
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(known), type=TrapFamilies) == known


def test_at_most_500_families_are_kept() -> None:
    known = TrapFamilies()
    for n in range(3_000):
        known = outcome(known, suspicions(f"{SITE}/{n}x/berth/7"), brought_new=False, content=b"%d" % n)
    assert len(known.families) == 500
    assert len(msgspec.msgpack.encode(known)) < 30_000


def test_a_long_key_is_read_in_linear_time() -> None:
    for key in (
        f"{SITE}/" + "a/" * 200_000,
        f"{SITE}/?" + "a=1&" * 100_000,
        f"{SITE}/" + "2031-" * 100_000,
        f"{SITE}/?" + "%25" * 100_000,
    ):
        assert suspicions(key)

from __future__ import annotations

import re
from collections import deque
from datetime import UTC, datetime
from html import unescape
from itertools import combinations

import pytest
from tests.crawling import names
from tests.crawling.answers import Kind
from tests.crawling.options import Canonical, Habit, Index, Options, Shape, Variant, WallKind
from tests.crawling.site import Site
from w3lib.url import canonicalize_url

import sameish
from sameish.demo import prose
from sameish.demo.words import lot
from sameish.models import Fingerprint, Page

START = datetime(2026, 3, 2, tzinfo=UTC)
SEEDS = (1, 2, 3)


def _site(**options: object) -> Site:
    return Site(Options(**options), lambda: START)  # type: ignore[arg-type]


def _page(site: Site, url: str) -> Page:
    return Page(body=site.answer(url).body, url=site.base + url, status=200)


def _print(site: Site, url: str) -> Fingerprint:
    return sameish.fingerprint(_page(site, url))


def _reached(site: Site) -> set[str]:
    """What a spider that follows every link gets to, each URL once."""
    seen, waiting = {"/"}, deque(["/"])
    while waiting:
        body = site.answer(waiting.popleft()).body.decode()
        for link in {unescape(found) for found in re.findall(r'<a href="(/[^"]*)"', body)} - seen:
            seen.add(link)
            waiting.append(link)
    return seen


def _targets(site: Site) -> set[str]:
    return {url for content in site.contents for url in content.urls}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_seed_decides_everything(seed: int) -> None:
    one, same, other = (_site(seed=number) for number in (seed, seed, seed + 100))
    assert _targets(one) == _targets(same)
    assert one.answer(one.contents[5].urls[2]) == same.answer(one.contents[5].urls[2])
    assert _targets(one).isdisjoint(_targets(other))
    assert not set(one.names.sections) & set(other.names.sections)


@pytest.mark.parametrize("naming", [names.drawn, names.well_known, names.listed])
@pytest.mark.parametrize("seed", SEEDS)
def test_every_content_has_five_urls_that_only_it_has(seed: int, naming: object) -> None:
    site = _site(seed=seed, naming=naming, contents=200)
    urls = site.urls()
    assert len({canonicalize_url(url) for url in urls}) == len(urls) == 1000
    for content in site.contents:
        assert {site.identity(url) for url in content.urls} == {(f"c{content.number}", "0")}


@pytest.mark.parametrize("seed", SEEDS)
def test_static_rules_know_none_of_the_drawn_names(seed: int) -> None:
    site = _site(seed=seed, contents=200)
    assert len({sameish.url_key(url) for url in site.urls()}) == 1000


def test_static_rules_know_some_of_the_well_known_names_and_more_of_the_listed_ones() -> None:
    known, listed = (
        len({sameish.url_key(url) for url in _site(naming=naming, contents=200).urls()})
        for naming in (names.well_known, names.listed)
    )
    assert listed < known < 1000


def test_all_variants_and_all_shapes_are_there() -> None:
    site = _site(contents=80)
    links = "\n".join(_targets(site))
    own = site.names
    for name in (*own.tracking, own.session, own.timestamp, own.referrer, own.mixed, own.path_parameter):
        assert len(re.findall(rf"[?&;]{name}=", links)) >= 5, name
    for pattern in (rf"/{own.suffix}\b", rf"^/{own.prefix}/", rf"/{own.index}\b", r"/(\?|$)"):
        assert len(re.findall(pattern, links, re.MULTILINE)) >= 5, pattern
    assert {content.address.shape for content in site.contents} == set(Shape)


def test_variants_can_be_chosen() -> None:
    site = _site(variants=frozenset({Variant.SESSION, Variant.TIMESTAMP}))
    own = site.names
    for content in site.contents:
        for url in content.urls:
            rest = re.sub(rf"[?&]({own.session}|{own.timestamp})=\w+", "", url).replace("?", "&")
            assert rest in {content.address.plain.replace("?", "&"), content.address.path}


@pytest.mark.parametrize("seed", SEEDS)
def test_one_content_is_identical_under_all_its_urls_and_at_every_load(seed: int) -> None:
    site = _site(seed=seed)
    for content in site.contents[::4]:
        first, *others = (_print(site, url) for url in content.urls * 2)
        assert first.state == "content"
        assert [sameish.compare(first, other).kind for other in others] == ["identical"] * 9, content.urls


@pytest.mark.parametrize("seed", SEEDS)
def test_different_contents_are_different(seed: int) -> None:
    site = _site(seed=seed)
    prints = [_print(site, content.urls[0]) for content in site.contents[:40]]
    assert {sameish.compare(a, b).kind for a, b in combinations(prints, 2)} == {"different"}


def test_contents_have_150_to_500_words() -> None:
    site = _site()
    words = [len(sameish.extract(_page(site, one.urls[0])).markdown.split()) for one in site.contents]
    assert 150 <= min(words) <= max(words) <= 500


def test_no_two_loads_have_the_same_bytes() -> None:
    site = _site()
    url = site.contents[0].urls[0]
    assert len({site.answer(url).body for _ in range(10)}) == 10


@pytest.mark.parametrize("seed", SEEDS)
def test_every_edit_shows(seed: int) -> None:
    site = _site(seed=seed)
    before = {content.number: _print(site, content.urls[0]) for content in site.contents}
    edited = site.edit(0.25)
    assert len(edited) == 20
    assert {name for name, version in site.current().items() if version == "1"} == set(edited)
    for content in site.contents:
        kind = sameish.compare(before[content.number], _print(site, content.urls[1])).kind
        assert (kind != "identical") == (f"c{content.number}" in edited)


def test_edits_can_be_repeated() -> None:
    site = _site()
    first, second = site.edit(0.1), site.edit(0.1)
    assert first != second
    told = [prose.story(1, "c0", version) for version in range(30)]
    assert len(set(told)) == 30


@pytest.mark.parametrize("index", list(Index))
def test_whoever_follows_all_links_reaches_everything(index: Index) -> None:
    site = _site(index=index)
    assert site.add(0.05) == ["c80", "c81", "c82", "c83"]
    reached = _reached(site)
    assert _targets(site) <= reached
    assert {site.answer(url).status for url in reached} == {200}


def test_pages_link_others_in_mixed_variants() -> None:
    site = _site(index=Index.NONE)
    content = site.contents[7]
    body = site.answer(content.urls[0]).body.decode()
    links = {unescape(found) for found in re.findall(r'<a href="(/[^"]*)"', body)} & _targets(site)
    assert len(links) >= 10
    assert len({url.partition("?")[2] for url in links}) > 5
    assert len({site.identity(url)[0] for url in links}) >= 8


@pytest.mark.parametrize("shape", [Shape.SCRIPT, Shape.SERIES, Shape.REGION, Shape.GUIDE])
def test_some_parameters_matter(shape: Shape) -> None:
    site = _site()
    one, other = [content for content in site.contents if content.address.shape is shape][:2]
    assert one.address.path == other.address.path
    assert sameish.compare(_print(site, one.address.plain), _print(site, other.address.plain)).kind == "different"


def test_the_first_page_of_a_series_is_also_there_without_its_number() -> None:
    site = _site()
    first = next(one for one in site.contents if one.address.query == ((site.names.page, "1"),))
    assert first.address.path in first.urls
    assert site.identity(first.address.path) == (f"c{first.number}", "0")


def test_one_parameter_matters_on_one_shape_only() -> None:
    site = _site()
    mixed = site.names.mixed
    article = next(one for one in site.contents if one.address.shape is Shape.ARTICLE)
    guide = next(one for one in site.contents if one.address.shape is Shape.GUIDE)
    assert site.identity(f"{article.address.path}?{mixed}=zero") == site.identity(article.address.path)
    assert site.identity(f"{guide.address.path}?{mixed}=zero") == ("", "")
    assert site.answer(f"{guide.address.path}?{mixed}=zero").status == 404


def test_a_parameter_starts_to_matter() -> None:
    site = _site()
    before = set(site.current())
    name = site.start_to_matter(Variant.REFERRER)
    after = site.current()
    told = [one for one in after if "~" in one]
    assert len(told) > 20
    assert {one.partition("~")[0] for one in told} <= before
    url = next(url for url in _targets(site) if f"{name}=" in url)
    content = next(one for one in site.contents if url in one.urls)
    assert site.identity(url)[0] in told
    assert sameish.compare(_print(site, url), _print(site, content.address.plain)).kind == "different"
    assert site.answer(content.address.plain).content == f"c{content.number}"


@pytest.mark.parametrize("kind", list(WallKind))
def test_a_wall_answers_everywhere_for_a_while(kind: WallKind) -> None:
    site = _site()
    site.raise_wall(kind, after=2, length=3)
    answers = [site.answer(content.urls[0]) for content in site.contents[:7]]
    walls = [Kind.CONTENT] * 2 + [Kind.WALL] * 3 + [Kind.CONTENT] * 2
    assert [answer.kind for answer in answers] == walls
    assert answers[2].status == (302 if kind is WallKind.REDIRECT else 200)
    assert site.answer(dict(answers[2].headers).get("Location", "/login")).kind is Kind.LOGIN
    site.raise_wall(kind)
    assert site.answer("/").kind is Kind.WALL
    site.lift_wall()
    assert site.answer("/").kind is Kind.HOME


def test_the_text_of_the_wall_says_so() -> None:
    site = _site()
    site.raise_wall(WallKind.TEXT)
    assert sameish.extract(_page(site, site.contents[0].urls[0])).state == "blocked"


@pytest.mark.parametrize("canonical", list(Canonical))
def test_canonical_links(canonical: Canonical) -> None:
    site = _site(canonical=canonical, layouts=False)
    content = next(one for one in site.contents if one.address.shape is Shape.REGION)
    url = next(url for url in content.urls if url != content.address.plain)
    expected = {
        Canonical.MISSING: None,
        Canonical.RIGHT: site.base + content.address.plain,
        Canonical.HOME: f"{site.base}/",
        Canonical.SELF: site.base + url,
    }
    assert sameish.extract(_page(site, url)).canonical_url == expected[canonical]


def _habits(**habits: int) -> dict[Habit, int]:
    return {Habit[name]: share for name, share in habits.items()}


def test_validators_are_shared_out() -> None:
    site = _site(habits=_habits(HONEST=50, NONE=50))
    silent = [one for one in site.contents if not _validators(site, one.urls[0])[0]]
    assert 20 < len(silent) < 60


def _validators(site: Site, url: str) -> tuple[str | None, str | None]:
    headers = dict(site.answer(url).headers)
    return headers.get("ETag"), headers.get("Last-Modified")


@pytest.mark.parametrize("habit", list(Habit))
def test_validators_by_habit(habit: Habit) -> None:
    site = _site(habits={habit: 100})
    url = site.contents[0].urls[0]
    first, second = _validators(site, url), _validators(site, url)
    unchanged = site.answer(url, *first).status
    while site.contents[0].version == 0:
        site.edit(0.5)
    edited, third = site.answer(url, *first).status, _validators(site, url)
    restless = habit in {Habit.RESTLESS, Habit.RESTLESS_ETAG}
    assert (first[0] is None) == (habit in {Habit.DATE, Habit.NONE, Habit.RESTLESS_DATE})
    assert (first[1] is None) == (habit in {Habit.ETAG, Habit.NONE, Habit.RESTLESS})
    assert (first[0] != second[0]) == restless
    # with the clock of these tests all dates are equal
    assert unchanged == (200 if restless or habit is Habit.NONE else 304)
    if habit is Habit.FROZEN:
        assert (edited, third) == (304, first)
    elif habit in {Habit.HONEST, Habit.ETAG}:
        assert edited == 200
        assert third[0] != first[0]


def test_an_etag_for_all_urls_of_a_content_or_for_each() -> None:
    for own, count in ((False, 1), (True, 5)):
        site = _site(own_etags=own)
        assert len({_validators(site, url)[0] for url in site.contents[0].urls}) == count


def test_names_and_words_are_drawn() -> None:
    drawn = [names.drawn(seed) for seed in range(50)]
    assert len({one.session for one in drawn}) > 45
    for one in drawn:
        assert one.session.isalpha()
        assert len(one.session) >= 4
    assert lot(1, "a").hexadecimal(8) != lot(1, "b").hexadecimal(8)


def test_some_variants_may_redirect() -> None:
    site = _site(redirects=frozenset({Variant.SLASH, Variant.INDEX}))
    path = next(one for one in site.contents if one.address.shape is Shape.ARTICLE).address.path
    for url in (f"{path}/", f"{path}/{site.names.index}"):
        answer = site.answer(f"{url}?a=1")
        assert (answer.status, answer.kind, dict(answer.headers)["Location"]) == (301, Kind.REDIRECT, f"{path}?a=1")
    assert site.answer("/").status == 200
    assert _site().answer(f"{path}/").status == 200


def test_a_calendar_has_no_end() -> None:
    site = _site(calendar=True)
    urls, pattern = {"/"}, rf'<a href="(/{site.names.calendar}[^"]*)"'
    for _ in range(30):
        urls |= {found for url in urls for found in re.findall(pattern, site.answer(url).body.decode())}
    assert len(urls) == 60
    assert {site.answer(url).kind for url in urls} == {Kind.HOME, Kind.CALENDAR}

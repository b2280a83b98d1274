"""What the crawler asks for in ten days: every situation that the demo wants to show, in the order of the fetches."""

from __future__ import annotations

from sameish.demo.design import HOST
from sameish.demo.diary import BASE, Diary, Errand, Via
from sameish.demo.edits import articles_on
from sameish.demo.noise import Aspect
from sameish.demo.truth import Category

BRIDGE, MEALS, GAUGES = "/news/footbridge-reopens", "/news/council-school-meals", "/news/river-gauges-explained"
CAKE, REVIEW, HOWTO = "/food/rhubarb-tray-bake", "/reviews/tarn-40-dehumidifier", "/howto/backup-photos-rsync"
KEEPER, MATCH, BRIEF = "/people/interview-lock-keeper", "/sport/rovers-late-winner", "/brief/meadow-path-closed"
LIBRARY, SOUP, TRAM, DOME = "/de/nachtausleihe", "/de/linsensuppe", "/ru/rechnoy-tramvay", "/ru/planetariy"
BOOKS, BUS, BATH, PALM = "/zh/jiushudian", "/zh/gongjiao-shikebiao", "/ja/sento-matsunoyu", "/ar/nakhla-suq"
TIMETABLE = "/files/timetable.pdf"
MOBILE = f"https://m.{HOST.removeprefix('www.')}"

# one aspect alone, on a page of its own
_ALONE = {
    BRIDGE: Aspect.ADS,
    MEALS: Aspect.NAVIGATION,
    GAUGES: Aspect.RELATED,
    CAKE: Aspect.PIXELS,
    REVIEW: Aspect.COUNTERS,
    KEEPER: Aspect.COMMENTS,
    MATCH: Aspect.AGES,
    LIBRARY: Aspect.CONSENT,
    TRAM: Aspect.FOOTER,
    BOOKS: Aspect.WEATHER,
    BATH: Aspect.NONCES,
    BRIEF: Aspect.CLASSES,
}

_TRACKED = (
    (BRIDGE + "?utm_source=newsletter&utm_medium=email&utm_campaign=march", "utm_source, utm_medium, utm_campaign"),
    (MEALS + "?fbclid=IwAR0xk3bZ1c9TqS", "fbclid"),
    (REVIEW + "?gclid=EAIaIQobChMI7d2k", "gclid"),
    (CAKE + ";jsessionid=9F2C41D07BE6A8", ";jsessionid="),
    (MATCH + "?PHPSESSID=k1l0q8s7v2p3m4n5", "PHPSESSID"),
    (KEEPER + "#comments", "a fragment"),
    (TRAM + "?utm_source=perch&fbclid=IwAR2bb81", "utm_source and fbclid, in Russian"),
    (BOOKS + "?utm_medium=social", "utm_medium, in Chinese"),
)

_TWINS = (
    (BASE + "/print" + BRIDGE, "print version"),
    (BASE + "/amp" + BRIDGE, "AMP version"),
    (MOBILE + MEALS, "mobile host"),
    (BASE + REVIEW + "?ref=homepage", "ref="),
    (BASE + KEEPER + "?page=1", "a parameter with its default value, page=1"),
    (BASE + "/print" + TRAM, "print version, in Russian"),
    (BASE + "/amp" + BATH, "AMP version, in Japanese"),
    (MOBILE + BOOKS, "mobile host, in Chinese"),
    (BASE + "/print" + LIBRARY, "print version, in German"),
    ("http" + BASE.removeprefix("https") + GAUGES, "http instead of https"),
    (BASE.replace("www.", "") + MATCH, "host without www"),
    (BASE + CAKE + "/", "a slash at the end"),
    (BASE + MEALS + "?sid=77aa01c4", "a session id called sid"),
)


def itinerary() -> tuple[Errand, ...]:
    """Return every request in order."""
    diary = Diary()
    for day in (_first_day, _second_day, _third_day, _fourth_day, _fifth_day, _sixth_day, _redesign_day, _eighth_day):
        day(diary)
    _last_days(diary)
    return tuple(diary.errands)


def _lists(diary: Diary, day: int, what: str, *paths: str) -> None:
    for path in paths:
        diary.visit(day, BASE + path, what, Category.LIST)


def _first_day(diary: Diary) -> None:
    _lists(diary, 0, "list page, first seen", "/", "/news", "/sport", "/de", "/ru", "/zh")
    diary.look(0, *(one.path for one in reversed(articles_on(0))), TIMETABLE)
    for path, aspect in _ALONE.items():
        diary.visit(0, BASE + path, f"{aspect} and nothing else", Category.NOISE, moving={aspect})
    for path, what in _TRACKED:
        diary.visit(0, BASE + path, what, Category.TRACKING)
    diary.visit(0, BASE.replace("www.ferry", "WWW.Ferry") + GAUGES, "host in capitals", Category.TRACKING)
    for url, what in _TWINS:
        diary.visit(0, url, what, Category.DUPLICATE)
    diary.visit(0, BASE + "/latest", "the lead story at the address of the latest", Category.DUPLICATE)
    diary.visit(0, BASE + "/news/no-such-story", "'page not found', status 404", Category.ERROR)
    for year in ("2009/spring-fair", "2011/flood"):
        diary.visit(0, f"{BASE}/archive/{year}", "'page not found', status 200", Category.ERROR)
    diary.visit(0, BASE + "/gone/horoscope", "gone, status 410", Category.ERROR)
    diary.visit(0, BASE + "/print" + LIBRARY, "the same bytes again", Category.REVISIT, moving=(), via=Via.SAME_PAYLOAD)


def _second_day(diary: Diary) -> None:
    _lists(diary, 1, "front page, other stories", "/")
    _lists(diary, 1, "one story more", "/de")
    diary.look(1, SOUP, HOWTO)
    diary.visit(1, f"{BASE}/login?next={HOWTO}", "the login form it led to", Category.WALL)
    diary.look(1, HOWTO, KEEPER, DOME, BRIDGE, GAUGES, LIBRARY, BATH)
    diary.visit(1, f"{BASE}/login?next={KEEPER}", "the login form again, from another article", Category.WALL)
    diary.visit(1, BASE + TIMETABLE, "the same bytes again", Category.REVISIT, via=Via.SAME_PAYLOAD)
    diary.visit(1, BASE + CAKE, "304 not modified", Category.REVISIT, moving=(), via=Via.NOT_MODIFIED)
    diary.visit(1, BASE + "/amp" + SOUP, "AMP version, in German", Category.DUPLICATE)


def _third_day(diary: Diary) -> None:
    _lists(diary, 2, "front page, other stories", "/", "/?utm_source=perch")
    diary.look(2, REVIEW, REVIEW, MEALS, BRIEF, KEEPER, PALM, DOME, MATCH, CAKE)
    diary.visit(2, BASE + "/print" + PALM, "print version, in Arabic", Category.DUPLICATE)
    diary.visit(2, BASE + "/download?file=timetable.pdf", "the same PDF", Category.DUPLICATE, via=Via.SAME_PAYLOAD)
    diary.visit(2, BASE + MEALS + "?utm_source=newsletter", "utm_source, just after the edit", Category.TRACKING)
    diary.visit(2, MOBILE + MEALS, "a 'not' inserted, seen on the mobile host", Category.EDIT)


def _fourth_day(diary: Diary) -> None:
    _lists(diary, 3, "list page, same stories", "/de")
    _lists(diary, 3, "one story more", "/zh")
    diary.look(3, BRIDGE, GAUGES, BUS, BATH, BATH, MATCH, MATCH, HOWTO, TRAM)
    diary.visit(3, BASE + "/print" + REVIEW, "print version, after an edit", Category.DUPLICATE)
    diary.visit(3, BASE + REVIEW + "?ref=homepage", "price 349 -> 299, seen behind ref=", Category.EDIT)
    diary.visit(3, BASE + PALM, "304 not modified", Category.REVISIT, moving=(), via=Via.NOT_MODIFIED)


def _fifth_day(diary: Diary) -> None:
    _lists(diary, 4, "front page, other stories", "/")
    diary.look(4, MATCH, KEEPER, GAUGES, GAUGES, BOOKS, LIBRARY, REVIEW, BUS)
    _lists(diary, 4, "list page, same stories", "/sport", "/ru")
    diary.visit(4, BASE + "/latest", "another article at the same address", Category.EDIT)
    diary.visit(4, BASE + "/amp" + MATCH, "AMP version, after an edit", Category.DUPLICATE)
    diary.visit(4, BASE + TIMETABLE, "304 not modified", Category.REVISIT, via=Via.NOT_MODIFIED)


def _sixth_day(diary: Diary) -> None:
    diary.visit(5, MOBILE + BATH, "mobile host, edited before the crawler saw it elsewhere", Category.EDIT)
    diary.look(5, BOOKS, BATH, MEALS, CAKE, SOUP, TRAM, PALM)
    diary.visit(5, BASE + TIMETABLE, "a new edition of the PDF", Category.EDIT)
    diary.visit(5, BASE + "/amp" + BOOKS, "AMP version, in Chinese", Category.DUPLICATE)


def _redesign_day(diary: Diary) -> None:
    diary.look(6, BRIDGE, MEALS, GAUGES, CAKE, REVIEW, HOWTO, KEEPER, MATCH)
    diary.look(6, LIBRARY, SOUP, TRAM, DOME, BOOKS, BUS, BATH, PALM, BRIEF)
    _lists(diary, 6, "list page, redesigned, same stories", "/de", "/ru")
    diary.visit(6, BASE + "/print" + GAUGES, "print version, after the redesign", Category.DUPLICATE)
    diary.visit(6, BASE + "/print" + BRIDGE, "date of an event 14 March -> 21 March, seen in print", Category.EDIT)


def _eighth_day(diary: Diary) -> None:
    diary.visit(7, BASE + "/", "down for maintenance, status 503", Category.ERROR)
    _lists(diary, 7, "front page, other stories", "/")
    diary.look(7, CAKE, HOWTO, LIBRARY, LIBRARY, BUS, DOME)
    diary.visit(7, BASE + BUS + "?fbclid=IwAR9901", "fbclid, in Chinese", Category.TRACKING)
    diary.visit(7, MOBILE + DOME, "mobile host, in Russian", Category.DUPLICATE)


def _last_days(diary: Diary) -> None:
    diary.look(8, LIBRARY, PALM, TRAM, BRIDGE, KEEPER, SOUP)
    diary.visit(8, BASE + "/print" + TRAM, "trial trip 4 -> 11 April, seen in print", Category.EDIT)
    diary.visit(8, BASE + "/archive/2012/market", "'page not found', status 200, redesigned", Category.ERROR)
    _lists(diary, 9, "front page, other stories", "/")
    diary.look(9, MEALS, REVIEW, BUS, BATH, BOOKS, MATCH)
    diary.visit(9, BASE + REVIEW + "?utm_source=rss", "utm_source, just after the edit", Category.TRACKING)

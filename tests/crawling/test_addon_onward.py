"""Pages that say the same and lead elsewhere: the empty months of a calendar, each with its own link to the next."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from tests.crawling.scripted import Answer, Asked, Reply, Scripted, page

MONTHS = 40
_CELLS = "".join(f"<td>{day}</td>" for day in range(1, 32))
_HTML = {"Content-Type": "text/html; charset=utf-8"}


def _calendar(every: int, head: str) -> dict[str, Answer]:
    def month(asked: Asked) -> Reply:
        number = int(asked.target.rpartition("=")[2].replace("-", "")) - 202000
        at = 12 * (number // 100) + number % 100 - 1
        event = f"<p><a href='/event/{at}'>event</a></p>" if at % every == 0 else ""
        years, months = divmod(at + 1, 12)
        onward = f"<a href='/cal?month={2020 + years}-{months + 1:02}'>next</a>" if at + 1 < MONTHS else ""
        title = head.format(asked.target[-7:])
        text = f"<main><h1>{title}</h1>{event}<table><tr>{_CELLS}</tr></table></main>{onward}"
        return Reply(200, f"<html><title>Calendar</title><body>{text}</body></html>".encode(), _HTML)

    events: dict[str, Answer] = {f"/event/{at}": page(f"event {at}") for at in range(0, MONTHS, every)}
    return events | {"/": page("home", ["/cal?month=2020-01"]), "/cal": month}


@pytest.mark.parametrize("head", ["Events", "{}", "Events in {}"])
@pytest.mark.parametrize("every", [3, 12])
def test_a_chain_of_months_is_followed_to_its_end(tmp_path: Path, every: int, head: str) -> None:
    with Scripted(tmp_path) as site:
        site.pages |= _calendar(every, head)
        told = site.crawl()
        assert {f"event {at}" for at in range(0, MONTHS, every)} <= {one["title"] for one in told.pages}
        assert len(site.targets()) == len(set(site.targets()))


def test_a_calendar_without_end_and_without_events_is_left(tmp_path: Path) -> None:
    def month(asked: Asked) -> Reply:
        year, number = map(int, asked.target.rpartition("=")[2].split("-"))
        after = f"{year + number // 12}-{number % 12 + 1:02}"
        text = (
            f"<main><h1>Events</h1><p>None.</p><table><tr>{_CELLS}</tr></table></main><a href='?month={after}'>next</a>"
        )
        return Reply(200, f"<html><title>Calendar</title><body>{text}</body></html>".encode(), _HTML)

    with Scripted(tmp_path) as site:
        site.pages |= {"/": page("home", ["/cal?month=2020-01"]), "/cal": month}
        site.crawl(settings={"CLOSESPIDER_PAGECOUNT": 200})
        assert 12 <= len(site.targets()) <= 20


@pytest.mark.parametrize("carried", [True, False])
def test_a_duplicate_that_marks_its_links_or_knows_no_more_is_dropped(tmp_path: Path, carried: bool) -> None:
    def story(asked: Asked) -> Reply:
        path, _, mark = asked.target.partition("?from=")
        mark = f"?from={mark}" if carried else ""
        return page(path, [f"/more{mark}", f"/next{mark}"])

    with Scripted(tmp_path) as site:
        site.pages |= {"/": page("home", ["/a?from=here", "/a?from=there", "/a?from=elsewhere"]), "/a": story}
        site.pages |= {"/more": page("more"), "/next": page("next")}
        told = site.crawl(settings={"CONCURRENT_REQUESTS": 1})
        assert [one["title"] for one in told.pages].count("/a") == 1
        assert told.stats["sameish/dropped/duplicate"] == 2


def test_a_duplicate_with_a_link_of_its_own_reaches_the_callback(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        site.pages |= {"/": page("home", ["/a", "/b", "/c"]), "/more": page("more"), "/other": page("other")}
        links = {"/a": ["/more"], "/b": ["/more"], "/c": ["/other"]}
        for path, onward in links.items():
            body = page("a").body.replace(b"</article>", f"</article><a href='{onward[0]}'>next</a>".encode())
            site.pages[path] = Reply(200, body, _HTML)
        told = site.crawl(settings={"CONCURRENT_REQUESTS": 1})
        paths = set(told.paths())
        assert {"/c", "/more", "/other"} <= paths
        assert len({"/a", "/b"} & paths) == 1


@pytest.mark.parametrize("links", [1, 3])
def test_a_site_that_makes_up_its_next_addresses_is_left(tmp_path: Path, links: int) -> None:
    def room(asked: Asked) -> Reply:
        marks = [hashlib.sha256(f"{asked.target} {n}".encode()).hexdigest()[:12] for n in range(links)]
        body = page("room").body
        onward = "".join(f"<a href='/go/{mark}'>next</a>" for mark in marks)
        return Reply(200, body.replace(b"</article>", f"</article>{onward}".encode()), _HTML)

    with Scripted(tmp_path) as site:
        site.pages |= {"/": page("home", ["/go/a"])}
        site.fallback = room
        site.crawl(settings={"CLOSESPIDER_PAGECOUNT": 300})
        assert len(site.targets()) <= 60


def test_a_calendar_that_makes_up_what_its_months_lead_to_is_left(tmp_path: Path) -> None:
    def month(asked: Asked) -> Reply:
        year, number = map(int, asked.target.rpartition("=")[2].split("-"))
        onward = f"<a href='?month={year + number // 12}-{number % 12 + 1:02}'>next</a>"
        table = f"<p><a href='/table/{year}{number:02}'>table</a></p>"
        text = f"<main><h1>Tides</h1>{table}<table><tr>{_CELLS}</tr></table></main>{onward}"
        return Reply(200, f"<html><title>Calendar</title><body>{text}</body></html>".encode(), _HTML)

    with Scripted(tmp_path) as site:
        site.pages |= {"/": page("home", ["/cal?month=2020-01"]), "/cal": month}
        site.fallback = lambda asked: page(asked.target)
        site.crawl(settings={"CLOSESPIDER_PAGECOUNT": 600})
        assert len(site.targets()) <= 200

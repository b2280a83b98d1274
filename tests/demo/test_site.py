"""The site as a function: same question, same answer."""

from __future__ import annotations

import re

import pytest

from sameish.demo.noise import Aspect, Draws, Noise
from sameish.demo.pdf import timetable
from sameish.demo.site import REDESIGN_DAY, Standing, place_of, render

BASE = "https://www.ferrycourier.example"


def classes(body: bytes) -> set[bytes]:
    return set(re.findall(rb'class="([^"]+)"', body))


def test_the_same_visit_gives_the_same_bytes() -> None:
    assert render(f"{BASE}/people/interview-lock-keeper", 4, 1) == render(f"{BASE}/people/interview-lock-keeper", 4, 1)
    assert render(f"{BASE}/", 4, 1).body != render(f"{BASE}/", 4, 2).body


def test_a_redesign_shares_no_class_and_every_word() -> None:
    before, after = (render(f"{BASE}/food/rhubarb-tray-bake", day, 0) for day in (REDESIGN_DAY - 2, REDESIGN_DAY))
    assert before.wording == after.wording
    assert classes(before.body) & classes(after.body) <= {b"skip", b"language-sh", b"adsbyhub"}


@pytest.mark.parametrize(
    "path",
    [
        "/print/news/footbridge-reopens",
        "/amp/news/footbridge-reopens",
        "/news/footbridge-reopens/",
        "/news/footbridge-reopens;jsessionid=1",
        "/news/footbridge-reopens?page=1#x",
    ],
)
def test_every_address_of_an_article_has_its_words(path: str) -> None:
    assert place_of(BASE + path) == "/news/footbridge-reopens"
    assert render(BASE + path, 0, 0).wording == render(f"{BASE}/news/footbridge-reopens", 0, 0).wording


@pytest.mark.parametrize(
    ("path", "day", "status", "standing"),
    [
        ("/nowhere", 0, 404, Standing.REFUSED),
        ("/archive/2009/spring-fair", 0, 200, Standing.REFUSED),
        ("/gone/horoscope", 0, 410, Standing.REFUSED),
        ("/login?next=/", 0, 200, Standing.REFUSED),
        ("/ru/planetariy", 0, 200, Standing.PARTIAL),
        ("/howto/backup-photos-rsync", 1, 302, Standing.REFUSED),
        ("/reviews/tarn-40-dehumidifier", 2, 503, Standing.REFUSED),
        ("/sport/rovers-late-winner", 3, 500, Standing.REFUSED),
        ("/news/river-gauges-explained", 4, 200, Standing.REFUSED),
        ("/files/timetable.pdf", 4, 200, Standing.FULL),
        ("/", 4, 200, Standing.FULL),
    ],
)
def test_what_the_site_answers(path: str, day: int, status: int, standing: Standing) -> None:
    answer = render(BASE + path, day, 0)
    assert (answer.status, answer.standing) == (status, standing)


def test_the_front_page_is_another_one_every_day() -> None:
    assert len({render(f"{BASE}/", day, 5).wording for day in range(10)}) == 10


def test_the_cross_reference_table_of_the_pdf_points_at_its_objects() -> None:
    body = timetable(2)
    offsets = [int(offset) for offset in re.findall(rb"(\d{10}) 00000 n", body)]
    assert [body[offset : offset + 7] for offset in offsets] == [b"%d 0 obj" % number for number in range(1, 6)]


def test_draws_are_fixed_for_good() -> None:
    draws = Draws(42)
    assert [draws.below(100) for _ in range(5)] == [13, 27, 69, 63, 43]
    assert sorted(Draws(1).shuffled(range(6))) == list(range(6))


def test_only_named_aspects_move() -> None:
    before = Noise(1, "/x")
    after = before.moved({Aspect.ADS})
    assert [aspect for aspect in Aspect if before.epoch(aspect) != after.epoch(aspect)] == [Aspect.ADS]

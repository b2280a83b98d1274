from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish.reading.noise import PATTERN_NAMES, noise_pattern
from sameish.reading.sentences import calm

NOISE = {
    "date line": """
        Monday, 3 June 2024, 10:15:07 CEST
        2024-06-03T10:15:00Z
        3 June 2024 10:15:07
        最終更新 2024年6月3日
        Last modified: 10:15
        Yesterday at 22:40
        03.06.2024 | Aktualisiert um 10:15 Uhr
        Last updated: 3 June 2024
        Last updated on June 3, 2024 at 10:15
        Posted on 3 June 2024, updated 5 June 2024
        Veröffentlicht am 3. Juni 2024
        نُشر في 5 مارس 2026
        Stand: 03.06.2024
        Publié le 3 juin 2024 à 10 h 15
        Mis à jour le 03/06/2024
        Actualizado el 3 de junio de 2024
        Pubblicato il 3 giugno 2024
        Atualizado em 3 de junho de 2024
        Bijgewerkt op 3 mei 2024
        Опубликовано 3 июня 2024 г.
        Обновлено 03.06.2024
        2024年06月03日 10:15 更新
        发布时间：2024-06-03 10:15
        Today, 10:15
        Heute um 10:15 Uhr
        вчера в 10:15""",
    "relative time": """
        5 minutes ago
        5 min ago
        3d ago
        an hour ago
        40 years ago
        320 minutes ago
        Updated 2 hours ago
        about 3 weeks ago
        Just now
        Updated just now
        vor 5 Minuten
        vor einer Stunde
        il y a 3 jours
        hace 2 horas
        5 minuti fa
        10 минут назад
        час назад 1
        Updated in the last 15 minutes
        Updated today
        Updated this week
        Updated over a week ago
        Vor über einer Woche aktualisiert
        Diese Woche aktualisiert
        Mis à jour il y a plus d'une semaine
        Actualizado hace más de una semana
        Atualizado há mais de uma semana
        3 小时前
        5分钟前
        3時間前
        刚刚""",
    "counter": """
        12 comments
        No. 0 comments
        1,204 views
        1.2k views
        14 shares | 3 likes
        Comments (12)
        5 Kommentare
        1.204 Aufrufe
        12 commentaires
        34 visitas
        128 просмотров
        阅读 1024
        1024次阅读
        New, 1 comment
        Visitors today: 80, yesterday: 1,088
        訪問者数 本日: 80 昨日: 1088
        댓글 12
        再生回数 1,024 回
        コメント 3 件""",
    "reading time": """
        5 min read
        Reading time: 4 minutes
        4 minute read
        Lesezeit: 3 Minuten
        Temps de lecture : 4 min
        阅读 5 分钟""",
    "generation time": """
        Page generated in 0.342 seconds
        Page generated in 0.342 seconds with 21 queries
        Page rendered in 12 ms
        21 queries in 0.342 sec
        The page took 0.3 seconds to render
        Generated at 2024-06-03 10:15:22
        Seite in 0,34 Sekunden generiert""",
    "copyright": """
        © 2024 The Harbour Courier
        © The Harbour Courier
        Copyright 2019-2024 The Harbour Courier
        Copyright © The Harbour Courier
        (c) 2024 Harbour Media
        All rights reserved.
        Alle Rechte vorbehalten
        Tous droits réservés.
        版权所有 港口日报""",
    "list number": """
        1.
        12)
        (3)""",
    "byline": """
        By Ida Sorrel
        By Courier staff
        By Ida Sorrel and Jonas van der Threlkeld
        By Ida Sorrel@idasorrel
        By Ida Sorrel 3 June 2024
        By Ida Sorrel@idasorrel Jun 3, 2024, 4:08pm EST
        Von Henrike Wolters, aktualisiert am 03.06.2024
        Written by Ida Sorrel
        Von Henrike Wolters
        Par Anne-Marie Dubois
        Автор: Вера Лосева
        文：中原みどり
        记者：林知夏
        بقلم: سلمى حداد""",
    "page control": """
        Was this page helpful?
        War dieser Artikel hilfreich?
        Thanks for your feedback!
        Skip to main content
        Share this article""",
    "missing address": """
        The requested page "/ferries" could not be found.
        The requested URL /ferries.php was not found on this server.
        Die angeforderte Seite "/faehren" konnte nicht gefunden werden.
        Sorry, the page ferries/old.html does not exist.
        Request ID: 9c1f-77ab02""",
    "advertisement label": """
        Advertisement
        Anzeige
        Реклама
        広告""",
    "page facts": """
        Updated 44 minutes ago 1,751 views 3 min read
        48分钟前更新 1,557次浏览 阅读约需3分钟
        55分前に更新 2,196回閲覧 読了まで約3分
        حُدّث قبل 48 دقيقة 1,722 مشاهدة 3 دقائق قراءة
        Updated 3 June 2024 | 12 comments""",
    "no words": """
        ***
        - - -
        |
        }
        "..." """,
}
CASES = [(line.strip(), name) for name, lines in NOISE.items() for line in lines.strip().splitlines()]


@pytest.mark.parametrize(("line", "pattern"), CASES, ids=[line for line, _ in CASES])
def test_a_line_that_only_says_when_or_how_often_is_noise(line: str, pattern: str) -> None:
    assert noise_pattern(calm(line)) == pattern or (pattern == "reading time" and noise_pattern(calm(line)) is not None)


CONTENT = """
    49.90
    64,90 €
    $5
    Price: 64.90 EUR
    12 EUR a day
    -20 %
    1,299.00
    4.5
    4.5 / 5
    Rating: 4.5 of 5
    3:1
    2 - 1
    030 1234567
    +49 30 123 456
    (555) 123-4567
    42
    11 h
    90 g
    20 minutes
    2 days
    5 min
    3 weeks
    M 12
    Z 4
    T 800
    A 3
    v2.4.1
    2.4.1
    a=1
    x = 3
    3 < 5
    10:00
    10:00 - 18:00
    Monday 10:00 - 18:00
    Mon 10 am to 6 pm
    Monday to Friday 9 - 17
    Montag 9 bis 17 Uhr
    понедельник с 10 до 18
    Thursday
    1 May to 30 September
    1 May - 30 September 2024
    3 - 5 June
    May 5-9
    3 June 2024 | 07:10
    Delivered from 21 October
    Due on 3 June
    Not on 3 June
    Valid until 3 June 2024
    Open now
    Open from 10
    not
    No
    Not 5
    Built in 1932
    Created 12
    Loaded with 5
    Page 5 of 12
    Votes for Miller: 1,204
    1,204 votes for
    12 people
    12 seats left
    3 items
    0 left
    Sold out
    Downloads: manual
    (c) The tenant pays 50 EUR.
    (c) you may not resell a ticket
    Copyright in the photographs remains with their authors.
    Copyright law does not apply here.
    No rights reserved
    5 degrees
    21 °C
    50 %
    ISBN 978-3-16-148410-0
    Room 12
    Bus 12
    Line 5
    By the river
    Date: 3 May 2026
    日期: 2026年5月3日
    Copyright law changes in 2026
    By 3 June
    By Appointment Only
    BY APPOINTMENT ONLY
    BY USING THIS SERVICE YOU AGREE
    BY USING THE SERVICE
    BY ENTERING THE HARBOUR, VISITORS AGREE TO:
    By Ida Sorrel 12 EUR
    By Ida Sorrel 3 June 2024 in Room 12
    By Bus Line 5
    Now?
    本日: 80
    80 visitors lost
    By car, by bus, on foot
    Von Montag bis Freitag
    Por favor llame antes
    Read also the second page
    文：第 5 号
    3 June 2024
    Monday, 3 June 2024, 20:00
    2024-06-03
    2024年6月3日
    6月開館
    3 件 の 注文
    仅售 5 天
    不 5
    5 стр.
    Open this week
    Closed in the last 2 weeks
    This week
    The last 15 minutes
    More than 5 minutes
    In the last 2 days
    Mehr als eine Woche
    今日の天気
    ✓
    ✗
    Yes
    1. FC Köln
    2:41:07
    Monday 2:41:07
    First 6:00, last 18:30
    Mon - Fri | First 6:00, last 18:30
    Last 18:30
    Letzte um 18:30 Uhr
    Dernière à 18:30
    時間 10:30
    Last Sunday in May 2026
    First Monday of May at 18:30
    Since Monday at 18:30
    Since 3 May 2019
    Zuletzt am 3. Mai
    Today 10 - 12
    Today | 10:00 - 12:00
    Yesterday: 14
    Heute 9 Uhr
    1日3回
    3回
    12 次
    4件
    2000 years ago
    vor 250 Jahren
    Depuis 20 ans
    Read 20 minutes a day
    Render time: 30 ms
    Query time 3 seconds
    Database: 30 queries/s
    Article 12
    2024
"""


@pytest.mark.parametrize("line", [line.strip() for line in CONTENT.strip().splitlines()])
def test_what_a_reader_would_miss_is_never_noise(line: str) -> None:
    assert noise_pattern(calm(line)) is None


WORDS = ("not", "nicht", "pas", "нет", "不", "€", "$", "%", "price", "room", "EUR", "kg", "km", "floor", "version")


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize(
    "line",
    [
        line
        for line, name in CASES
        # of a missing address only the address is left out
        if name not in {"copyright", "no words", "list number", "byline", "missing address"}
    ],
)
def test_one_word_that_says_something_makes_a_line_content(line: str, word: str) -> None:
    assert noise_pattern(calm(f"{line} {word}")) is None
    assert noise_pattern(calm(f"{word} {line}")) is None


@pytest.mark.parametrize(
    "line",
    [
        "Read also: The footbridge reopens",
        "Lesen Sie auch Die Bibliothek",
        "Читайте также: Планетарий",
        "延伸阅读 渡轮",
        "See also Roofs",
    ],
)
def test_a_link_that_leads_elsewhere_is_noise_only_as_a_link(line: str) -> None:
    assert noise_pattern(calm(line), linked=True) == "related link"
    assert noise_pattern(calm(line)) is None
    assert noise_pattern("The footbridge reopens", linked=True) is None


def test_every_pattern_has_its_examples() -> None:
    assert {*NOISE, "related link"} == set(PATTERN_NAMES)


def test_a_long_sentence_is_never_noise() -> None:
    assert noise_pattern("updated 3 June 2024 " * 10) is None
    assert (
        noise_pattern("© 2024 " + "the photographs were taken by the sons of the harbour master on the pier " * 2)
        is None
    )


@given(st.text(alphabet="0123456789 .,:-/()|+ajMunoy月日年前©", max_size=200))
def test_any_line_is_judged_without_an_error(line: str) -> None:
    noise_pattern(calm(line))


def test_judging_takes_linear_time() -> None:
    for unit in ("june ", "3", "3 june 2024 ", "( c )", "月", "- ", "1-", "\u3000"):
        start = time.perf_counter()
        for _ in range(1000):
            noise_pattern((unit * 160)[:160])
        assert time.perf_counter() - start < 2

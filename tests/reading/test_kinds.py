"""Whole situations that crawlers meet, from two pages to one answer."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime, timedelta

import pytest

import sameish
from sameish import Page
from sameish.models import ComparisonKind, State, VerdictKind

IDENTICAL, NEAR, DIFFERENT, UNDETERMINED = (
    ComparisonKind.IDENTICAL,
    ComparisonKind.NEAR_DUPLICATE,
    ComparisonKind.DIFFERENT,
    ComparisonKind.UNDETERMINED,
)
CLOCKS = (
    "The tower clock in Marram stopped on Tuesday at ten past four, and nobody in the town can remember when it last did so.",
    "Its keeper, who has wound it twice a week since her father fell ill, blames a bearing that was ordered in spring.",
    "Until the part arrives from the foundry the bell is rung by hand at noon, by a rota of pupils from the upper school.",
    "The council will decide next month whether to fit a motor, which would end a custom of two hundred and eleven years.",
)
BEES = (
    "Four hives that stood behind the vicarage have been moved to the orchard, where the noise of the new road is fainter.",
    "The move took one night: the entrances were closed at dusk, and a cart with rubber wheels carried the boxes uphill.",
    "Members of the society expect less honey this year, because the lime trees along the old lane have been cut back hard.",
    "Visitors are asked to keep to the mown path, and to leave dogs at the gate, until the colonies have settled down.",
)
CHINESE = (
    "马勒姆镇的塔钟在星期二四点十分停了，镇上没有人记得上一次停摆是什么时候。",
    "看钟人自从父亲生病以来每周上两次发条，她认为是春天订购的轴承出了问题。",
    "在零件从铸造厂运来之前，每天中午由高年级学生轮流用手敲钟。",
    "镇议会下个月将决定是否安装电动机，那将结束两百一十一年的传统。",
)
THAI = (
    "นาฬิกาบนหอคอยของเมืองหยุดเดินเมื่อวันอังคารเวลาสี่โมงสิบนาทีและไม่มีใครจำได้ว่าหยุดครั้งก่อนเมื่อใด "
    "ผู้ดูแลนาฬิกาไขลานสัปดาห์ละสองครั้งตั้งแต่บิดาของเธอล้มป่วยและเธอคิดว่าตลับลูกปืนที่สั่งไว้ในฤดูใบไม้ผลิเสีย "
    "ระหว่างรอชิ้นส่วนจากโรงหล่อนักเรียนชั้นมัธยมจะผลัดกันตีระฆังด้วยมือตอนเที่ยงวัน "
    "สภาเมืองจะตัดสินใจเดือนหน้าว่าจะติดตั้งมอเตอร์หรือไม่ซึ่งจะสิ้นสุดธรรมเนียมสองร้อยสิบเอ็ดปี"
)
ARABIC_CLOCK = (
    "توقفت ساعة البرج في المدينة يوم الثلاثاء عند الرابعة وعشر دقائق ولا يذكر أحد متى توقفت آخر مرة.",
    "وتقول القيمة عليها التي تملؤها مرتين في الأسبوع منذ مرض والدها إن السبب محمل طلب في الربيع.",
    "وإلى أن تصل القطعة من المسبك يقرع التلاميذ الجرس باليد عند الظهر بالتناوب فيما بينهم.",
)
ARABIC_BEES = (
    "نقلت أربع خلايا كانت وراء بيت الكاهن إلى البستان حيث يخفت ضجيج الطريق الجديد في النهار.",
    "واستغرق النقل ليلة واحدة أغلقت فيها المداخل عند الغروب وحملت عربة الصناديق إلى أعلى التل.",
    "ويتوقع أعضاء الجمعية عسلا أقل هذا العام لأن أشجار الزيزفون على الدرب القديم قلمت بشدة.",
)
HEBREW = (
    "שעון המגדל בעיירה נעצר ביום שלישי בשעה ארבע ועשרה, ואיש אינו זוכר מתי נעצר בפעם הקודמת.",
    "הממונה עליו, שמותחת אותו פעמיים בשבוע מאז שאביה חלה, מאשימה מסב שהוזמן באביב.",
    "עד שיגיע החלק מבית היציקה מצלצלים תלמידי הכיתות הגבוהות בפעמון ביד בצהרי היום.",
)


def page(
    *paragraphs: str, title: str = "Marram", around: str = "", head: str = "", status: int = 200, path: str = ""
) -> Page:
    body = "".join(f"<p>{one}</p>" for one in paragraphs)
    return Page(
        f"<!doctype html><html><head><meta charset=utf-8>{head}<title>{title}</title></head><body><nav><a href=/>Start</a></nav>"
        f"<main><h1>{title}</h1>{body}</main>{around}<footer><p>Marram Post, 2 Pump Court</p></footer></body></html>",
        url=f"https://a.example/{path}",
        status=status,
    )


def kind(a: Page, b: Page) -> ComparisonKind:
    there, back = sameish.compare(a, b).kind, sameish.compare(b, a).kind
    assert there == back
    return there


# one text in two spellings


@pytest.mark.parametrize(
    "respelled",
    [
        lambda text: text.replace("the tower", "the&nbsp;tower").replace(" in ", "\u2009in\n\t "),
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: text.replace("keeper", "kee\u00adper").replace("hundred", "hun\u200bdred"),
        lambda text: text.replace("'", "’").replace('"', "”").replace(" - ", " – ").replace("...", "…"),
        lambda text: text.replace(" twice ", " <em>twice</em> ").replace("Tuesday", "<a href=/t?session=9>Tuesday</a>"),
        lambda text: text.replace("The ", "<span class=drop>T</span>he "),
    ],
)
def test_another_spelling_of_what_looks_the_same_is_identical(respelled: object) -> None:
    assert callable(respelled)
    text = [*CLOCKS, "The café's \"Zoë\" - as it's called - waits... until spring."]
    assert kind(page(*text), page(*map(respelled, text))) == IDENTICAL


def test_direction_marks_in_hebrew_are_invisible() -> None:
    marked = [text.replace(", ", "\u200f, ").replace("ב", "\u200eב") for text in HEBREW]
    assert kind(page(*HEBREW), page(*marked)) == IDENTICAL


# small edits, in all scripts


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (CHINESE, [one.replace("四点", "五点") for one in CHINESE]),
        ([THAI], [THAI.replace("วันอังคาร", "วันศุกร์")]),
        (ARABIC_CLOCK, [one.replace("الثلاثاء", "الجمعة") for one in ARABIC_CLOCK]),
        (HEBREW, [one.replace("שלישי", "שישי") for one in HEBREW]),
        (CLOCKS, [one.replace("Tuesday", "Friday") for one in CLOCKS]),
        (CLOCKS, [one.replace("nobody", "everybody") for one in CLOCKS]),
        (CLOCKS, [*CLOCKS, BEES[0]]),
        (CLOCKS, CLOCKS[:3]),
    ],
    ids=["chinese", "thai", "arabic", "hebrew", "english", "opposite", "added", "removed"],
)
def test_one_changed_word_or_paragraph_is_a_near_duplicate(before: list[str], after: list[str]) -> None:
    assert list(before) != list(after)
    assert kind(page(*before), page(*after)) == NEAR


@pytest.mark.parametrize(
    ("one", "other"), [(CLOCKS, BEES), (ARABIC_CLOCK, ARABIC_BEES), (CHINESE, ["".join(reversed(CHINESE[0]))])]
)
def test_different_articles_are_different_in_every_script(one: list[str], other: list[str]) -> None:
    assert kind(page(*one), page(*other)) == DIFFERENT


EDITS = [
    ("<p>Price: 64.90 EUR</p>", "<p>Price: 49.90 EUR</p>"),
    ("<p>64.90</p>", "<p>49.90</p>"),
    ("<dl><dt>Running time<dd>11 h</dl>", "<dl><dt>Running time<dd>9 h</dl>"),
    ("<dl><dt>Telephone<dd>030 123 456</dl>", "<dl><dt>Telephone<dd>030 123 457</dl>"),
    ("<table><tr><td>Monday<td>10:00 - 18:00</table>", "<table><tr><td>Monday<td>10:00 - 17:00</table>"),
    ("<p>Monday 10:00 - 18:00</p>", "<p>Monday 10:00 - 17:00</p>"),
    ("<p>Mon - Fri 9 - 17</p>", "<p>Mon - Fri 9 - 16</p>"),
    ("<p>Rating: 4.5 of 5</p>", "<p>Rating: 3.5 of 5</p>"),
    ("<p>4.5</p>", "<p>3.5</p>"),
    ("<p>2 : 1</p>", "<p>2 : 2</p>"),
    ("<p>The fee is due on 3 June 2024.</p>", "<p>The fee is due on 4 June 2024.</p>"),
    ("<p>The fee is due on Fri. 3 June 2024.</p>", "<p>The fee is due on Fri. 4 June 2024.</p>"),
    ("<p>It is open.</p>", "<p>It is not open.</p>"),
    ("<p>Model: K 12</p>", "<p>Model: K 14</p>"),
    ("<p>-5 °C</p>", "<p>5 °C</p>"),
    ("<p>Version 2.4.1</p>", "<p>Version 2.4.2</p>"),
    ("<p>Built in 1932</p>", "<p>Built in 1934</p>"),
    ("<p>(c) no bells before eight</p>", "<p>(c) no bells before nine</p>"),
    ("<p>3 weeks</p>", "<p>4 weeks</p>"),
    ("<ul><li>In stock</ul>", "<ul><li>Sold out</ul>"),
    ("<table><tr><td>Wi-Fi<td>✓</table>", "<table><tr><td>Wi-Fi<td>✗</table>"),
    ("<pre>retries = 3</pre>", "<pre>retries = 4</pre>"),
    ("<pre>if x:\n  a()</pre>", "<pre>if x:\n  b()</pre>"),
    ("<blockquote>We will stay.</blockquote>", "<blockquote>We will leave.</blockquote>"),
    ("<aside class=note><p>Do not touch.</p></aside>", "<aside class=note><p>Do touch.</p></aside>"),
    (
        "<details><summary>Cost</summary>Twelve crowns.</details>",
        "<details><summary>Cost</summary>Ten crowns.</details>",
    ),
    (
        "<figure><figcaption>The clock, before</figcaption></figure>",
        "<figure><figcaption>The clock, after</figcaption></figure>",
    ),
]


@pytest.mark.parametrize(("before", "after"), EDITS, ids=[after for _, after in EDITS])
@pytest.mark.parametrize("place", ["between", "last"])
def test_an_edit_that_a_reader_would_see_is_never_identical(before: str, after: str, place: str) -> None:
    a, b = (
        page(CLOCKS[0], f"{CLOCKS[1]}</p>{part}<p>", *CLOCKS[2:])
        if place == "between"
        else page(*CLOCKS, f"</p>{part}<p>")
        for part in (before, after)
    )
    assert kind(a, b) in (NEAR, DIFFERENT)


def test_a_changed_headline_is_a_change() -> None:
    assert kind(page(*CLOCKS, title="Clock stopped"), page(*CLOCKS, title="Clock runs again")) == NEAR


def test_a_price_that_only_the_data_names_is_a_change() -> None:
    data = '<script type="application/ld+json">{{"offers": {{"price": "{}", "priceCurrency": "EUR"}}}}</script>'
    assert kind(page(*CLOCKS, head=data.format("9.90")), page(*CLOCKS, head=data.format("8.90"))) != IDENTICAL


# noise


NOISE = [
    ("<p>Updated 3 June 2024, 10:15</p>", "<p>Updated 5 June 2024, 08:02</p>"),
    ("<p>5 minutes ago</p>", "<p>2 days ago</p>"),
    ("<p>12 comments</p>", "<p>14 comments</p>"),
    ("<p>Page generated in 0.31 seconds</p>", "<p>Page generated in 0.28 seconds</p>"),
    ("<p>© 2023 Marram Post</p>", "<p>© 2024 Marram Post</p>"),
    ("<div class=ads><p>Buy clocks</p></div>", "<div class=ads><p>Buy bells</p></div>"),
    ("<script nonce=a1>x(1)</script>", "<script nonce=b2>x(2)</script>"),
    ("<div class='css-1x2y3z'></div>", "<div class='css-9a8b7c'></div>"),
    ("<input type=hidden name=csrf value=a>", "<input type=hidden name=csrf value=b>"),
    ("<img src=/a.png?v=1 alt=Clock>", "<img src=/a.png?v=2 alt=Clock>"),
    ("<div hidden>token a</div>", "<div hidden>token b</div>"),
    ("<!-- cached at 10:15 -->", "<!-- cached at 10:16 -->"),
]


@pytest.mark.parametrize(("before", "after"), NOISE, ids=[after for _, after in NOISE])
@pytest.mark.parametrize("place", ["between", "below"])
def test_noise_is_no_change(before: str, after: str, place: str) -> None:
    a, b = (
        page(CLOCKS[0], f"{CLOCKS[1]}</p>{part}<p>", *CLOCKS[2:]) if place == "between" else page(*CLOCKS, around=part)
        for part in (before, after)
    )
    assert kind(a, b) == IDENTICAL


# forums, shells, empty pages


def test_a_new_answer_in_a_thread_is_noticed() -> None:
    def thread(*posts: str) -> Page:
        answers = "".join(f'<div class="comment" id="comment-{n}"><p>{post}</p></div>' for n, post in enumerate(posts))
        return Page(f"<title>Clock</title><h1>Who winds it?</h1><div class=comments>{answers}</div>")

    assert kind(thread(*CLOCKS), thread(*CLOCKS, BEES[0])) == NEAR
    assert kind(thread(*CLOCKS), thread(*BEES)) == DIFFERENT


@pytest.mark.parametrize(
    "bodies",
    [
        ("", ""),
        ("", "<html><head></head><body> \n </body></html>"),
        ("<div id=root></div>", "<div id=root></div>"),
        ("<title>Marram</title><div id=app>Loading...</div><footer>Marram Post</footer>",) * 2,
        ("<title>Marram</title><noscript>Please enable JavaScript to use this site.</noscript><div id=app></div>",) * 2,
        ("<h1>Just a moment...</h1><p>Checking your browser before accessing a.example.</p>",) * 2,
        ("<title>Sign in</title><form><input type=password></form>",) * 2,
        (b"\xef\xbb\xbf", b" "),
    ],
)
def test_pages_without_content_of_their_own_are_never_duplicates(bodies: tuple[str, str]) -> None:
    a, b = (Page(body, url=f"https://a.example/{number}") for number, body in enumerate(bodies))
    assert kind(a, b) == UNDETERMINED
    assert sameish.fingerprint(a).simhash is None


@pytest.mark.parametrize("broken", ["<title>{} <body>", "<title>{}</head><body>", "<title>{}<nav>"])
def test_unclosed_titles_do_not_make_articles_equal(broken: str) -> None:
    a, b = (Page(broken.format("Marram") + "".join(f"<p>{one}</p>" for one in text)) for text in (CLOCKS, BEES))
    assert kind(a, b) == DIFFERENT


def test_one_page_as_sent_and_as_dumped_by_a_browser_is_identical() -> None:
    text = [one.replace("clock", "Glöckchen").replace("the", "für die") for one in CLOCKS]
    html = str(page(*text).body).replace("<meta charset=utf-8>", "")
    headers = {"content-type": "text/html; charset=iso-8859-15"}
    assert kind(Page(html.encode("iso-8859-15"), headers=headers), Page(html.encode(), headers=headers)) == IDENTICAL


# histories


def at(day: int, one: Page) -> Page:
    moment = datetime(2024, 6, 1, tzinfo=UTC) + timedelta(days=day)
    return Page(one.body, url=one.url, status=one.status, fetched_at=moment)


@pytest.mark.parametrize("status", [200, 403, 503])
def test_a_challenge_between_two_captures_changes_nothing(status: int) -> None:
    wall = Page(
        "<title>Just a moment...</title><h1>a.example</h1><p>Checking your browser.</p>",
        url="https://a.example/clock",
        status=status,
    )
    other = Page(wall.body, url="https://a.example/bees", status=status)
    with sameish.open(":memory:") as detector:
        assert detector.observe(at(0, page(*CLOCKS, path="clock"))).kind == VerdictKind.NEW
        assert detector.observe(at(1, wall)).kind == VerdictKind.UNDETERMINED
        assert detector.observe(at(1, other)).kind == VerdictKind.UNDETERMINED
        assert detector.observe(at(2, page(*CLOCKS, path="clock"))).kind == VerdictKind.UNCHANGED


def test_an_apology_for_every_address_is_an_error_and_the_front_page_is_not() -> None:
    sorry = "<title>Oops</title><main><h1>We could not find that page</h1><p>It may have moved; start from the front page.</p></main>"
    for path in ("x7q-probe", "tide/tide/tide/"):
        assert sameish.extract(Page(sorry, url=f"https://a.example/{path}")).state is State.ERROR
    sections = "".join(
        f"<section><h2><a href=/{n}>Story {n}</a></h2><p>{text}</p></section>" for n, text in enumerate(CLOCKS)
    )
    front = f"<title>Marram Post</title><main><h1>Marram Post</h1>{sections}</main>"
    with sameish.open(":memory:") as detector:
        assert sameish.extract(Page(front)).state is State.CONTENT
        assert detector.observe(at(0, Page(front, url="https://b.example/"))).kind == VerdictKind.NEW
        assert detector.observe(at(1, Page(front, url="https://b.example/x7q-probe"))).kind == VerdictKind.DUPLICATE

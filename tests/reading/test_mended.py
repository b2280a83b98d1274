"""Kinds of fault that were found by trying to break the reading, each with its neighbours."""

from __future__ import annotations

import gc
import time

import pytest

import sameish
from sameish import Page
from sameish.models import State
from sameish.reading.names import rules_of_names
from sameish.stateless import extract

PROSE = "The council has approved a new winter timetable for the ferry that links the northern pier with the island."
MORE = "Residents told the hearing that the earlier finish would make shift work at the hospital almost impossible."


def noticed(before: str, after: str) -> bool:
    assert before != after
    return str(sameish.compare(Page(before), Page(after)).kind) == "near_duplicate"


@pytest.mark.parametrize(
    "markup",
    [
        "<ul><span>{}</span></ul>", "<ul>{}</ul>", "<ol><p>{}</p></ol>", "<ul><div><li>{}</li></div></ul>",
        "<ul><h3>{}</h3><li>One boat</li></ul>", "<table><caption>{}</caption><tr><td>Harrow<td>Senn</table>",
    ],
)  # fmt: skip
def test_text_where_html_allows_none_is_compared_all_the_same(markup: str) -> None:
    pages = [
        f"<main><h1>Ferries</h1><p>{PROSE}</p><p>{MORE}</p>{markup.format(price)}</main>"
        for price in ("Fare 4.50", "Fare 4.80")
    ]
    assert noticed(*pages)


@pytest.mark.parametrize(
    "facts",
    [
        "<dl><dt>Date<dd>{} May 2026<dt>Doors<dd>18:30<dt>Place<dd>Town hall<dt>Fee<dd>12 crowns<dt>Band<dd>The Seals</dl>",
        "<ul><li>Leaves at {}<li>From pier two<li>Bicycles free<li>Dogs on a lead<li>Cash only</ul>",
        "<p>{} people are missing</p><p>Ann Senn</p><p>Harrow</p><p>Monday</p><p>The pier at dusk</p>",
    ],
)
def test_facts_between_headline_and_prose_are_compared(facts: str) -> None:
    assert noticed(
        *(f"<main><h1>Concert</h1>{facts.format(number)}<p>{PROSE}</p><p>{MORE}</p></main>" for number in (3, 4))
    )


@pytest.mark.parametrize(
    "end",
    [
        "<a href=/w>Add to wish list</a><p>Price: {} EUR</p>",
        "<p><a href=/m>Manual as PDF</a></p><table><tr><th>Price<td>{} EUR</table>",
        "<p><a href=#top>Back to top</a></p><h2>Price</h2><p>{}</p>",
        "<table><tr><td>Lathe<td>{} EUR<tr><td>Press<td>18 EUR</table>",
        "<ul><li>Tea {}<li>Coffee 4.20</ul>",
        "<p>Fare {}</p>",
    ],
)
def test_what_follows_the_prose_is_compared(end: str) -> None:
    assert noticed(
        *(f"<main><h1>Ferries</h1><p>{PROSE}</p><p>{MORE}</p>{end.format(price)}</main>" for price in ("499", "399"))
    )


def test_a_price_high_above_the_description_is_compared_on_a_page_without_marks() -> None:
    lines = "".join(f"<p>{line}</p>" for line in ("Colour: blue", "Weight: 90 g", "In stock", "SKU 4711", "Size M"))
    assert noticed(
        *(f"<h1>Lamp</h1><p>{price} EUR</p>{lines}<p>{PROSE}</p><p>{MORE}</p>" for price in ("64.90", "46.90"))
    )


def test_nested_links_on_a_page_of_links_do_not_stop_the_reading() -> None:
    extract(Page("<a><div><div><div><div><div><div><ul><li><a>d"))


def test_code_keeps_its_blank_lines() -> None:
    markdown = extract(Page(f"<main><h1>Code</h1><p>{PROSE}</p><pre>a = 1\n\n\n\nb = 2</pre></main>")).markdown
    assert "a = 1\n\n\n\nb = 2" in markdown


@pytest.mark.parametrize(
    "question",
    [
        "When I start the client I get the message Access denied for user root, although the password is right.",
        "The form answers please enable cookies, although they are enabled in every browser that I have tried so far.",
        "A page asks are you a robot on each visit since the office moved to the new provider last week.",
    ],
)
def test_a_question_about_a_wall_is_no_wall(question: str) -> None:
    page = Page(f"<title>Help</title><main><h1>Login trouble</h1><p>{question}</p><p>{PROSE}</p><p>{MORE}</p></main>")
    assert extract(page).state is State.CONTENT


@pytest.mark.parametrize(
    "text",
    [
        "Error establishing a database connection",
        "Our website is down for scheduled maintenance. We are back at six.",
        "Fatal error: Uncaught Exception in index.php on line 12",
    ],
)
def test_a_site_that_failed_is_an_error(text: str) -> None:
    assert extract(Page(f"<title>Harbour News</title><body><p>{text}</p>")).state is State.ERROR


def test_an_article_about_maintenance_is_content() -> None:
    page = Page(
        f"<h1>Ferry down for maintenance until May</h1><p>{PROSE}</p><p>{MORE}</p>" + f"<p>{PROSE} {MORE}</p>" * 3
    )
    assert extract(page).state is State.CONTENT


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("/*<![CDATA[*/ ", " /*]]>*/"),
        ("//<![CDATA[\n", "\n//]]>"),
        ("<![CDATA[", "]]>"),
        ("<!--", "-->"),
        ("", ""),
        ("", ";"),
    ],
)
def test_data_in_the_wrappings_of_old_templates_is_read(before: str, after: str) -> None:
    data = f'{{"@type": "Article", "articleBody": "{PROSE} {MORE}"}}'
    page = Page(f'<div id=app></div><script type="application/ld+json">{before}{data}{after}</script>')
    assert any("winter timetable" in sentence for sentence in extract(page).sentences)


def test_many_offers_in_the_data_take_linear_time() -> None:
    def seconds(count: int) -> float:
        offers = ",".join(
            f'{{"price": "{number}.50", "priceCurrency": "EUR"}}' for number in range(10_000, 10_000 + count)
        )
        text = " ".join(f"{number}.50" for number in range(10_000, 10_000 + count))
        page = Page(f'<script type="application/ld+json">[{offers}]</script><main><h1>Prices</h1><p>{text}</p></main>')
        gc.collect()  # or the garbage of all tests before falls into one of the two
        start = time.process_time()
        extract(page)
        return time.process_time() - start

    seconds(100)
    assert seconds(8_000) < 8 * seconds(2_000) + 0.2


def test_many_articles_side_by_side_take_linear_time() -> None:
    def seconds(count: int) -> float:
        page = Page("".join(f"<article><p>{PROSE} {number}</p></article>" for number in range(count)))
        start = time.process_time()
        extract(page)
        return time.process_time() - start

    seconds(100)
    # the least of three: a collection of garbage that falls into one of them takes as long as all of it
    assert min(seconds(4_000) for _ in range(3)) < 8 * min(seconds(1_000) for _ in range(3)) + 0.2


def test_long_runs_of_combining_marks_take_linear_time() -> None:
    start = time.process_time()
    extract(Page(f"<main><p>{PROSE} a" + "\u0301\u0327" * 400_000 + "</p></main>"))
    assert time.process_time() - start < 5


def test_a_long_label_is_not_kept_in_memory() -> None:
    assert not rules_of_names({"advertisement " * 10_000})


def test_what_a_script_says_is_not_seen() -> None:
    prose = f"<main><h1>Ferries</h1><p>{PROSE}</p><p>{MORE}</p><p>{PROSE} {MORE}</p></main>"
    wall = "Subscribe to continue reading"
    assert extract(Page(f"<script>var wall = '{wall}';</script>{prose}")).state is State.CONTENT
    assert extract(Page(f"{prose}<div class=paywall>{wall}</div>")).state is State.PARTIAL
    assert (
        extract(Page(f"<script>{'a = 1; ' * 900}</script>{prose}<div class=paywall>{wall}</div>")).state
        is State.PARTIAL
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("0201 445 566", "0201 445 567"),
        ("+49 201 445566", "+49 201 445567"),
    ],
)
def test_a_telephone_number_that_is_linked_under_the_prose_is_compared(before: str, after: str) -> None:
    assert noticed(
        *(
            f"<main><h1>Ferries</h1><p>{PROSE}</p><p>{MORE}</p><p><a href=/c>{one}</a></p></main>"
            for one in (before, after)
        )
    )


def test_a_linked_date_under_the_prose_is_a_link_as_any_other() -> None:
    one, two = [
        f"<main><h1>Ferries</h1><p>{PROSE}</p><p>{MORE}</p><p><a href=/c>2026-05-{day}</a></p></main>"
        for day in ("03", "04")
    ]
    assert str(sameish.compare(Page(one), Page(two)).kind) == "identical"

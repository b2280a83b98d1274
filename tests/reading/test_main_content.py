from __future__ import annotations

import pytest

from sameish.models import Page
from sameish.reading import dom
from sameish.reading.main_content import choose, lay_out
from sameish.stateless import extract

A = (
    "The new gallery of the harbour museum opens with a room full of ropes, and visitors may touch all but two of them. The "
    "labels explain how each was twisted, tarred and tested in the long shed behind the customs house."
)
B = (
    "Further on, a film made from letters follows a young sailmaker through her first year at the yard. Her words are read by "
    "a woman who still works with canvas, now for the curtains of theatres."
)


def sentences(body: str) -> tuple[str, ...]:
    return extract(Page(f"<title>Ropes</title><body>{body}")).sentences


@pytest.mark.parametrize(
    "body",
    [
        f"<main><h1>Ropes</h1><p>{A}</p><p>{B}</p></main><p>Elsewhere</p>",
        f"<div id=content><p>{A}</p></div><div><p>{B}</p></div>",
        f"<article><p>{A}</p></article><article><p>{B}</p></article>",
        f"<main><p>Too few.</p></main><div><p>{A}</p><p>{B}</p></div>",
        f"<article><p>Related: four words.</p></article><section><p>{A}</p><p>{B}</p></section>",
        f"<div role=main></div><p>{A}</p><p>{B}</p>",
        f"<main>{A}<br><br>{B}</main>",
        f"<table><tr><td><article><p>{A}</p></article></td><td><p>{B}</p></td></tr></table>",
    ],
)
def test_no_choice_of_a_container_loses_the_prose(body: str) -> None:
    found = "\n".join(sentences(body))
    assert A.split(". ", maxsplit=1)[0] in found
    assert B.split(". ", maxsplit=1)[0] in found


@pytest.mark.parametrize(
    "tail",
    [
        "<table><tr><td>Adults<td>12 EUR</table>",
        "<ul><li>Adults | 12 EUR</ul>",
        "<p>Adults | 12 EUR</p>",
        "<dl><dt>Closed<dd>Adults | 12 EUR</dl>",
    ],
)
def test_prices_that_follow_the_prose_are_compared(tail: str) -> None:
    assert "Adults | 12 EUR" in sentences(f"<main><h1>Ropes</h1><p>{A}</p>{tail}</main>")


def test_short_sentences_between_the_prose_stay() -> None:
    assert "Not yet." in sentences(f"<main><p>{A}</p><p>Not yet.</p><p>{B}</p></main>")


def test_a_page_without_prose_is_read_whole() -> None:
    assert sentences("<p>Ten to six</p><p>Closed on Mondays</p>") == ("Ropes", "Ten to six", "Closed on Mondays")


def test_the_headline_is_the_first_line_of_the_content() -> None:
    layout = lay_out(dom.parse(f"<body><h1>Ropes</h1><p>{A}</p>"))
    assert layout.heading == (True, False)
    assert choose(layout) == (0, 2)


@pytest.mark.parametrize(
    ("body", "parts"),
    [
        ("<h1>One<br>two</h1><p>x", "title title body"),
        ("<h2>One</h2><h4>Two</h4><h5>Three</h5>", "headings headings body"),
        ("<p>x<ul><li>One<li>Two<ol><li>Three</ol></ul><p>y", "body lists lists lists body"),
        ("<ul><li><h2>One</h2><p>Two<pre>three\n  four</pre></ul>", "headings lists code code"),
        ("<ol><li><h3>One</h3>two</ol>", "lists headings lists"),
        ("<dl><dt>One<dd>Two</dl><p>x", "lists lists body"),
        ("<ul>Loose<li>One</li><p>Two</p></ul><p>x", "lists lists lists body"),
        ("<table><caption>One</caption><tr><td>Two<tr><td><ul><li>Three</ul></table>x", "captions tables tables body"),
        ("<ul><li>x<figure><img alt=One><figcaption>Two</figcaption></figure></ul>", "lists captions"),
        ("<blockquote><p>x<pre>one</pre><ul><li>Two</ul></blockquote>y", "body code lists body"),
        ("<pre>\n   one\n two\n</pre>x", "code code body"),
        ("<b><table><tr><td>One</table></b><p>x", "tables body"),
        ("<p>x</p><ul></ul><h2></h2><p>y", "body body"),
    ],
)
def test_every_line_is_of_the_part_that_tells_most(body: str, parts: str) -> None:
    document = dom.parse(f"<body>{body}")
    dom.mend_lists(document.select("ul"), document.select("caption"))
    assert lay_out(document).parts == tuple(parts.split())


def test_without_parts_only_headings_are_told() -> None:
    document = dom.parse(f"<body><h1>Ropes</h1><p>{A}</p><h2>Knots</h2><ul><li>{B}</ul>")
    with_parts, without = lay_out(document), lay_out(document, with_parts=False)
    assert with_parts.parts == ("title", "body", "headings", "lists")
    assert without.parts == ("title", "body", "headings", "body")
    assert (without.lines, without.heading) == (with_parts.lines, with_parts.heading)


def test_lists_in_lists_are_lists_however_deep() -> None:
    deep = "<ul><li>x" * 400
    assert set(lay_out(dom.parse(f"<body>{deep}")).parts) == {"lists"}


def test_a_line_is_mostly_a_link_though_the_next_link_begins_with_space() -> None:
    layout = lay_out(dom.parse("<body><p><a href=/a>Ropes</a></p><p><a href=/b>&nbsp;&nbsp;&nbsp;Knots</a></p>"))
    assert layout.linked == (True, True)


def test_markdown_is_of_the_article_that_was_chosen_and_not_of_a_smaller_one_with_the_same_ends() -> None:
    small = "<article><h2>Ropes</h2><p>Short.</p><p>Read on in the hall of the museum.</p></article>"
    body = f"<article><h2>Ropes</h2><p>{A}</p><p>{B}</p><p>{A}</p><p>Read on in the hall of the museum.</p></article>"
    assert A in extract(Page(f"{small}{body}")).markdown


def test_nothing_has_no_layout() -> None:
    for html in ("", "<body></body>", "<body>  \n </body>", "<br>", "<p>\u200b</p>"):
        layout = lay_out(dom.parse(html))
        assert choose(layout) == (0, len(layout.lines))


def test_a_headline_close_above_the_marked_content_belongs_to_it() -> None:
    head = "<h1>Ropes</h1><p>Harbour museum</p>"
    inside = sentences(f"<div id=content>{head}<p>{A}</p><p>{B}</p></div>")
    assert sentences(f"{head}<div id=content><p>{A}</p><p>{B}</p></div>") == inside
    assert "Harbour museum" in inside


def test_a_heading_that_shows_nothing_is_no_headline() -> None:
    anchor = "<h2><a href=#a>\u200b</a></h2>"
    assert "Harbour museum" in sentences(
        f"<h1>Ropes</h1><p>Harbour museum</p><div id=content>{anchor}<p>{A}</p><p>{B}</p></div>"
    )


def test_the_headline_is_the_heading_that_the_title_names() -> None:
    def read(between: str) -> tuple[str, ...]:
        body = f"<main><h2>The harbour archive</h2>{between}<h2>Knots and splices</h2><p>{A}</p><p>{B}</p></main>"
        return extract(Page(f"<title>Knots and splices</title><body>{body}")).sentences

    assert read("<p>Sails</p><p>Ropes</p>") == read("<p>Sails</p><p>Anchors</p><p>Ropes</p>")
    assert "Room 12" in read("<p>Sails</p><p>Room 12</p>")


def test_lines_under_the_first_heading_stay_where_the_title_names_none_or_that() -> None:
    body = f"<main><h2>Knots</h2><p>Closed on Mondays</p><h2>The harbour archive</h2><p>{A}</p><p>{B}</p></main>"
    for title in ("Knots and splices", "Knots - The harbour archive", "Sails", ""):
        found = extract(Page(f"<title>{title}</title><body>{body}")).sentences
        assert "Closed on Mondays" in found


TEASERS = "".join(
    f"<p><a href=/{number}>The footbridge number {number} reopens</a></p>{{between}}" for number in range(4)
)


@pytest.mark.parametrize("between", ["", "<p>5 hours ago</p>", "<p>By Ida Sorrel</p><p>12 comments</p>"])
def test_a_list_of_links_ends_the_content_whatever_noise_stands_in_it(between: str) -> None:
    plain = sentences(f"<main><h1>Ropes</h1><p>{A}</p><p>{B}</p></main>")
    assert sentences(f"<main><h1>Ropes</h1><p>{A}</p><p>{B}</p>{TEASERS.format(between=between)}</main>") == plain


@pytest.mark.parametrize("between", ["3 June 2024", "12 EUR", "20:00", "Not on Mondays"])
def test_links_with_facts_between_them_are_content(between: str) -> None:
    found = sentences(f"<main><h1>Ropes</h1><p>{A}</p><p>{B}</p>{TEASERS.format(between=f'<p>{between}</p>')}</main>")
    assert between in found
    assert "The footbridge number 3 reopens" in found

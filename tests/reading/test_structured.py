from __future__ import annotations

import json

import pytest

from sameish.models import Page, State
from sameish.stateless import extract

A = (
    "The new gallery of the harbour museum opens with a room full of ropes, and visitors may touch all but two of them. The "
    "labels explain how each was twisted, tarred and tested in the long shed behind the customs house."
)
B = (
    "Further on, a film made from letters follows a young sailmaker through her first year at the yard. Her words are read by "
    "a woman who still works with canvas, now for the curtains of theatres."
)


def shell(
    data: object, kind: str = "application/json", body: str = "<div id=root></div>", attributes: str = ""
) -> Page:
    text = data if isinstance(data, str) else json.dumps(data)
    return Page(f'<title>Museum</title><body>{body}<script type="{kind}" {attributes}>{text}</script>')


@pytest.mark.parametrize("kind", ["application/ld+json", "application/LD+JSON", "application/ld+json; charset=utf-8"])
@pytest.mark.parametrize(
    "wrap", [lambda one: one, lambda one: [one], lambda one: {"@graph": [{"@type": "Thing"}, one]}]
)
def test_the_article_in_json_ld_is_the_content_of_a_shell(kind: str, wrap: object) -> None:
    assert callable(wrap)
    found = extract(shell(wrap({"@type": "NewsArticle", "articleBody": f"{A}\n{B}"}), kind))
    assert found.state is State.CONTENT
    assert A in found.markdown
    assert B in found.markdown
    assert found.sentences[-1].startswith("Her words are read")


@pytest.mark.parametrize(
    "body", [[f"<p>{A}</p>", f"<p>{B}</p>"], {"html": f"<div><p>{A}</p><p>{B}</p></div>"}, f"{A}\n\n{B}"]
)
def test_the_article_in_page_data_is_the_content_of_a_shell(body: object) -> None:
    page = shell({"buildId": "x1", "props": {"article": {"body": body}}}, attributes='id="__NEXT_DATA__"')
    found = extract(page)
    assert A in found.markdown
    assert B in found.markdown
    assert "buildId" not in found.markdown
    assert "<p>" not in found.markdown


def test_two_shells_with_other_data_are_other_pages() -> None:
    one, other = (extract(shell({"a": [text, text.upper()]})).sentences for text in (A, B))
    assert not set(one) & set(other) - {"Museum"}


@pytest.mark.parametrize(
    "text",
    [
        '{"articleBody": "' + A + "\n" + B + '"}',
        '<!--{"articleBody": "' + A + " " + B + '"}-->',
        '{"articleBody": "' + A + " " + B + '"};',
        '{"articleBody": "\\ud800 ' + A + " " + B + ' \\u0000"}',
    ],
)
def test_json_with_common_faults_is_read(text: str) -> None:
    found = extract(shell(text, "application/ld+json"))
    assert "room full of ropes" in found.markdown
    assert "\0" not in found.markdown
    found.markdown.encode()


@pytest.mark.parametrize(
    "text", ["", "{", "[1, 2", "null", "1e999", "1" * 5000, '"' * 99, "[" * 100_000, '{"a":' * 100_000, "\x00"]
)
@pytest.mark.parametrize("kind", ["application/ld+json", "application/json"])
def test_broken_json_is_no_data(text: str, kind: str) -> None:
    assert extract(shell(text, kind)).state is State.EMPTY


def test_the_messages_of_a_program_do_not_hide_what_a_short_page_shows() -> None:
    messages = {str(n): f"Please fill in field number {n} of the form before you send it" for n in range(50)}
    found = extract(
        shell(messages, body="<main><h1>Contact</h1><p>Call us on 030 123 456 from nine to five.</p></main>")
    )
    assert found.sentences == ("Contact", "Call us on 030 123 456 from nine to five.")


def test_a_teaser_stays_above_the_article_in_the_data_and_is_not_said_twice() -> None:
    first = A.split(". ", maxsplit=1)[0] + "."
    found = extract(
        shell({"articleBody": f"{A}\n{B}" * 2}, "application/ld+json", body=f"<p>{first}</p><p>Lights: dim.</p>")
    )
    assert found.sentences.count(first) == 1
    assert "Lights: dim." in found.markdown
    assert B in found.markdown


def test_a_page_that_shows_its_article_does_not_repeat_it_from_the_data() -> None:
    found = extract(
        shell({"articleBody": f"{A} {B}"}, "application/ld+json", body=f"<main><p>{A}</p><p>{B}</p></main>")
    )
    assert found.markdown.count(A) == 1


PRODUCT = f"<main><h1>Trail lamp</h1><p>{A}</p></main>"


def offer(**facts: object) -> Page:
    data = {"@type": "Product", "name": "Lamp", "offers": {"@type": "Offer", **facts}}
    return shell(data, "application/ld+json", body=PRODUCT)


def test_price_and_availability_in_json_ld_are_compared() -> None:
    base = extract(offer(price="64.90", priceCurrency="EUR", availability="https://schema.org/InStock"))
    assert base.sentences[-2:] == ("offer price 64.90 EUR", "offer availability InStock")
    for changed in (
        offer(price="49.90", priceCurrency="EUR", availability="https://schema.org/InStock"),
        offer(price="64.90", priceCurrency="USD", availability="https://schema.org/InStock"),
        offer(price="64.90", priceCurrency="EUR", availability="http://schema.org/OutOfStock"),
    ):
        assert extract(changed).sentences != base.sentences


@pytest.mark.parametrize(
    ("price", "text", "named"),
    [
        ("64.90", "It costs 64.90 EUR.", True),
        ("64.90", "Es kostet 64,90 €.", True),
        ("299.00", "Price: 299", True),
        ("299", "Price: €299.00, delivered", True),
        (299, "Price: 299", True),
        ("64.90", "It costs 164.90 EUR.", False),
        ("64.90", "It costs 64.95 EUR.", False),
        ("64", "It costs 64.50 EUR.", False),
        ("299", "Price: 2990", False),
    ],
)
def test_a_price_that_the_text_names_is_not_said_twice(price: object, text: str, named: bool) -> None:
    data = {"offers": {"price": price, "priceCurrency": "EUR"}}
    found = extract(shell(data, "application/ld+json", body=PRODUCT.replace("</main>", f"<p>{text}</p></main>")))
    assert any(sentence.startswith("offer price") for sentence in found.sentences) is not named


def test_a_price_list_as_data_is_bounded() -> None:
    data = {"offers": [{"price": number} for number in range(10_000, 11_000)]}
    found = extract(shell(data, "application/ld+json", body=PRODUCT))
    assert sum(sentence.startswith("offer price") for sentence in found.sentences) == 50


@pytest.mark.parametrize("price", ["6\n4", "\ud800", "x" * 10_000, 1e300, -1, True, None, [1], {"a": 1}])
def test_any_price_gives_one_line_or_none(price: object) -> None:
    found = extract(offer(price=price))
    assert all("\n" not in sentence for sentence in found.sentences)
    "".join(found.sentences).encode()


def test_a_page_without_text_stays_empty_whatever_its_facts() -> None:
    assert extract(shell({"offers": {"price": 1}}, "application/ld+json")).state is State.EMPTY

from __future__ import annotations

import json

import pytest

from sameish.models import Page, State
from sameish.reading.extract import read
from sameish.settings import Weights
from sameish.stateless import extract

A = (
    "The council has approved a winter timetable for the ferry between the point and the island. From November the boat "
    "leaves every fifty minutes, and the last crossing back to the mainland moves from eleven to nine in the evening."
)


def mail(width: int) -> str:
    lines, line = [], ""
    for word in A.split():
        if len(line) + len(word) >= width:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return "\n".join([*lines, line])


@pytest.mark.parametrize("width", [60, 72, 80, 10_000])
def test_plain_text_reads_the_same_at_whatever_column_it_was_wrapped(width: int) -> None:
    page = Page(f"{mail(width)}\n\nYours,\nIda\n", headers={"content-type": "text/plain"})
    assert extract(page).sentences == (*A.replace(". ", ".|").split("|"), "Yours,", "Ida")


@pytest.mark.parametrize("mark", ["- ", "* ", "1. ", "> ", "# ", "  ", "Subject: "])
def test_items_of_plain_text_stay_apart(mark: str) -> None:
    line = "a line that is long enough to be wrapped by a mail program, or nearly"
    found = extract(Page(f"{mark}{line} one\n{mark}{line} two\n", headers={"content-type": "text/plain"}))
    assert len([one for one in found.sentences if one.endswith(("one", "two"))]) == 2


def test_a_date_at_the_end_of_a_wrapped_line_is_not_noise() -> None:
    text = "The council meets in the hall of the old fire station on the evening of\nMonday 3 June 2024\n"
    found = extract(Page(text, headers={"content-type": "text/plain"}))
    assert found.sentences[0].endswith("Monday 3 June 2024")


@pytest.mark.parametrize("kind", ["text/plain", "text/markdown; charset=utf-8", "TEXT/PLAIN"])
def test_markup_in_plain_text_is_text(kind: str) -> None:
    found = extract(Page(f"# Title\n\nUse <b>bold</b> & more. {A}\0", headers={"Content-Type": kind}))
    assert found.markdown == f"# Title\n\nUse <b>bold</b> & more. {A}"
    assert found.state is State.CONTENT


HTML = f"<!doctype html><html><body><h1>Ferry</h1><p>{A}</p></body></html>".encode()


@pytest.mark.parametrize(
    "kind",
    ["text/html", "application/xhtml+xml", "text/xml", "", "text", "unknown/unknown", "*/*", "application/octet-stream",
     "application/json", "text/x-unknown", "; charset=utf-8", "charset=utf-8", "html", "text/html, text/html"],
)  # fmt: skip
def test_a_page_is_a_page_whatever_kind_its_server_names(kind: str) -> None:
    found = extract(Page(HTML, headers={"content-type": kind}))
    assert A in found.markdown
    assert found.state is State.CONTENT


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"%PDF-1.7\n%\xe2\xe3\n1 0 obj <</Type /Catalog>>", "text/html"),
        (b"\x89PNG\r\n\x1a\n" + bytes(50), ""),
        (b"PK\x03\x04" + bytes(50), "text/html"),
        (bytes(range(256)) * 8, "text/html"),
        (b"7z\xbc\xaf\x27\x1c" + bytes(range(200, 0, -1)), ""),
        (b'{"a": "b"}', "application/json"),
        (b"a { color: red }", "text/css"),
        (b"let a = b < c;", "text/javascript"),
        (b"name;price\nlamp;64.90\n", "text/csv"),
        (b"<?xml version='1.0'?><urlset><url><loc>https://a.example/</loc></url></urlset>", "application/xml"),
        (b"<?xml version='1.0'?><urlset><url><loc>https://a.example/</loc></url></urlset>", ""),
        (b"<?xml version='1.0'?><data><row>1</row></data>", "text/xml"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><text>Hi</text></svg>", "image/svg+xml"),
    ],
)
def test_other_kinds_of_bytes_are_not_read(body: bytes, kind: str) -> None:
    found = extract(Page(body, headers={"content-type": kind}))
    assert found.state is State.NOT_HTML
    assert found.sentences == ()


def test_utf_16_is_text_although_it_is_full_of_nul_bytes() -> None:
    for codec in ("utf-16", "utf-16-le", "utf-16-be"):
        for text in (A, "Городской совет утвердил зимнее расписание парома. " * 5):
            assert extract(Page(text.encode(codec), headers={"content-type": "text/plain"})).markdown == text.strip()


def test_a_page_in_utf_16_is_a_page_whatever_kind_its_server_names() -> None:
    for kind in ("text/xml", "application/octet-stream", "text/html"):
        assert A in extract(Page(HTML.decode().encode("utf-16"), headers={"content-type": kind})).markdown


def test_the_headline_of_the_article_counts_and_not_the_name_of_the_site_above_it() -> None:
    found = extract(Page(f"<header><h1>Harbour Courier</h1></header><article><h1>Late ferry</h1><p>{A}</p></article>"))
    assert found.title == "Late ferry"
    assert found.sentences[0] == "Late ferry"


def test_headers_may_be_pairs_mappings_bytes_and_lists_in_any_case() -> None:
    body = "Straße".encode("latin-1")
    kinds = "text/html; charset=iso-8859-1"
    for headers in (
        {"Content-Type": kinds},
        [("CONTENT-TYPE", kinds)],
        {b"content-type": kinds.encode()},
        {b"Content-Type": [kinds.encode(), b"text/plain"]},
        ((b"content-TYPE", kinds),),
    ):
        assert extract(Page(body, headers=headers)).encoding_source == "header"


def test_one_text_in_many_guises() -> None:
    shapes = [
        f"<p>{A}</p>",
        f"<div>{A}</div>",
        f"<p>{A.replace(' the ', ' <b>the</b> ')}</p>",
        f"<p>{A.replace(' the ', '&nbsp;the ')}</p>",
        f"<p class=x-7f3>{A.replace(' ', chr(10))}</p><!-- 81 -->",
        f"<script>let n = 5</script><p>{A.replace('ferry', 'fer&shy;ry')}</p>",
        f"<p>{A.replace('From', '<a href=/x?utm_source=7>From</a>')}</p>",
    ]
    assert len({extract(Page(f"<title>Ferry</title><main>{shape}</main>")).sentences for shape in shapes}) == 1


def test_no_text_holds_nul_or_half_a_pair() -> None:
    for body in ("<title>a\0b</title><p>c\0d &#0; &#xD800; &#55358;&#56698;", "plain \0 \ud800"):
        found = extract(Page(body))
        for text in (found.markdown, found.title, *found.sentences):
            assert "\0" not in text
            text.encode()


def test_noise_is_set_aside_with_the_name_of_its_pattern() -> None:
    page = Page(f"<main><h1>Ferry</h1><p>Updated 3 June 2024</p><p>{A}</p><p>12 comments</p></main>")
    assert [one.pattern for one in extract(page).noise] == ["date line", "counter"]


def test_a_date_that_ends_a_sentence_is_part_of_it() -> None:
    found = extract(Page(f"<main><p>{A}</p><p>The fee is due on Fri. 3 June 2024.</p></main>"))
    assert " ".join(found.sentences).endswith("on Fri. 3 June 2024.")


def test_an_extract_without_markdown_has_the_same_sentences() -> None:
    for body in (f"<main><p>{A}</p></main>", f"<script type='application/json'>{json.dumps([A, A[::-1]])}</script>"):
        full, short = read(Page(body)), read(Page(body), with_markdown=False)
        assert (full.extract.sentences, full.weights, full.tags) == (short.extract.sentences, short.weights, short.tags)
        assert len(full.weights) == len(full.extract.sentences)


FARES = "<table><caption>Fares from June</caption><tr><td>Adults<td>12 EUR<tr><td>Children<td>free</table>"
WHOLE = f"<main><h1>Ferry</h1><h2>Winter</h2><p>{A}</p><ul><li>Bicycles travel free.</ul>{FARES}<pre>ferry --times</pre></main>"
PARTS = {
    "title": ["Ferry"], "headings": ["Winter"], "body": A.replace(". ", ".|").split("|"), "captions": ["Fares from June"],
    "lists": ["Bicycles travel free."], "code": ["ferry --times"], "tables": ["Adults   | 12 EUR", "Children | free"],
}  # fmt: skip


def weighed(html: str, **weights: int) -> dict[str, int]:
    found = read(Page(html), weights=Weights(**weights))
    return dict(zip(found.extract.sentences, found.weights, strict=True))


def calm(lines: list[str]) -> set[str]:
    return {" ".join(line.split()) for line in lines}


@pytest.mark.parametrize("part", PARTS)
def test_a_part_that_is_weighed_is_all_that_has_its_weight(part: str) -> None:
    found = weighed(WHOLE, **{part: 7})
    assert {sentence for sentence, weight in found.items() if weight == 7} == calm(PARTS[part])
    assert found.keys() == set().union(*map(calm, PARTS.values()))


@pytest.mark.parametrize("part", sorted(PARTS.keys() - {"body"}))
def test_a_part_that_weighs_nothing_is_not_compared(part: str) -> None:
    found = extract(Page(WHOLE), {"weights": {part: 0}})
    plain = extract(Page(WHOLE))
    assert set(found.sentences) == set(plain.sentences) - calm(PARTS[part])
    left_out = [one.text for one in found.noise if one.pattern == "weight 0"]
    assert left_out == [one for one in plain.sentences if one in calm(PARTS[part])]
    assert (found.markdown, found.state, found.reason) == (plain.markdown, plain.state, plain.reason)


@pytest.mark.parametrize("html", [FARES, f"<h1>Fares</h1>{FARES}", f"<title>Fares</title>{FARES}", "plain words only"])
def test_a_page_of_which_next_to_nothing_would_be_left_is_compared_whole(html: str) -> None:
    plain = extract(Page(html))
    found = read(Page(html), weights=Weights(tables=0, captions=0, body=0))
    assert found.extract.sentences == plain.sentences
    assert found.extract.noise == plain.noise
    assert set(found.weights) == {1}


def test_of_several_h1_only_the_headline_is_the_title() -> None:
    html = f"<h1>Harbour</h1><main><h1>The ferry<br>in winter</h1><p>{A}</p><h1>Fares</h1><p>{A[::-1]}</p></main>"
    found = weighed(html, title=5, headings=3)
    assert [one for one, weight in found.items() if weight == 5] == ["The ferry in winter", "The ferry", "in winter"]
    assert found["Fares"] == 3


def test_a_title_weighs_where_the_content_has_no_heading() -> None:
    assert weighed(f"<title>Ferry</title><p>{A}</p>", title=5)["Ferry"] == 5
    assert "Ferry" not in weighed(f"<title>Ferry</title><h2>Winter</h2><p>{A}</p>", title=5)


def test_text_and_data_weigh_as_the_body() -> None:
    text = read(Page(A, headers={"content-type": "text/plain"}), weights=Weights(body=4))
    assert set(text.weights) == {4}
    data = f"<title>Ferry</title><script type='application/json'>{json.dumps([A, A[::-1]])}</script>"
    assert weighed(data, title=5, body=4)["Ferry"] == 5
    assert set(weighed(data, title=5, body=4).values()) == {4, 5}

"""The links of a page."""

from __future__ import annotations

from sameish import Page
from sameish.reading.links import Link, links_of

HTML = """<html><head><base href="/shelf/"></head><body>
<a href=" two.html "> The
 <b>second</b> one</a> <a href="https://other.example/x"><img src="a.png"></a> <a name="top">no link</a> <a href="">none</a>
<map><area href="/north"></map><a href="http://[broken">broken</a></body></html>"""


def test_links_come_absolute_and_in_order() -> None:
    page = Page(HTML.encode(), "https://books.example/list?page=1")
    assert links_of(page) == [
        Link("The second one", "https://books.example/shelf/two.html"),
        Link("", "https://other.example/x"),
        Link("", "https://books.example/north"),
    ]


def test_text_and_bytes_are_read_alike_and_other_kinds_have_none() -> None:
    page = Page(HTML, "https://books.example/")
    assert links_of(page) == links_of(Page(HTML.encode(), "https://books.example/"))
    assert (
        links_of(Page(b"%PDF-1.7 <a href='/x'>x</a>", "https://books.example/", {"Content-Type": "application/pdf"}))
        == []
    )

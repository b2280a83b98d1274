from __future__ import annotations

import pytest

from sameish.models import Page
from sameish.stateless import extract

TEXT = "The last ferry leaves at nine in the evening, the council decided on Monday after a hearing of three hours."
RSS = (
    '<?xml version="1.0"?><rss version="2.0"><channel><title>Courier</title><link>https://a.example/</link>'
    "<description>News of the harbour</description><item><title>Late ferry</title><link>https://a.example/1</link>"
    "<pubDate>Mon, 04 Nov 2024 10:00:00 GMT</pubDate><description>{}</description></item>"
    "<item><title>Roof</title><description>Soon.</description></item></channel></rss>"
)
ATOM = (
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>Courier</title><entry><title>Late ferry</title>'
    '<link href="https://a.example/1"/><updated>2024-11-04T10:00:00Z</updated>{}</entry></feed>'
)


@pytest.mark.parametrize(
    "feed",
    [
        RSS.format(TEXT),
        RSS.format(f"<![CDATA[<p>{TEXT}</p><p>R&D > all</p>]]>"),
        RSS.format(f"&lt;p&gt;{TEXT}&lt;/p&gt;"),
        RSS.format(TEXT + " R&D&nbsp;more"),
        ATOM.format(f'<summary type="html">&lt;b&gt;{TEXT}&lt;/b&gt;</summary>'),
        ATOM.format(f'<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>{TEXT}</p></div></content>'),
    ],
)
@pytest.mark.parametrize("kind", ["application/rss+xml", "text/xml", "application/atom+xml; charset=utf-8", None])
def test_a_feed_is_read_as_its_titles_and_texts(feed: str, kind: str | None) -> None:
    found = extract(Page(feed, headers={"content-type": kind} if kind else {}))
    assert found.title == "Courier"
    assert "## Late ferry" in found.markdown
    assert TEXT in found.markdown
    assert "Late ferry" in found.sentences
    assert not any(mark in found.markdown for mark in ("CDATA", "]]>", "<p>", "https://", "pubDate", "10:00"))


@pytest.mark.parametrize("feed", [RSS.format(TEXT)[:300], "<rss>", "<feed>", "<rss><rss>" * 1000, "<feed \0>"])
def test_a_feed_that_is_cut_off_is_read_as_well_as_it_goes(feed: str) -> None:
    extract(Page(feed, headers={"content-type": "application/rss+xml"}))


def test_a_page_that_shows_feed_markup_is_a_page() -> None:
    page = Page(f"<html><body><h1>About</h1><p>{TEXT}</p><pre>&lt;rss></pre><rss></rss></body></html>")
    assert TEXT in extract(page).markdown

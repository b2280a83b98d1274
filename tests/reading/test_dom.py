from __future__ import annotations

import time

import pytest

from sameish.models import Page
from sameish.stateless import extract

TEXT = "The last ferry leaves at nine in the evening, the council decided on Monday after a hearing of three hours."


def read(html: str | bytes, kind: str = "text/html", url: str | None = "https://a.example/x/") -> tuple[str, str]:
    found = extract(Page(html, url=url, headers={"content-type": kind}))
    return found.title, found.markdown


@pytest.mark.parametrize(
    "html",
    [
        f"<title>Late ferry<meta charset=utf-8></head><body><p>{TEXT}</p>",
        f"<title>Late ferry</head><body><p>{TEXT}</p>",
        f"<title>Late ferry <p>{TEXT}</p>",
        f"<title>Late ferry<h1>Late ferry</h1><p>{TEXT}</p><svg><title>Icon</title></svg>" + "<p>and so on</p>" * 99,
        f"<TITLE lang=en>Late ferry<BODY><P>{TEXT}",
    ],
)
def test_a_title_that_is_not_closed_does_not_swallow_the_page(html: str) -> None:
    title, text = read(html)
    assert title == "Late ferry"
    assert TEXT in text


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("<title> Late \n ferry </title>", "Late ferry"),
        ("<title>How to use &lt;p> and <div> tags</title>", "How to use <p> and <div> tags"),
        ("<title></title><meta property='og:title' content='Late ferry'>", "Late ferry"),
        ("<meta property='og:title' content='Late ferry'>", "Late ferry"),
        ("<title>R&amp;D</title>", "R&D"),
        ("", "Heading"),
    ],
)
def test_the_title(head: str, title: str) -> None:
    assert read(f"<head>{head}</head><body><svg><title>Icon</title></svg><h1>Heading</h1><p>{TEXT}</p>")[0] == title


@pytest.mark.parametrize(
    ("href", "base", "url", "expected"),
    [
        ("https://b.example/y", "", "https://a.example/x/", "https://b.example/y"),
        ("y", "", "https://a.example/x/", "https://a.example/x/y"),
        ("y", "<base href='/z/'>", "https://a.example/x/", "https://a.example/z/y"),
        ("//b.example/y", "", "https://a.example/", "https://b.example/y"),
        ("http://[broken", "", "https://a.example/", None),
        ("", "", "https://a.example/", None),
    ],
)
def test_the_canonical_address(href: str, base: str, url: str, expected: str | None) -> None:
    page = Page(f"<head>{base}<link rel='Canonical x' href='{href}'></head><p>{TEXT}", url=url)
    assert extract(page).canonical_url == expected


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ("<html lang=' de-AT '>", "de-AT"),
        ("<html><meta http-equiv='Content-Language' content='fr'>", "fr"),
        ("<html lang=''>", None),
        ("<html>", None),
    ],
)
def test_the_language(html: str, language: str | None) -> None:
    assert extract(Page(f"{html}<p>{TEXT}")).language == language


def test_declarative_shadow_roots_are_read_and_other_templates_are_not() -> None:
    text = read(
        f"<x-story><template shadowrootmode=open><h1>Late ferry</h1><x-part><template shadowrootmode='closed'><p>{TEXT}</p>"
        f"</template></x-part><slot></slot></template><p>Hours: ten to six.</p></x-story><template><p>Row {TEXT}</p></template>"
    )[1]
    assert TEXT in text
    assert "# Late ferry" in text
    assert "Hours: ten to six." in text
    assert "Row" not in text


def test_deeply_nested_shadow_roots_are_read_in_linear_time() -> None:
    start = time.perf_counter()
    read("<x-a><template shadowrootmode=open>" * 5000 + TEXT)
    assert time.perf_counter() - start < 5


def shielded(address: str, key: int) -> str:
    return bytes([key, *(byte ^ key for byte in address.encode())]).hex()


@pytest.mark.parametrize("key", [0, 0x5A, 0xFF])
def test_a_shielded_mail_address_is_revealed(key: int) -> None:
    code = shielded("desk@harbour.example", key)
    text = read(
        f"<p>{TEXT} Write to <a href='/cdn#{code}'><span data-cfemail='{code}'>[protected]</span></a> today.</p>"
    )[1]
    assert "desk@harbour.example" in text
    assert "protected" not in text


@pytest.mark.parametrize("code", ["", "5", "zz", "5a3"])
def test_a_shielded_address_that_is_damaged_stays_as_it_is_shown(code: str) -> None:
    assert "protected" in read(f"<p>{TEXT} Write to <span data-cfemail='{code}'>[protected]</span> today.</p>")[1]


def test_xhtml_elements_may_close_themselves() -> None:
    html = (
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><script src="x.js"/><style/><title>T</title>'
        f'</head><body><a id="top"/><div class="ads"/><h1>Late ferry</h1><p>{TEXT}<br/>End</p></body></html>'
    )
    for kind in ("application/xhtml+xml", "text/xml; charset=utf-8"):
        title, text = read(html, kind)
        assert title == "T"
        assert TEXT in text


@pytest.mark.parametrize(
    "html",
    [
        f"<p>{TEXT}<p>Second<p>Third",
        f"<table><tr><td>{TEXT}<tr><td>Second<td>Third",
        f"<div><p>{TEXT}</div></p></span>Second<b><i>Third</b></i>",
        f"<body><body><html><p>{TEXT}</p></html><p>Second</p></body>Third",
        f"{TEXT}<div>Second</div>Third",
        f"<p>{TEXT}\0</p>\0Second<p\0>Third",
    ],
)
def test_broken_markup_loses_no_text(html: str) -> None:
    text = read(html)[1]
    assert all(part in text for part in (TEXT, "Second", "Third"))
    assert "\0" not in text


def test_frames_and_empty_documents_are_read_without_an_error() -> None:
    for html in (
        "<frameset><frame src=a><noframes>No frames</noframes></frameset>",
        "<html>",
        "<",
        "</",
        "<!",
        "&",
        "\0",
    ):
        read(html)


def test_the_addresses_of_translations() -> None:
    links = (
        "<link rel=alternate hreflang=fr href=/fr/x>"
        "<link rel='ALTERNATE nofollow' hreflang=x-default href='https://b.example/'>"
        "<link rel=alternate type=application/rss+xml href=/feed>"
        "<link rel=stylesheet hreflang=de href=/de.css>"
        "<link rel=alternate hreflang=de href=''>"
        "<link rel=alternate hreflang=de href='http://[::'>"
    )
    page = Page(f"<head>{links}</head><p>{TEXT}", url="https://a.example/x")
    assert extract(page).translations == ("https://a.example/fr/x", "https://b.example/")
    many = "".join(f"<link rel=alternate hreflang=de href=/{number}>" for number in range(1_000))
    assert len(extract(Page(f"<head>{many}</head><p>{TEXT}", url="https://a.example/x")).translations) == 50


def test_an_alternate_in_the_text_is_no_translation_of_the_page() -> None:
    page = Page(f"<p>{TEXT}<a rel=alternate hreflang=fr href=/fr/x>En français</a>", url="https://a.example/x")
    assert extract(page).translations == ()

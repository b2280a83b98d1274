"""What a page shows beside its words, told by the addresses of it."""

from __future__ import annotations

import pytest

from sameish import Page
from sameish.reading.extract import read

TEXT = (
    "The harbour at dawn, when the boats come in and the first crates of mackerel stand on the quay in the cold. " * 5
)


def _media(
    inside: str, around: str = "", url: str | None = "https://harbour.example/album/dawn?shot=1"
) -> tuple[str, ...]:
    return read(Page(f"<main><h1>Harbour</h1>{inside}<p>{TEXT}</p></main>{around}".encode(), url)).media


@pytest.mark.parametrize(
    ("shown", "address"),
    [
        ("<img src='/p/a-1.jpg'>", "/p/a-1."),
        ("<figure><img src=' /p/a-1.jpg '></figure>", "/p/a-1."),
        ("<img src='https://cdn3.harbour.example/p/a-1.webp?w=300&sig=5'>", "/p/a-1."),
        ("<img src='pic/a.png'>", "/album/pic/a."),
        ("<img src='/blank.gif' data-src='/p/a-1.jpg'>", "/p/a-1."),
        ("<img srcset='/p/a-1.jpg 480w, /p/a-2.jpg 960w'>", "/p/a-1."),
        ("<img src='/image.php?id=7'>", "/image.php?id=7"),
        ("<img src='/image?id=7'>", "/image?id=7"),
        ("<img src='data:image/png;base64,iVBORw0K'>", "data:image/png;base64,iVBORw0K"),
        ("<amp-img src='/p/a-1.jpg'></amp-img>", "/p/a-1."),
        ("<iframe src='https://player.example/embed/a7'></iframe>", "/embed/a7"),
        ("<iframe src='//player.example/watch?v=a7'></iframe>", "/watch?v=a7"),
        (
            "<iframe src='//like.example/b?size=2&u=https%3A%2F%2Fharbour.example%2Falbum%2Fdawn%3Fshot%3D1'></iframe>",
            "/b?size=2",
        ),
        ("<iframe src='//like.example/b?u=/album/dawn?shot=1'></iframe>", "/b"),
        ("<video><source src='/f/a.mp4?token=5'></video>", "/f/a.mp4"),
        ("<audio src='/f/a.mp3'></audio>", "/f/a.mp3"),
        ("<object data='/f/a.swf'><embed src='/f/a.swf'></object>", "/f/a.swf"),
        ("<p><a href='/f/a.zip'>Download</a></p>", "/f/a.zip"),
        ("<p><a href='/f?id=7' download>Download</a></p>", "/f?id=7"),
        ("<img src='http://[broken/a.jpg'>", "http://[broken/a.jpg"),
    ],
)
def test_what_is_shown_is_told_by_its_address(shown: str, address: str) -> None:
    assert _media(shown) == (address,)


@pytest.mark.parametrize(
    "shown",
    [
        "",
        "<img>",
        "<img src=''>",
        "<img srcset='  '>",
        "<img src='/count?nonce=83' width=1 height=1>",
        "<img src='/p/a.jpg' hidden>",
        "<div class='ad-slot'><img src='/banner-83.gif'></div>",
        "<iframe class='advertisement' src='/banner?nonce=83'></iframe>",
        "<nav><a href='/films'>More films</a><video src='/f/a.mp4'></video></nav>",
        "<p><a href='/album/dusk'>The same at dusk</a></p>",
    ],
)
def test_furniture_and_counters_are_no_media(shown: str) -> None:
    assert _media(shown, "<footer><img src='/logo-83.png'><a href='/terms.pdf'>Terms</a></footer>") == ()


def test_media_come_in_one_order_and_once() -> None:
    shown = "<img src='/b.jpg'>", "<img src='/a.jpg'>"
    assert _media("".join(shown) + shown[0]) == _media("".join(reversed(shown))) == ("/a.", "/b.")


def test_a_page_without_an_address_has_media_too() -> None:
    assert _media("<img src='a.jpg'>", url=None) == ("a.",)


def test_a_fingerprint_does_without() -> None:
    assert read(Page(b"<p>words<img src='/a.jpg'>"), whole=False).media == ()

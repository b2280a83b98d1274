"""Where on a site a page stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.urls.made_keys import KEYS

from sameish.urls.shapes import path_shape, shape_family

SHAPES = {
    "/": "/",
    "/list": "/list",
    "/list/": "/list",
    "/List?page=2": "/list",
    "/about-us": "/about-us",
    "/news/a-b-c": "/news/*",
    "/news/a-b-c.html": "/news/*",
    "/news/17/": "/news/*",
    "/article-17": "/article-#",
    "/article17.html": "/article#",
    "/harbour-walls-at-night": "/*",
    "/%E6%B8%AF": "/*",
    "/2024/05/x": "/#/*/*",
    "/2024/05/06/07/x": "/#/*/*/*",
    "/index.php": "/index.php",
    "/index.php;v=1": "/index.php",
    "/shop/view.aspx": "/shop/view.aspx",
    "/shop/a/view.aspx": "/shop/*/view.aspx",
    "/a1b2c3/x": "/a#b#c#/*",
}


@pytest.mark.parametrize(("path", "shape"), SHAPES.items())
def test_shape(path: str, shape: str) -> None:
    assert path_shape(f"https://quay.example{path}") == shape


def test_a_key_that_is_not_of_the_web_has_none() -> None:
    assert path_shape("urn:isbn:1") == ""


@pytest.mark.parametrize(
    ("shape", "family"),
    [
        ("/news/*", "/?/*"),
        ("/news", "/?"),
        ("/#/*/*", "/?/*/*"),
        ("/list.php", "/list.php"),
        ("/list.php/*", "/list.php/*"),
        ("/", "/"),
        ("", ""),
    ],
)
def test_family(shape: str, family: str) -> None:
    assert shape_family(shape) == family


@given(KEYS)
def test_a_shape_tells_nothing_from_the_fifth_segment_on(key: str) -> None:
    assert path_shape(key).count("/") <= 4

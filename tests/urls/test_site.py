"""The site of a URL: its registrable domain."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish.errors import SameishError
from sameish.urls.keys import url_key
from sameish.urls.site import site_of

SITES = {
    "https://quay.example/a": "quay.example",
    "https://www.harbour.quay.example/a": "quay.example",
    "http://shop.quay.co.uk:8080/": "quay.co.uk",
    "http://QUAY.Example./": "quay.example",
    "http://a.størm.no/": "xn--strm-hra.no",
    "http://www.食狮.公司.cn/": "xn--85x722f.xn--55qx5d.cn",
    "https://ann.github.io/page": "ann.github.io",
    "https://tides.blogspot.com/": "tides.blogspot.com",
    "https://github.io/": "github.io",
    "http://co.uk/": "co.uk",
    "http://city.kawasaki.jp/": "city.kawasaki.jp",  # an exception in the list
    "http://a.b.kawasaki.jp/": "a.b.kawasaki.jp",  # under a wildcard
    "http://harbour.quay.notlisted/": "quay.notlisted",
    "http://intranet:8080/a": "intranet",
    "http://127.0.0.1:8000/a": "127.0.0.1:8000",
    "http://127.1:80/a": "127.0.0.1",
    "http://0x7f.1..:8000/a": "127.0.0.1:8000",
    "http://ann:pw@192.0.2.7:81/": "192.0.2.7:81",
    "https://[2001:DB8::1]:8443/": "[2001:db8::1]:8443",
    "https://[::1]/": "[::1]",
    "http://localhost:8000/": "localhost:8000",
    "http://localhost/": "localhost",
    "http://LOCALHOST.:8000/": "localhost:8000",
    "ftp://files.quay.example/": "quay.example",
    "http://quay.example;jsessionid=1A.n2?p=1": "quay.example",
    "file:///srv/pages/a.html": "file:",
    "file://server/share/a.html": "file:",
    "urn:isbn:0451450523": "urn:",
    "data:text/plain,tide": "data:",
    " https://quay.example/\n": "quay.example",
    "": "",
    "quay.example/a": "",
    "//quay.example/a": "",
    "/a": "",
    "http://two words/": "",
    "http://": "",
}


@pytest.mark.parametrize(("url", "site"), SITES.items())
def test_site(url: str, site: str) -> None:
    assert site_of(url) == site


def test_no_url_is_no_site() -> None:
    assert site_of(None) == ""


def test_what_is_no_str_is_refused() -> None:
    with pytest.raises(SameishError, match="expected str"):
        site_of(b"http://quay.example/")  # type: ignore[arg-type]  # the wrong type is the point


@pytest.mark.parametrize("url", SITES)
def test_a_key_has_the_site_of_its_url(url: str) -> None:
    assert site_of(url_key(url)) == site_of(url)


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_has_a_site_or_none(text: str) -> None:
    site_of(text).encode()
    site_of(f"http://{text}/").encode()


def test_the_suffix_list_is_read_when_first_needed() -> None:
    program = (
        "import sys, sameish.urls.site as s; s.site_of('file:///a'); s.site_of('http://127.0.0.1/'); "
        "assert 'publicsuffixlist' not in sys.modules; s.site_of('http://a.example/'); assert 'publicsuffixlist' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)

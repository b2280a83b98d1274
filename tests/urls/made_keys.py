"""Canonical keys for property tests: of one site, and alike enough to meet."""

from __future__ import annotations

from hypothesis import strategies as st

from sameish.urls.keys import url_key

_segments = st.sampled_from(
    [
        "a",
        "B",
        "print",
        "m",
        "index.html",
        "x.HTM",
        "",
        "a;v=1",
        "print;w",
        "%C3%A9.php",
        "..html",
        "a.b",
        ";q=2",
        "(X)",
    ]
)
_pieces = st.sampled_from(["x=1", "x=2", "y=1", "y=", "print", "print=1", "=3", "sid=abc", "a%5B%5D=1", "z"])


@st.composite
def _urls(draw: st.DrawFn) -> str:
    scheme = draw(st.sampled_from(["http", "https"]))
    host = draw(
        st.sampled_from(["quay.example", "m.quay.example", "www.m.quay.example", "127.0.0.1", "x.co.uk", "co.uk"])
    )
    port = draw(st.sampled_from(["", "", ":8080"]))
    user = draw(st.sampled_from(["", "", "ann@"]))
    path = "".join(f"/{one}" for one in draw(st.lists(_segments, max_size=5)))
    query = "&".join(draw(st.lists(_pieces, max_size=4)))
    tail = draw(st.sampled_from(["", "", "#!p?q=1"]))
    return f"{scheme}://{user}{host}{port}{path or '/'}{'?' if query else ''}{query}{tail}"


KEYS = _urls().map(url_key)
ASPECTS = st.sets(
    st.sampled_from(
        [
            *("query:x", "query:x=1", "query:y", "query:print", "query:sid", "query:", "bare:print", "bare:z"),
            *("path_param:v", "path_param:w", "path_param:q", "prefix:m", "prefix:a", "suffix:print", "suffix:a"),
            *("index:index.html", "extension:.html", "extension:.HTM", "extension:.php", "case", "slash", "scheme"),
            *("host:m", "host:www", "no aspect", "query"),
        ]
    )
)

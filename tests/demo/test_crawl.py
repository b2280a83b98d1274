"""The crawl: what it holds, that its pages say what the truth says they say, and that it never changes by itself."""

from __future__ import annotations

import gzip
import html
import re
import time
from collections import Counter
from functools import cache

import pytest

from sameish.demo import Category, Crawl, DemoCapture, make_crawl
from sameish.demo.diary import Via
from sameish.models import VerdictKind

UNCHANGED, UPDATED, UNDETERMINED = VerdictKind.UNCHANGED, VerdictKind.UPDATED, VerdictKind.UNDETERMINED


@cache
def crawl() -> Crawl:
    return make_crawl(seed=1)


def full_text(capture: DemoCapture) -> str:
    """The whole page as text, everything included, white space and tags out."""
    return _squeezed(_source(capture))


def _source(capture: DemoCapture) -> str:
    body, headers = capture.body, dict(capture.headers)
    if headers.get("Transfer-Encoding") == "chunked":
        body = _dechunked(body)
    if headers.get("Content-Encoding") == "gzip":
        body = gzip.decompress(body)
    declared = re.search(rb'<meta charset="([^"]+)"', body)
    return body.decode(declared[1].decode() if declared else "utf-8")


def _dechunked(body: bytes) -> bytes:
    out = b""
    while size := int(body.split(b"\r\n", 1)[0], 16):
        start = body.index(b"\r\n") + 2
        out, body = out + body[start : start + size], body[start + size + 2 :]
    return out


def _squeezed(source: str) -> str:
    source = re.sub(r"<(script|style).*?</\1>", "", source, flags=re.DOTALL)
    return re.sub(r"\s+", "", html.unescape(re.sub(r"<[^>]+>", "", source)))


def of(*categories: Category) -> list[DemoCapture]:
    return [capture for capture in crawl().captures if capture.expected.category in categories]


def test_it_is_large_and_quick_to_make() -> None:
    start = time.process_time()
    assert len(make_crawl(seed=2).captures) >= 140
    assert time.process_time() - start < 2


def test_every_category_is_there() -> None:
    counts = Counter(capture.expected.category for capture in crawl().captures)
    assert set(counts) == set(Category)
    assert counts[Category.NOISE] >= 30
    assert counts[Category.EDIT] >= 20


def test_every_verdict_is_expected_somewhere() -> None:
    alone = {
        kind for capture in crawl().captures if len(capture.expected.kinds) == 1 for kind in capture.expected.kinds
    }
    assert alone == set(VerdictKind)


@pytest.mark.parametrize(
    ("category", "kinds"),
    [
        (Category.NOISE, {UNCHANGED}),
        (Category.TRACKING, {UNCHANGED}),
        (Category.REDESIGN, {UNCHANGED}),
        (Category.REVISIT, {UNCHANGED}),
        (Category.EDIT, {UPDATED, VerdictKind.NEAR_DUPLICATE}),
        (Category.DUPLICATE, {VerdictKind.DUPLICATE, UNCHANGED}),
        (Category.NEW, {VerdictKind.NEW, VerdictKind.NEAR_DUPLICATE}),
        (Category.LIST, {VerdictKind.NEW, UNCHANGED, UPDATED}),
        (Category.ERROR, {UNDETERMINED}),
    ],
)
def test_a_category_allows_its_verdicts_only(category: Category, kinds: set[VerdictKind]) -> None:
    assert {kind for capture in of(category) for kind in capture.expected.kinds} == kinds


def test_times_only_grow_and_stay_within_two_weeks() -> None:
    times = [capture.fetched_at for capture in crawl().captures]
    assert times == sorted(set(times))
    assert 8 <= (times[-1] - times[0]).days <= 14


def test_pages_hold_every_line_of_their_wording() -> None:
    for capture in crawl().captures:
        if capture.wording and capture.via is Via.RESPONSE and "pdf" not in capture.url:
            text = full_text(capture)
            for line in capture.wording.splitlines():
                for cell in line.split(" | "):
                    assert _squeezed(html.escape(cell)) in text, (capture.url, cell)


def test_an_edited_page_cannot_be_taken_for_the_one_before() -> None:
    last: dict[str, DemoCapture] = {}
    for capture in crawl().captures:
        before = last.get(capture.url)
        if before and capture.expected.category is Category.EDIT and "pdf" not in capture.url:
            assert not _says_all(capture, before) or not _says_all(before, capture), capture.expected.what
        if capture.wording:
            last[capture.url] = capture


def _says_all(page: DemoCapture, other: DemoCapture) -> bool:
    text = full_text(page)
    return all(
        _squeezed(html.escape(cell)) in text for line in other.wording.splitlines() for cell in line.split(" | ")
    )


@pytest.mark.parametrize("category", [Category.NOISE, Category.TRACKING, Category.REDESIGN, Category.DUPLICATE])
def test_noise_leaves_the_words_and_moves_the_bytes(category: Category) -> None:
    earlier: dict[str, set[bytes]] = {}
    for capture in crawl().captures:
        if capture.expected.category is category and "pdf" not in capture.url:
            assert capture.wording in earlier
            assert capture.body not in earlier[capture.wording], capture.expected.what
        earlier.setdefault(capture.wording, set()).add(capture.body)


def test_a_lone_aspect_moves_nothing_else() -> None:
    last: dict[str, DemoCapture] = {}
    for capture in crawl().captures:
        if "and nothing else" in capture.expected.what:
            lines, before = (_source(one).splitlines() for one in (capture, last[capture.url]))
            moved = [line for line in lines if line not in before]
            assert len(moved) < 12, (capture.expected.what, moved)
        last[capture.url] = capture


def test_codings_and_encodings_of_all_kinds_are_there() -> None:
    headers = [dict(capture.headers) for capture in crawl().captures]
    coded = {(one.get("Content-Encoding"), one.get("Transfer-Encoding")) for one in headers}
    assert coded == {(None, None), ("gzip", None), (None, "chunked"), ("gzip", "chunked")}
    assert {"text/html; charset=windows-1251", "text/html; charset=gb18030"} <= {
        one["Content-Type"] for one in headers if "Content-Type" in one
    }
    assert any(b'charset="shift_jis"' in capture.body for capture in crawl().captures)


def test_revisits_name_what_they_revisit() -> None:
    known = {(capture.url, capture.fetched_at): capture for capture in crawl().captures}
    revisits = [capture for capture in crawl().captures if capture.original]
    assert {capture.via for capture in revisits} == {Via.NOT_MODIFIED, Via.SAME_PAYLOAD}
    for capture in revisits:
        assert capture.original
        original = known[capture.original.url, capture.original.fetched_at]
        assert capture.wording == original.wording
        if capture.via is Via.SAME_PAYLOAD:
            assert (capture.body, capture.payload_digest) == (original.body, original.payload_digest)


def test_pages_are_what_the_product_takes() -> None:
    for capture in crawl().captures:
        page = capture.page
        assert (page.url, page.status, page.fetched_at) == (capture.url, capture.status, capture.fetched_at)


def test_another_seed_gives_other_noise_around_the_same_words() -> None:
    other = make_crawl(seed=7)
    pairs = list(zip(crawl().captures, other.captures, strict=True))
    assert all(one.wording == two.wording and one.expected == two.expected for one, two in pairs)
    assert sum(one.body != two.body for one, two in pairs) > 150

"""The truth of the demo, on answers made for it."""

from __future__ import annotations

import pytest

from sameish.demo.site import Answer, Standing
from sameish.demo.truth import Truth, loose_key, strict_key
from sameish.models import VerdictKind

NEW, UNCHANGED, UPDATED = VerdictKind.NEW, VerdictKind.UNCHANGED, VerdictKind.UPDATED
DUPLICATE, NEAR, UNDETERMINED = VerdictKind.DUPLICATE, VerdictKind.NEAR_DUPLICATE, VerdictKind.UNDETERMINED
A, B = "https://www.site.example/a", "https://www.site.example/b"


def answer(wording: str, *, family: str = "story", standing: Standing = Standing.FULL) -> Answer:
    return Answer(200, (), b"", standing, wording, family)


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([(A, answer("one"))], {NEW}),
        ([(A, answer("one")), (A, answer("one"))], {UNCHANGED}),
        ([(A, answer("one")), (A, answer("two"))], {UPDATED}),
        ([(A, answer("one")), (A, answer("two")), (A, answer("one"))], {UPDATED}),
        ([(A, answer("one")), (A + "?utm_source=x", answer("one"))], {UNCHANGED}),
        ([(A, answer("one")), (B, answer("one"))], {DUPLICATE}),
        ([(A, answer("one")), (B, answer("two"))], {NEAR}),
        ([(A, answer("one")), (B, answer("two", family="other"))], {NEW}),
        ([(A, answer("one")), (A, answer("two")), (B, answer("one"))], {DUPLICATE, NEAR}),
        ([(A, answer("one")), (A + "/", answer("one"))], {DUPLICATE, UNCHANGED}),
        ([(A, answer("", standing=Standing.REFUSED))], {UNDETERMINED}),
        ([(A, answer("one")), (A, answer("", standing=Standing.REFUSED)), (A, answer("one"))], {UNCHANGED}),
        ([(A, answer("on", standing=Standing.PARTIAL))], {NEW, UNDETERMINED}),
        ([(A, answer("one")), (A, answer("on", standing=Standing.PARTIAL))], {UPDATED, UNDETERMINED}),
        (
            [(A, answer("one")), (A, answer("on", standing=Standing.PARTIAL)), (A, answer("one"))],
            {UNCHANGED, UPDATED},
        ),
    ],
)
def test_the_last_of_some_captures(steps: list[tuple[str, Answer]], expected: set[VerdictKind]) -> None:
    truth = Truth()
    assert [truth.judge(url, one) for url, one in steps][-1] == expected


@pytest.mark.parametrize(
    "url",
    [
        A + "?utm_source=x&utm_medium=y",
        A + "?fbclid=1",
        A + ";jsessionid=9F",
        A + "?PHPSESSID=1",
        A + "#part",
        A.replace("www.site", "WWW.Site"),
    ],
)
def test_one_key_for_certain(url: str) -> None:
    assert strict_key(url) == strict_key(A)


@pytest.mark.parametrize("url", [A + "/", A.replace("https", "http"), A.replace("www.", ""), A + "?sid=1"])
def test_one_key_perhaps(url: str) -> None:
    assert strict_key(url) != strict_key(A)
    assert loose_key(url) == loose_key(A)


@pytest.mark.parametrize("url", [A + "?ref=x", A + "?page=1", A.replace("www.", "m."), A.replace("/a", "/print/a")])
def test_two_keys(url: str) -> None:
    assert loose_key(url) != loose_key(A)

"""Pages under one text that show different pictures: the verdict says so, and rules are learned from the text alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

import sameish
from sameish import Detector, Page
from sameish.gate.contents import Content, content_kept, content_of
from sameish.models import VerdictKind
from sameish.stores.gate_state import Visit, hash_key
from sameish.urls.keys import url_key

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
TEXT = "Album {0}: the walk from {0} to the mill took {0} hours, and at {0} the light was what we had come for. " * 4
SHOWN = {
    "picture": "<figure><img src='/p/{0}.jpg' alt=''></figure>",
    "player": "<iframe src='https://player.example/{0}'></iframe>",
    "file": "<p><a href='/f/{0}.zip'>Download</a></p>",
}


def page(album: int, query: str, shown: str, at: datetime = NOON) -> Page:
    html = f"<main><h1>Album</h1>{shown}<p>{TEXT.format('x' * album + str(album))}</p></main>"
    return Page(html, f"https://walks.example/album/the-walk-{album}{query}", fetched_at=at)


def _rules(detector: Detector) -> set[str]:
    return set(detector.gate.sites.of("walks.example").acting.standings)


def test_what_rotates_keeps_no_rule_from_being_learned() -> None:
    with sameish.open(":memory:", clock=lambda: NOON) as detector:
        for album in range(5):
            for shot in range(3):
                detector.observe(page(album, f"?shot={album}x{shot}", f"<img src='/banner-{album * 3 + shot}.gif'>"))
        assert _rules(detector) == {"query:shot"}


@pytest.mark.parametrize("shown", ["", *SHOWN.values()])
def test_a_parameter_under_which_the_same_is_shown_is(shown: str) -> None:
    with sameish.open(":memory:", clock=lambda: NOON) as detector:
        for album in range(5):
            for shot in range(3):
                detector.observe(page(album, f"?shot={album}x{shot}", shown.format(album)))
        assert _rules(detector) == {"query:shot"}


def test_a_version_without_the_pictures_is_the_same_page() -> None:
    with sameish.open(":memory:", clock=lambda: NOON) as detector:
        for album in range(6):
            detector.observe(page(album, "", SHOWN["picture"].format(album)))
            verdict = detector.observe(page(album, "?only=text", ""))
            assert (verdict.kind, verdict.other_media) == (VerdictKind.DUPLICATE, False)
        assert _rules(detector) == {"query:only"}


def _taught() -> Detector:
    detector = sameish.open(":memory:", clock=lambda: NOON)
    for album in range(6):
        for query in ("", f"?shot={album}1", f"?shot={album}2"):
            detector.observe(page(album, query, SHOWN["picture"].format(album)))
    assert _rules(detector) == {"query:shot"}
    return detector


def test_a_visit_of_an_earlier_version_tells_nothing_of_media() -> None:
    with _taught() as detector:
        key = hash_key(url_key("https://walks.example/album/the-walk-1"))
        visit = detector.store.visit(key)
        assert visit is not None
        capture = detector.cached("https://walks.example/album/the-walk-1")
        assert capture is not None
        assert content_kept(visit) == content_kept(visit, capture.fingerprint)
        kept = content_kept(replace(visit, digest=capture.fingerprint.digest), capture.fingerprint)
        assert kept == content_of(capture.fingerprint)


@pytest.mark.parametrize("way", SHOWN)
def test_the_verdict_says_that_a_duplicate_shows_something_else(way: str) -> None:
    with sameish.open(":memory:", clock=lambda: NOON) as detector:
        detector.observe(page(1, "?shot=1", SHOWN[way].format(1)))
        other, same = (page(1, f"?shot={shot}", SHOWN[way].format(shot % 2)) for shot in (2, 3))
        assert detector.check(other).other_media
        verdict = detector.observe(other)
        assert (verdict.kind, verdict.other_media) == (VerdictKind.DUPLICATE, True)
        assert not detector.check(same).other_media


def test_a_content_is_kept_in_sixteen_bytes() -> None:
    content = Content(2**64 - 1, 7)
    visit = Visit(1, 1, "walks.example", "https://walks.example/", NOON, digest=content.digest)
    assert len(content.digest) == 16
    assert content_kept(visit) == content
    assert content_kept(replace(visit, digest=None)) is None


def test_pages_without_media_are_told_by_their_text() -> None:
    assert Content(5, 0) == Content(5)
    assert Content(5, 1).shows_like(Content(5))
    assert not Content(5, 1).shows_like(Content(5, 2))


def test_sessions_in_the_addresses_of_media_tell_nothing() -> None:
    with sameish.open(":memory:", clock=lambda: NOON) as detector:
        for number in range(2):
            shown = f"<img src='/picture?id=7&PHPSESSID=77c2b91d04e8aa3{number}'><img src='/b.jpg?sid={number}'>"
            verdict = detector.observe(page(1, f"?from={number}", shown))
        assert (verdict.kind, verdict.other_media) == (VerdictKind.DUPLICATE, False)

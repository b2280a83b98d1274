"""Hosts that make an ETag for each URL."""

from __future__ import annotations

from sameish.revisit.own_etags import OwnEtags

SITE = "https://quay.example"


def _told(*answers: tuple[str | None, str, int]) -> list[bool]:
    seen = OwnEtags()
    return [seen.see(etag, SITE + path, content) for etag, path, content in answers]


def test_three_contents_that_came_with_two_etags_under_two_urls_tell() -> None:
    answers = [(f'"{path}{content}"', f"/{content}?{path}", content) for content in range(3) for path in "ab"]
    assert _told(*answers) == [False, False, False, False, False, True]


def test_one_content_with_one_etag_under_two_urls_speaks_against_it_for_good() -> None:
    own = [(f'"{path}{content}"', f"/{content}?{path}", content) for content in range(9) for path in "ab"]
    assert not any(_told(('"x"', "/x?a", 99), ('W/"x-gzip"', "/x?b", 99), *own))


def test_pages_that_change_and_answers_without_etag_tell_nothing() -> None:
    changed = [(f'"{version}"', f"/{page}", 10 * page + version) for page in range(5) for version in range(3)]
    again = [(f'"{load}"', "/a", 7) for load in range(9)]
    assert not any(_told(*changed, *again, (None, "/b", 7), (None, "/c", 7)))


def test_what_was_met_long_ago_is_forgotten() -> None:
    seen = OwnEtags()
    for content in range(3_000):
        seen.see('"a"', f"{SITE}/{content}", content)
    assert len(seen.first) <= 1_024

"""Hosts that send one ETag for several contents."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameish.revisit.shared_etags import SentEtags, sent_etag

SITE = "https://quay.example"


def told(*answers: tuple[str | None, str, int]) -> list[bool]:
    """Return after which answers (ETag, path, content) an ETag has come with several contents."""
    sent, said = SentEtags(), list[bool]()
    for etag, path, content in answers:
        sent, shared = sent_etag(sent, etag, SITE + path, content)
        said.append(shared)
    return said


@pytest.mark.parametrize("etag", ['"build-41"', 'W/"3e8-66"', "3e8-66"])
def test_one_etag_for_two_contents_is_found_at_once(etag: str) -> None:
    assert told((etag, "/a", 1), ('"x"', "/b", 2), (etag, "/c", 3)) == [False, False, True]


@pytest.mark.parametrize(
    ("one", "other"), [('"3e8"', 'W/"3e8"'), ('"3e8-gzip"', '"3e8"'), ('"3e8--gzip"', 'W/"3e8-br"')]
)
def test_weakness_and_compression_make_no_other_etag(one: str, other: str) -> None:
    assert told((one, "/a", 1), (other, "/b", 2)) == [False, True]


@pytest.mark.parametrize(
    "answers",
    [
        (('"a"', "/a", 1), ('"a"', "/a?print=1", 1)),  # one page at two addresses
        (('"a"', "/a", 1), ('"a"', "/a", 2)),  # a page that changed
        (('"a"', "/a", 1), ('"b"', "/b", 2)),
        ((None, "/a", 1), (None, "/b", 2)),
        (("", "/a", 1), ("", "/b", 2)),
    ],
)
def test_what_is_no_shared_etag(answers: tuple[tuple[str | None, str, int], ...]) -> None:
    assert told(*answers) == [False] * len(answers)


@given(
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 3), st.integers(0, 2**64 - 1)), max_size=600),
)
def test_a_bounded_number_is_remembered(answers: list[tuple[int, int, int]]) -> None:
    sent = SentEtags()
    for etag, path, content in answers:
        sent, _ = sent_etag(sent, f'"{etag}"', f"{SITE}/{path}", content)
    assert len(sent.senders) <= 256
    stored = msgspec.msgpack.encode(sent)
    assert len(stored) < 256 * 30
    assert msgspec.msgpack.decode(stored, type=SentEtags) == sent


def test_the_one_met_longest_ago_is_forgotten() -> None:
    answers = [('"old"', "/a", 1), *((f'"{n}"', f"/{n}", n) for n in range(255)), ('"old"', "/b", 2)]
    assert told(*answers)[-1] is True
    assert told(answers[0], *answers[1:-1], ('"new"', "/n", 9), answers[-1])[-1] is False

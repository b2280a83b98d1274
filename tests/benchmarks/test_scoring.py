from __future__ import annotations

import pytest
from benchmarks.labelled import Pair
from benchmarks.scoring import DIFFERENT, IDENTICAL, NEAR, QUESTIONS, UNDETERMINED, share_right

from sameish.models import ComparisonKind

BY_NAME = {question.name: question for question in QUESTIONS}


def pair(kind: str, sub: str = "") -> Pair:
    return Pair("a", "b", kind, sub=sub)


@pytest.mark.parametrize(
    ("name", "kind", "right"),
    [
        ("noise not called a change", "same", {IDENTICAL}),
        ("noise at least near", "same", {IDENTICAL, NEAR}),
        ("small edits noticed", "minor", {NEAR, DIFFERENT}),
        ("small edits same article", "minor", {IDENTICAL, NEAR}),
        ("edits noticed", "changed", {NEAR, DIFFERENT}),
        ("another page is another page", "different", {DIFFERENT, UNDETERMINED}),
        ("another page never skipped", "different", {NEAR, DIFFERENT, UNDETERMINED}),
    ],
)
def test_what_counts_as_right(name: str, kind: str, right: set[ComparisonKind]) -> None:
    for answer in ComparisonKind:
        assert share_right(BY_NAME[name], [pair(kind)], [answer]) == float(answer in right)
    assert share_right(BY_NAME[name], [], []) is None


def test_of_a_redesigned_page_near_is_enough() -> None:
    redesigned = pair("same", "ota-redesign")
    assert share_right(BY_NAME["noise not called a change"], [redesigned, pair("same")], [NEAR, IDENTICAL]) == 1
    assert share_right(BY_NAME["noise at least near"], [redesigned, pair("same")], [DIFFERENT, NEAR]) == 0.5


def test_a_page_that_is_gone_need_not_be_compared() -> None:
    assert share_right(BY_NAME["edits noticed"], [pair("changed", "ota-lost")], [UNDETERMINED]) == 1
    assert share_right(BY_NAME["edits noticed"], [pair("changed", "ota-lost")], [IDENTICAL]) == 0

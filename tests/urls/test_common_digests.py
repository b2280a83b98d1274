"""Contents that stand at unrelated addresses."""

from __future__ import annotations

from datetime import UTC, datetime

from sameish.urls.acting import Acting, acting
from sameish.urls.common_digests import CommonDigests
from sameish.urls.learner import Pair, learn
from sameish.urls.rules import SiteRules

AT = datetime(2026, 12, 1, tzinfo=UTC)
NONE = Acting()
Q = "https://quay.example"


def test_three_unrelated_addresses_make_a_content_common() -> None:
    common = CommonDigests()
    assert not common.seen(1, f"{Q}/a", NONE)
    assert not common.seen(1, f"{Q}/b/c", NONE)
    assert not common.is_common(1)
    assert common.seen(1, f"{Q}/d", NONE)
    assert common.is_common(1)
    assert common.seen(1, f"{Q}/a", NONE)


def test_variants_of_one_address_are_related() -> None:
    common = CommonDigests()
    assert not any(common.seen(1, f"{Q}/a?x={n}", NONE) for n in range(9))
    assert not any(common.seen(n, f"{Q}/{n}", NONE) for n in range(9))


def test_the_latest_are_remembered() -> None:
    common = CommonDigests(digests=2)
    for path in "abc":
        common.seen(1, f"{Q}/{path}", NONE)
    common.seen(2, f"{Q}/a", NONE)
    assert common.is_common(1)
    common.seen(3, f"{Q}/a", NONE)
    assert not common.is_common(1)


def test_what_is_known_to_matter_makes_no_variants() -> None:
    rules = acting(learn(SiteRules(), Pair(f"{Q}/view?id=1", f"{Q}/view?id=2", agree=False), AT))
    common = CommonDigests()
    assert [common.seen(1, f"{Q}/view?id={n}&x={n}", rules) for n in range(9)] == [False] * 7 + [True] * 2

"""What canonical links and redirects count for."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from sameish.urls.languages import is_language
from sameish.urls.learner import Pair, class_key, learn
from sameish.urls.links import LinkTargets, canonical, distrust_links, languages, redirect, translations
from sameish.urls.rules import SiteRules

AT = datetime(2026, 12, 1, tzinfo=UTC)
Q = "https://quay.example/news"


def taught(rules: SiteRules, count: int) -> SiteRules:
    for n in range(count):
        rules = learn(rules, Pair(f"{Q}/{n}?x={n}", f"{Q}/{n}?x=t{n}", True, n), AT)
    return rules


def acts(rules: SiteRules) -> bool:
    return class_key(rules, f"{Q}/c?x=1")[1] == ("query:x",)


def test_two_links_stand_for_one_page() -> None:
    rules = canonical(SiteRules(), f"{Q}/a?x=1", f"{Q}/a", None, AT)
    assert not class_key(taught(rules, 2), f"{Q}/c?x=1")[1]
    rules = redirect(rules, f"{Q}/b?x=1", f"{Q}/b", AT)
    rules = taught(rules, 2)
    assert class_key(rules, f"{Q}/c?x=0")[1] == ("query:x",)


def test_any_number_of_links_is_too_few() -> None:
    rules = SiteRules()
    for n in range(50):
        rules = canonical(rules, f"{Q}/{n}?x={n}", f"{Q}/{n}", None, AT)
    assert not acts(rules)
    assert not acts(taught(rules, 1))
    assert canonical(rules, f"{Q}/99?x=1", f"{Q}/99", None, AT) is rules


def test_links_to_itself_or_elsewhere_say_nothing() -> None:
    rules = SiteRules()
    assert canonical(rules, f"{Q}/a", f"{Q}/a", None, AT) is rules
    assert canonical(rules, f"{Q}/a", f"{Q}/b", None, AT) is rules
    assert canonical(rules, f"{Q}/a", "https://quay.example/", None, AT) is rules


def test_links_between_different_pages_lose_their_vote() -> None:
    rules = taught(
        canonical(canonical(SiteRules(), f"{Q}/a?x=1", f"{Q}/a", True, AT), f"{Q}/b?x=1", f"{Q}/b", None, AT), 2
    )
    assert rules.aspects["query:x"].links
    rules = canonical(canonical(rules, f"{Q}/c?p=1", f"{Q}/c", False, AT), f"{Q}/d?p=1", f"{Q}/d", False, AT)
    assert rules.links_revoked
    assert not rules.aspects["query:x"].links
    assert distrust_links(rules) is rules
    assert canonical(rules, f"{Q}/e?y=1", f"{Q}/e", True, AT) is rules


def test_one_bad_link_among_many_is_forgiven() -> None:
    rules = SiteRules()
    for n in range(200):
        rules = canonical(rules, f"{Q}/{n}?x=1", f"{Q}/{n}", True, AT)
    for n in range(5):
        rules = canonical(rules, f"{Q}/{n}?p=1", f"{Q}/{n}", False, AT)
    assert not rules.links_revoked
    assert "query:p" not in rules.aspects


def test_an_address_that_many_name_is_noticed() -> None:
    targets = LinkTargets()
    assert [targets.names_too_many("https://quay.example/", content) for content in (1, 2, 2, 3, 4)] == [
        False,
        False,
        False,
        True,
        True,
    ]
    assert not any(targets.names_too_many(f"{Q}/{n}", n) for n in range(5_000))


def test_what_chooses_a_translation_must_be_shown_on_many_pages() -> None:
    aspects = languages(f"{Q}/a?x=en", [f"{Q}/a?x=fr", f"{Q}/a?x=en", f"{Q}/a?x=de"])
    assert aspects == {"query:x"}
    rules = translations(SiteRules(), aspects)
    assert translations(rules, aspects) is rules
    assert not acts(taught(rules, 23))
    assert acts(taught(rules, 24))


def test_translations_at_other_addresses_say_nothing() -> None:
    others = (f"{Q}/b", f"{Q}/a?x=1&y=2&z=3", f"{Q}/a?x=1", "https://other.example/news/a?x=1", "mailto:a@quay.example")
    assert languages(f"{Q}/a?x=1", others) == set()
    assert translations(SiteRules(), ()) == SiteRules()


def test_of_many_translations_the_first_eight_count() -> None:
    others = [*(f"{Q}/{number}" for number in range(8)), f"{Q}/a?x=1"]
    assert languages(f"{Q}/a", others) == set()
    assert languages(f"{Q}/a", [f"{Q}/a", *others[1:]]) == {"query:x"}


@pytest.mark.parametrize(
    ("aspect", "chooses"),
    [
        *((one, True) for one in ("prefix:fr", "prefix:pt-br", "suffix:zh_Hans", "host:de", "query:lang", "query:hl")),
        *(
            (one, False)
            for one in ("prefix:m", "prefix:xq", "query:fr", "bare:fr", "index:fr", "host:www", "prefix:fr-")
        ),
    ],
)
def test_names_that_choose_a_language(aspect: str, chooses: bool) -> None:
    assert is_language(aspect) is chooses

"""Pairs out of a store, and thresholds for all sites and for single ones."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import sameish
from sameish import Page
from sameish.evaluation.fitting import fit
from sameish.evaluation.from_store import PER_SITE, captures_of, judged_of
from sameish.fingerprint.schemes import scheme_of
from sameish.judging.labelled import Judged, Label
from sameish.models import Capture, Comparison, ComparisonKind
from sameish.settings import load

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
SETTINGS = load({}, {})


def body(number: int, edit: int = 0) -> str:
    told = "".join(
        f"<p>Sentence {at} of article {number} tells about the {number}th ferry and its crew.</p>" for at in range(5)
    )
    return f"<main><h1>Article {number}</h1>{told}<p>A ticket costs {edit} crowns.</p></main>"


def stored(target: str | Path, pages: list[Page]) -> list[Capture]:
    with sameish.open(target, SETTINGS) as detector:
        for page in pages:
            detector.observe(page)
        return list(captures_of(detector.store, scheme_of("text", SETTINGS)))


def page(site: str, number: int, edit: int = 0, day: int = 0) -> Page:
    return Page(body(number, edit), f"https://{site}/{number}", fetched_at=NOON + timedelta(days=day))


@pytest.mark.parametrize("target", [":memory:", "crawl.db"])
def test_captures_of_one_url_belong_together_and_other_urls_apart(target: str, tmp_path: Path) -> None:
    visits = [page("a.example", number, edit=day, day=day) for day in range(3) for number in range(4)]
    captures = stored(target if target == ":memory:" else tmp_path / target, visits)
    assert len(captures) == 12
    judged = judged_of(captures, SETTINGS)
    together = [one for one in judged if one.label is Label.SAME]
    apart = [one for one in judged if one.label is Label.DIFFERENT]
    assert (len(together), len(apart)) == (8, 3)
    assert {one.a == one.b for one in together} == {True}
    assert {str(one.answer) for one in together} == {"near_duplicate"}
    assert {str(one.answer) for one in apart} == {"different"}


def test_pages_of_two_sites_are_no_pair() -> None:
    captures = stored(":memory:", [page("a.example", 1), page("b.example", 2)])
    assert judged_of(captures, SETTINGS) == []


def test_two_urls_with_the_same_words_are_no_pair() -> None:
    twin = Page(body(1), "https://a.example/print/1", fetched_at=NOON)
    assert judged_of(stored(":memory:", [page("a.example", 1), twin]), SETTINGS) == []


def test_a_large_site_is_heard_no_longer_than_others() -> None:
    (capture,) = stored(":memory:", [page("a.example", 1)])
    many = (
        Capture(f"{key}", f"https://a.example/{key}", "a.example", NOON, b"", 9, 200, capture.fingerprint, id=key)
        for key in (*range(PER_SITE + 50), *range(PER_SITE + 50), *range(9))
    )
    judged = judged_of(many, SETTINGS)
    assert len([one for one in judged if one.label is Label.SAME]) == PER_SITE


def judged(label: Label, similarity: float, site: str) -> Judged:
    half = 100 * (1 - similarity)
    signals = {"common_words": 100 * similarity, "only_a_words": half, "only_b_words": half}
    kind = ComparisonKind.NEAR_DUPLICATE if similarity >= 0.5 else ComparisonKind.DIFFERENT
    return Judged(label, site, Comparison(kind, 30, similarity, 0.9, "sketch: ", signals), 900)


def test_a_site_gets_thresholds_of_its_own_where_it_has_pairs_enough() -> None:
    usual = [judged(Label.MINOR, 0.9, f"{at}.example") for at in range(60)]
    usual += [judged(Label.DIFFERENT, 0.1, f"{at}.example") for at in range(60)]
    sisters = [judged(Label.MINOR, 0.9, "shop.example") for _ in range(30)]
    sisters += [judged(Label.DIFFERENT, 0.6, "shop.example") for _ in range(30)]
    made_up = [judged(label, 0.9, "line 7") for label in (Label.MINOR, Label.DIFFERENT) for _ in range(25)]
    found = fit([*usual, *sisters], SETTINGS, by_site=True)
    assert list(found.sites) == ["shop.example"]
    assert found.skipped == 60
    assert found.sites["shop.example"].after.near_similarity > 0.6
    assert "line 7" not in fit([*usual, *made_up], SETTINGS, by_site=True).sites
    assert fit([*usual, *sisters], SETTINGS, by_site=False).sites == {}


def test_only_what_changes_is_written() -> None:
    usual = [judged(Label.MINOR, 0.9, f"{at}.example") for at in range(60)]
    usual += [judged(Label.DIFFERENT, 0.1, f"{at}.example") for at in range(60)]
    assert fit(usual, SETTINGS, by_site=True).changes() == {}
    grown = [judged(Label.MINOR, 0.3, f"{at}.example") for at in range(60)] + usual[60:]
    changes = fit(grown, SETTINGS, by_site=False).changes()
    assert list(changes) == [""]
    assert list(changes[""]) == ["near_similarity"]
    assert 0.1 < changes[""]["near_similarity"] <= 0.3


def test_what_a_site_says_itself_is_where_its_own_thresholds_begin() -> None:
    settings = load({"site": {"own.example": {"judging": {"near_similarity": 0.9}}}}, {})
    grown = [judged(Label.MINOR, 0.3, f"{at}.example") for at in range(60)]
    grown += [judged(Label.DIFFERENT, 0.1, f"{at}.example") for at in range(60)]
    for site in ("own.example", "new.example"):
        grown += [
            judged(label, share, site)
            for label, share in ((Label.MINOR, 0.95), (Label.DIFFERENT, 0.0))
            for _ in range(25)
        ]
    found = fit(grown, settings, by_site=True)
    assert found.sites["own.example"].before.near_similarity == 0.9
    assert found.sites["new.example"].before == found.everywhere.after

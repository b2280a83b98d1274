"""Sites of which few pages are translated: what the other language shows is the same on most pages."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest

import sameish
from sameish import Page
from sameish.models import FetchAction

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
SITE = "https://quarry.example"
WORDS = "slate kiln crane shift block wedge dust rail cart drill seam ledge water winter team song".split()


def drawn(
    address: str, seed: int, *, says: bool, pages: int = 130, share: float = 0.12
) -> tuple[dict[str, str], set[str]]:
    """Return the pages of a site, by URL in the order of the crawl, and what is shown by translated ones alone."""
    rng = random.Random(seed)  # noqa: S311  # it draws sites, no secrets
    shown: list[tuple[str, str]] = []
    translated = set[str]()
    for number in range(pages):
        text = " ".join(f"{rng.choice(WORDS)} {rng.choice(WORDS)} {rng.getrandbits(20):x}." for _ in range(30))
        slug = f"{rng.choice(WORDS)}-{rng.choice(WORDS)}-{number}x{rng.choice(WORDS)}"
        own, other = f"{SITE}/stones/{slug}", address.format(slug)
        links = f'<link rel=alternate hreflang=en href="{own}"><link rel="alternate" hreflang="fr" href="{other}">'
        form = f"<html><head>{links if says else ''}</head><main><p>{{}}</p></main>"
        shown += [(own, form.format(text)), (other, form.format(text))]
        if rng.random() < share:
            shown[-1] = (other, form.format(text.replace("e", "é").replace("a", "à")))
            translated.add(shown[-1][1])
    rng.shuffle(shown)
    return dict(shown), translated


def crawled(site: dict[str, str]) -> set[str]:
    """Crawl a site once; return the URLs that were fetched."""
    fetched: list[str] = []
    with sameish.open(":memory:", clock=lambda: NOON) as detector:
        for url, html in site.items():
            if detector.decide(url).action is not FetchAction.SKIP:
                fetched.append(url)
                detector.observe(Page(html, url))
        fetched += detector.given_back()
    return set(fetched)


@pytest.mark.parametrize(
    ("address", "says"),
    [
        (f"{SITE}/zorg/stones/{{}}", True),
        (f"{SITE}/stones/{{}}?lingua=zorg", True),
        ("https://zorg.quarry.example/stones/{}", True),
        (f"{SITE}/fr/stones/{{}}", False),
        (f"{SITE}/fr-CA/stones/{{}}", False),
        (f"{SITE}/stones/{{}}/fr", False),
        (f"{SITE}/stones/{{}}?lang=zorg", False),
        ("https://fr.quarry.example/stones/{}", False),
    ],
)
def test_of_few_translations_hardly_any_is_missed(address: str, says: bool) -> None:
    missed = 0.0
    for seed in range(6):
        site, translated = drawn(address, seed, says=says)
        missed += len(translated - {site[url] for url in crawled(site)}) / len(translated) / 6
    assert missed < 0.05


def test_a_language_that_changes_nothing_is_found_out_in_the_end() -> None:
    site, _ = drawn(f"{SITE}/fr/stones/{{}}", 1, says=True, pages=400, share=0)
    assert len(crawled(site)) < 1.4 * 400

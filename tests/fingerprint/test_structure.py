from __future__ import annotations

from sameish.fingerprint.simhash import hamming_distance
from sameish.fingerprint.structure import structure_hash

ARTICLE = [
    "html",
    "body",
    "header",
    "nav",
    "ul",
    "li",
    "li",
    "li",
    "main",
    "article",
    "h1",
    "p",
    "p",
    "p",
    "footer",
    "p",
]
SHOP = [
    "html",
    "body",
    "div",
    "table",
    "tr",
    "td",
    "img",
    "td",
    "form",
    "input",
    "button",
    "div",
    "section",
    "h2",
    "table",
    "tr",
    "td",
]


def test_repetitions_do_not_count() -> None:
    longer = [*ARTICLE[:8], "li", "li", "li", *ARTICLE[8:14], "p", "p", *ARTICLE[14:]]
    assert structure_hash(longer) == structure_hash(ARTICLE)


def test_another_template_is_far_away() -> None:
    a, b = structure_hash(ARTICLE), structure_hash(SHOP)
    assert a is not None
    assert b is not None
    assert hamming_distance(a, b) > 12


def test_too_few_tags_have_no_shape() -> None:
    assert structure_hash([]) is None
    assert structure_hash(["html", "body"]) is None

"""Which earlier pages a new page is compared with."""

from __future__ import annotations

from datetime import UTC, datetime

from sameish.urls.acting import Acting, acting
from sameish.urls.learner import Pair, learn
from sameish.urls.rules import SiteRules
from sameish.urls.siblings import Siblings

AT = datetime(2026, 12, 1, tzinfo=UTC)
Q = "https://quay.example"
NONE = Acting()


def filled(*pages: tuple[str, int], rules: Acting = NONE) -> Siblings:
    siblings = Siblings()
    for path, digest in pages:
        siblings.add(rules, f"{Q}{path}", digest)
    return siblings


def found(siblings: Siblings, path: str, digest: int, rules: Acting = NONE) -> set[str]:
    return {one.key.removeprefix(Q) for one in siblings.add(rules, f"{Q}{path}", digest)}


def taught(name: str, count: int, *, agree: bool = True) -> Acting:
    rules = SiteRules()
    for n in range(count):
        rules = learn(rules, Pair(f"{Q}/news/{n}?{name}={n}", f"{Q}/news/{n}?{name}=t{n}", agree, n), AT)
    return acting(rules)


def test_pages_with_the_same_content_whatever_explains_it() -> None:
    siblings = filled(("/a?x=1&y=1", 1), ("/b?x=1", 1), ("/a?x=2", 2))
    assert found(siblings, "/a/print?x=3&z=1", 1) == {"/a?x=1&y=1"}


def test_pages_one_unknown_aspect_apart() -> None:
    siblings = filled(("/a?x=1&y=1", 1), ("/a?x=1", 2), ("/a", 3), ("/b?x=1", 4), ("/a?x=9", 5))
    assert found(siblings, "/a?x=2", 6) == {"/a?x=1", "/a", "/a?x=9"}
    assert found(siblings, "/a?x=1&y=1&z=1", 7) == {"/a?x=1&y=1"}


def test_known_rules_bring_pages_nearer() -> None:
    pages = (("/news/a?x=1&p=1", 1), ("/news/a?x=1", 2))
    assert found(filled(*pages), "/news/a?x=2&p=2", 3) == set()
    rules = taught("x", 5)
    assert found(filled(*pages, rules=rules), "/news/a?x=2&p=2", 3, rules) == {"/news/a?x=1&p=1", "/news/a?x=1"}
    assert found(filled(*pages), "/news/a?x=2&p=2", 3, rules) == {"/news/a?x=1&p=1", "/news/a?x=1"}


def test_pages_that_rules_take_for_one_are_compared() -> None:
    rules = taught("x", 5)
    assert found(filled(("/news/a?x=1", 1), rules=rules), "/news/a?x=2", 2, rules) == {"/news/a?x=1"}


def test_what_is_known_well_is_not_compared_again() -> None:
    rules = taught("x", 200)
    assert found(filled(("/news/a?x=1", 1), rules=rules), "/news/a?x=2", 1, rules) == set()
    rules = taught("p", 40, agree=False)
    assert found(filled(("/news/a?p=1", 1), rules=rules), "/news/a?p=2", 2, rules) == set()


def test_the_name_of_one_page_is_no_variant() -> None:
    assert found(filled(("/news", 1)), "/news/a", 2) == set()
    assert found(filled(("/news", 1), ("/sport", 2), ("/sport/print", 3)), "/news/print", 4) == {"/news"}


def test_a_page_fetched_again_is_no_sibling_of_itself() -> None:
    assert found(filled(("/a?x=1", 1)), "/a?x=1", 2) == set()


def test_there_are_at_most_so_many() -> None:
    siblings = filled(*[(f"/a?p{n}={n}", n) for n in range(50)])
    assert len(siblings.add(NONE, f"{Q}/a", 99)) == 6
    assert len(Siblings(pairs=2).add(NONE, f"{Q}/a", 1)) == 0


def test_old_pages_are_forgotten() -> None:
    siblings = Siblings(pages=10)
    siblings.add(NONE, f"{Q}/a?x=1", 1)
    for n in range(100):
        siblings.add(NONE, f"{Q}/{n}", n)
    assert len(siblings) <= 20
    assert siblings.add(NONE, f"{Q}/a?x=2", 1) == []

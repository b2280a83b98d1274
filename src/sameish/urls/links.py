"""What pages and servers say about their URLs, canonical links, redirects and hreflang: a weak vote, never a command."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from itertools import islice

from msgspec.structs import replace

from sameish.urls.aspects import take_away
from sameish.urls.differences import difference
from sameish.urls.evidence import evidence_on, with_aspects
from sameish.urls.rules import SiteRules, short_hash

_KEPT = 2
"""Votes that count: half a page each."""
_MOST = 100
_WRONG_ALLOWED = 1
_WRONG_SHARE = 0.1
_CONTENTS = 3
"""Pages with so many different contents that name one target: it is no copy of all of them."""
_MOST_TARGETS = 2_000
_MOST_TRANSLATIONS = 8


def canonical(rules: SiteRules, key: str, canonical_key: str, same: bool | None, at: datetime) -> SiteRules:
    """Return the rules after a page named its canonical address; the same object where that adds nothing.

    A vote for each aspect in which the two keys differ. A site where a page and its canonical page differ in content,
    more than once and in more than a tenth of the cases, loses its vote.

    Args:
        rules: of the site.
        key: of the page.
        canonical_key: of the address that it names, on the same site.
        same: whether both have the same content; None if only one of them was fetched.
        at: when the page was fetched (aware); votes do not age by themselves.
    """
    del at
    if rules.links_revoked or key == canonical_key:
        return rules
    if same is not None:
        rules = _judged(rules, same=same)
    return rules if same is False or rules.links_revoked else _vote(rules, key, canonical_key)


def redirect(rules: SiteRules, from_key: str, to_key: str, at: datetime) -> SiteRules:
    """Return the rules after a server sent from one address on to another: a vote like that of a canonical link."""
    return canonical(rules, from_key, to_key, None, at)


def languages(key: str, others: Iterable[str]) -> frozenset[str]:
    """Return the aspects in which alone a page differs from what it names as itself in other languages.

    Args:
        key: of the page.
        others: keys of the addresses that it names (`hreflang`), on the same site; the first 8 that are not its own count.
    """
    named = islice((one for one in others if one != key), _MOST_TRANSLATIONS)
    return frozenset(found[0].aspect for other in named if len(found := difference(key, other) or ()) == 1)


def translations(rules: SiteRules, aspects: Iterable[str]) -> SiteRules:
    """Return the rules with what chooses a language, as `languages` finds it; the same object where that adds nothing.

    Where few pages are translated it makes no difference on most, so that it must be shown on many before it is taken for
    something that makes none.
    """
    found = {aspect: evidence_on(rules, aspect) for aspect in aspects}
    changed = {aspect: replace(one, translates=True) for aspect, one in found.items() if not one.translates}
    return with_aspects(rules, changed) if changed else rules


def distrust_links(rules: SiteRules) -> SiteRules:
    """Return the rules without the votes of canonical links and redirects, for good."""
    aspects = {
        name: replace(evidence, links=()) if evidence.links else evidence for name, evidence in rules.aspects.items()
    }
    return rules if rules.links_revoked else replace(rules, aspects=aspects, links_revoked=True)


class LinkTargets:
    """Notices, in memory, that pages with different contents all name one address (their home page, a list's first page)."""

    def __init__(self) -> None:
        self._contents: dict[str, frozenset[int]] = {}

    def names_too_many(self, canonical_key: str, content: int) -> bool:
        """Tell whether pages with three different contents have named this address; then `distrust_links`.

        Args:
            canonical_key: of the address that is named, by another page than itself.
            content: hash of the content of the page that names it.
        """
        contents = self._contents.pop(canonical_key, frozenset())
        if len(contents) < _CONTENTS:
            contents |= {content}
        self._contents[canonical_key] = contents
        if len(self._contents) > _MOST_TARGETS:
            del self._contents[next(iter(self._contents))]
        return len(contents) >= _CONTENTS


def _judged(rules: SiteRules, *, same: bool) -> SiteRules:
    if same:
        return rules if rules.links_right >= _MOST else replace(rules, links_right=rules.links_right + 1)
    rules = replace(rules, links_wrong=rules.links_wrong + 1)
    share = rules.links_wrong / (rules.links_wrong + rules.links_right)
    return distrust_links(rules) if rules.links_wrong > _WRONG_ALLOWED and share > _WRONG_SHARE else rules


def _vote(rules: SiteRules, key: str, canonical_key: str) -> SiteRules:
    names = [one.aspect for one in difference(key, canonical_key) or ()]
    page = short_hash(take_away(key, names))
    changed = {}
    for name in names:
        evidence = evidence_on(rules, name)
        if len(evidence.links) < _KEPT and page not in evidence.links:
            changed[name] = replace(evidence, links=(*evidence.links, page))
    return with_aspects(rules, changed) if changed else rules

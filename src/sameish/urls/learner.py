"""Learning which parts of a site's URLs do not change its content, from pairs of captures.

One contradiction stops a rule. What is no pair of two good captures (blocked, empty, error pages) must not come here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from msgspec.structs import replace

from sameish.urls.acting import Acting, acting, aspect_of
from sameish.urls.aspects import take_away, values_of
from sameish.urls.differences import Difference, difference
from sameish.urls.evidence import Finding, agree, caught, contradict, day_of, evidence_on, stop, with_aspects
from sameish.urls.rule_states import has_values, pages_shown
from sameish.urls.rules import AspectEvidence, SiteRules, short_hash, stored_value
from sameish.urls.shapes import path_shape
from sameish.urls.standings import DEFAULT, Limits

_MOST_PLAIN = 200
"""Path shapes that are remembered."""
_BURST = 3
"""Wrong skips of different pages, with no rule to blame for all, that stop all rules: the site was rebuilt, or is blocked."""
_BURST_WINDOW = 20
"""Tests of acting rules within which they must fall."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two good captures of one site, compared by content.

    Args:
        key_a: canonical key of one.
        key_b: canonical key of the other.
        agree: their content is the same.
        content: hash of their content where they agree (any int; its low 32 bits count). Pages with one content are
            one witness, however many they are; None if it is not known, then each page is taken to have its own.
    """

    key_a: str
    key_b: str
    agree: bool
    content: int | None = None


def learn(rules: SiteRules, pair: Pair, at: datetime, limits: Limits = DEFAULT) -> SiteRules:
    """Return the rules with a pair taken as evidence; the same object where it teaches nothing new.

    A pair that agrees speaks for every aspect in which its keys differ. One that does not speaks against the only aspect
    in which its class keys differ; if they differ in none, the rules that made them equal were wrong and are
    suspended, all of them. If they differ in several, nothing is learned.

    Args:
        rules: of the site.
        pair: in any order; which is `key_a` makes no difference to what acts.
        at: when the later of the two was fetched (aware).
        limits: what a rule must show.
    """
    return _learn(rules, pair, at, limits, audited=False)


def audit(rules: SiteRules, pair: Pair, at: datetime, limits: Limits = DEFAULT) -> SiteRules:
    """Return the rules after an audit: a page fetched although rules said that it equals another.

    Like `learn`, and counted for each rule that was used. A rule that is wrong by itself more often than
    `max_wrong_skip_rate` is revoked.
    """
    return _learn(rules, pair, at, limits, audited=True)


def class_key(rules: SiteRules, key: str, limits: Limits = DEFAULT) -> tuple[str, tuple[str, ...]]:
    """Return a canonical key reduced by all rules of its site that act on it, and these rules.

    Convenient for a few keys; for many, keep `acting(rules)` and call its method.
    """
    return acting(rules, limits).class_key(key) if rules.aspects else (key, ())


def met(rules: SiteRules, now: Acting, key: str) -> SiteRules:
    """Return the rules after a good capture of a page; the same object where it adds nothing.

    That a page has no query says of the shape of its path that no parameter is needed there to name a page.

    Args:
        rules: of the site.
        now: those of them that act.
        key: canonical key of the page.
    """
    reduced, _ = now.class_key(key)
    shape = path_shape(reduced)
    if "?" in reduced or shape in rules.plain or len(rules.plain) >= _MOST_PLAIN:
        return rules
    return replace(rules, plain=(*rules.plain, shape))


def suspend_all(rules: SiteRules, at: datetime, limits: Limits = DEFAULT) -> SiteRules:
    """Return the rules of a site with all that act suspended: it was redesigned."""
    names = acting(rules, limits).standings
    stopped = {name: stop(rules.aspects[name], day_of(at)) for name in names}
    return replace(with_aspects(rules, stopped), recent=())


def _learn(rules: SiteRules, pair: Pair, at: datetime, limits: Limits, *, audited: bool) -> SiteRules:
    if pair.key_a == pair.key_b:
        return rules  # one page at two times: it changed, or not; no rule has to do with it
    now = acting(rules, limits)
    (a, used_a), (b, used_b) = now.class_key(pair.key_a), now.class_key(pair.key_b)
    tested = _aspects(used_a + used_b) if a == b else set()
    if pair.agree:
        return _agreed(rules, now, pair, tested, day_of(at), limits, audited=audited)
    if a == b:
        return _caught(rules, now, pair, tested, a, at, limits, audited=audited)
    found = difference(a, b)
    if found is None or len(found) != 1:
        return rules
    told = _as_asked(pair, found[0])
    finding = _finding(now, told, take_away(a, [told.aspect]), None, day_of(at))
    others = _differing(pair, _aspects(used_a + used_b))
    if not _are_sure(rules, others, finding, limits):
        return rules
    before = evidence_on(rules, finding.aspect)
    after = contradict(before, finding, limits)
    return rules if after is before else with_aspects(rules, {finding.aspect: after})


def _as_asked(pair: Pair, one: Difference) -> Difference:
    """Return a difference of class keys with the values that the URLs have: rules may have taken away one of them."""
    if not has_values(one.aspect):
        return one
    a, b = values_of(pair.key_a), values_of(pair.key_b)
    return Difference(one.aspect, a.get(one.aspect), b.get(one.aspect))


def _are_sure(rules: SiteRules, others: Collection[Difference], finding: Finding, limits: Limits) -> bool:
    """Tell whether all else that two pages differ in was shown to make no difference on this very shape of paths."""
    shapes = [rules.aspects[one.aspect].shapes.get(finding.shape) for one in others if one.aspect != finding.aspect]
    return all(one is not None and pages_shown(one.agreed) >= limits.pages - 1 for one in shapes)


def _agreed(
    rules: SiteRules, now: Acting, pair: Pair, tested: set[str], day: int, limits: Limits, *, audited: bool
) -> SiteRules:
    found = difference(pair.key_a, pair.key_b) or ()
    base = take_away(pair.key_a, [one.aspect for one in found])
    changed: dict[str, AspectEvidence] = {}
    for one in found:
        finding = _finding(now, one, base, pair.content, day)
        before = evidence_on(rules, one.aspect)
        after = agree(before, finding, limits, audited=audited and one.aspect in tested)
        if after is not before:
            changed[one.aspect] = after
    if tested and rules.recent:
        rules = replace(rules, recent=_window(rules.recent, (0, ())))
    return with_aspects(rules, changed) if changed else rules


def _caught(
    rules: SiteRules,
    now: Acting,
    pair: Pair,
    tested: set[str],
    page: str,
    at: datetime,
    limits: Limits,
    *,
    audited: bool,
) -> SiteRules:
    """Suspend every rule that may be to blame for taking two pages as one."""
    differing = _differing(pair, tested) or [Difference(name, None, None) for name in sorted(tested)]
    differing = _guessed(rules, differing, path_shape(page)) or differing
    changed: dict[str, AspectEvidence] = {}
    for one in differing:
        finding = _finding(now, one, page, None, day_of(at))
        alone = len(differing) == 1
        changed[one.aspect] = caught(rules.aspects[one.aspect], finding, limits, alone=alone, audited=audited)
    blamed = tuple(sorted(changed))
    rules = replace(with_aspects(rules, changed), recent=_window(rules.recent, (short_hash(page), blamed)))
    return suspend_all(rules, at, limits) if _is_burst(rules.recent) else rules


def _guessed(rules: SiteRules, differing: Collection[Difference], shape: str) -> list[Difference]:
    """Return those that nothing on this shape of paths spoke for: they are to blame before those that were shown there."""
    known = [rules.aspects[one.aspect].shapes.get(shape) for one in differing]
    return [one for one, here in zip(differing, known, strict=True) if here is None or not here.agreed]


def _differing(pair: Pair, tested: set[str]) -> list[Difference]:
    a, b = values_of(pair.key_a), values_of(pair.key_b)
    # what comes to light only when another aspect is taken away is held all the same
    hidden = {one.aspect for one in difference(pair.key_a, pair.key_b) or ()}
    return [
        Difference(name, a.get(name), b.get(name))
        for name in sorted(tested)
        if a.get(name) != b.get(name) or name in hidden
    ]


def _finding(now: Acting, one: Difference, base: str, content: int | None, day: int) -> Finding:
    page, _ = now.class_key(base)
    hashed = short_hash(page)
    return Finding(
        aspect=one.aspect,
        shape=path_shape(page),
        page=hashed,
        content=hashed if content is None else content & 0xFFFF_FFFF,
        value_a=stored_value(one.value_a),
        value_b=stored_value(one.value_b),
        day=day,
    )


def _window(
    recent: tuple[tuple[int, tuple[str, ...]], ...], last: tuple[int, tuple[str, ...]]
) -> tuple[tuple[int, tuple[str, ...]], ...]:
    window = (*recent, last)[-_BURST_WINDOW:]
    return window if any(blamed for _, blamed in window) else ()


def _is_burst(recent: Iterable[tuple[int, tuple[str, ...]]]) -> bool:
    wrong = [(page, set(blamed)) for page, blamed in recent if blamed]
    if len({page for page, _ in wrong}) < _BURST:
        return False
    return not set.intersection(*(blamed for _, blamed in wrong))  # one that is always among them is the culprit


def _aspects(used: Collection[str]) -> set[str]:
    """Return the aspects of rules: `query:page` of `query:page=1`."""
    return {aspect_of(rule) for rule in used}

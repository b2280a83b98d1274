"""Which rules act, where and for which values: read off the evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from sameish.urls.rules import Agreement, AspectEvidence, Contradiction
from sameish.urls.shapes import shape_family
from sameish.urls.usual import is_first_page, is_usual

_MOST_DOUBLINGS = 3
_PLACES = ("prefix:", "suffix:")
"""Aspects that may be a place of their own where nothing but a word is left: `/shop/print`, `/m/milk`."""
_DOMINANT = 4
_DRAWN = re.compile(r"(?=(?:.*[0-9]){3}).{8,}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a rule must show before it acts, and what stops it.

    Args:
        pages: pages with different contents on which an aspect must have made no difference. One less will do, while
            nothing speaks against it, for what is of the path, host or scheme, and for values that look drawn by lot.
        shapes: path shapes with such pages from which on a *strong* rule also acts on shapes without evidence, where it
            leaves no query. Strong is what is of the path, host or scheme, and a parameter with many values, or values that
            look drawn by lot: sort orders, views and languages have few, and matter on some shapes only.
        family_shapes: the same for the shapes of one family, whatever is left of the query.
        many_shapes: the same for rules that are not strong.
        many_root_shapes: the same for pages in the root, where each word is a shape.
        more_pages: more pages than `pages` that going beyond shapes takes.
        values: different values from which on a parameter's other values are trusted, too.
        drawn_values: the same where all values look drawn by lot (eight characters or more, three digits or more).
        many_values: different values from which on a parameter's rule is strong.
        max_wrong_skip_rate: share of wrong audits over which a rule is revoked, 0..1.
        max_age_days: after so many days an agreement or a contradiction counts no more.
    """

    pages: int = 3
    shapes: int = 3
    family_shapes: int = 2
    many_shapes: int = 10
    many_root_shapes: int = 6
    plain_shapes: int = 3
    more_pages: int = 1
    values: int = 4
    drawn_values: int = 2
    many_values: int = 12
    max_wrong_skip_rate: float = 0.01
    max_age_days: int = 90


DEFAULT = Limits()


class RuleState(StrEnum):
    """What a rule does."""

    LEARNING = "learning"
    ACTIVE = "active"
    SUSPENDED = "suspended"
    """Caught once; acts again after fresh evidence."""
    REVOKED = "revoked"
    """Wrong too often; acts again only after its evidence has aged."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a rule acts: on some path shapes, or everywhere but on some."""

    shapes: frozenset[str] = frozenset()
    everywhere: bool = False
    """Also on shapes without evidence, where nothing else of the query is left."""
    families: frozenset[str] = frozenset()
    """Of shapes: also on their shapes without evidence."""
    doubted: frozenset[str] = frozenset()
    """Never on these."""
    plain_families: frozenset[str] = frozenset()
    """Of shapes: also on those of their shapes on which pages need no query, where none is left."""
    plain_shapes: frozenset[str] = frozenset()
    """These, on the site in question."""

    def __bool__(self) -> bool:
        return self.everywhere or bool(self.shapes)

    def covers(self, shape: str, *, plain: bool) -> bool:
        """Tell whether the rule acts on a shape; `plain`: without it and its like, the key has no query."""
        if shape in self.shapes or shape in self.doubted:
            return shape in self.shapes
        return (plain and (self.everywhere or shape in self.plain_shapes)) or shape_family(shape) in self.families

    def on_site(self, plain: Iterable[str]) -> Reach:
        """Return where the rule acts on a site on which pages of some path shapes need no query."""
        if not self.plain_families:
            return self
        return replace(self, plain_shapes=frozenset(one for one in plain if shape_family(one) in self.plain_families))


NOWHERE = Reach()


@dataclass(frozen=True, slots=True)
class Standing:
    """What a rule may do.

    Args:
        general: where it acts whatever the value is, or for `values` only.
        values: those it acts for; None for all.
        single: where it acts for one value that means the same as none (`page=1`).
        known: all values that were met in pairs that agreed.
    """

    general: Reach
    values: frozenset[str] | None
    single: Mapping[str, Reach]
    known: frozenset[str] = field(default=frozenset(), compare=False)

    def __bool__(self) -> bool:
        return bool(self.general) or bool(self.single)


IDLE = Standing(NOWHERE, frozenset(), {})


def has_values(aspect: str) -> bool:
    """Tell whether an aspect is one with values, not one that is only there or not."""
    return aspect.startswith(("query:", "path_param:"))


def needed(evidence: AspectEvidence, limits: Limits) -> int:
    """Return on how many pages a rule must be shown: twice as many each time it was caught, and for translations."""
    return limits.pages << min(evidence.caution, _MOST_DOUBLINGS)


def standing(aspect: str, evidence: AspectEvidence, limits: Limits = DEFAULT) -> Standing:
    """Return what a rule may do by its evidence."""
    if evidence.revoked or not any(shape.agreed for shape in evidence.shapes.values()):
        return IDLE
    usual = is_usual(aspect)
    if not has_values(aspect):
        fewer = 2 if usual else 0 if aspect.startswith("bare:") else 1
        reach = _reach(
            evidence,
            limits,
            _any_pair,
            _any_contradiction,
            strong=True,
            fewer=fewer,
            usual=usual,
            spelling=not aspect.startswith(_PLACES),
        )
        return Standing(reach, None, {})
    values = _values(evidence)
    drawn = _are_drawn(values)
    is_open = usual or len(values) >= (limits.drawn_values if drawn else limits.values)
    general = NOWHERE
    if usual or len(values) >= 2:
        strong = usual or drawn or len(values) >= limits.many_values
        fewer = 2 if usual else int(drawn)
        general = _reach(evidence, limits, _any_pair, _any_contradiction, strong=strong, fewer=fewer, usual=usual)
    return Standing(general, None if is_open else values, _single(aspect, evidence, limits), values)


def _are_drawn(values: frozenset[str]) -> bool:
    return all(map(_DRAWN.fullmatch, values))


def pages_shown(agreed: Iterable[Agreement]) -> int:
    """Return on how many pages with different contents pairs agreed: one page that answers everywhere counts once."""
    some = list(agreed)
    return min(len({one.page for one in some}), len({one.content for one in some}))


def _reach(
    evidence: AspectEvidence,
    limits: Limits,
    speaks_for: Callable[[Agreement], bool],
    speaks_against: Callable[[Contradiction], bool],
    *,
    strong: bool = False,
    fewer: int = 0,
    usual: bool = False,
    spelling: bool = False,
) -> Reach:
    """Return where a rule acts.

    Args:
        evidence: about its aspect.
        limits: what it must show.
        speaks_for: pairs that count for it.
        speaks_against: pairs that count against it.
        strong: it may go beyond the shapes on which it was shown.
        fewer: so many pages less will do, while nothing speaks against it: rules of its kind hardly ever turn out wrong.
        usual: its name is one that usually makes no difference: one shape speaks for its family.
        spelling: it is a way to write an address that may come with any, and never names a place.
    """
    need = needed(evidence, limits)
    barred = {s for s, one in evidence.shapes.items() if one.revoked or any(map(speaks_against, one.against))}
    counted = {s: one for s, one in evidence.shapes.items() if s not in barred and not one.paused}
    agreed = {s: [a for a in one.agreed if speaks_for(a)] for s, one in counted.items()}
    doubted = {s for s, some in agreed.items() if evidence.shapes[s].doubted and pages_shown(some) < limits.pages}
    if barred:
        apart = _shown_apart(agreed, frozenset(map(shape_family, barred)), need, _needed_alone(evidence, limits))
        plain = frozenset[str]() if strong else _plain_families(evidence, agreed, barred, limits)
        return Reach(apart - doubted, doubted=frozenset(doubted | barred), plain_families=plain)
    if not evidence.caution:
        need = max(1, need - fewer)
    shapes = frozenset(s for s, some in agreed.items() if some)
    shown = pages_shown(one for some in agreed.values() for one in some)
    if shown + min(1.0, len(evidence.links) / 2) < need:
        return NOWHERE
    often = Counter(map(shape_family, shapes))
    families = frozenset[str]()
    if usual or shown >= need + limits.more_pages:
        enough = {f: 1 if usual else _shapes_of_family(f, limits, strong=strong) for f in often}
        families = frozenset(f for f, count in often.items() if count >= enough[f])
    everywhere = strong and len(shapes) >= (1 if usual and spelling else limits.shapes)
    everywhere = everywhere and (spelling or len(often) > 1)
    plain = frozenset[str]() if strong else _plain_families(evidence, agreed, barred, limits)
    return Reach(shapes - doubted, everywhere, families, frozenset(doubted), plain)


def _plain_families(
    evidence: AspectEvidence, agreed: Mapping[str, list[Agreement]], barred: Collection[str], limits: Limits
) -> frozenset[str]:
    """Return the families of shapes in which a parameter is taken for one that names no page where none is needed.

    Those on which it was shown on some shapes more than it matters on; and where it matters, it was never missing.
    """
    against = [one for shape in barred for one in evidence.shapes[shape].against]
    if evidence.caution or any(None in (one.value_a, one.value_b) for one in against):
        return frozenset()
    shown = Counter(shape_family(shape) for shape, some in agreed.items() if some)
    bars = Counter(map(shape_family, barred))
    return frozenset(family for family, count in shown.items() if count - bars[family] >= limits.plain_shapes)


def _shapes_of_family(family: str, limits: Limits, *, strong: bool) -> int:
    """Return on how many shapes of a family a rule must be shown before it acts on all of them."""
    if strong:
        return limits.family_shapes
    # where pages stand in the root under a word of their own, each is a shape
    return limits.many_root_shapes if family.count("/") == 1 else limits.many_shapes


def _needed_alone(evidence: AspectEvidence, limits: Limits) -> int:
    """Return on how many pages of one shape a rule must be shown that is wrong on another: more if it was caught twice."""
    return max(1, limits.pages - 2) << min(evidence.caution, _MOST_DOUBLINGS)


def _shown_apart(
    agreed: Mapping[str, list[Agreement]], mixed: frozenset[str], need: int, need_alone: int
) -> frozenset[str]:
    """Return the shapes where an aspect that matters elsewhere does not.

    A shape may show it alone; in a family in which it matters nowhere, shapes may show it together.
    """
    pooled: dict[str, list[Agreement]] = {}
    for shape, some in agreed.items():
        pooled.setdefault(shape_family(shape), []).extend(some)
    enough = {family for family, some in pooled.items() if family not in mixed and pages_shown(some) >= need}
    return frozenset(
        s for s, some in agreed.items() if some and (pages_shown(some) >= need_alone or shape_family(s) in enough)
    )


def _single(aspect: str, evidence: AspectEvidence, limits: Limits) -> dict[str, Reach]:
    if not aspect.startswith("query:"):
        return {}
    often: dict[str, int] = {}
    for shape in evidence.shapes.values():
        for value in map(_value_like_none, shape.agreed):
            if value is not None:
                often[value] = often.get(value, 0) + 1
    total = sum(often.values())
    reaches = {
        value: _single_reach(evidence, limits, value, fewer=2 * is_first_page(aspect, value))
        for value, count in often.items()
        # where others mean the same as none as well, what is shown without the parameter depends on the page
        if (count + 1 >= limits.pages or is_first_page(aspect, value)) and (total - count) * _DOMINANT <= count
    }
    return {value: reach for value, reach in reaches.items() if reach}


def _single_reach(evidence: AspectEvidence, limits: Limits, value: str, *, fewer: int) -> Reach:
    return _reach(
        evidence,
        limits,
        lambda pair: _value_like_none(pair) == value,
        lambda pair: _value_like_none(pair) == value,
        strong=True,
        fewer=fewer,
    )


def _value_like_none(pair: Agreement | Contradiction) -> str | None:
    if pair.value_a is None:
        return pair.value_b
    return pair.value_a if pair.value_b is None else None


def _values(evidence: AspectEvidence) -> frozenset[str]:
    pairs = [pair for shape in evidence.shapes.values() for pair in shape.agreed]
    return frozenset(value for pair in pairs for value in (pair.value_a, pair.value_b) if value is not None)


def _any_pair(_: Agreement) -> bool:
    return True


def _any_contradiction(_: Contradiction) -> bool:
    return True

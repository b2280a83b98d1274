"""Which rules act, where and for which values: read off the evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping

from sameish.urls.rules import Agreement, AspectEvidence, Contradiction
from sameish.urls.shapes import shape_family
from sameish.urls.standings import DEFAULT, IDLE, NOWHERE, Limits, Reach, Standing
from sameish.urls.usual import is_first_page, is_usual

_MOST_DOUBLINGS = 3
_PLACES = ("prefix:", "suffix:")
"""Aspects that may be a place of their own where nothing but a word is left: `/shop/print`, `/m/milk`."""
_DOMINANT = 4
_DRAWN = re.compile(r"(?=(?:.*[0-9]){3}).{8,}", re.DOTALL)


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

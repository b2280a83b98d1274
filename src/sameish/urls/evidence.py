"""Adding to the evidence about one aspect: counters saturate, of the pairs a few are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from msgspec.structs import replace

from sameish.urls.languages import is_language
from sameish.urls.rule_states import needed, pages_shown
from sameish.urls.rules import Agreement, AspectEvidence, Contradiction, ShapeEvidence, SiteRules
from sameish.urls.shapes import shape_family
from sameish.urls.standings import Limits

MOST_AGREEMENTS = 100
"""What the counter of a shape counts up to; from then on a settled rule writes nothing."""
_MOST_CONTRADICTIONS = 16
_KEPT_AGAINST = 6
_MOST_SHAPES = 64
_MOST_ASPECTS = 300
_FRESH_DAYS = 7
"""Younger evidence is not dated anew, to write less."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a pair says about one aspect; fields as in `Agreement`."""

    aspect: str
    shape: str
    page: int
    content: int
    value_a: str | None
    value_b: str | None
    day: int


def evidence_on(rules: SiteRules, aspect: str) -> AspectEvidence:
    """Return what is known about an aspect, which for one never met is what its name says."""
    return rules.aspects.get(aspect) or AspectEvidence(translates=is_language(aspect))


def agree(evidence: AspectEvidence, finding: Finding, limits: Limits, *, audited: bool = False) -> AspectEvidence:
    """Return evidence with a pair that agreed; the same object where it adds nothing."""
    if not _has_room(evidence, finding.shape):
        return evidence
    before = evidence.shapes.get(finding.shape, ShapeEvidence())
    shape = _with_agreement(before, finding, keep=max(8, needed(evidence, limits)))
    if audited:
        shape = replace(shape, audits=shape.audits + 1)
    if shape.doubts and pages_shown(shape.agreed) >= limits.pages:
        shape = replace(shape, doubts=0)
    return evidence if shape is before else _with_shape(evidence, finding.shape, shape)


def contradict(evidence: AspectEvidence, finding: Finding, limits: Limits) -> AspectEvidence:
    """Return evidence with a pair that did not agree, for which only this aspect can be to blame; it did not act on it.

    The same object where that adds nothing. Audits that went wrong in this family of shapes before, through this aspect
    or others, are laid at its door.
    """
    before = evidence.shapes.get(finding.shape, ShapeEvidence())
    shape = _with_contradiction(before, finding)
    if not before.against and pages_shown(before.agreed) >= limits.pages and not _is_of_one_value(before.agreed):
        # what was true here and is not any more has changed, and may have on all other shapes
        evidence = stop(evidence, finding.day)
        shape = replace(shape, agreed=(), agreements=0)
    if shape is not before:
        evidence = _with_shape(evidence, finding.shape, shape)
    family = shape_family(finding.shape)
    guilty = {name: one for name, one in evidence.shapes.items() if one.doubts and shape_family(name) == family}
    if not guilty:
        return evidence
    sure = {name: replace(one, wrong=one.wrong + one.doubts, doubts=0, revoked=True) for name, one in guilty.items()}
    return replace(evidence, shapes={**evidence.shapes, **sure}, strikes=evidence.strikes + 1)


def caught(evidence: AspectEvidence, finding: Finding, limits: Limits, *, alone: bool, audited: bool) -> AspectEvidence:
    """Return evidence of a rule that took two pages as one that are not: suspended.

    Args:
        evidence: about the aspect.
        finding: of the pair.
        limits: over which rate of wrong audits a rule is revoked.
        alone: no other rule can be to blame.
        audited: the pair is an audit.
    """
    before = evidence.shapes.get(finding.shape, ShapeEvidence())
    shape = replace(before, audits=before.audits + audited, doubted=True)
    if alone:
        wrong = shape.wrong + shape.doubts + audited
        revoked = wrong > limits.max_wrong_skip_rate * shape.audits
        shape = replace(_with_contradiction(shape, finding), wrong=wrong, doubts=0, revoked=shape.revoked or revoked)
    else:
        shape = replace(shape, doubts=shape.doubts + audited)
    if not before.agreed:
        # it was a guess; what is known elsewhere was not
        return replace(_with_shape(evidence, finding.shape, shape), suspended=finding.day)
    doubted_before = any(one.doubted for one in evidence.shapes.values())
    established = pages_shown(before.agreed) >= limits.pages
    after = _with_shape(evidence, finding.shape, replace(shape, agreed=(), agreements=0))
    after = replace(after, strikes=evidence.strikes + (alone or doubted_before))
    # what was true here and is not any more has changed, and may have on all other shapes
    return stop(after, finding.day) if established else replace(_paused(after), links=(), suspended=finding.day)


def _is_of_one_value(agreed: tuple[Agreement, ...]) -> bool:
    """Tell whether pairs speak for one value that means the same as none (`page=1`), and not for others."""
    values = {value for one in agreed for value in (one.value_a, one.value_b) if value is not None}
    return len(values) == 1 and "" not in values


def day_of(at: datetime) -> int:
    """Return the day of a time (aware), as evidence is dated."""
    return int(at.timestamp() // 86_400)


def _paused(evidence: AspectEvidence) -> AspectEvidence:
    """Return evidence of a rule that was caught: on each shape another pair must agree before the rest counts again."""
    return replace(evidence, shapes={name: replace(one, paused=True) for name, one in evidence.shapes.items()})


def stop(evidence: AspectEvidence, day: int) -> AspectEvidence:
    """Return evidence of a rule that is suspended: only what agrees from now on counts for it."""
    shapes = {name: replace(shape, agreed=(), agreements=0) for name, shape in evidence.shapes.items()}
    return replace(evidence, shapes=shapes, links=(), suspended=day)


def with_aspects(rules: SiteRules, changed: Mapping[str, AspectEvidence]) -> SiteRules:
    """Return rules with other evidence about some aspects; the least known ones give way where there are too many."""
    aspects = {**rules.aspects, **changed}
    while len(aspects) > _MOST_ASPECTS:
        least = min((name for name in aspects if name not in changed), key=lambda name: _weight(aspects[name]))
        del aspects[least]
    return replace(rules, aspects=aspects)


def _with_agreement(shape: ShapeEvidence, finding: Finding, keep: int) -> ShapeEvidence:
    new = Agreement(finding.page, finding.content, finding.value_a, finding.value_b, finding.day)
    agreed = shape.agreed
    if any(one.day < finding.day - _FRESH_DAYS for one in agreed):
        agreed = tuple(replace(one, day=finding.day) for one in agreed)
    if len(agreed) < keep and _adds(agreed, new):
        agreed = (*agreed, new)
    if agreed is shape.agreed and shape.agreements >= MOST_AGREEMENTS and not shape.paused:
        return shape
    return replace(shape, paused=False, agreed=agreed, agreements=min(MOST_AGREEMENTS, shape.agreements + 1))


def _adds(agreed: tuple[Agreement, ...], new: Agreement) -> bool:
    if all(one.page != new.page and one.content != new.content for one in agreed):
        return True
    return not {new.value_a, new.value_b} <= {value for one in agreed for value in (one.value_a, one.value_b, None)}


def _with_contradiction(shape: ShapeEvidence, finding: Finding) -> ShapeEvidence:
    new = Contradiction(finding.page, finding.value_a, finding.value_b, finding.day)
    against = shape.against
    if any(one.day < finding.day - _FRESH_DAYS for one in against):
        against = tuple(replace(one, day=finding.day) for one in against)
    values = {new.value_a, new.value_b}
    if len(against) < _KEPT_AGAINST and all({one.value_a, one.value_b} != values for one in against):
        against = (*against, new)
    elif None in values and all({one.value_a, one.value_b} != values for one in against):
        against = (*against[: _KEPT_AGAINST - 1], new)
    if against is shape.against and shape.contradictions >= _MOST_CONTRADICTIONS:
        return shape
    return replace(shape, against=against, contradictions=min(_MOST_CONTRADICTIONS, shape.contradictions + 1))


def _has_room(evidence: AspectEvidence, shape: str) -> bool:
    return shape in evidence.shapes or len(evidence.shapes) < _MOST_SHAPES


def _with_shape(evidence: AspectEvidence, name: str, shape: ShapeEvidence) -> AspectEvidence:
    """Return evidence with a shape, one that was never to blame less where there is no room for another."""
    shapes = dict(evidence.shapes)
    if not _has_room(evidence, name):
        gone = next((one for one, other in shapes.items() if not other.against), next(iter(shapes)))
        del shapes[gone]
    shapes[name] = shape
    return replace(evidence, shapes=shapes)


def _weight(evidence: AspectEvidence) -> tuple[bool, int]:
    pairs = sum(shape.agreements + shape.contradictions for shape in evidence.shapes.values())
    return evidence.suspended is not None, pairs

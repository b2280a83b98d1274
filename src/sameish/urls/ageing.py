"""Evidence that nobody confirmed for long counts no more: sites change."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from sameish.urls.rules import AspectEvidence, ShapeEvidence, SiteRules
from sameish.urls.standings import DEFAULT, Limits


def aged(rules: SiteRules, at: datetime, limits: Limits = DEFAULT) -> SiteRules:
    """Return the rules without evidence older than `max_age_days`; the same object if there is none.

    A rule without enough evidence left is learned again; one that was suspended or revoked so long ago begins anew.
    Worth calling when a site's rules are loaded, and once a day.
    """
    oldest = int(at.timestamp() // 86_400) - limits.max_age_days
    aspects = {}
    for name, evidence in rules.aspects.items():
        kept = _aged(evidence, oldest)
        if kept is not None:
            aspects[name] = kept
    unchanged = len(aspects) == len(rules.aspects) and all(one is rules.aspects[name] for name, one in aspects.items())
    return rules if unchanged else replace(rules, aspects=aspects)


def _aged(evidence: AspectEvidence, oldest: int) -> AspectEvidence | None:
    days = [pair.day for shape in evidence.shapes.values() for pair in shape.agreed]
    days += [pair.day for shape in evidence.shapes.values() for pair in shape.against]
    if evidence.suspended is not None and evidence.suspended < oldest:
        shapes = {name: _pardoned(shape) for name, shape in evidence.shapes.items()}
        evidence = replace(evidence, shapes=shapes, suspended=None, strikes=0)
    if all(day >= oldest for day in days):
        return evidence
    shapes = {name: _aged_shape(shape, oldest) for name, shape in evidence.shapes.items()}
    shapes = {name: shape for name, shape in shapes.items() if shape.agreed or shape.against or shape.doubted}
    return replace(evidence, shapes=shapes) if shapes or evidence.suspended is not None else None


def _pardoned(shape: ShapeEvidence) -> ShapeEvidence:
    return replace(shape, audits=0, wrong=0, doubts=0, doubted=False, revoked=False)


def _aged_shape(shape: ShapeEvidence, oldest: int) -> ShapeEvidence:
    agreed = tuple(pair for pair in shape.agreed if pair.day >= oldest)
    against = tuple(pair for pair in shape.against if pair.day >= oldest)
    return replace(
        shape,
        agreed=agreed,
        against=against,
        agreements=shape.agreements if agreed else 0,
        contradictions=shape.contradictions if against else 0,
    )

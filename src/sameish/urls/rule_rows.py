"""What is known about a site's URLs, in rows for people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sameish.urls.bounds import upper_bound
from sameish.urls.rule_states import standing
from sameish.urls.rules import AspectEvidence, ShapeEvidence, SiteRules
from sameish.urls.standings import DEFAULT, Limits, Reach, RuleState, Standing


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One rule on one path shape.

    Args:
        rule: the aspect that it takes away, such as `query:sid` or `query:page=1`.
        shape: of the paths it is about; "*" for all on which there is no evidence.
        evidence_for: pairs that agreed on this shape (saturates at 100).
        evidence_against: pairs on this shape that did not (saturates at 16).
        audits: of the rule on this shape.
        wrong: how many of them found another content, through this rule or others used with it.
        wrong_skip_rate: estimated share of its skips that lose content, 0..1; None without audits.
        upper_bound: of that share, at 95 % confidence, one-sided.
        state: of the rule on this shape.
    """

    rule: str
    shape: str
    evidence_for: int
    evidence_against: int
    audits: int
    wrong: int
    wrong_skip_rate: float | None
    upper_bound: float
    state: RuleState


def rows(rules: SiteRules, limits: Limits = DEFAULT) -> list[RuleRow]:
    """Return a row for each rule and path shape that there is evidence on, sorted."""
    found = [
        row
        for aspect, evidence in rules.aspects.items()
        for row in _rows(aspect, evidence, standing(aspect, evidence, limits))
    ]
    return sorted(found, key=lambda row: (row.rule, row.shape))


def _rows(aspect: str, evidence: AspectEvidence, state: Standing) -> Iterator[RuleRow]:
    shapes = dict(evidence.shapes)
    if state.general.everywhere or not shapes:
        shapes["*"] = ShapeEvidence()
    for name, reach in [(aspect, state.general), *((f"{aspect}={value}", one) for value, one in state.single.items())]:
        for shape, one in shapes.items():
            # a rule for one value only says something where that for all values does not act
            if name == aspect or (shape in reach.shapes and shape not in state.general.shapes):
                yield _row(name, shape, one, _state(evidence, one, reach, shape))


def _row(rule: str, shape: str, one: ShapeEvidence, state: RuleState) -> RuleRow:
    wrong = min(one.audits, one.wrong + one.doubts)
    return RuleRow(
        rule=rule,
        shape=shape,
        evidence_for=one.agreements,
        evidence_against=one.contradictions,
        audits=one.audits,
        wrong=wrong,
        wrong_skip_rate=wrong / one.audits if one.audits else None,
        upper_bound=upper_bound(wrong, one.audits),
        state=state,
    )


def _state(evidence: AspectEvidence, one: ShapeEvidence, reach: Reach, shape: str) -> RuleState:
    if one.revoked or evidence.revoked:
        return RuleState.REVOKED
    if shape in reach.shapes or (shape == "*" and reach.everywhere):
        return RuleState.ACTIVE
    return RuleState.LEARNING if evidence.suspended is None else RuleState.SUSPENDED

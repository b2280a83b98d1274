"""History in, verdict out: what a page is to a store, given what the store found. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sameish.judging.alignment import Side, alone
from sameish.judging.compare import compare_fingerprints
from sameish.models import Capture, Change, Comparison, ComparisonKind, Fingerprint, State, Verdict, VerdictKind
from sameish.settings import Judging

STORED_ALREADY = "this very capture is stored already"
_UNJUDGED = {
    State.EMPTY: "the page is empty",
    State.BLOCKED: "the page is a wall in front of the content",
    State.ERROR: "the page is an error",
}


@dataclass(frozen=True, slots=True)
class History:
    """What a store found for a page.

    `.stored`: this very capture. `.last`: the last good capture of the URL. `.others`: captures of other URLs that are equal
    or near. `.earlier`: a capture of the URL before the last good one that has the digest of the page.
    `.at`: when the page was fetched. `.half_life`: after which what others have in common counts half, None: age is nothing.
    """

    stored: Capture | None = None
    last: Capture | None = None
    others: tuple[Capture, ...] = ()
    earlier: Capture | None = None
    at: datetime | None = None
    half_life: timedelta | None = None

    def weight_of(self, other: Capture) -> float:
        """Return what the similarity of another page counts for its age, 0..1: half after each half-life."""
        if self.at is None or self.half_life is None:
            return 1.0
        return float(0.5 ** (abs(self.at - other.fetched_at) / self.half_life))


def judge(
    fingerprint: Fingerprint, sentences: Sequence[str], history: History, settings: Judging, *, state_reason: str = ""
) -> Verdict:
    """Return the verdict on a page.

    Args:
        fingerprint: of the page.
        sentences: of the page, to name what changed.
        history: what the store found.
        settings: thresholds.
        state_reason: why the page has its state.
    """
    unjudged = _UNJUDGED.get(fingerprint.state)
    if unjudged is not None:
        reason = f"{unjudged}: {state_reason}" if state_reason else unjudged
        return Verdict(VerdictKind.UNDETERMINED, match=history.last, reason=reason)
    if history.stored is not None:
        comparison = compare_fingerprints(history.stored.fingerprint, fingerprint, settings)
        return Verdict(VerdictKind.UNCHANGED, history.stored, comparison, STORED_ALREADY)
    if history.last is not None:
        return _judge_revisit(fingerprint, sentences, history.last, history, settings)
    return _judge_first_visit(fingerprint, history, settings)


def _judge_revisit(
    fingerprint: Fingerprint, sentences: Sequence[str], last: Capture, history: History, settings: Judging
) -> Verdict:
    comparison = compare_fingerprints(last.fingerprint, fingerprint, settings)
    if comparison.kind is ComparisonKind.IDENTICAL:
        return Verdict(VerdictKind.UNCHANGED, last, comparison, comparison.reason)
    if comparison.kind is ComparisonKind.UNDETERMINED:
        reason = f"{comparison.reason}; this capture is the new baseline"
        return Verdict(VerdictKind.UNDETERMINED, last, comparison, reason)
    twin = _best(fingerprint, history, settings)
    match = twin[0] if twin is not None and twin[1].kind is ComparisonKind.IDENTICAL else None
    earlier, reason = history.earlier, comparison.reason
    if earlier is not None:
        reason = f"back to what it said on {earlier.fetched_at:%Y-%m-%d at %H:%M} UTC; compared with the last: {reason}"
    return Verdict(VerdictKind.UPDATED, match, comparison, reason, changes(last.sentences, sentences), earlier)


def _judge_first_visit(fingerprint: Fingerprint, history: History, settings: Judging) -> Verdict:
    best = _best(fingerprint, history, settings)
    if best is None:
        return Verdict(VerdictKind.NEW, reason="nothing stored is near")
    match, comparison = best
    if comparison.kind is ComparisonKind.IDENTICAL:
        return Verdict(VerdictKind.DUPLICATE, match, comparison, comparison.reason)
    if comparison.kind is ComparisonKind.NEAR_DUPLICATE and _is_faded(match, comparison, history, settings):
        reason = f"the nearest stored page is of {match.fetched_at:%Y-%m-%d}, too old for what they share: {comparison.reason}"
        return Verdict(VerdictKind.NEW, comparison=comparison, reason=reason)
    if comparison.kind is ComparisonKind.NEAR_DUPLICATE:
        return Verdict(VerdictKind.NEAR_DUPLICATE, match, comparison, comparison.reason)
    return Verdict(
        VerdictKind.NEW, comparison=comparison, reason=f"the nearest stored page differs: {comparison.reason}"
    )


_RANK = (ComparisonKind.IDENTICAL, ComparisonKind.NEAR_DUPLICATE, ComparisonKind.DIFFERENT, ComparisonKind.UNDETERMINED)


def _best(fingerprint: Fingerprint, history: History, settings: Judging) -> tuple[Capture, Comparison] | None:
    """Return the candidate that is most alike: by kind, then weighed share in common, then in the store's order."""
    compared = [(other, compare_fingerprints(other.fingerprint, fingerprint, settings)) for other in history.others]

    def rank(pair: tuple[Capture, Comparison]) -> tuple[int, float]:
        return _RANK.index(pair[1].kind), -pair[1].similarity * history.weight_of(pair[0])

    return min(compared, key=rank, default=None)


def _is_faded(match: Capture, comparison: Comparison, history: History, settings: Judging) -> bool:
    """Return whether two pages would no more be near if they shared what their share counts for its age."""
    weight = history.weight_of(match)
    return weight < 1 and comparison.similarity * weight < settings.near_similarity


def changes(before: Sequence[str] | None, after: Sequence[str]) -> tuple[Change, ...]:
    """Return the sentences removed and added, each in its order; nothing where the earlier sentences are not kept.

    What a fingerprint does not count is no change: case, punctuation, order, repetition, and where sentences are cut.
    """
    if before is None:
        return ()
    gone, come = alone(Side(before), Side(after))
    return (*(Change("removed", text) for text in gone), *(Change("added", text) for text in come))

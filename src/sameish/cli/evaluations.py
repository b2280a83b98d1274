"""The figures of an evaluation in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sameish.cli.output import bold, grey, kind, number_of, one_line, say, table
from sameish.evaluation.report import Evaluation, Wrong
from sameish.judging.measures import Bin, KindScore, SweepRow
from sameish.models import ComparisonKind
from sameish.settings import Judging

_ANSWERS = tuple(str(name) for name in ComparisonKind)


def print_evaluation(found: Evaluation, settings: Judging) -> None:
    """Print what a user wants to see, a table after the other."""
    print_kinds(found.kinds, found.subs)
    say()
    rows = [(kind(name), f"{score.given:,}", _percent(score.precision)) for name, score in found.answers.items()]
    table(("answer", "given", "right"), rows, right=(1, 2))
    say()
    if found.near_similarity:
        print_sweep("near_similarity", found.near_similarity, settings.near_similarity)
        say()
        print_sweep("near_bits", found.near_bits, settings.near_bits)
    else:
        say("None of these answers depends on near_similarity or near_bits.")
    say()
    print_reliability("confidence", found.reliability, found.gap)
    if found.folded:
        say()
        print_reliability("confidence learned on the other sites", found.folded, found.folded_gap)
    say()
    print_worst(found.worst)


def print_kinds(kinds: Mapping[str, KindScore], subs: Mapping[str, KindScore]) -> None:
    """Print who got which answer: a row for each kind, below it its sub-kinds."""
    rows: list[tuple[str, ...]] = []
    for name, score in kinds.items():
        rows.append(_kind_row(bold(name), score))
        rows += [
            _kind_row(f"  {key.partition('/')[2]}", one) for key, one in subs.items() if key.startswith(f"{name}/")
        ]
    table(("kind", "pairs", *_ANSWERS, "right", "95 %"), rows, right=tuple(range(1, 7)))


def _kind_row(name: str, score: KindScore) -> tuple[str, ...]:
    counts = (f"{score.answers.get(answer, 0):,}" for answer in _ANSWERS)
    return name, f"{score.pairs:,}", *counts, _percent(score.recall), _interval(score)


def _interval(score: KindScore) -> str:
    if score.low is None or score.high is None:
        return "-"
    return f"{100 * score.low:.1f}-{100 * score.high:.1f}"


def print_sweep(name: str, rows: Sequence[SweepRow], present: float) -> None:
    """Print what values of a threshold would give; the present one is marked."""
    cells = [
        (
            f"{row.value:g}{' *' if row.value == present else '  '}",
            *map(_percent, (row.together, row.apart, row.changed_near)),
        )
        for row in rows
    ]
    table(
        (f"{name}  ", "same, minor: one article", "different: kept apart", "changed: one article"),
        cells,
        right=(0, 1, 2, 3),
    )


def print_reliability(name: str, bins: Sequence[Bin], gap: float) -> None:
    """Print how often answers were right that were given with so much confidence."""
    rows = [
        (f"{one.low:.2f} to {one.high:.2f}", f"{one.answers:,}", _percent(one.confidence), _percent(one.right))
        for one in bins
    ]
    table((name, "answers", "mean", "right"), rows, right=(1, 2, 3))
    say(f"On average {100 * gap:.1f} points apart.")


def print_worst(worst: Sequence[Wrong]) -> None:
    """Print wrong answers: what was expected, what was answered and why, and where the pages are."""
    if not worst:
        say("No wrong answers.")
        return
    say(bold(f"Wrong with the most confidence: {number_of(len(worst), 'pair')}"))
    for one in worst:
        label = f"{one.kind}/{one.sub}" if one.sub else one.kind
        answered = f"{one_line(label)}, answered {kind(one.answer)} at {one.confidence:.0%}"
        say(f"{one_line(one.id)}  {answered}  {grey(f'({one_line(one.reason)})')}")
        say(f"    {one_line(one.a)}")
        say(f"    {one_line(one.b)}")


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}%"

"""Labelled pairs for commands: read, judged, counted, and what was wrong with them said on the way."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from sameish.cli.errors import complain
from sameish.cli.page_progress import PageProgress
from sameish.evaluation.judge import jobs_for, judge_pairs, pages_of, print_pages, repeats_of
from sameish.evaluation.pairs import Pair, read_pairs
from sameish.judging.labelled import Judged
from sameish.settings import Settings


@dataclass(slots=True)
class LabelledPairs:
    """What became of a file of pairs.

    `.faults`: lines and pages that could not be used, each said on standard error. `.undecidable`: pairs left out as such.
    `.repeated`: pairs of two pages that another pair names, too, under the same label; they count.
    """

    judged: list[Judged] = field(default_factory=list)
    undecidable: int = 0
    repeated: int = 0
    pages: int = 0
    faults: int = 0
    progress: PageProgress = field(default_factory=lambda: PageProgress(0))

    def report(self, fault: object) -> None:
        """Say what could not be read, and count it."""
        self.faults += 1
        self.progress.clear()
        complain(fault)


def judge_file(
    path: str, root: str | None, settings: Settings, *, jobs: int | None, loose: Collection[str] = ()
) -> LabelledPairs:
    """Read a file of pairs and judge them; what cannot be read is said and does not end it.

    Args:
        path: of the file, or `-`.
        root: the folder that its paths are relative to.
        settings: options.
        jobs: processes; None takes as many as pay.
        loose: sub-kinds whose pairs may also be answered otherwise.

    Raises:
        SourceError: the file itself cannot be read.
    """
    found = LabelledPairs()
    pairs = _agreeing(_decidable(read_pairs(path, root, found.report), found), path, found)
    pages = pages_of(pairs)
    found.pages = len(pages)
    with PageProgress(len(pages)) as found.progress:
        printed = found.progress.over(print_pages(pages, settings, jobs_for(len(pages), jobs)))
        found.judged = judge_pairs(pairs, printed, settings, loose=loose, on_fault=found.report)
    return found


def _decidable(pairs: Iterable[Pair], found: LabelledPairs) -> list[Pair]:
    known = list(pairs)
    found.undecidable = sum(pair.undecidable for pair in known)
    return [pair for pair in known if not pair.undecidable]


def _agreeing(pairs: list[Pair], path: str, found: LabelledPairs) -> list[Pair]:
    """Leave out what says otherwise than an earlier pair of the same pages: one of the two must be a slip."""
    repeats = repeats_of(pairs)
    slips = [(pair, first) for pair, first in repeats if pair.label is not first.label]
    for pair, first in slips:
        found.report(
            f"{path}: {pair.name}: labelled {pair.label}, but {first.name} labels the same two pages {first.label}; skipped"
        )
    found.repeated = len(repeats) - len(slips)
    left_out = {id(pair) for pair, _ in slips}
    return [pair for pair in pairs if id(pair) not in left_out]


def complain_of_none(found: LabelledPairs, path: str, root: str | None) -> None:
    """Say why no pair of a file could be judged."""
    if found.undecidable and not found.faults:
        complain(f"{path}: all its pairs are marked as undecidable")
    elif found.pages:
        start = root if root is not None else "of the file; --root names another one"
        complain(f"{path}: no pair could be judged; its paths start from the folder {start}")
    elif found.faults:
        complain(f"{path}: no line of it is a pair")
    else:
        complain(f"{path}: there is no pair in it")

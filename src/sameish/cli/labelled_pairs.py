"""Labelled pairs for commands: read, judged, counted, and what was wrong with them said on the way."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from sameish.cli.errors import complain
from sameish.cli.page_progress import PageProgress
from sameish.evaluation.judge import jobs_for, judge_pairs, pages_of, print_pages
from sameish.evaluation.pairs import Pair, read_pairs
from sameish.judging.labelled import Judged
from sameish.settings import Settings


@dataclass(slots=True)
class LabelledPairs:
    """What became of a file of pairs. `.faults`: lines and pages that could not be read, each said on standard error."""

    judged: list[Judged] = field(default_factory=list)
    undecidable: int = 0
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
    pairs = _decidable(read_pairs(path, root, found.report), found)
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

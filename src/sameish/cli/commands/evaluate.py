"""`sameish evaluate`: how often the answers are right on pages of your own."""

from __future__ import annotations

import time

import click

from sameish.cli import options
from sameish.cli.documented import Documented
from sameish.cli.errors import UNREADABLE, complain
from sameish.cli.evaluations import print_evaluation
from sameish.cli.jsonlines import plain, print_json
from sameish.cli.labelled_pairs import LabelledPairs, complain_of_none, judge_file
from sameish.cli.output import number_of, say
from sameish.evaluation.report import evaluate
from sameish.settings import load


@click.command("evaluate", cls=Documented, example="sameish evaluate pairs.jsonl --root pages")
@click.argument("pairs", metavar="PAIRS")
@options.root
@click.option(
    "--loose",
    metavar="SUB",
    multiple=True,
    help="In pairs of this sub-kind near_duplicate is right for same, too, and undetermined for changed.",
)
@click.option(
    "--worst",
    metavar="NUMBER",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="Most wrong answers to list.",
)
@options.jobs
@options.settings
@options.as_json
def command(
    pairs: str,
    root: str | None,
    loose: tuple[str, ...],
    worst: int,
    jobs: int | None,
    settings: str | None,
    as_json: bool,
) -> None:
    """Measure the answers on labelled pairs of pages.

    PAIRS holds a JSON object a line: a and b (files with one page each), kind (same, minor, changed or different) and,
    if known, site, sub, id, url_a, url_b, undecidable; - is standard input. Printed are who got which answer, how often
    each answer is right, what other thresholds would give, whether the confidence is true, and the worst mistakes.
    """
    loaded, started = load(settings), time.monotonic()
    found = judge_file(pairs, root, loaded, jobs=jobs, loose=loose)
    for name in sorted(set(loose) - {one.sub for one in found.judged}):
        complain(f"--loose {name}: no pair has this sub-kind")
    if found.judged:
        report = evaluate(found.judged, loaded.judging, worst=worst)
        if as_json:
            counts = {"undecidable": found.undecidable, "repeated": found.repeated, "unreadable": found.faults}
            print_json({**plain(report), "pages": found.pages, **counts})
        else:
            _print_head(found, time.monotonic() - started)
            print_evaluation(report, loaded.judging)
    else:
        complain_of_none(found, pairs, root)
    click.get_current_context().exit(UNREADABLE if found.faults or not found.judged else 0)


def _print_head(found: LabelledPairs, seconds: float) -> None:
    sites = {one.site for one in found.judged} - {""}
    of = f" of {number_of(len(sites), 'site')}" if sites else ""
    say(f"{number_of(len(found.judged), 'pair')}{of}, {number_of(found.pages, 'page')} in {seconds:.1f} s")
    nowhere = sum(not one.site for one in found.judged)
    if nowhere:
        say(f"Of no known site: {number_of(nowhere, 'pair')}, taken for pairs of one (give them site, url_a or url_b)")
    if found.repeated:
        say(f"Named before with the same label, and counted again: {number_of(found.repeated, 'pair')}")
    if found.undecidable:
        say(f"Left out as undecidable: {number_of(found.undecidable, 'pair')}")
    if found.faults:
        say(f"Lines and pages that could not be used, each named on standard error: {found.faults:,}")
    say()

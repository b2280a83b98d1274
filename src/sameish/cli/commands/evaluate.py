"""`sameish evaluate`: how often the answers are right on pages of your own."""

from __future__ import annotations

import time

import click

from sameish.cli import options
from sameish.cli.documented import Documented
from sameish.cli.errors import UNREADABLE, complain
from sameish.cli.evaluations import print_evaluation
from sameish.cli.jsonlines import plain, print_json
from sameish.cli.labelled_pairs import LabelledPairs, judge_file
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
@click.option("--worst", type=click.IntRange(min=0), default=10, show_default=True, help="Most wrong answers to list.")
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
    if found.judged:
        report = evaluate(found.judged, loaded.judging, worst=worst)
        if as_json:
            print_json(
                {**plain(report), "undecidable": found.undecidable, "pages": found.pages, "unreadable": found.faults}
            )
        else:
            _print_head(found, time.monotonic() - started)
            print_evaluation(report, loaded.judging)
    elif not found.faults:
        complain(f"{pairs}: there is no pair in it")
    click.get_current_context().exit(UNREADABLE if found.faults or not found.judged else 0)


def _print_head(found: LabelledPairs, seconds: float) -> None:
    sites = number_of(len({one.site for one in found.judged}), "site")
    parts = [
        number_of(len(found.judged), "pair"),
        f"of {sites},",
        f"{number_of(found.pages, 'page')} in {seconds:.1f} s",
    ]
    say(" ".join(parts))
    if found.undecidable:
        say(f"Left out as undecidable: {number_of(found.undecidable, 'pair')}")
    if found.faults:
        say(f"Not readable, see above: {found.faults:,}")
    say()

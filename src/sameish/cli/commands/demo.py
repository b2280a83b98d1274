"""`sameish demo`: see it work, without a crawl of your own."""

from __future__ import annotations

import tempfile
from contextlib import nullcontext
from pathlib import Path

import click

import sameish
from sameish.cli import options, scanning
from sameish.cli.documented import Documented
from sameish.cli.errors import Refused, complain
from sameish.cli.inputs import pages_of
from sameish.cli.jsonlines import plain, print_json
from sameish.cli.output import one_line, say
from sameish.cli.progress import Progress
from sameish.cli.reports import print_report
from sameish.cli.tally import Tally
from sameish.demo import Crawl, make_crawl, write_warc
from sameish.demo.report import Answer, score
from sameish.settings import Settings, load

_ARCHIVE, _STORE = "demo.warc.gz", "demo.db"


@click.command("demo", cls=Documented, example="sameish demo --keep demo")
@click.option("--keep", metavar="FOLDER", help=f"Keep {_ARCHIVE} and {_STORE} in a folder; it is made if need be.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another number gives other noise, same articles.")
@click.option("--details", is_flag=True, help="Print a row for everything that was done to a page.")
@options.settings
@options.as_json
def command(keep: str | None, seed: int, details: bool, settings: str | None, as_json: bool) -> None:
    """Scan the crawl of an invented newspaper.

    Writes ten days of a small newspaper's pages to a WARC file, with all that a crawler meets: moving ads, tracking
    parameters, print versions, edits, a redesign, login walls, errors. Scans it with a fresh store, and holds every
    answer against the truth.
    """
    loaded = load(settings)
    with nullcontext(_made(keep)) if keep is not None else tempfile.TemporaryDirectory() as folder:
        crawl, tally = make_crawl(seed), Tally()
        answers = _scan(crawl, Path(folder), loaded, tally)
    report = score(crawl, answers)
    if as_json:
        print_json({**plain(report), "seconds": round(tally.seconds, 3)})
        return
    print_report(report, tally.seconds, details=details)
    if keep is not None:
        say()
        archive, store = one_line(f"{Path(keep) / _ARCHIVE}"), one_line(f"{Path(keep) / _STORE}")
        say(f"Kept are {archive} and {store}. Try: sameish scan {archive} --store {store}")


def _made(name: str) -> str:
    """Return a folder that holds no demo yet; nothing in it is ever overwritten."""
    Path(name).mkdir(parents=True, exist_ok=True)
    there = [file for file in (_ARCHIVE, _STORE) if (Path(name) / file).exists()]
    if there:
        raise Refused(f"{name} holds {' and '.join(there)} already; name another folder, or delete them")
    return name


def _scan(crawl: Crawl, folder: Path, settings: Settings, tally: Tally) -> list[Answer]:
    answers: list[Answer] = []
    archive = str(folder / _ARCHIVE)
    write_warc(crawl, archive)
    with Progress(tally, (archive,)) as progress, sameish.open(folder / _STORE, settings) as detector:

        def note(path: str, page: sameish.Page, verdict: sameish.Verdict) -> None:
            answers.append((page, verdict))
            progress.show(path)

        tally.restart()
        pages = pages_of((archive,), settings, complain)
        scanning.observe_all(pages, detector, tally, show=note, on_error=complain)
    return answers

"""`sameish demo`: see it work, without a crawl of your own."""

from __future__ import annotations

import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

import click

import sameish
from sameish.cli import options, scanning
from sameish.cli.crawl_report import print_crawls
from sameish.cli.documented import Documented
from sameish.cli.errors import NO, Refused, complain
from sameish.cli.inputs import pages_of
from sameish.cli.jsonlines import plain, print_json
from sameish.cli.output import one_line, say
from sameish.cli.progress import Progress
from sameish.cli.reports import print_report
from sameish.cli.steps import Steps
from sameish.cli.tally import Tally
from sameish.demo import Crawl, make_crawl, write_warc
from sameish.demo.live import rounds
from sameish.demo.live.report import report_of
from sameish.demo.report import Answer, score
from sameish.settings import Settings, load

_ARCHIVE, _STORE = "demo.warc.gz", "demo.db"


@click.command("demo", cls=Documented, example="sameish demo --keep demo")
@click.option("--captures", is_flag=True, help="Scan an archive of ten days instead, and judge every verdict.")
@click.option("--keep", metavar="FOLDER", help=f"Keep {_STORE} (and {_ARCHIVE}) in a folder; it is made if need be.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another number gives other noise and other URLs.")
@click.option("--details", is_flag=True, help="With --captures: print a row for everything that was done to a page.")
@options.settings
@options.as_json
def command(captures: bool, keep: str | None, seed: int, details: bool, settings: str | None, as_json: bool) -> None:
    """Crawl an invented newspaper, with and without sameish.

    Serves it on four hosts of 127.0.0.1, under many URLs each article, with ETags that lie, and crawls it over HTTP:
    then again after edits. Prints what was requested and what was found, and exits with 1 where something was lost.
    """
    loaded = load(settings)
    files = (_ARCHIVE, _STORE) if captures else (_STORE,)
    with nullcontext(_made(keep, files)) if keep is not None else tempfile.TemporaryDirectory() as folder:
        if captures:
            _scanned(Path(folder), seed, loaded, details=details, as_json=as_json)
            faults = 0
        else:
            faults = _crawled(Path(folder), seed, loaded, as_json=as_json)
    if not as_json:
        _print_ways_on(keep, captures=captures)
    if faults:
        raise click.exceptions.Exit(NO)


def _scanned(folder: Path, seed: int, settings: Settings, *, details: bool, as_json: bool) -> None:
    crawl, tally = make_crawl(seed), Tally()
    report = score(crawl, _scan(crawl, folder, settings, tally))
    if as_json:
        print_json({**plain(report), "seconds": round(tally.seconds, 3)})
    else:
        print_report(report, tally.seconds, details=details)


def _crawled(folder: Path, seed: int, settings: Settings, *, as_json: bool) -> int:
    """Run the crawls and print the report; return how many faults there are."""
    began = time.monotonic()
    with Steps() as steps:
        report = report_of(rounds.run(folder / _STORE, settings, seed, rounds.HOSTS, steps.show), settings.ledger)
    seconds = time.monotonic() - began
    if as_json:
        print_json({**plain(report), "seconds": round(seconds, 3)})
    else:
        print_crawls(report, seconds)
    return len(report.faults)


def _print_ways_on(keep: str | None, *, captures: bool) -> None:
    say()
    store = None if keep is None else one_line(f"{Path(keep) / _STORE}")
    if captures and keep is not None:
        archive = one_line(f"{Path(keep) / _ARCHIVE}")
        say(f"Kept are {archive} and {store}. Try: sameish scan {archive} --store {store}")
    elif store is not None:
        say(f"Kept is {store}. Try: sameish stats --store {store}")
    if not captures:
        say("Read on: docs/explanation/one-url-walk.md, docs/how-to/use-in-a-crawler.md;")
        say("`sameish demo --captures` shows how well pages are told apart.")


def _made(name: str, files: tuple[str, ...]) -> str:
    """Return a folder that holds no demo yet; nothing in it is ever overwritten."""
    Path(name).mkdir(parents=True, exist_ok=True)
    there = [file for file in files if (Path(name) / file).exists()]
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

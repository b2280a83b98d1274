"""`sameish stats`: sums over a store."""

from __future__ import annotations

import click

from sameish.cli import options
from sameish.cli.documented import Documented
from sameish.cli.jsonlines import plain, print_json
from sameish.cli.output import number_of, say
from sameish.cli.stores import existing
from sameish.cli.verdicts import print_kinds, print_totals
from sameish.settings import load


@click.command("stats", cls=Documented, example="sameish stats --store crawl.db")
@options.store
@options.settings
@options.as_json
def command(store: str, settings: str | None, as_json: bool) -> None:
    """Count what a store holds.

    Captures and bytes by the verdict that each capture got when it was observed, and how many bytes were needless.
    """
    with existing(store, load(settings)) as detector:
        totals = detector.store.totals()
    if as_json:
        print_json(plain(totals))
        return
    print_totals(store, totals)
    print_kinds(totals.by_verdict, totals.bytes_by_verdict)
    if totals.not_modified:
        say(f"Not modified: {number_of(totals.not_modified, 'answer')} with status 304")

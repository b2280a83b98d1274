"""`sameish stats`: sums over a store."""

from __future__ import annotations

import click

from sameish.cli import options
from sameish.cli.documented import Documented
from sameish.cli.errors import Refused
from sameish.cli.jsonlines import plain, print_json
from sameish.cli.output import number_of, say
from sameish.cli.stores import existing, site_name
from sameish.cli.verdicts import print_kinds, print_totals
from sameish.gate.ledger import Savings, lines, savings_of
from sameish.settings import load
from sameish.stores.base import StoreTotals
from sameish.stores.targets import shown


@click.command("stats", cls=Documented, example="sameish stats --store crawl.db")
@options.store
@click.option("--site", metavar="DOMAIN", help="Count this site only; else the whole store.")
@options.settings
@options.as_json
def command(store: str, site: str | None, settings: str | None, as_json: bool) -> None:
    """Count what a store holds, and what was saved.

    Captures and bytes by the verdict that each capture got when it was observed, and how many bytes were needless. Then
    the ledger: requests and bytes that were saved before the fetch, by reason, and what that may have cost.
    """
    loaded = load(settings)
    name = None if site is None else site_name(site)
    with existing(store, loaded) as detector:
        totals, ledger = detector.store.totals(name), detector.store.ledger()
    if name is not None and not totals.captures and all(entry.site != name for entry in ledger):
        raise Refused(f"nothing is known of {name}; `sameish sites --store {shown(store)}` lists the sites")
    savings = savings_of(ledger, loaded.ledger, site=name)
    if as_json:
        print_json({**({} if name is None else {"site": name}), **plain(totals), **plain(savings)})
        return
    _print(shown(store) if name is None else f"{shown(store)}, {name}", totals, savings)


def _print(what: str, totals: StoreTotals, savings: Savings) -> None:
    print_totals(what, totals)
    print_kinds(totals.by_verdict, totals.bytes_by_verdict)
    if totals.not_modified:
        say(f"Not modified: {number_of(totals.not_modified, 'answer')} with status 304")
    told = lines(savings)
    if told:
        say()
        say("Ledger: what was fetched, and what was saved before the fetch")
    for line in told:
        say(line)

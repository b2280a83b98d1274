"""`sameish sites`: what is known before the fetch, site by site."""

from __future__ import annotations

from typing import Any

import click

from sameish.cli import options
from sameish.cli.documented import Documented
from sameish.cli.errors import Refused
from sameish.cli.jsonlines import plain, print_json
from sameish.cli.output import one_line, say
from sameish.cli.sites import name_of, print_rules, print_site, print_sites
from sameish.cli.stores import existing, site_name
from sameish.detector import utc_now
from sameish.gate.overview import SiteOverview, host_rows, overviews, trap_rows
from sameish.settings import load
from sameish.stores.base import Store
from sameish.stores.targets import shown


@click.command(
    "sites",
    cls=Documented,
    example="sameish sites --store crawl.db\nsameish sites example.com --rules --store crawl.db",
)
@click.argument("site", required=False)
@click.option("--rules", is_flag=True, help="Show each URL rule, with its evidence and its audits.")
@options.store
@options.settings
@options.as_json
def command(site: str | None, rules: bool, store: str, settings: str | None, as_json: bool) -> None:
    """Show what was learned of sites, and what that saved.

    Without SITE a line for each site: captures, pages, URL rules that act, requests saved, audits, and how many of those
    were wrong skips. With SITE its ledger, how far its hosts are believed, and its traps.
    """
    loaded = load(settings)
    name = None if site is None else site_name(site)
    with existing(store, loaded) as detector:
        found = overviews(detector.store, loaded, name)
        if name is not None and not found:
            raise Refused(f"nothing is known of {name}; `sameish sites --store {shown(store)}` lists the sites")
        if as_json:
            _print_json(detector.store, found, rules=rules, details=name is not None)
        elif name is not None:
            print_site(found[0], *_details(detector.store, found[0]))
            if rules:
                print_rules(found[0].rules)
        elif rules:
            _print_all_rules(found)
        elif found:
            print_sites(found)
        else:
            say(f"There are no pages in {one_line(shown(store))}.")


def _print_all_rules(found: list[SiteOverview]) -> None:
    for one in found:
        if one.rules:
            say(f"Site: {name_of(one.site)}")
            print_rules(one.rules)
    if not any(one.rules for one in found):
        say("No URL rules are learned yet.")


def _details(store: Store, one: SiteOverview) -> tuple[Any, Any]:
    return host_rows(one.memory, utc_now()), trap_rows(store, one.site, one.memory)


def _print_json(store: Store, found: list[SiteOverview], *, rules: bool, details: bool) -> None:
    for one in found:
        if rules:
            for row in one.rules:
                print_json({"site": one.site, **plain(row)})
            continue
        counts = {"site": one.site, "captures": one.captures, "pages": one.pages, "rules_acting": one.rules_acting}
        more = dict(zip(("hosts", "traps"), _details(store, one), strict=True)) if details else {}
        print_json({**counts, **plain(one.savings), **more})

"""`sameish store expire`: captures that are too old, or too many of a site."""

from __future__ import annotations

import re
import sys
from datetime import timedelta

import click

from sameish.cli import options
from sameish.cli.documented import Documented
from sameish.cli.errors import NO
from sameish.cli.jsonlines import plain, print_json
from sameish.cli.output import number_of, one_line, say
from sameish.cli.store_progress import StoreProgress
from sameish.cli.stores import existing
from sameish.detector import Detector, utc_now
from sameish.settings import load
from sameish.stores.base import Expired
from sameish.stores.targets import shown

_SPAN = re.compile(r"(\d+(?:\.\d+)?)\s*([hdw]?)")
_HOURS = {"h": 1, "d": 24, "": 24, "w": 7 * 24}
_LONGEST_HOURS = 36_500 * 24


def _span(_context: click.Context, _option: click.Parameter, value: str | None) -> timedelta | None:
    """Read a time span: `30d`, `12h`, `4w`, or days without a unit."""
    if value is None:
        return None
    found = _SPAN.fullmatch(value.strip().lower())
    hours = float(found[1]) * _HOURS[found[2]] if found else 0.0
    if not 0 < hours <= _LONGEST_HOURS:
        raise click.BadParameter(f"{value!r} is no time span, such as 30d, 12h or 4w")
    return timedelta(hours=hours)


@click.command("expire", cls=Documented, example="sameish store expire --older-than 90d --store crawl.db")
@options.store
@click.option(
    "--older-than",
    metavar="SPAN",
    callback=_span,
    help="Captures older than this, such as 90d, 12h or 4w; else the setting store.expire_after_days.",
)
@click.option(
    "--site-budget",
    type=click.IntRange(min=1),
    metavar="NUMBER",
    help="Leave so many captures of each site, the newest of each page first; else the setting store.site_budget.",
)
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@options.settings
@options.as_json
def command(
    store: str,
    older_than: timedelta | None,
    site_budget: int | None,
    yes: bool,
    settings: str | None,
    as_json: bool,
) -> None:
    """Delete captures that are too old, or too many of a site.

    The last good capture of a page stays while the page answers well, and whatever the budget. Others may read and
    write meanwhile. On a terminal you are asked first; without --yes and without a terminal nothing is asked.
    """
    with existing(store, load(settings)) as detector:
        kept = detector.settings.store
        if older_than is None and kept.expire_after_days is not None:
            older_than = timedelta(days=kept.expire_after_days)
        budget = kept.site_budget if site_budget is None else site_budget
        if older_than is None and budget is None:
            message = "name --older-than or --site-budget, or set store.expire_after_days or store.site_budget"
            raise click.UsageError(message)
        if not yes and sys.stdin is not None and sys.stdin.isatty() and not _agreed(store, older_than, budget):
            say("Nothing was deleted.")
            click.get_current_context().exit(NO)
        with StoreProgress() as progress:
            done = detector.expire(
                before=None if older_than is None else utc_now() - older_than,
                site_budget=budget,
                told=lambda sums: progress.tell(f"{number_of(sums.captures, 'capture')} deleted"),
            )
        over = _over(detector, budget)
    if as_json:
        print_json({"store": shown(store), **plain(done), "sites_over_budget": over})
    else:
        _print(store, done, over)


def _agreed(store: str, older_than: timedelta | None, budget: int | None) -> bool:
    wanted = []
    if older_than is not None:
        wanted.append(f"captures from before {(utc_now() - older_than):%Y-%m-%d %H:%M} UTC")
    if budget is not None:
        wanted.append(f"all but {number_of(budget, 'capture')} of each site")
    return click.confirm(f"Delete {' and '.join(wanted)} from {one_line(shown(store))}?", err=True)


def _over(detector: Detector, budget: int | None) -> list[str]:
    return [] if budget is None else [one.site for one in detector.store.sites() if one.captures > budget]


def _print(store: str, done: Expired, over: list[str]) -> None:
    more = f"; with them {number_of(done.pages, 'page')}" if done.pages else ""
    why = f"{done.aged:,} too old, {done.surplus:,} over the budget{more}"
    say(f"{one_line(shown(store))}: {number_of(done.captures, 'capture')} deleted ({why})")
    if over:
        names = ", ".join(one_line(site) or "(files)" for site in over[:3])
        rest = f" and {len(over) - 3:,} more" if len(over) > 3 else ""
        say(f"Still over the budget, for the last good capture of a page stays: {names}{rest}")

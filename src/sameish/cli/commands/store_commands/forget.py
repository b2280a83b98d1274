"""`sameish store forget`: captures that must go."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

import click

from sameish.cli import options
from sameish.cli.documented import Documented
from sameish.cli.errors import NO
from sameish.cli.jsonlines import print_json
from sameish.cli.output import number_of, one_line, say
from sameish.cli.stores import existing, site_name
from sameish.settings import load
from sameish.stores.targets import shown


def _moment(_context: click.Context, _option: click.Parameter, value: str | None) -> datetime | None:
    """Read a day or a time in ISO 8601."""
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError as error:
        message = f"{value!r} is no time in ISO 8601, such as 2025-03-31 or 2025-03-31T12:00+02:00"
        raise click.BadParameter(message) from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


@click.command(
    "forget", cls=Documented, example="sameish store forget --site example.com --before 2025-01-01 --store crawl.db"
)
@options.store
@click.option("--url", metavar="URL", help="Captures of this page.")
@click.option("--site", metavar="DOMAIN", help="Captures of this site.")
@click.option(
    "--before",
    metavar="TIME",
    callback=_moment,
    help="Captures fetched before this time (ISO 8601; UTC unless it names a zone).",
)
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@options.settings
@options.as_json
def command(
    store: str,
    url: str | None,
    site: str | None,
    before: datetime | None,
    yes: bool,
    settings: str | None,
    as_json: bool,
) -> None:
    """Delete captures from a store.

    Deleted is what meets all conditions; there must be one. On a terminal you are asked first; without --yes and
    without a terminal nothing is asked. To forget everything delete the file or the database.
    """
    if url is None and site is None and before is None:
        raise click.UsageError("name at least one of --url, --site and --before")
    with existing(store, load(settings)) as detector:
        if not yes and sys.stdin is not None and sys.stdin.isatty() and not _agreed(store, url, site, before):
            say("Nothing was deleted.")
            click.get_current_context().exit(NO)
        deleted = detector.forget(url=url, site=None if site is None else site_name(site), before=before)
    if as_json:
        print_json({"store": shown(store), "deleted": deleted})
    else:
        say(f"{one_line(shown(store))}: {number_of(deleted, 'capture')} deleted")


def _agreed(store: str, url: str | None, site: str | None, before: datetime | None) -> bool:
    named = {"of the page": url, "of the site": site, "from before": before and before.isoformat()}
    conditions = " and ".join(f"{words} {one_line(value)}" for words, value in named.items() if value)
    return click.confirm(f"Delete all captures {conditions} from {one_line(shown(store))}?", err=True)

"""`sameish store migrate`: a store of an older version."""

from __future__ import annotations

import click

from sameish.assembly import migrate_store
from sameish.cli import options
from sameish.cli.documented import Documented
from sameish.cli.jsonlines import print_json
from sameish.cli.output import one_line, say
from sameish.cli.stores import require_store
from sameish.settings import load
from sameish.stores.targets import shown


@click.command("migrate", cls=Documented, example="sameish store migrate --store postgresql://crawler@db.example/crawl")
@options.store
@options.settings
@options.as_json
def command(store: str, settings: str | None, as_json: bool) -> None:
    """Bring a store to the format of this version.

    All of it or nothing. A store that has this format already is left as it is. A SQLite file of another format is
    refused: older versions of sameish cannot be caught up with there.
    """
    require_store(store)
    before, after = migrate_store(store, load(settings))
    if as_json:
        print_json({"store": shown(store), "format_before": before, "format": after})
    elif before == after:
        say(f"{one_line(shown(store))}: format {after}, nothing to do")
    else:
        say(f"{one_line(shown(store))}: format {before} is now {after}")

"""`sameish store`: the commands that look after a store."""

from __future__ import annotations

import click

from sameish.cli.lazy import LazyGroup

SUMMARIES = {
    "info": "Say what a store is.",
    "verify": "Check a store for faults.",
    "forget": "Delete captures from a store.",
    "expire": "Delete captures that are too old, or too many of a site.",
    "export": "Write what a store holds into a file, for another store or a copy.",
    "import": "Store what was exported.",
    "migrate": "Bring a store to the format of this version.",
}


@click.command(
    "store",
    cls=LazyGroup,
    package="sameish.cli.commands.store_commands",
    summaries=SUMMARIES,
    example="sameish store verify --store crawl.db",
)
def command() -> None:
    """Look after a store."""

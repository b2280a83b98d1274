"""Options that several commands take, worded once."""

from __future__ import annotations

import click

DEFAULT_STORE = "sameish.db"

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
settings = click.option(
    "--settings", metavar="FILE", help="A TOML file with settings; else the one that SAMEISH_SETTINGS names."
)
store = click.option(
    "--store",
    metavar="STORE",
    envvar="SAMEISH_STORE",
    default=DEFAULT_STORE,
    show_default=True,
    help="The store, a file or postgresql://USER@HOST/DATABASE; else the one that SAMEISH_STORE names.",
)
root = click.option(
    "--root",
    metavar="FOLDER",
    type=click.Path(exists=True, file_okay=False),
    help="What paths in PAIRS are relative to; else the folder of PAIRS.",
)
jobs = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="NUMBER",
    help="Processes that read pages; else one, or all cores for many.",
)

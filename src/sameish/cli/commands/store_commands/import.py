"""`sameish store import`: what another store held."""  # noqa: N999 - a command's module is named as the command

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import click

from sameish.assembly import open_store
from sameish.cli import options
from sameish.cli.documented import Documented
from sameish.cli.jsonlines import plain, print_json
from sameish.cli.output import number_of, one_line, say
from sameish.cli.store_progress import StoreProgress
from sameish.gate.learned import check_learned
from sameish.settings import load
from sameish.stores.targets import shown
from sameish.stores.transfer import Imported, import_store, open_export


@click.command(
    "import", cls=Documented, example="sameish store import crawl.jsonl.zst --store postgresql://crawler@db/crawl"
)
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@options.store
@options.settings
@options.as_json
def command(file: str, store: str, settings: str | None, as_json: bool) -> None:
    """Store what was exported.

    A store of any kind takes it; it is made where there is none.

    What is stored already stays as it is, so importing twice changes nothing. Of a file that is damaged or cut short
    all that stands before is imported, and the exit code is 3.
    """
    with _opened(file) as (source, size):
        export = open_export(source, "standard input" if file == "-" else file)  # before a store is made for it
        with open_store(store, load(settings), any_scheme=True) as opened, StoreProgress() as progress:

            def told(done: Imported, offset: int) -> None:
                progress.tell(number_of(done.captures, "capture"), offset / size if size else None)

            done = import_store(opened, export, check_learned, told)
    if as_json:
        print_json({"store": shown(store), "file": file, **plain(done)})
        return
    known = done.captures - done.new
    there = f" ({known:,} stored already)" if known else ""
    say(f"{one_line(shown(store))}: {number_of(done.captures, 'capture')} from {one_line(file)}{there}")
    say(
        f"  and what was seen of {number_of(done.pages, 'page')}, {number_of(done.visits, 'visit')}, "
        f"what was learned of {number_of(done.sites, 'site')}, {number_of(done.ledger, 'sum')} of the ledger, "
        f"{number_of(done.dropped, 'dropped URL')}"
    )


@contextmanager
def _opened(file: str) -> Iterator[tuple[BinaryIO, int]]:
    """Open a file; its size is 0 where that is not known."""
    if file == "-":
        yield sys.stdin.buffer, 0
        return
    with Path(file).open("rb") as source:
        yield source, Path(file).stat().st_size

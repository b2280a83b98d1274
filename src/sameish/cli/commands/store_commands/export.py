"""`sameish store export`: what a store holds, in a file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import click

from sameish.cli import options
from sameish.cli.documented import Documented
from sameish.cli.errors import Refused
from sameish.cli.jsonlines import print_json
from sameish.cli.output import number_of, on_terminal, one_line, say, size_of
from sameish.cli.store_progress import StoreProgress
from sameish.cli.stores import existing, is_of_store
from sameish.detector import utc_now
from sameish.replacing import replacing
from sameish.settings import load
from sameish.stores.targets import shown
from sameish.stores.transfer import Exported, export_store


@click.command("export", cls=Documented, example="sameish store export crawl.jsonl.zst --store crawl.db")
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, allow_dash=True))
@options.store
@click.option("--force", "-f", is_flag=True, help="Replace FILE where it exists.")
@options.settings
@options.as_json
def command(file: str, store: str, force: bool, settings: str | None, as_json: bool) -> None:
    """Write what a store holds into a file, for another store or a copy.

    The file has one JSON object a line, compressed with Zstandard (- writes to standard output). Others may read and
    write meanwhile. Not in it: bodies that are kept to answer with, and leases.
    """
    if file == "-" and (as_json or on_terminal()):
        raise click.UsageError("FILE is standard output: redirect it, and leave --json out")
    if file != "-":
        _check_place(file, store, force=force)
    with existing(store, load(settings)) as detector, _opened(file) as out, StoreProgress() as progress:

        def told(done: Exported) -> None:
            progress.tell(
                f"{done.captures:,} of {number_of(done.total, 'capture')}", done.captures / max(done.total, 1)
            )

        done = export_store(detector.store, out, utc_now(), told)
    sums = {"store": shown(store), "file": file, "captures": done.captures, "lines": done.lines}
    if as_json:
        print_json({**sums, "size_bytes": done.size_bytes})
    else:
        what = f"{number_of(done.captures, 'capture')} from {one_line(shown(store))}"
        say(f"{one_line(file)}: {what}, {number_of(done.lines, 'line')}, {size_of(done.size_bytes)}", err=file == "-")


def _check_place(file: str, store: str, *, force: bool) -> None:
    """Refuse where a file would take the place of what must stay.

    Raises:
        Refused: it is the store itself, something that holds no bytes, or a file that is there and may stay.
    """
    path = Path(file)
    if is_of_store(path, store):
        raise Refused(f"{file} is a file of the store itself; name another file")
    if path.exists() and not path.is_file():
        raise Refused(f"{file} is no regular file; name another file, or - for standard output")
    if path.exists() and not force:
        raise Refused(f"{file} exists; name another file, or replace it with --force")


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    """Open what the lines go to."""
    if file == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with replacing(Path(file)) as out:
        yield out

"""`sameish store export`: what a store holds, in a file."""

from __future__ import annotations

import os
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
from sameish.cli.stores import existing
from sameish.detector import utc_now
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
    with existing(store, load(settings)) as detector, _opened(file, force=force) as out, StoreProgress() as progress:

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


@contextmanager
def _opened(file: str, *, force: bool) -> Iterator[BinaryIO]:
    """Open a file under another name until it is whole; one that did not become whole is deleted."""
    if file == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(file)
    if path.exists() and not force:
        raise Refused(f"{file} exists; name another file, or replace it with --force")
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    part.replace(path)

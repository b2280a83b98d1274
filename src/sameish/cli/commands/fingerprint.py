"""`sameish fingerprint`: what is kept of pages."""

from __future__ import annotations

import click

import sameish
from sameish.cli import options
from sameish.cli.documented import Documented
from sameish.cli.errors import UNREADABLE, complain
from sameish.cli.inputs import pages_of
from sameish.cli.jsonlines import plain, print_json
from sameish.cli.output import one_line, table
from sameish.errors import ReadingError, SameishError
from sameish.models import Fingerprint
from sameish.settings import load

_COLUMNS = ("simhash", "structure", "digest", "words", "state", "scheme", "page")


@click.command("fingerprint", cls=Documented, example="sameish fingerprint article.html print.html")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@options.settings
@options.as_json
def command(files: tuple[str, ...], settings: str | None, as_json: bool) -> None:
    """Show what is kept of pages.

    FILE is anything that `sameish scan` reads, or - for standard input. Hashes and digests are in hex. With --json
    there is the sketch, too.
    """
    loaded, rows, errors = load(settings), [], []

    def report(error: SameishError) -> None:
        errors.append(error)
        complain(error)

    for path, page in pages_of(files, loaded, report):
        try:
            found = sameish.fingerprint(page, settings=loaded)
        except ReadingError as error:
            report(ReadingError(f"{path}: {page.url or 'a page'}: {error}"))
            continue
        # a file is named as it was given; what is in it, by its address
        name = path if page.url is None or page.url.startswith("file:") else page.url
        if as_json:
            print_json({"page": name, **plain(found)})
        else:
            rows.append(_row(found, name))
    if rows:
        table(_COLUMNS, rows, right=(3,))
    click.get_current_context().exit(UNREADABLE if errors else 0)


def _row(found: Fingerprint, name: str) -> tuple[str, ...]:
    hashes = ("-" if value is None else f"{value:016x}" for value in (found.simhash, found.structure))
    return (*hashes, found.digest.hex(), f"{found.words:,}", found.state, found.scheme, one_line(name))

"""`sameish compare`: two pages, one answer."""

from __future__ import annotations

import click

import sameish
from sameish.cli import options
from sameish.cli.comparisons import print_comparison
from sameish.cli.documented import Documented
from sameish.cli.errors import NO
from sameish.cli.inputs import two_pages
from sameish.cli.jsonlines import plain, print_json
from sameish.models import ComparisonKind
from sameish.settings import load


@click.command("compare", cls=Documented, example="sameish compare monday.html tuesday.html")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@options.settings
@options.as_json
def command(first: str, second: str, settings: str | None, as_json: bool) -> None:
    """Say how two pages relate.

    A and B are files with one page each; one may be - for standard input. The answer is identical, near_duplicate,
    different or undetermined, with what decided. The exit code is 0 for identical pages, else 1.
    """
    loaded = load(settings)
    comparison = sameish.compare(*two_pages(first, second, loaded), settings=loaded)
    if as_json:
        print_json(plain(comparison))
    else:
        print_comparison(comparison)
    click.get_current_context().exit(0 if comparison.kind is ComparisonKind.IDENTICAL else NO)

"""`sameish explain`: what differs, and why the answer is what it is."""

from __future__ import annotations

from typing import Any

import click

import sameish
from sameish.cli import comparisons, options
from sameish.cli.differences import differences
from sameish.cli.documented import Documented
from sameish.cli.inputs import two_pages
from sameish.cli.jsonlines import plain, print_json
from sameish.cli.output import say
from sameish.models import Extract
from sameish.settings import load


@click.command("explain", cls=Documented, example="sameish explain monday.html tuesday.html")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option("--all", "everything", is_flag=True, help="Print the sentences in common, too.")
@options.settings
@options.as_json
def command(first: str, second: str, everything: bool, settings: str | None, as_json: bool) -> None:
    """Show what differs between two pages, and why.

    Prints how each page was read (its state, its encoding, what the rules for boilerplate removed), the sentences that
    only A (-) or only B (+) has, the noise that was ignored (~) with the pattern that recognised it, and the step that
    decided.
    """
    loaded = load(settings)
    pages = two_pages(first, second, loaded)
    a, b = (sameish.extract(page, settings=loaded) for page in pages)
    prints = (sameish.fingerprint(pages[0], settings=loaded), sameish.fingerprint(pages[1], settings=loaded))
    comparison = sameish.compare(*prints, settings=loaded)
    lines = differences(a.sentences, b.sentences)
    if as_json:
        changes = [line for line in lines if everything or line.kind != "common"]
        print_json({"comparison": comparison, "a": _fields(first, a), "b": _fields(second, b), "changes": changes})
        return
    for label, path, found, fingerprint in zip("AB", (first, second), (a, b), prints, strict=True):
        comparisons.print_page(label, path, found, fingerprint.words)
    say()
    comparisons.print_differences(lines, everything=everything)
    comparisons.print_noise(a.noise, b.noise)
    say()
    comparisons.print_comparison(comparison)


def _fields(path: str, found: Extract) -> dict[str, Any]:
    """Return how a page was read, without its texts."""
    fields: dict[str, Any] = plain(found)
    return {"path": path} | {name: value for name, value in fields.items() if name not in ("markdown", "sentences")}

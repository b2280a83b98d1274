"""`sameish explain`: what differs, and why the answer is what it is."""

from __future__ import annotations

from typing import Any

import click

import sameish
from sameish.cli import comparisons, explaining, options
from sameish.cli.differences import Line, differences, repetitions
from sameish.cli.documented import Documented
from sameish.cli.ignored import boilerplate_of, noise_of
from sameish.cli.inputs import two_pages
from sameish.cli.jsonlines import plain, print_json
from sameish.cli.output import say
from sameish.cli.wording import edited_words
from sameish.models import Comparison, Extract
from sameish.settings import load


@click.command("explain", cls=Documented, example="sameish explain monday.html tuesday.html")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option(
    "--all", "everything", is_flag=True, help="Print everything: sentences in common, too, and nothing shortened."
)
@options.settings
@options.as_json
def command(first: str, second: str, everything: bool, settings: str | None, as_json: bool) -> None:
    """Show what differs between two pages, and why.

    Prints how each page was read; the sentences that were edited (* with the words [-removed-] and {+added+}), that only
    A (-) or only B (+) has, that moved (>) or are cut elsewhere (=); the noise that was ignored (~) and why; what was
    removed as boilerplate; and the step that decided.
    """
    loaded = load(settings)
    pages = two_pages(first, second, loaded)
    a, b = (sameish.extract(page, settings=loaded) for page in pages)
    prints = (sameish.fingerprint(pages[0], settings=loaded), sameish.fingerprint(pages[1], settings=loaded))
    comparison = sameish.compare(*prints, settings=loaded)
    if as_json:
        print_json({
            "comparison": comparison, "a": _fields(first, a), "b": _fields(second, b),
            "changes": [_change(line) for line in differences(a.sentences, b.sentences) if everything or line.kind != "common"],
            "repeated": repetitions(a.sentences, b.sentences),
            "noise": noise_of(a, b), "boilerplate": boilerplate_of(a, b),
        })  # fmt: skip
        return
    for label, path, found, fingerprint in zip("AB", (first, second), (a, b), prints, strict=True):
        comparisons.print_page(label, path, found, fingerprint.words)
    _print_reasons(a, b, comparison, everything=everything)


def _print_reasons(a: Extract, b: Extract, comparison: Comparison, *, everything: bool) -> None:
    lines, repeated = differences(a.sentences, b.sentences), repetitions(a.sentences, b.sentences)
    say()
    explaining.print_summary(lines, repeated)
    say()
    explaining.print_differences(lines, everything=everything)
    explaining.print_repetitions(repeated, everything=everything)
    explaining.print_noise(noise_of(a, b), everything=everything)
    explaining.print_boilerplate(boilerplate_of(a, b))
    say()
    comparisons.print_comparison(comparison)


def _fields(path: str, found: Extract) -> dict[str, Any]:
    """Return how a page was read, without its texts."""
    fields: dict[str, Any] = plain(found)
    return {"path": path} | {name: value for name, value in fields.items() if name not in ("markdown", "sentences")}


def _change(line: Line) -> dict[str, Any]:
    """Return a difference with its text, and where A and B have different ones with both."""
    fields: dict[str, Any] = {"kind": line.kind, "text": line.text, "place_a": line.place_a, "place_b": line.place_b}
    if line.kind in ("edited", "recut"):
        fields["becomes"] = "\n".join(line.after)
    if line.kind == "edited":
        fields["words"] = edited_words(line.before[0], line.after[0])
    return fields

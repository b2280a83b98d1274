"""`sameish similar`: which stored pages resemble this one?"""

from __future__ import annotations

import click

from sameish.cli import options
from sameish.cli.documented import Documented
from sameish.cli.inputs import one_page
from sameish.cli.jsonlines import capture_fields, print_json
from sameish.cli.output import one_line, say, table
from sameish.cli.stores import existing, site_name
from sameish.settings import load


@click.command("similar", cls=Documented, example="sameish similar article.html --store crawl.db --within 12")
@click.argument("file")
@options.store
@click.option(
    "--within",
    metavar="BITS",
    type=click.IntRange(0, 64),
    default=8,
    show_default=True,
    help="Greatest distance in bits, 0 to 64.",
)
@click.option(
    "--limit", metavar="NUMBER", type=click.IntRange(min=1), default=10, show_default=True, help="Most pages to print."
)
@click.option("--site", metavar="DOMAIN", help="Look on this site only; else everywhere.")
@options.settings
@options.as_json
def command(
    file: str, store: str, within: int, limit: int, site: str | None, settings: str | None, as_json: bool
) -> None:
    """Find stored pages that resemble a page.

    FILE holds one page, or is - for standard input; it need not be stored. Of every stored page the nearest capture is
    printed, the nearest page first, by the Hamming distance of their simhashes. A page without
    content resembles none; a page with very little is compared like any other.
    """
    loaded = load(settings)
    with existing(store, loaded, any_scheme=False) as detector:
        page = one_page(file, loaded)
        found = detector.similar(page, within=within, limit=limit, site=None if site is None else site_name(site))
    if as_json:
        for capture, distance in found:
            print_json({"distance": distance, "capture": capture_fields(capture)})
    elif not found:
        say(f"Nothing stored is within {within} bits.")
    else:
        rows = [
            (f"{distance}", f"{capture.fetched_at:%Y-%m-%d %H:%M}", one_line(capture.url), one_line(capture.title))
            for capture, distance in found
        ]
        table(("bits", "fetched", "url", "title"), rows, right=(0,))

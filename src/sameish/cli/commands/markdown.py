"""`sameish markdown`: the main content of a page."""

from __future__ import annotations

import click

import sameish
from sameish.cli import options
from sameish.cli.documented import Documented
from sameish.cli.errors import complain
from sameish.cli.inputs import one_page
from sameish.cli.jsonlines import plain, print_json
from sameish.cli.output import clean, on_terminal
from sameish.settings import load


@click.command("markdown", cls=Documented, example="sameish markdown article.html > article.md")
@click.argument("file")
@click.option("--url", metavar="URL", help="The address of the page.")
@options.settings
@options.as_json
def command(file: str, url: str | None, settings: str | None, as_json: bool) -> None:
    """Write the main content of a page as Markdown.

    FILE holds one page, or is - for standard input. With --json everything that was read is printed: title, state,
    encoding, sentences, what was removed and ignored.
    """
    loaded = load(settings)
    found = sameish.extract(one_page(file, loaded, url), settings=loaded)
    if as_json:
        print_json(plain(found))
    elif found.markdown:
        text = clean(found.markdown) if on_terminal() else found.markdown
        click.echo(text.encode("utf-8", "replace"))
    else:
        complain(f"{file}: no main content, the page is {found.state} ({found.reason})")

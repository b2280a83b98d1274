"""The program `sameish`: its commands, and what holds for all of them."""

from __future__ import annotations

import io
import sys
from typing import Any

import click

from sameish._version import __version__
from sameish.cli.errors import told
from sameish.cli.lazy import LazyGroup

SUMMARIES = {
    "scan": "Read pages, say what each is, and remember it.",
    "compare": "Say how two pages relate.",
    "explain": "Show what differs between two pages, and why.",
    "similar": "Find stored pages that resemble a page.",
    "markdown": "Write the main content of a page as Markdown.",
    "fingerprint": "Show what is kept of pages.",
    "decide": "Say whether to fetch URLs again.",
    "stats": "Count what a store holds, and what was saved.",
    "sites": "Show what was learned of sites, and what that saved.",
    "evaluate": "Measure the answers on labelled pairs of pages.",
    "calibrate": "Fit the thresholds to pages of your own.",
    "store": "Look after a store.",
    "demo": "Crawl an invented newspaper, with and without sameish.",
}


class Program(LazyGroup):
    """The outermost group: every error becomes a message and an exit code here."""

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        """Read the arguments; `--version` and `--help` answer here already."""
        with told():
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command."""
        with told():
            return super().invoke(ctx)


@click.command(
    cls=Program,
    package="sameish.cli.commands",
    summaries=SUMMARIES,
    context_settings={"help_option_names": ["-h", "--help"]},
    example="sameish demo\nsameish scan crawl.warc.gz\nsameish compare monday.html tuesday.html",
    epilog="Every command answers to --help, and with --json it prints one JSON object a line.",
)
@click.version_option(__version__, prog_name="sameish", message="%(prog)s %(version)s")
def cli() -> None:
    """Is this page new, or just same-ish?

    Tells of every page whether it is new, unchanged, edited, or the same article again behind another URL and other
    HTML.
    """


def main() -> None:
    """Run the program on the arguments of the process."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a page may hold what the terminal's encoding does not
    cli(prog_name="sameish")

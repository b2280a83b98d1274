"""Commands whose help ends with an example, kept line by line as it was written."""

from __future__ import annotations

from typing import Any

import click


def write_example(formatter: click.HelpFormatter, example: str) -> None:
    """Write the section; the lines are not wrapped, they are there to be copied."""
    with formatter.section("Example" if "\n" not in example else "Examples"), formatter.indentation():
        for line in example.splitlines():
            formatter.write(f"  {line}\n")


class Documented(click.Command):
    """A command with an example.

    Args:
        example: one command a line.
        settings: what `click.Command` takes.
    """

    def __init__(self, *, example: str, **settings: Any) -> None:
        super().__init__(**settings)
        self.example = example

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  # click's signature
        """Write the example after the options."""
        write_example(formatter, self.example)

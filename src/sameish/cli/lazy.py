"""A group that imports a command when it is called: `--help` and `--version` need none of them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from sameish.cli.documented import write_example


class LazyGroup(click.Group):
    """A group whose commands are modules of one package.

    Args:
        package: where the modules are; each is named as its command and holds it under the name `command`.
        summaries: a line of help for each command, in the order of the help.
        example: one command a line.
        settings: what `click.Group` takes.
    """

    def __init__(self, *, package: str, summaries: Mapping[str, str], example: str, **settings: Any) -> None:
        super().__init__(**settings)
        self.package = package
        self.summaries = summaries
        self.example = example

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """Return the names in the order of the help."""
        return list(self.summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # as above
        """Import a command."""
        if cmd_name not in self.summaries:
            return None
        found: click.Command = import_module(f"{self.package}.{cmd_name}").command
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  # as above
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.summaries.items()))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the example after the commands."""
        write_example(formatter, self.example)
        super().format_epilog(ctx, formatter)

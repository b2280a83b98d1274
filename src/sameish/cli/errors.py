"""From exceptions to a message and an exit code, in one place."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import click

from sameish.cli.output import clean, on_terminal, say
from sameish.errors import SameishError, SettingsError

NO, USAGE, UNREADABLE = 1, 2, 3
INTERRUPTED, PIPE_CLOSED = 130, 141  # 128 + SIGINT, 128 + SIGPIPE: what a shell reports for programs ended by them


class Refused(click.ClickException):
    """A command was asked for something that cannot be; the message says what to do instead."""

    exit_code = USAGE

    def show(self, file: IO[Any] | None = None) -> None:  # noqa: ARG002  # click's signature
        """Print the message."""
        complain(self.message)


def complain(message: object) -> None:
    """Print a message to standard error under the program's name."""
    say(f"sameish: {clean(str(message))}", err=True)


def end_line() -> None:
    """Go to a new line after the `^C` that a terminal shows."""
    if on_terminal(err=True):
        say(err=True)


@contextmanager
def told() -> Iterator[None]:
    """Turn what a command raises into a message and an exit code.

    Raises:
        click.exceptions.Exit: with the code.
    """
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except SameishError as error:
        complain(error)
        raise click.exceptions.Exit(USAGE if isinstance(error, SettingsError) else UNREADABLE) from error
    except (KeyboardInterrupt, click.Abort) as error:
        end_line()
        raise click.exceptions.Exit(INTERRUPTED) from error
    except BrokenPipeError as error:
        _drop_output()
        raise click.exceptions.Exit(PIPE_CLOSED) from error
    except OSError as error:
        _drop_output()
        complain(f"{error.filename}: {error.strerror}" if error.filename else f"output: {error.strerror or error}")
        raise click.exceptions.Exit(UNREADABLE) from error


def _drop_output() -> None:
    """Send what is still to be printed nowhere, or the interpreter would fail on it when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, sys.stdout.fileno())
    except (AttributeError, OSError, ValueError):  # no such stream, or one without a descriptor
        pass
    finally:
        os.close(nowhere)

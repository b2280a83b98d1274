"""Pages for commands: many from paths, or the one in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice

from sameish.cli.errors import Refused, complain
from sameish.errors import SourceError
from sameish.models import Page
from sameish.settings import Settings
from sameish.sources import read_pages
from sameish.sources.inputs import trouble

STDIN = "-"


def pages_of(
    paths: Iterable[str], settings: Settings, on_skip: Callable[[SourceError], None]
) -> Iterator[tuple[str, Page]]:
    """Yield the pages of all paths, each with its path; what cannot be read is reported and does not end it."""
    for path in paths:
        try:
            for page in read_pages(path, settings=settings, on_skip=on_skip):
                yield path, page
        except SourceError as error:
            on_skip(error)


def one_page(path: str, settings: Settings, url: str | None = None) -> Page:
    """Return the page in a file or in standard input.

    Args:
        path: a file, or `-`.
        settings: bounds.
        url: the page's address, if it is known.

    Raises:
        SourceError: it cannot be read.
        Refused: there are several pages in it.
    """
    errors: list[SourceError] = []
    found = list(islice(read_pages(path, settings=settings, on_skip=errors.append), 2))
    if len(found) > 1:
        raise Refused(f"{path} holds several pages; this command takes a file with one")
    if not found:
        raise errors[0] if errors else trouble(path, None, "there is no page in it")
    for error in errors:
        complain(error)
    return found[0] if url is None else replace(found[0], url=url)


def two_pages(first: str, second: str, settings: Settings) -> tuple[Page, Page]:
    """Return the pages in two files; one of them may be standard input.

    Raises:
        SourceError: one cannot be read.
        Refused: both are standard input, or there are several pages in one.
    """
    if first == second == STDIN:
        raise Refused("standard input can be read once; name a file for one of the pages")
    return one_page(first, settings), one_page(second, settings)

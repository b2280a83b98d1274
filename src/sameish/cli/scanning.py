"""The walk of a scan: every page observed, counted and shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import TypeAlias

from sameish.cli.errors import Refused
from sameish.cli.interrupts import Interrupts
from sameish.cli.tally import Tally
from sameish.detector import Detector
from sameish.errors import ReadingError
from sameish.models import Page, Verdict

Show: TypeAlias = Callable[[str, Page, Verdict], None]
Found: TypeAlias = Iterable[tuple[str, Page]]


def observe_all(
    pages: Found, detector: Detector, tally: Tally, *, show: Show, on_error: Callable[[ReadingError], None]
) -> None:
    """Observe pages one by one.

    Args:
        pages: with the paths they came from.
        detector: remembers them.
        tally: counts them.
        show: called with path, page and verdict.
        on_error: called with what cannot be read; the scan goes on.

    Raises:
        StoreError: the store cannot be asked or written.
        KeyboardInterrupt: Ctrl-C was pressed; every page that was shown is remembered.
    """
    with Interrupts() as interrupts:
        for path, page in pages:
            try:
                with interrupts.held():
                    verdict = detector.observe(page)
                    tally.add(page, verdict)
                    show(path, page, verdict)
            except ReadingError as error:
                on_error(ReadingError(f"{path}: {page.url or 'a page'}: {error}"))


def with_url(pages: Found, url: str) -> Iterator[tuple[str, Page]]:
    """Yield the only page under a URL.

    Raises:
        Refused: there are several.
    """
    first = list(islice(pages, 2))
    if len(first) > 1:
        raise Refused("--url is the address of one page, and there are several")
    yield from ((path, replace(page, url=url)) for path, page in first)


def waited_for(pages: Found) -> Found:
    """Return the pages once the first one is there, nothing where there is none."""
    ahead = iter(pages)
    first = next(ahead, None)
    return () if first is None else chain((first,), ahead)

"""How far a work over a known number of pages is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from sameish.cli.output import number_of
from sameish.cli.progress import Progress
from sameish.cli.tally import Tally

_WIDTH = 20
Item = TypeVar("Item")


class PageProgress(Progress):
    """A bar that fills as pages are done; silent where standard error is no terminal.

    Args:
        pages: how many there are.
    """

    def __init__(self, pages: int) -> None:
        super().__init__(Tally(), ())
        self._pages, self._done = pages, 0

    def over(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield items and draw the bar after each."""
        for item in items:
            self._done += 1
            self.show("")
            yield item

    def _text(self, path: str) -> str:  # noqa: ARG002  # the pages come from many files
        full = self._done * _WIDTH // max(self._pages, 1)
        return f"[{'#' * full}{'.' * (_WIDTH - full)}]  {self._done:,} of {number_of(self._pages, 'page')}"

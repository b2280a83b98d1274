"""How far a work on a store is."""

from __future__ import annotations

from sameish.cli.progress import Progress
from sameish.cli.tally import Tally

_WIDTH = 20


class StoreProgress(Progress):
    """A bar that fills as the share that is done grows, or just moves where that is not known, and words beside it."""

    def __init__(self) -> None:
        super().__init__(Tally(), ())
        self._share: float | None = None
        self._words = ""

    def tell(self, words: str, share: float | None = None) -> None:
        """Draw the line anew if it is time.

        Args:
            words: what was done so far.
            share: of the whole, 0..1; None where the whole is not known.
        """
        self._words, self._share = words, share
        self.show("")

    def _text(self, path: str) -> str:
        if self._share is None:
            return f"{self._bar(path)}  {self._words}"
        full = round(min(self._share, 1.0) * _WIDTH)
        return f"[{'#' * full}{'.' * (_WIDTH - full)}]  {self._words}"

"""Labelled pairs of pages: what a person says of two captures, one pair a line of a JSON Lines file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from sameish import Page
from sameish.errors import SourceError
from sameish.evaluation import pairs as evaluated
from sameish.evaluation.pairs import read_pairs


class PairsError(Exception):
    """A file of pairs, or a page that it names, cannot be used; says which file and line."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two pages and how they relate.

    `.a`, `.b`: paths of the pages, from the root. `.kind`: a label (`sameish.judging.labelled.Label`). `.sub`: a finer kind,
    empty where there is none.
    """

    a: str
    b: str
    kind: str
    sub: str = ""
    url_a: str | None = None
    url_b: str | None = None


def load_pairs(path: Path) -> list[Pair]:
    """Return the pairs of a file that can be decided; the form is that of `sameish evaluate`.

    Raises:
        PairsError: the file cannot be read, a line is no pair, or there is none.
    """
    try:
        found = [_pair(one) for one in read_pairs(str(path), "", _refuse) if not one.undecidable]
    except SourceError as error:
        raise PairsError(str(error)) from error
    if not found:
        raise PairsError(f"{path}: there is no pair in it")
    return found


def _pair(one: evaluated.Pair) -> Pair:
    return Pair(str(one.a), str(one.b), str(one.label), one.sub, one.url_a, one.url_b)


def _refuse(error: SourceError) -> NoReturn:
    """One damaged line would make the figures of another set."""
    raise PairsError(str(error).removesuffix("; skipped"))


class Library:
    """The pages that pairs name, each read when it is asked for.

    Args:
        pairs: a file of pairs.
        root: the folder that paths in it start from; None means the folder of that file.

    Raises:
        PairsError: as `load_pairs`.
    """

    def __init__(self, pairs: Path, root: Path | None = None) -> None:
        self.pairs = load_pairs(pairs)
        self.root = pairs.parent if root is None else root
        sides = [(pair.a, pair.url_a) for pair in self.pairs] + [(pair.b, pair.url_b) for pair in self.pairs]
        self._urls = dict(reversed(sides))
        self.names = sorted(self._urls)

    def page(self, name: str) -> Page:
        """Return a page by its path as pairs name it.

        Raises:
            PairsError: its file cannot be read.
        """
        try:
            body = (self.root / name).read_bytes()
        except OSError as error:
            raise PairsError(f"{self.root / name}: {error.strerror}; --root names the folder of the pages") from error
        return Page(body, url=self._urls[name])

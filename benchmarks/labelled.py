"""Labelled pairs of pages: what a person says of two captures, one pair a line of a JSON Lines file."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from sameish import Page


class PairsError(Exception):
    """A file of pairs, or a page that it names, cannot be used; says which file and line."""


class Pair(msgspec.Struct, frozen=True):
    """Two pages and how they relate; other members of the line are not read.

    `.a`, `.b`: paths of the pages. `.kind`: `same` (only noise differs), `minor` (a few words), `changed` (more), `different`
    (another page). `.sub`: a finer kind. `.undecidable`: nobody could tell; left out.
    """

    a: str
    b: str
    kind: Literal["same", "minor", "changed", "different"]
    site: str = ""
    sub: str | None = None
    url_a: str | None = None
    url_b: str | None = None
    undecidable: bool = False


def load_pairs(path: Path) -> list[Pair]:
    """Return the pairs of a file that can be decided.

    Raises:
        PairsError: the file cannot be read, a line is no pair, or there is none.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise PairsError(f"{path}: {error.strerror}") from error
    pairs = [_pair(line, path, number) for number, line in enumerate(lines, 1) if line.strip()]
    decided = [pair for pair in pairs if not pair.undecidable]
    if not decided:
        raise PairsError(f"{path}: there is no pair in it")
    return decided


def _pair(line: bytes, path: Path, number: int) -> Pair:
    try:
        return msgspec.json.decode(line, type=Pair)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise PairsError(f"{path}, line {number}: {error}") from error


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

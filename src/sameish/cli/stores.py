"""Stores for commands that look into one: none is made on the way."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from sameish.assembly import open_store
from sameish.cli.errors import Refused
from sameish.detector import Detector
from sameish.settings import Settings
from sameish.urls.site import site_of

_OF_SCRAPY = Path(".scrapy") / "sameish.db"
"""Where the Scrapy add-on keeps its store in the folder of a project."""
_FILES = ("", "-wal", "-shm", "-journal")
"""What SQLite adds to the name of a database for its companions, and the database itself."""


def require_store(target: str) -> None:
    """Refuse where there is no store.

    Raises:
        Refused: there is no file, or an empty one. Addresses are left to who opens them.
    """
    place = Path(target)
    if "://" in target or place.is_dir() or (place.is_file() and place.stat().st_size):
        return
    if _OF_SCRAPY.is_file() and place != _OF_SCRAPY:
        raise Refused(f"there is no store at {target}; a crawl with Scrapy left one: --store {_OF_SCRAPY}")
    raise Refused(f"there is no store at {target}; `sameish scan PATH --store {target}` makes one")


def existing(target: str, settings: Settings, *, any_scheme: bool = True) -> Detector:
    """Return a detector on a store that is there.

    Args:
        target: where it is.
        settings: options.
        any_scheme: open it whatever the scheme of its fingerprints; False where pages are compared with them.

    Raises:
        Refused: there is none.
        StoreError: it cannot be opened.
    """
    require_store(target)
    return Detector(open_store(target, settings, any_scheme=any_scheme, create=False), settings)


def is_of_store(path: Path, target: str) -> bool:
    """Return whether a path, by whatever name or link, is the file of a store, or one that SQLite keeps beside it."""
    if "://" in target:
        return False
    return any(_are_one(path, Path(f"{name}{end}")) for name in (target, os.path.realpath(target)) for end in _FILES)


def _are_one(path: Path, other: Path) -> bool:
    with suppress(FileNotFoundError):  # one that is not there yet, or no more, is known by its name
        if path.samefile(other):
            return True
    return os.path.realpath(path) == os.path.realpath(other)


def site_name(name: str) -> str:
    """Return the registrable domain of a host or a URL that somebody typed: `www.example.com` -> `example.com`."""
    return site_of(name if "://" in name else f"https://{name}/") or name

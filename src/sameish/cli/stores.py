"""Stores for commands that look into one: none is made on the way."""

from __future__ import annotations

from pathlib import Path

from sameish.assembly import open_store
from sameish.cli.errors import Refused
from sameish.detector import Detector
from sameish.settings import Settings
from sameish.urls.site import site_of

_OF_SCRAPY = Path(".scrapy") / "sameish.db"
"""Where the Scrapy add-on keeps its store in the folder of a project."""


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


def site_name(name: str) -> str:
    """Return the registrable domain of a host or a URL that somebody typed: `www.example.com` -> `example.com`."""
    return site_of(name if "://" in name else f"https://{name}/") or name

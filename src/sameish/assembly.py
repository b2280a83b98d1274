"""Picks concrete parts from settings: the only module that names a store class."""

from __future__ import annotations

import os
import re
from pathlib import Path

from sameish.detector import Clock, Detector, utc_now
from sameish.errors import SettingsError, StoreError
from sameish.fingerprint.schemes import scheme_of
from sameish.reading.boilerplate import check_selectors
from sameish.settings import Settings, SettingsLike, load
from sameish.stores.base import Store
from sameish.stores.memory import MemoryStore
from sameish.urls.site import site_of

MEMORY = ":memory:"
_ADDRESS = re.compile(r"^([a-z][a-z0-9+.-]+)://")


def open(  # noqa: A001  # the name is part of the public contract; callers write `sameish.open`
    target: str | os.PathLike[str],
    settings: SettingsLike = None,
    clock: Clock | None = None,
    *,
    keep_bodies: bool = False,
) -> Detector:
    """Return a detector that remembers in a store.

    Args:
        target: `":memory:"`, or the path of a SQLite file, which is made where there is none.
        settings: a `Settings` object, a mapping, a TOML file, or None for the file named by `SAMEISH_SETTINGS`.
        clock: tells the time now as an aware datetime; None means the clock of the machine.
        keep_bodies: keep the bodies of pages, to answer with while a page is not due (`Gate.copy_of`), within
            `store.body_budget_bytes`. The doors for Scrapy and httpx turn it on by themselves.

    Raises:
        SettingsError: a setting is wrong.
        StoreError: the store is of another program, version or scheme, is damaged, or cannot be reached. Nothing in it
            was changed.
    """
    options = load(settings)
    _check(options)
    return Detector(open_store(target, options), options, clock or utc_now, keep_bodies=keep_bodies)


def _check(settings: Settings) -> None:
    """Refuse what `load` cannot know to be wrong: selectors that are not CSS, sections of sites that no page is on."""
    check_selectors(settings.reading.remove, settings.reading.keep)
    for name, own in settings.site.items():
        site = site_of(f"http://{name}/")
        if name != site and not name.endswith(":"):
            hint = f'; did you mean [site."{site}"]?' if site else ""
            raise SettingsError(f'[site."{name}"]: sections are by site, that is by registrable domain{hint}')
        if own.reading is not None:
            check_selectors(own.reading.remove, own.reading.keep, f'[site."{name}"] reading')


def open_store(target: str | os.PathLike[str], settings: Settings, *, any_scheme: bool = False) -> Store:
    """Return the store at a target; `any_scheme` opens it for looking, whatever scheme its fingerprints have."""
    place = os.fspath(target)
    if place == MEMORY:
        return MemoryStore(settings=settings.store)
    address = _ADDRESS.match(place)
    if address:
        raise StoreError(f"{place}: no store for {address[1]}: addresses; use a file path or {MEMORY}", target=place)
    from sameish.stores.sqlite import SqliteStore  # noqa: PLC0415  # sqlite3 is loaded only where a file is opened

    scheme = None if any_scheme else scheme_of(settings.fingerprint.scheme, settings)
    return SqliteStore(Path(place), scheme=scheme, settings=settings.store)

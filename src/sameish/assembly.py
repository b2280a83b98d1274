"""Picks concrete parts from settings: the only module that names a store class."""

from __future__ import annotations

import os
import re
from datetime import datetime
from importlib import import_module
from pathlib import Path

from sameish.detector import Clock, Detector, utc_now
from sameish.errors import SettingsError, StoreError
from sameish.fingerprint.schemes import scheme_of
from sameish.reading.boilerplate import check_selectors
from sameish.settings import Settings, SettingsLike, load
from sameish.stores.base import Store
from sameish.stores.memory import MemoryStore
from sameish.stores.targets import shown
from sameish.urls.site import site_of

MEMORY = ":memory:"
_ADDRESS = re.compile(r"^[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_POSTGRES = ("postgresql", "postgres")


def open(  # noqa: A001  # the name is part of the public contract; callers write `sameish.open`
    target: str | os.PathLike[str],
    settings: SettingsLike = None,
    clock: Clock | None = None,
    *,
    keep_bodies: bool = False,
) -> Detector:
    """Return a detector that remembers in a store.

    Args:
        target: `":memory:"`, the path of a SQLite file, which is made where there is none, or the address of a
            PostgreSQL database, `postgresql://user@host/database`, in which a store is made where there is none.
        settings: a `Settings` object, a mapping, a TOML file, or None for the file named by `SAMEISH_SETTINGS`.
        clock: tells the time now as an aware datetime; None means the clock of the machine.
        keep_bodies: keep the bodies of pages, to answer with while a page is not due (`Gate.copy_of`), within
            `store.body_budget_bytes`. The doors for Scrapy and httpx turn it on by themselves.

    Raises:
        SettingsError: a setting is wrong, or the clock tells no aware datetime.
        StoreError: the store is of another program, version or scheme, is damaged, or cannot be reached. Nothing in it
            was changed.
    """
    options = load(settings)
    _check(options)
    _check_clock(clock or utc_now)
    return Detector(open_store(target, options), options, clock or utc_now, keep_bodies=keep_bodies)


def _check_clock(clock: Clock) -> None:
    if not callable(clock):
        raise SettingsError(f"clock: {clock!r} cannot be called; pass a function that returns datetime.now(UTC)")
    now: object = clock()
    if not isinstance(now, datetime) or now.utcoffset() is None:
        raise SettingsError(f"clock: {now!r} is no aware datetime; let it return datetime.now(UTC)")


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


def open_store(
    target: str | os.PathLike[str], settings: Settings, *, any_scheme: bool = False, create: bool = True
) -> Store:
    """Return the store at a target.

    Args:
        target: as for `open`.
        settings: options.
        any_scheme: open it for looking, whatever scheme its fingerprints have.
        create: make one in a database where there is none. A file is made in any case.

    Raises:
        StoreError: it cannot be opened, or what it needs is not installed.
    """
    if not isinstance(target, str | os.PathLike):
        raise StoreError(f"{target!r} names no store; use a file path, {MEMORY} or {_POSTGRES[0]}://...", target="")
    place = os.fspath(target)
    if place == MEMORY:
        return MemoryStore(settings=settings.store)
    scheme = None if any_scheme else scheme_of(settings.fingerprint.scheme, settings)
    if _ADDRESS.match(place):
        _require_postgres(place)
        from sameish.stores.postgres import PostgresStore  # noqa: PLC0415  # needs an extra

        return PostgresStore(place, scheme=scheme, settings=settings.store, create=create)
    from sameish.stores.sqlite import SqliteStore  # noqa: PLC0415  # sqlite3 is loaded only where a file is opened

    return SqliteStore(Path(place), scheme=scheme, settings=settings.store)


def migrate_store(target: str, settings: Settings) -> tuple[int, int]:
    """Bring the store at a target to the format of this version; return the format before and after.

    Raises:
        StoreError: it cannot be opened, there is none, or it is of a version that cannot be brought up.
    """
    if _ADDRESS.match(target):
        _require_postgres(target)
        from sameish.stores.postgres import migrate  # noqa: PLC0415  # needs an extra

        return migrate(target)
    with open_store(target, settings, any_scheme=True) as store:  # one of another format is refused
        version = store.info().schema_version
    return version, version


def _require_postgres(place: str) -> None:
    """Check that an address is one of PostgreSQL, and that what is needed for it is installed.

    Raises:
        StoreError: there is no store for such addresses, or the extra is missing.
    """
    address, target = place.partition("://")[0], shown(place)
    if address not in _POSTGRES:
        message = f"{target}: no store for {address}: addresses; use a file path, {MEMORY} or {_POSTGRES[0]}://..."
        raise StoreError(message, target=target)
    try:
        import_module("psycopg_pool")  # imports psycopg, and that the library of PostgreSQL itself
    except ImportError as error:
        message = f'{target}: PostgreSQL needs more to be installed: pip install "sameish[postgres]" ({error})'
        raise StoreError(message, target=target) from error

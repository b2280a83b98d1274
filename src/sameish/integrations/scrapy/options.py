"""The options that the add-on reads from a project's settings."""

from __future__ import annotations

import json
import logging
import os
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object
from scrapy.utils.project import data_path

import sameish
from sameish.detector import Clock, Detector
from sameish.errors import SettingsError, StoreError, StoreUnavailable
from sameish.settings import Settings, SettingsLike, load

_CHOICES = {"SAMEISH_DUPLICATES": ("drop", "cached", "mark"), "SAMEISH_NOT_DUE": ("cached", "drop")}
_NAMES = ("SAMEISH_STORE", *_CHOICES, "SAMEISH_SETTINGS", "SAMEISH_CLOCK")
_MEMORY = ":memory:"
_LOGGER = logging.getLogger("sameish.scrapy")


@dataclass(frozen=True, slots=True)
class Options:
    """The settings of a project that concern sameish.

    `.store` (`SAMEISH_STORE`): a file, `:memory:` or a server; by default `sameish.db` in the project's data folder,
    which is `.scrapy`. `.duplicates` (`SAMEISH_DUPLICATES`): what becomes of a URL that by a learned rule shows a page
    that the spider had in this crawl, and of a page that turns out to be one. `drop`; `cached`: the URL is answered with
    the stored copy, the page is dropped; `mark`: fetched, and told in `meta["sameish"]`. `.not_due` (`SAMEISH_NOT_DUE`):
    of a page that is not due yet. `cached`: answered with the stored copy; `drop`. `.settings` (`SAMEISH_SETTINGS`): the
    path of a TOML file, a dict, or a dict as JSON. `.clock` (`SAMEISH_CLOCK`): a callable, or its place as `module:name`.
    """

    store: str
    duplicates: str
    not_due: str
    settings: SettingsLike
    clock: Clock | None

    @classmethod
    def of(cls, settings: BaseSettings) -> Options:
        """Read the options.

        Raises:
            SettingsError: there is no such option, or it has a value that it cannot have; the message names the option.
        """
        for name in settings:
            if str(name).startswith("SAMEISH_") and name not in _NAMES:
                raise SettingsError(f"{name} is no option; there are {', '.join(_NAMES)}")
        return cls(
            store=_store(settings.get("SAMEISH_STORE")),
            duplicates=_choice(settings, "SAMEISH_DUPLICATES"),
            not_due=_choice(settings, "SAMEISH_NOT_DUE"),
            settings=_settings(settings.get("SAMEISH_SETTINGS")),
            clock=_clock(settings.get("SAMEISH_CLOCK")),
        )

    @property
    def is_shared(self) -> bool:
        """Whether other processes can use the store at the same time."""
        return self.store != _MEMORY

    def open(self) -> Detector:
        """Open the store, or one in memory where it is locked or its disk full; the folder of a file is made if need be.

        Raises:
            SettingsError: it cannot be opened; the message names the option.
        """
        try:
            if self.is_shared and "://" not in self.store:
                Path(self.store).parent.mkdir(parents=True, exist_ok=True)
            return self._opened()
        except (StoreError, OSError) as error:
            raise SettingsError(f"SAMEISH_STORE: {error}") from error
        except SettingsError as error:
            raise SettingsError(f"SAMEISH_SETTINGS: {error}") from error

    def _opened(self) -> Detector:
        try:
            return sameish.open(self.store, settings=self.settings, clock=self.clock, keep_bodies=True)
        except StoreUnavailable as error:
            if not isinstance(error.__cause__, sqlite3.OperationalError):
                raise  # a wrong place, which is wrong the next time, too
            _LOGGER.error("SAMEISH_STORE: %s. The crawl goes on, knows nothing and will be forgotten", error)  # noqa: TRY400  # the message says it all
            return sameish.open(_MEMORY, settings=self.settings, clock=self.clock, keep_bodies=True)


def _choice(settings: BaseSettings, name: str) -> str:
    choices = _CHOICES[name]
    value = settings.get(name)
    if value is None:
        return choices[0]
    if value not in choices:
        raise SettingsError(f"{name} is {value!r}; it can be {', '.join(choices)}")
    return str(value)


def _store(value: object) -> str:
    if value is None:
        return data_path("sameish.db")
    if not isinstance(value, str | os.PathLike) or not os.fspath(value):
        raise SettingsError(
            f"SAMEISH_STORE is {value!r}; it can be the path of a file, {_MEMORY} or the URL of a server"
        )
    return str(os.fspath(value))


def _settings(value: Any) -> Settings:
    """Return the settings; on Scrapy's command line a dict is JSON."""
    try:
        if isinstance(value, str) and value.lstrip().startswith("{"):
            value = json.loads(value)
        elif isinstance(value, Mapping):
            value = dict(value)
        return load(value or None)
    except (SettingsError, ValueError) as error:
        raise SettingsError(f"SAMEISH_SETTINGS: {error}") from error


def _clock(value: str | Callable[[], datetime] | None) -> Clock | None:
    if value is None:
        return None
    try:
        clock: Any = load_object(value.replace(":", ".")) if isinstance(value, str) else value
        now = clock()
    except Exception as error:
        raise SettingsError(f"SAMEISH_CLOCK is {value!r}, which cannot be asked for the time: {error}") from error
    if not isinstance(now, datetime) or now.tzinfo is None:
        raise SettingsError(f"SAMEISH_CLOCK is {value!r}, which returns {now!r}: no datetime with a time zone")
    return clock  # type: ignore[no-any-return]  # it was seen to be one

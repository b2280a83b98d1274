"""Writes chosen thresholds into a settings file and leaves everything else in it as it is, comments too."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sameish.errors import SettingsError
from sameish.replacing import replacing
from sameish.settings import load

Changes = Mapping[str, Mapping[str, float]]


def with_thresholds(text: str, changes: Changes) -> str:
    """Return a settings file's text with other values under `[judging]`.

    Args:
        text: TOML.
        changes: by site, the empty name for all sites: names under `judging` with their values.

    Raises:
        SettingsError: the text is no TOML, or a section in it is no table.
    """
    import tomlkit  # noqa: PLC0415  # loaded only where a file is written
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415  # as above

    try:
        document = tomlkit.parse(text)
        for site, values in changes.items():
            below = _table(_table(document, "site"), site) if site else document
            section = _table(below, "judging", is_super=False)
            for name, value in values.items():
                section[name] = value
        written = tomlkit.dumps(document)
    except (TOMLKitError, TypeError, AttributeError) as error:
        raise SettingsError(f"it cannot be written to: {error}") from error
    load(tomllib.loads(written), environment={})
    return written


def _table(parent: Any, name: str, *, is_super: bool = True) -> Any:
    """Return a table below another, made where there is none; `is_super` gives it no heading of its own."""
    import tomlkit  # noqa: PLC0415  # as above

    if name not in parent:
        parent[name] = tomlkit.table(is_super_table=is_super)
    return parent[name]


def write_thresholds(path: Path, changes: Changes) -> None:
    """Write values into a settings file, all or nothing; the file is made where there is none.

    Raises:
        SettingsError: the file cannot be read or written, or is no TOML; it was not changed.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig") if path.exists() else ""
        written = with_thresholds(text, changes).encode()
        with replacing(path) as file:
            file.write(written)
    except OSError as error:
        raise SettingsError(f"settings file {path}: cannot be written ({error.strerror or error})") from error
    except (UnicodeDecodeError, SettingsError) as error:
        raise SettingsError(f"settings file {path}: {error}") from error

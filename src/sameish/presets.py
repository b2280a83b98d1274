"""Settings as trees of plain values, before they are checked: presets under them, and sections for all sites under a site's."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any


@cache
def presets() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """Return the settings that each preset stands for, by name and section."""
    from importlib.resources import files  # noqa: PLC0415  # slow to load, and few settings name a preset

    return tomllib.loads(files("sameish").joinpath("presets.toml").read_text(encoding="utf-8"))


def with_presets(tree: dict[str, Any]) -> dict[str, Any]:
    """Put the values of presets under those that are named, for all sites and for each; an unknown preset is left to others."""
    sites = tree.get("site")
    if isinstance(sites, Mapping):
        spread = {site: _over_preset(own) if isinstance(own, Mapping) else own for site, own in sites.items()}
        tree = {**tree, "site": spread}
    return _over_preset(tree)


def _over_preset(tree: Mapping[str, Any]) -> dict[str, Any]:
    name = tree.get("preset")
    preset = presets().get(name, {}) if isinstance(name, str) else {}
    return {**tree, **{section: _merged(values, tree.get(section, {})) for section, values in preset.items()}}


def _merged(whole: Mapping[str, Any], part: object) -> object:
    """Return a section over another; what is no section is left for the check of types."""
    return {**whole, **part} if isinstance(part, Mapping) else part


def spread_sites(tree: dict[str, Any]) -> dict[str, Any]:
    """Complete the sections of each site, which name only what differs, from those for all sites."""
    sites = tree.get("site")
    if not isinstance(sites, Mapping):
        return tree
    spread = {
        site: {
            name: _merged(whole, part) if isinstance(whole := tree.get(name, {}), Mapping) else part
            for name, part in own.items()
        }
        if isinstance(own, Mapping)
        else own
        for site, own in sites.items()
    }
    return {**tree, "site": spread}

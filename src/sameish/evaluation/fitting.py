"""Thresholds for all sites, and for those with pairs enough of their own. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from sameish.judging.calibrate import Calibration, calibrate, is_enough
from sameish.judging.labelled import Judged
from sameish.settings import Judging, Settings
from sameish.urls.site import site_of

THRESHOLDS = ("near_similarity", "near_bits")


@dataclass(frozen=True, slots=True)
class Fit:
    """What was chosen: `.everywhere`, and by site where the site has pairs enough. `.skipped`: sites that have too few."""

    everywhere: Calibration
    sites: Mapping[str, Calibration] = field(default_factory=dict)
    skipped: int = 0

    def changes(self) -> dict[str, dict[str, float]]:
        """Return the settings to write: by site (empty for all sites), the names that change with their values."""
        found = {"": self.everywhere, **self.sites}
        return {site: changed for site, one in found.items() if (changed := _changed(one.before, one.after))}


def fit(judged: Sequence[Judged], settings: Settings, *, by_site: bool) -> Fit:
    """Return thresholds that suit the pairs.

    Args:
        judged: pairs, enough of them (`sameish.judging.calibrate.is_enough`).
        settings: the present ones.
        by_site: choose for single sites, too, beginning from what holds there once those for all are written.
    """
    everywhere = calibrate(judged, settings.judging)
    if not by_site:
        return Fit(everywhere)
    groups: dict[str, list[Judged]] = defaultdict(list)
    for one in judged:
        groups[one.site].append(one)
    known = {site: some for site, some in sorted(groups.items()) if is_enough(some) and _is_site(site)}
    sites = {site: calibrate(some, _holds_on(site, settings, everywhere.after)) for site, some in known.items()}
    return Fit(everywhere, sites, len(groups.keys() - {"", *known}))


def _is_site(name: str) -> bool:
    """A section of the settings is by registrable domain; a name that a pairs file made up is none."""
    return bool(name) and site_of(f"http://{name}/") == name


def _holds_on(site: str, settings: Settings, everywhere: Judging) -> Judging:
    """What a site's own section says stays; what it takes from the global one moves with it."""
    own = settings.for_site(site).judging
    moved = {
        name: getattr(everywhere, name) for name in THRESHOLDS if getattr(own, name) == getattr(settings.judging, name)
    }
    return msgspec.structs.replace(own, **moved)


def _changed(before: Judging, after: Judging) -> dict[str, float]:
    return {name: value for name in THRESHOLDS if (value := getattr(after, name)) != getattr(before, name)}

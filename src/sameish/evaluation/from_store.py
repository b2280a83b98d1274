"""Pairs without a person's word, out of a store: captures of one URL belong together, other URLs of the site apart.

Neither is quite true. A front page is another page tomorrow, and two URLs may hold one article. Both are few beside the
rest; pairs of two URLs with the same digest are left out, for they are known to be one article.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from sameish.judging.compare import compare_fingerprints
from sameish.judging.labelled import Judged, Label
from sameish.models import Capture, Fingerprint
from sameish.settings import Judging, Settings
from sameish.stores.base import Store

PER_SITE = 400
"""Most pages of a site that are looked at, and most pairs of captures: so a large site cannot outvote the others."""
_STEP = 1000


@dataclass(slots=True)
class _Site:
    last: dict[str, tuple[str, Fingerprint]] = field(default_factory=dict)
    together: list[Judged] = field(default_factory=list)


def captures_of(store: Store, scheme: str) -> Iterator[Capture]:
    """Yield all good captures of a scheme, in the order in which they were observed."""
    number = 0
    while found := store.captures_after(number, scheme=scheme, limit=_STEP):
        yield from found
        number = max(capture.id or 0 for capture in found)


def judged_of(captures: Iterable[Capture], settings: Settings) -> list[Judged]:
    """Return pairs of captures of one URL, each with the one before it, and pairs of neighbouring URLs of a site."""
    sites: dict[str, _Site] = {}
    for capture in captures:
        _take(sites.setdefault(capture.site, _Site()), capture, settings.for_site(capture.site).judging)
    return [one for name, site in sites.items() for one in (*site.together, *_apart(name, site, settings))]


def _take(site: _Site, capture: Capture, judging: Judging) -> None:
    before = site.last.get(capture.key)
    if before is None and len(site.last) >= PER_SITE:
        return
    now = (capture.url, capture.fingerprint)
    if before is not None and len(site.together) < PER_SITE:
        site.together.append(_judged(Label.SAME, capture.site, before, now, judging))
    site.last[capture.key] = now


def _apart(name: str, site: _Site, settings: Settings) -> Iterator[Judged]:
    judging = settings.for_site(name).judging
    for one, other in pairwise(site.last.values()):
        if one[1].digest != other[1].digest:
            yield _judged(Label.DIFFERENT, name, one, other, judging)


def _judged(
    label: Label, site: str, a: tuple[str, Fingerprint], b: tuple[str, Fingerprint], judging: Judging
) -> Judged:
    comparison = compare_fingerprints(a[1], b[1], judging)
    return Judged(label, site, comparison, min(a[1].words, b[1].words), a[0], b[0])

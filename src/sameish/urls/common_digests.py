"""Contents that a site shows at unrelated addresses: soft 404s, walls, empty lists. Their likeness proves nothing."""

from __future__ import annotations

from sameish.urls.acting import Acting
from sameish.urls.aspects import take_away
from sameish.urls.differences import difference
from sameish.urls.shapes import path_shape

_PLACES = 3
_VARIANTS = 8


class CommonDigests:
    """Notices, in memory, which contents of one site stand at many unrelated addresses.

    Three will do if no aspects explain how they differ; eight if they differ in what is known to matter there
    (`/view?id=1`, `/view?id=2`): a list sorted in three ways can look the same.

    Args:
        digests: how many contents are remembered, the latest.
    """

    def __init__(self, digests: int = 20_000) -> None:
        self._limit = digests
        self._addresses: dict[int, tuple[tuple[str, ...], tuple[str, ...]]] = {}

    def seen(self, digest: int, key: str, rules: Acting) -> bool:
        """Note where a content was met; return whether it is common: then it must be no evidence.

        Args:
            digest: 64-bit hash of the content.
            key: canonical key of the page.
            rules: what is known about the site.
        """
        places, variants = self._addresses.pop(digest, ((), ()))
        if len(places) < _PLACES and all(difference(key, other) is None for other in places):
            places = (*places, key)
        if len(variants) < _VARIANTS and all(_matters(key, other, rules) for other in variants):
            variants = (*variants, key)
        self._addresses[digest] = places, variants
        if len(self._addresses) > self._limit:
            del self._addresses[next(iter(self._addresses))]
        return self.is_common(digest)

    def is_common(self, digest: int) -> bool:
        """Tell whether a content is known to be common."""
        places, variants = self._addresses.get(digest, ((), ()))
        return len(places) >= _PLACES or len(variants) >= _VARIANTS


def _matters(a: str, b: str, rules: Acting) -> bool:
    """Tell whether two keys differ in something that is known to matter, or inexplicably."""
    found = difference(rules.class_key(a)[0], rules.class_key(b)[0])
    if not found:
        return found is None
    shape = path_shape(take_away(a, [one.aspect for one in found]))
    known = [rules.read[one.aspect][0].shapes.get(shape) for one in found if one.aspect in rules.read]
    return any(here is not None and here.against for here in known)

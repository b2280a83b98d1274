"""Which earlier page can teach something beside a new one? The recent pages of one site, in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sameish.urls.acting import Acting
from sameish.urls.aspects import aspects_of, take_away
from sameish.urls.differences import difference
from sameish.urls.evidence import MOST_AGREEMENTS
from sameish.urls.rules import stored_value
from sameish.urls.shapes import path_shape

_SAME_CONTENT = 4
"""Latest pages with one content that are kept."""
_PER_PLACE = 6
"""Latest pages that are kept with one key after an aspect was taken away, at most two for each aspect."""
_PER_ASPECT = 2
_INDEXED_AGAIN = 2_000
"""Latest pages that are indexed again when other rules act."""
_ADDED_BETWEEN = 50
"""That is done again at the earliest after a fiftieth as many new pages."""
_ENOUGH_AGAINST = 2
# A segment that was met once may be the name of one page; what is a variant of pages comes under several.
_NAMED_LIKE_PAGES = ("suffix:", "prefix:", "index:", "extension:")


@dataclass(frozen=True, slots=True)
class Sibling:
    """An earlier page that should be compared with a new one."""

    key: str
    digest: int


@dataclass(slots=True)
class _Generation:
    """Part of the index; the older of two is thrown away as a whole."""

    pages: list[Sibling] = field(default_factory=list)
    by_digest: dict[int, list[int]] = field(default_factory=dict)
    by_class: dict[int, list[int]] = field(default_factory=dict)
    by_place: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    """Hash of a class key without an aspect: pages, each with the hash of the aspect."""


class Siblings:
    """The most recent pages of one site, for finding pairs that teach something. Not safe for threads.

    Args:
        pages: how many are kept, at least; up to twice as many are. A page takes about 2.3 kB.
        pairs: most siblings that are returned for a page.
    """

    def __init__(self, pages: int = 10_000, pairs: int = 8) -> None:
        self._limit, self._pairs = pages, pairs
        self._now, self._before = _Generation(), _Generation()
        self._acting = Acting()
        self._stale, self._added = False, 0
        self._places: dict[int, int | None] = {}

    def __len__(self) -> int:
        return len(self._now.pages) + len(self._before.pages)

    def holds(self, key: str, digest: int) -> bool:
        """Tell whether a page is remembered with this content."""
        return any(
            part.pages[slot].key == key for part in (self._now, self._before) for slot in part.by_digest.get(digest, ())
        )

    def add(self, rules: Acting, key: str, digest: int) -> list[Sibling]:
        """Remember a good capture and return the earlier ones that it should be compared with.

        These are pages with the same digest, and pages whose class key differs in exactly one aspect, or in none; not
        where what they would say is known well enough.

        Args:
            rules: those of the site that act now.
            key: canonical key of the capture.
            digest: 64-bit hash of its content.
        """
        self._stale = self._stale or rules != self._acting
        self._acting = rules
        # rules change with nearly every page while a site is new, and old places are only missed chances
        if self._stale and self._added >= min(len(self), _INDEXED_AGAIN) // _ADDED_BETWEEN:
            self._index_again(rules)
        reduced, _ = rules.class_key(key)
        held = [(hash(one.aspect), hash(one.without), one.aspect) for one in aspects_of(reduced)]
        self._note_places(held)
        found = dict.fromkeys(self._same_content(rules, key, digest))
        found.update(dict.fromkeys(self._one_apart(rules, key, reduced, digest, held)))
        self._insert(Sibling(key, digest), reduced, held)
        found.pop(Sibling(key, digest), None)
        return list(found)[: self._pairs]

    def _same_content(self, rules: Acting, key: str, digest: int) -> Iterator[Sibling]:
        for part in (self._now, self._before):
            for slot in reversed(part.by_digest.get(digest, ())):
                page = part.pages[slot]
                if page.key != key and _teaches_by_agreeing(rules, key, page.key):
                    yield page

    def _one_apart(
        self, rules: Acting, key: str, reduced: str, digest: int, held: list[tuple[int, int, str]]
    ) -> Iterator[Sibling]:
        here = hash(reduced)
        for part in (self._now, self._before):
            slots = list(part.by_class.get(here, ()))
            for aspect, without, name in held:
                if self._may_be_variant(aspect, name):
                    slots += part.by_class.get(without, ())
                    slots += [slot for slot, other in part.by_place.get(without, ()) if other == aspect]
            slots += [slot for slot, _ in part.by_place.get(here, ())]
            for slot in dict.fromkeys(slots):
                page = part.pages[slot]
                if page.digest != digest and page.key != key and _teaches_by_differing(rules, reduced, page.key):
                    yield page

    def _may_be_variant(self, aspect: int, name: str) -> bool:
        return not name.startswith(_NAMED_LIKE_PAGES) or self._places.get(aspect, 0) is None

    def _note_places(self, held: list[tuple[int, int, str]]) -> None:
        for aspect, without, name in held:
            if name.startswith(_NAMED_LIKE_PAGES) and self._places.setdefault(aspect, without) != without:
                self._places[aspect] = None
        if len(self._places) > 8 * self._limit:
            self._places = {aspect: None for aspect, place in self._places.items() if place is None}

    def _insert(self, page: Sibling, reduced: str, held: list[tuple[int, int, str]]) -> None:
        if len(self._now.pages) >= self._limit:
            self._now, self._before = _Generation(), self._now
        self._added += 1
        part, slot = self._now, len(self._now.pages)
        part.pages.append(page)
        _keep_last(part.by_digest.setdefault(page.digest, []), slot, _SAME_CONTENT)
        _keep_last(part.by_class.setdefault(hash(reduced), []), slot, _PER_ASPECT)
        for aspect, without, name in held:
            if self._may_be_variant(aspect, name):
                _keep_place(part.by_place.setdefault(without, []), slot, aspect)

    def _index_again(self, rules: Acting) -> None:
        """Index the latest pages by what their class keys are now; those before are found by their content only."""
        self._stale, self._added = False, 0
        for part in (self._before, self._now):
            part.by_class, part.by_place = {}, {}
        latest = [(part, slot) for part in (self._before, self._now) for slot in range(len(part.pages))]
        for part, slot in latest[-_INDEXED_AGAIN:]:
            reduced, _ = rules.class_key(part.pages[slot].key)
            _keep_last(part.by_class.setdefault(hash(reduced), []), slot, _PER_ASPECT)
            for one in aspects_of(reduced):
                if self._may_be_variant(hash(one.aspect), one.aspect):
                    _keep_place(part.by_place.setdefault(hash(one.without), []), slot, hash(one.aspect))


def _keep_last(slots: list[int], slot: int, most: int) -> None:
    slots.append(slot)
    del slots[:-most]


def _keep_place(places: list[tuple[int, int]], slot: int, aspect: int) -> None:
    same = [one for one in places if one[1] == aspect]
    if len(same) >= _PER_ASPECT:
        places.remove(same[0])
    places.append((slot, aspect))
    del places[:-_PER_PLACE]


def _teaches_by_agreeing(rules: Acting, a: str, b: str) -> bool:
    found = difference(a, b)
    if not found:
        return False
    base, _ = rules.class_key(take_away(a, [one.aspect for one in found]))
    shape = path_shape(base)
    for one in found:
        evidence, rule = rules.read.get(one.aspect, (None, None))
        here = None if evidence is None else evidence.shapes.get(shape)
        if here is None or rule is None or not rule:
            return True
        new = {stored_value(one.value_a), stored_value(one.value_b), None} - {None}
        if here.agreements < MOST_AGREEMENTS or (rule.values is not None and not new <= rule.values):
            return True
    return False


def _teaches_by_differing(rules: Acting, reduced: str, other: str) -> bool:
    found = difference(reduced, rules.class_key(other)[0])
    if found is None or len(found) > 1:
        return False
    if not found:
        return True
    evidence, _ = rules.read.get(found[0].aspect, (None, None))
    here = None if evidence is None else evidence.shapes.get(path_shape(take_away(reduced, [found[0].aspect])))
    if here is None or len(here.against) < _ENOUGH_AGAINST:
        return True
    return (found[0].value_a is None) != (found[0].value_b is None) and here.contradictions < MOST_AGREEMENTS // 6

"""Which class each known page is in, after other rules act: in memory, and in the store a few thousand pages at a time.

A site's memory names the aspects whose pages may be in the wrong class until all are put right, so that a process that ends
in between leaves nothing wrong: whoever opens the store next goes on.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import chain, islice

import msgspec

from sameish.gate.memory import SiteMemory, encode
from sameish.gate.sites import Site
from sameish.index.known_pages import KnownPages, Row
from sameish.stores.gate_state import Asked, GateStore, Known, Note, Updates, Visit, hash_key
from sameish.urls.acting import acting
from sameish.urls.keys import url_key
from sameish.urls.standings import Limits

_EVERY_VISIT = 1 << 62
_AT_A_TIME = 5_000
_PLAIN = re.compile(r"[a-z0-9_.-]+")
"""What stands in a URL as it does in its key, but for capitals and percent-encoding."""


def row_of(visit: Visit) -> Row:
    """Return a visit as the table of known pages takes it."""
    return visit.key_hash, visit.class_hash, int(visit.due_at.timestamp() * 1e6), visit.body_bytes


def settle(store: GateStore, known: KnownPages, site: Site, limits: Limits) -> None:
    """Put every known page of a site in the class that the rules put it in now, in memory and in the store."""
    moved = iter(regroup(store, known, site).items())
    while part := dict(islice(moved, _AT_A_TIME)):
        store.note(Note(Asked(site.name), partial(_reclassed, part)))
    settled: list[tuple[SiteMemory, bytes]] = []

    def write(_: object, found: Known) -> Updates:
        memory = _settled(found, site, limits)
        settled[:] = [] if memory is None else [(memory, encode(memory))]
        return Updates(site_state=settled[0][1] if settled else None)

    store.note(Note(Asked(site.name), write))
    for memory, encoded in settled:
        site.take(memory, encoded, limits)


def _reclassed(classes: dict[int, int], _: object, __: Known) -> Updates:
    return Updates(reclassed=classes)


def _settled(found: Known, site: Site, limits: Limits) -> SiteMemory | None:
    """Return the memory as it stands in the store with nothing unsettled; None where others have changed the rules since."""
    memory = site.memory_in(found.site)
    if not memory.unsettled <= site.memory.unsettled or acting(memory.rules, limits, site.acting) != site.acting:
        return None
    return msgspec.structs.replace(memory, unsettled=frozenset())


def regroup(store: GateStore, known: KnownPages, site: Site) -> dict[int, int]:
    """Put the known pages of a site in their classes, in memory; return class by page of those that the store has elsewhere."""
    visits = _holding(store, site.name, site.memory.unsettled)
    classes = {one.key_hash: hash_key(site.acting.class_key(url_key(one.url))[0]) for one in visits.values()}
    left = {one.class_hash for one in visits.values() if one.class_hash != classes[one.key_hash]}
    for of_class in left:
        known.discard(of_class)
    # who stays in a class that others leave stands for it now
    staying = store.visits_of(site.name, _EVERY_VISIT, classes=left) if left else []
    for visit in chain(visits.values(), staying):
        page, stored, due, size = row_of(visit)
        known.put((page, classes.get(page, stored), due, size))
    return {page: classes[page] for page, one in visits.items() if one.class_hash != classes[page]}


def _holding(store: GateStore, site: str, aspects: frozenset[str]) -> dict[int, Visit]:
    """Return the visits of a site, by page, whose keys may hold one of some aspects."""
    texts = {_text(aspect) for aspect in aspects}
    wanted = [None] if None in texts else [*texts, "%"] if texts else []
    found = chain.from_iterable(store.visits_of(site, _EVERY_VISIT, text=text) for text in wanted)
    return {visit.key_hash: visit for visit in found}


def _text(aspect: str) -> str | None:
    """Return a text, in small letters, that stands in each URL whose key holds an aspect, unless percent-encoded."""
    if aspect == "scheme":
        return "http:"
    text = aspect.partition(":")[2].partition("=")[0].lower()
    return text if _PLAIN.fullmatch(text) else None

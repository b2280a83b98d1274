"""What a gate knows of pages, in memory: which were fetched and what stands for the class of each, as the store has it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import datetime
from itertools import chain

from sameish.gate.settling import regroup
from sameish.gate.sites import Sites
from sameish.index.known_pages import KnownPages
from sameish.models import Capture
from sameish.settings import Settings
from sameish.stores.gate_state import GateStore, StoredBody, Visit, hash_key
from sameish.stores.seldom import Seldom
from sameish.urls.keys import url_key
from sameish.urls.site import site_of

_MOST_IN_SITEMAPS = 500_000
_LOOK_S = 0.05
"""How long what others wrote may go unnoticed."""


class Knowledge:
    """Known pages and sites. Safe to use from several threads.

    Args:
        store: where all that was learned is kept.
        settings: options; sections by site hold there.
        clock: tells the time now, as an aware datetime.
    """

    def __init__(self, store: GateStore, settings: Settings, clock: Callable[[], datetime]) -> None:
        self.store = store
        self.settings = settings
        self.clock = clock
        self.lock = threading.RLock()
        self.sites = Sites(store, settings.for_site, clock)
        self.known = KnownPages()
        self._sitemaps: dict[int, float] = {}
        self._generation = self._revision = -1
        self._reloading = Seldom()
        self._look_at = 0.0
        self.refresh()

    def announce(self, url: str, lastmod: float) -> None:
        """Note what a sitemap says of a URL, POSIX seconds: a hint, once it has proved true for the host.

        It is kept in memory, of 500,000 URLs, since a crawl reads the sitemap before the pages.
        """
        of_class = self.class_of(url)
        with self.lock:
            self._sitemaps[of_class] = lastmod
            if len(self._sitemaps) > _MOST_IN_SITEMAPS:
                del self._sitemaps[next(iter(self._sitemaps))]

    def lastmod_of(self, url: str) -> float | None:
        """Return what a sitemap says of a URL, or of one with the same content; None where none says anything."""
        return self._sitemaps.get(self.class_of(url)) if self._sitemaps else None

    def knows(self, key: str, site: str) -> bool:
        """Whether a page is known that has a key, or by the rules that act now the same content."""
        return self.known.get(self._class_of_key(key, site)) is not None

    def holder(self, key: str, site: str) -> Visit | None:
        """Return the visit that stands for the class of a key, its own if that was the last; None where none is known."""
        own = self.store.visit(hash_key(key))
        known = self.known.get(self._class_of_key(key, site))
        if known is None or (own is not None and known.page == own.key_hash):
            return own
        return self.store.visit(known.page)

    def class_of(self, url: str) -> int:
        """Return a number that is equal for URLs that are the same page, by the rules that act now."""
        return self._class_of_key(url_key(url), site_of(url))

    def _class_of_key(self, key: str, site: str) -> int:
        known = self.sites.known(site)
        return hash_key(key if known is None else known.acting.class_key(key)[0])

    def number_of(self, url: str) -> int:
        """Return the number by which a URL's canonical key is known."""
        return hash_key(url_key(url))

    def copy_of(self, url: str) -> StoredBody | None:
        """Return what was stored for a URL, for the one that stands for its class or that it led to; None where nothing was.

        Nor is a body returned that is older than the last good capture, as after a visit by a program that keeps none: the
        validators that are known are not its own, and a 304 to them would say that an old content is the present one.
        """
        known = self.known.get(self.class_of(url))
        page = self.number_of(url) if known is None else known.page
        last = self._last_capture(page)
        if last is not None and hash_key(last.key) != page:  # it was redirected to that page
            page = hash_key(last.key)
            last = self._last_capture(page) or last
        stored = self.store.stored_body(page)
        return None if stored is None or (last is not None and stored.fetched_at < last.fetched_at) else stored

    def _last_capture(self, page: int) -> Capture | None:
        visit = self.store.visit(page)
        return None if visit is None or visit.capture_id is None else self.store.capture(visit.capture_id)

    def size_of(self, url: str) -> int:
        """Return the bytes of the last body that is known of a URL or of one with the same content, 0 where there is none."""
        known = self.known.get(self.class_of(url))
        return 0 if known is None else known.size

    def look(self) -> None:
        """Refresh, unless that was done just now."""
        if time.monotonic() >= self._look_at:
            self.refresh()

    def refresh(self, *, deleted: bool = False) -> None:
        """Take in what others have written to the store; after deletions everything, now and then.

        `deleted`: everything at once. Else what others deleted may be taken for known somewhat longer, in a store of a million
        pages for about a minute: an expiry deletes for minutes, and each of its steps would have everything read again.
        """
        with self.lock:
            self._look_at = time.monotonic() + _LOOK_S
            generation = self.store.generation()
            if generation != self._generation and (deleted or self._reloading.is_due):
                self.reload()
                self._generation = generation
                return
            if self.store.revision() == self._revision:
                return
            # the revision comes first: what is written while the rest is read is read again the next time
            revision, batches = self.store.visit_rows(self._revision)
            if self.sites.refresh(self.store.site_states(self._revision)):
                self.reload()
                return
            for row in chain.from_iterable(batches):
                self.known.put(row)
            self._revision = revision

    def reload(self) -> None:
        """Read everything anew."""
        with self.lock, self._reloading.timed():
            self._revision, batches = self.store.visit_rows(0)
            self.sites.refresh(self.store.site_states(0))
            self.known = KnownPages(batches)
            for site in self.sites.unsettled():
                regroup(self.store, self.known, site)

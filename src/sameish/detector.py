"""After the fetch: one page's walk, from arrival to a remembered verdict.

`observe` reads like this: read the page -> fingerprint it -> say which stored captures could matter -> let the store look
up, judge and remember in one atomic step. `check` does the same and remembers nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Self, TypeAlias

from sameish.errors import SettingsError
from sameish.fingerprint.schemes import scheme_of
from sameish.gate.gate import Gate
from sameish.gate.journal import Journal
from sameish.gate.learning import absorb, note_of, note_of_redirect, note_of_unchanged
from sameish.gate.notes import UnchangedNote
from sameish.models import Capture, FetchAction, FetchDecision, Page, Verdict, VerdictKind, require_page
from sameish.revisit.dates import sitemap_date
from sameish.settings import DEFAULT, Settings
from sameish.stores.base import Expired, Store
from sameish.urls.keys import url_key
from sameish.urls.site import site_of
from sameish.walk import Walk, walk_of

Clock: TypeAlias = Callable[[], datetime]
_BITS = 64
_FETCHED = ("http:", "https:")
"""Keys of pages that are fetched: of others there is nothing to learn before the fetch."""


def utc_now() -> datetime:
    """Return the time now, in UTC."""
    return datetime.now(UTC)


class Detector:
    """Says of every page whether it is new, unchanged, updated, or the same again elsewhere, and remembers.

    Use as a context manager, or call `close`. Safe to use from several threads.

    Args:
        store: where captures are kept; the detector closes it.
        settings: options; sections by site hold for the pages of that site.
        clock: tells the time; must return aware datetimes.
        keep_bodies: keep what was received, to answer with while a page is not due (as far as the settings allow).
    """

    def __init__(
        self, store: Store, settings: Settings = DEFAULT, clock: Clock = utc_now, *, keep_bodies: bool = False
    ) -> None:
        self.store = store
        self.settings = settings
        self._clock = clock
        self._scheme = scheme_of(settings.fingerprint.scheme, settings)
        self.keep_bodies = keep_bodies
        self._gate: Gate | None = None
        self._journal: Journal | None = None
        self._lock = threading.Lock()

    @property
    def keep_bodies(self) -> bool:
        """Whether bodies are kept to answer with; setting it is without effect where `store.keep_bodies` forbids it."""
        return self._keep_bodies

    @keep_bodies.setter
    def keep_bodies(self, wanted: bool) -> None:
        self._keep_bodies = wanted and self.settings.store.keep_bodies

    @property
    def gate(self) -> Gate:
        """What says before a fetch what to do; read from the store on first use."""
        with self._lock:
            if self._gate is None:
                self._gate = Gate(self.store, self.settings, self._clock)
            return self._gate

    def _gate_without_deleted(self) -> None:
        with self._lock:
            gate = self._gate
        if gate is not None:
            gate.refresh(deleted=True)

    @property
    def journal(self) -> Journal:
        """What counts the requests that were not sent, and remembers what a rule may have to give back."""
        gate = self.gate
        with self._lock:
            if self._journal is None:
                self._journal = Journal(gate)
            return self._journal

    def check(self, page: Page) -> Verdict:
        """Return the verdict on a page; remembers nothing.

        Raises:
            ReadingError: the page cannot be read.
            StoreError: the store cannot be asked.
        """
        require_page(page)
        return self._not_modified(page, None) if page.status == 304 else self._judged(self._walk(page))

    def observe(self, page: Page, *, request_headers: Mapping[str, str] | None = None) -> Verdict:
        """Return the verdict on a page and remember the page, as one atomic step.

        An empty, blocked or error page is remembered as such and replaces nothing.

        Args:
            page: what the server answered.
            request_headers: that were sent; None: those that `decide` named, as far as can be told.

        Raises:
            ReadingError: the page cannot be read.
            StoreError: the store cannot be asked or written; then nothing was remembered. Where a database was gone in
                the middle of a commit, all of it may be, and the error says so: observe the page again.
        """
        require_page(page)
        return (
            self._not_modified(page, request_headers, remember=True)
            if page.status == 304
            else self._remember(self._walk(page), request_headers)
        )

    def redirected(self, url: str, target: str) -> None:
        """Remember that a URL was redirected, where nothing is fetched from the target since it is known.

        Redirects that led to a page that is fetched are told with the page (`Page.redirects`).
        """
        taught = note_of_redirect(self.gate, url, target)
        if taught is not None:
            self.store.note(taught.note())
            absorb(self.gate, taught)

    @contextmanager
    def observing(self, page: Page, *, request_headers: Mapping[str, str] | None = None) -> Iterator[Verdict]:
        """Give the verdict to a block and remember the page only if the block does not raise; arguments as for `observe`."""
        require_page(page)
        if page.status == 304:
            said = self._not_modified(page, request_headers)
            yield said
            self._not_modified(page, request_headers, remember=True, said=said.match)
            return
        walk = self._walk(page)
        yield self._judged(walk)
        self._remember(walk, request_headers)

    def _judged(self, walk: Walk) -> Verdict:
        return walk.judge(self.store.candidates(walk.query))

    def _remember(self, walk: Walk, sent: Mapping[str, str] | None) -> Verdict:
        if not walk.capture.key.startswith(_FETCHED):
            return self.store.observe(walk.capture, walk.query, walk.judge)
        body = walk.read.body if self.keep_bodies else None
        translations = walk.read.extract.translations
        taught = note_of(self.gate, walk.page, walk.capture, translations=translations, sent=sent, body=body)
        verdict = self.store.observe(walk.capture, walk.query, walk.judge, taught.note())
        absorb(self.gate, taught)
        return verdict

    def similar(
        self, page: Page, within: int = 8, limit: int = 10, site: str | None = None
    ) -> list[tuple[Capture, int]]:
        """Return stored captures and their Hamming distances from a page, nearest first.

        Args:
            page: need not be stored.
            within: greatest distance, 0..64.
            limit: most captures to return, 1 or more.
            site: registrable domain to look in; None looks everywhere.

        Raises:
            ReadingError: the page cannot be read.
            SettingsError: `within` or `limit` is out of its range.
            StoreError: the store cannot be asked.
        """
        require_page(page)
        if not isinstance(within, int) or not 0 <= within <= _BITS:
            raise SettingsError(f"similar: within is {within!r}, expected 0..{_BITS}")
        if not isinstance(limit, int) or limit < 1:
            raise SettingsError(f"similar: limit is {limit!r}, expected 1 or more")
        walk = self._walk(page)
        simhash = walk.capture.fingerprint.simhash
        if simhash is None:
            return []
        return self.store.near(simhash, scheme=walk.query.scheme, within=within, limit=limit, site=site)

    def cached(self, url: str) -> Capture | None:
        """Return the last good capture of a URL with its Markdown, as far as it is kept, or None."""
        return self.store.last_good(url_key(url))

    def forget(self, *, url: str | None = None, site: str | None = None, before: datetime | None = None) -> int:
        """Delete the captures that match all given conditions; return how many went.

        Other processes that use the store take the pages for known for up to twenty times as long as they need to read all
        known pages: in a store of a million pages for about a minute.

        Raises:
            SettingsError: no condition is given, or `before` has no time zone.
        """
        if url is None and site is None and before is None:
            raise SettingsError("forget: name a url, a site or a time; to forget everything delete the store")
        if before is not None and (not isinstance(before, datetime) or before.tzinfo is None):
            raise SettingsError("forget: `before` is not a datetime with a time zone")
        gone = self.store.forget(key=None if url is None else url_key(url), site=site, before=before)
        self._gate_without_deleted()
        return gone

    def expire(
        self,
        *,
        before: datetime | None = None,
        site_budget: int | None = None,
        told: Callable[[Expired], object] | None = None,
    ) -> Expired:
        """Delete captures that are too old or over the budget of their site; return how many went.

        Others may read and write meanwhile. What goes, and what stays for all that: `sameish.stores.base.Store.expire`.

        Args:
            before: captures fetched earlier are too old; None: those older than `store.expire_after_days`, if that is set.
            site_budget: captures a site; None: `store.site_budget`, if that is set.
            told: is told the sums as it goes on.

        Raises:
            SettingsError: there is neither a time nor a budget, `before` has no time zone, or the budget is under 1.
            StoreError: the store cannot be asked or written; what was deleted by then is gone.
        """
        kept = self.settings.store
        if before is None and kept.expire_after_days is not None:
            before = self._clock() - timedelta(days=kept.expire_after_days)
        budget = kept.site_budget if site_budget is None else site_budget
        if before is None and budget is None:
            raise SettingsError("expire: name a time or a budget, or set store.expire_after_days or store.site_budget")
        if before is not None and (not isinstance(before, datetime) or before.tzinfo is None):
            raise SettingsError("expire: `before` is not a datetime with a time zone")
        if budget is not None and (not isinstance(budget, int) or budget < 1):
            raise SettingsError(f"expire: a budget of {budget!r} captures a site; it must be a number, 1 or more")
        gone = self.store.expire(before=before, site_budget=budget, told=told)
        self._gate_without_deleted()
        return gone

    def decide(self, url: str) -> FetchDecision:
        """Say before the fetch what to do with a URL, from what was learned; a `skip` is counted in the ledger.

        `sameish.Detector.gate` says the same and counts nothing.

        Raises:
            ReadingError: the URL is no str.
            StoreError: the store cannot be asked.
        """
        decision = self.gate.decide(url)
        if decision.action is FetchAction.SKIP:
            self.journal.skipped(url, decision)
        return decision

    def announce(self, url: str, lastmod: datetime | str | None) -> None:
        """Tell what a sitemap says of a URL, as read there or as a datetime, before `decide` and `observe`.

        It is a hint: a page that is named as changed comes sooner, one that is named as unchanged later, once the host's
        sitemap was seen to be right. A text that is no date is passed over, as sitemaps hold all sorts, and so is None.

        Raises:
            ReadingError: the URL is no str.
            SettingsError: `lastmod` is neither a text nor a datetime with a time zone.
        """
        if not isinstance(lastmod, datetime | str | None):
            raise SettingsError(
                f"announce: the lastmod of {url} is {type(lastmod).__name__}, expected a datetime or a text"
            )
        if isinstance(lastmod, datetime) and lastmod.tzinfo is None:
            raise SettingsError(f"announce: the lastmod of {url} is a datetime without a time zone")
        when = lastmod.timestamp() if isinstance(lastmod, datetime) else sitemap_date(lastmod)
        if when is not None:
            self.gate.announce(url, when)

    def given_back(self, site: str | None = None) -> list[str]:
        """Return URLs that `decide` skipped by rules that proved wrong since, everywhere or on a site: they are to be fetched.

        Each is returned once.
        """
        owed = self.journal.owed(site)
        self.journal.restore(owed)
        return [one.url for one in owed]

    def close(self) -> None:
        """Write what is still to be written, and close the store; closing twice does nothing."""
        try:
            if self._journal is not None:
                self._journal.flush()
        finally:
            self._journal = None
            self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _walk(self, page: Page) -> Walk:
        return walk_of(page, self.settings.for_site(site_of(page.url)), self._scheme, self._clock())

    def _not_modified(
        self,
        page: Page,
        sent: Mapping[str, str] | None,
        *,
        remember: bool = False,
        said: Capture | None = None,
    ) -> Verdict:
        """Return what a 304 says; `said`: the capture that it was said to stand for, where that is remembered only now."""
        if page.url is None:
            return Verdict(VerdictKind.UNDETERMINED, reason="HTTP 304 for a page without a URL")
        key, at = url_key(page.url), page.fetched_at or self._clock()
        holder = self.gate.holder(key, site_of(page.url)) if key.startswith(_FETCHED) else None
        known = key if holder is None else url_key(holder.url)
        last = self.store.last_good(known)
        if last is None:
            return Verdict(
                VerdictKind.UNDETERMINED, reason="HTTP 304 for a page that is not stored: fetch it without conditions"
            )
        own = last if known == key else self.store.last_good(key)
        kind, match = VerdictKind.DUPLICATE, last
        if own is not None and own.fingerprint.digest == last.fingerprint.digest:
            kind, match = VerdictKind.UNCHANGED, own
        size = (said or match).body_bytes
        taught = None if holder is None else note_of_unchanged(self.gate, page, holder, at, sent, size)
        if remember:
            self._note_304(page, known, at, taught, own=known == key)
        if taught is not None and taught.doubt is not None:
            reason = f"HTTP 304, but {taught.doubt}: fetch it without conditions"
            return Verdict(VerdictKind.UNDETERMINED, reason=reason)
        return Verdict(kind, match, reason="HTTP 304: the server says that it is not modified")

    def _note_304(self, page: Page, known: str, at: datetime, taught: UnchangedNote | None, *, own: bool) -> None:
        """Remember a 304 for the page with the key `known`; `own`: the page was asked for under that key itself."""
        note = None if taught is None else taught.note()
        if note is not None and taught is not None and taught.doubt is not None:
            self.store.note(note)
        else:
            validators = (page.header("etag"), page.header("last-modified")) if own else (None, None)
            self.store.not_modified(known, at, *validators, note)
        if taught is not None:
            absorb(self.gate, taught)

"""After the fetch: one page's walk, from arrival to a remembered verdict.

`observe` reads like this: read the page -> fingerprint it -> say which stored captures could matter -> let the store look
up, judge and remember in one atomic step. `check` does the same and remembers nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from types import TracebackType
from typing import Self, TypeAlias

from sameish.errors import SettingsError
from sameish.fingerprint.schemes import fingerprint_of, scheme_of
from sameish.judging.verdict import History, judge
from sameish.models import Capture, FetchAction, FetchDecision, Fingerprint, Page, State, Verdict, VerdictKind
from sameish.reading.extract import ReadPage, read
from sameish.settings import DEFAULT, Judging, Settings
from sameish.stores.base import Candidates, Query, Seen, Store
from sameish.urls.keys import url_key
from sameish.urls.site import site_of

Clock: TypeAlias = Callable[[], datetime]
_SIMILAR = (State.CONTENT, State.PARTIAL)
_EXACT = (State.THIN, State.NOT_HTML)


def utc_now() -> datetime:
    """Return the time now, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Walk:
    """A page on its way: as read, as it would be stored, and what to ask the store."""

    read: ReadPage
    capture: Capture
    query: Query
    judging: Judging

    def judge(self, found: Candidates) -> Verdict:
        """Return the verdict on the page, given what the store found."""
        others = {capture.id: capture for capture in (*found.equal, *found.near)}
        history = History(found.stored, found.last, tuple(others.values()))
        extract = self.read.extract
        return judge(self.capture.fingerprint, extract.sentences, history, self.judging, state_reason=extract.reason)


class Detector:
    """Says of every page whether it is new, unchanged, updated, or the same again elsewhere, and remembers.

    Use as a context manager, or call `close`. Safe to use from several threads.

    Args:
        store: where captures are kept; the detector closes it.
        settings: options; sections by site hold for the pages of that site.
        clock: tells the time; must return aware datetimes.
    """

    def __init__(self, store: Store, settings: Settings = DEFAULT, clock: Clock = utc_now) -> None:
        self.store = store
        self.settings = settings
        self._clock = clock
        self._scheme = scheme_of(settings.fingerprint.scheme, settings)

    def check(self, page: Page) -> Verdict:
        """Return the verdict on a page; remembers nothing.

        Raises:
            ReadingError: the page cannot be read.
            StoreError: the store cannot be asked.
        """
        if page.status == 304:
            return self._not_modified(page)
        walk = self._walk(page)
        return walk.judge(self.store.candidates(walk.query))

    def observe(self, page: Page) -> Verdict:
        """Return the verdict on a page and remember the page, as one atomic step.

        An empty, blocked or error page is remembered as such and replaces nothing.

        Raises:
            ReadingError: the page cannot be read.
            StoreError: the store cannot be asked or written; then nothing was remembered.
        """
        if page.status == 304:
            return self._not_modified(page, remember=True)
        walk = self._walk(page)
        return self.store.observe(walk.capture, walk.query, walk.judge)

    @contextmanager
    def observing(self, page: Page) -> Iterator[Verdict]:
        """Give the verdict to a block and remember the page only if the block does not raise."""
        yield self.check(page)
        self.observe(page)

    def similar(
        self, page: Page, within: int = 8, limit: int = 10, site: str | None = None
    ) -> list[tuple[Capture, int]]:
        """Return stored captures and their Hamming distances from a page, nearest first.

        Args:
            page: need not be stored.
            within: greatest distance, 0..64.
            limit: most captures to return.
            site: registrable domain to look in; None looks everywhere.
        """
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

        Raises:
            SettingsError: no condition is given, or `before` has no time zone.
        """
        if url is None and site is None and before is None:
            raise SettingsError("forget: name a url, a site or a time; to forget everything delete the store")
        if before is not None and (not isinstance(before, datetime) or before.tzinfo is None):
            raise SettingsError("forget: `before` is not a datetime with a time zone")
        return self.store.forget(key=None if url is None else url_key(url), site=site, before=before)

    def decide(self, url: str) -> FetchDecision:
        """Say before the fetch what to do with a URL: by static rules and what was seen."""
        seen = self.store.seen(url_key(url))
        if seen is None:
            return FetchDecision(FetchAction.FETCH, "never seen")
        return _decide_seen(url, seen, self._clock(), self.settings.for_site(site_of(url)).gate.fresh_for_s)

    def close(self) -> None:
        """Close the store."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _walk(self, page: Page) -> Walk:
        settings = self.settings.for_site(site_of(page.url))
        content = read(page, settings.reading, settings.weights)
        capture = _capture(page, content, fingerprint_of(content, self._scheme), page.fetched_at or self._clock())
        return Walk(content, capture, _query(capture, settings, self._clock()), settings.judging)

    def _not_modified(self, page: Page, *, remember: bool = False) -> Verdict:
        if page.url is None:
            return Verdict(VerdictKind.UNDETERMINED, reason="HTTP 304 for a page without a URL")
        key = url_key(page.url)
        last = self.store.last_good(key)
        if last is None:
            return Verdict(
                VerdictKind.UNDETERMINED, reason="HTTP 304 for a page that is not stored: fetch it without conditions"
            )
        if remember:
            self.store.not_modified(
                key, page.fetched_at or self._clock(), page.header("etag"), page.header("last-modified")
            )
        return Verdict(VerdictKind.UNCHANGED, last, reason="HTTP 304: the server says that it is not modified")


def _capture(page: Page, content: ReadPage, fingerprint: Fingerprint, fetched_at: datetime) -> Capture:
    digest = blake2b(content.body, digest_size=16).digest()
    # a page without a URL is known by its bytes: the same bytes again are the same page
    url = page.url if page.url is not None else f"urn:sameish:{digest.hex()}"
    return Capture(
        key=url_key(url),
        url=url,
        site=site_of(page.url),
        fetched_at=fetched_at,
        body_digest=digest,
        body_bytes=len(content.body),
        status=page.status,
        fingerprint=fingerprint,
        title=content.extract.title,
        canonical_url=content.extract.canonical_url,
        etag=_validator(page, "etag"),
        last_modified=_validator(page, "last-modified"),
        markdown=content.extract.markdown,
        sentences=content.extract.sentences,
    )


def _validator(page: Page, name: str) -> str | None:
    """Return a header that will be sent back as it is; one with control characters would smuggle in another (RFC 9110, 5.5)."""
    value = page.header(name)
    return value if value is None or value.isprintable() else None


def _query(capture: Capture, settings: Settings, now: datetime) -> Query:
    """Say which stored captures could matter; a page without content finds none by content."""
    fingerprint, lookup = capture.fingerprint, settings.lookup
    classic = settings.fingerprint.scheme == "classic"
    similar = fingerprint.state in _SIMILAR
    return Query(
        key=capture.key,
        fetched_at=capture.fetched_at,
        body_digest=capture.body_digest,
        scheme=fingerprint.scheme,
        digest=fingerprint.digest if fingerprint.state in _EXACT or (similar and not classic) else None,
        simhash=fingerprint.simhash if similar else None,
        within=settings.judging.classic_near_bits if classic else lookup.within,
        site=capture.site if classic or lookup.scope == "site" else None,
        since=None if lookup.max_age_days is None else now - timedelta(days=lookup.max_age_days),
        recent=lookup.classic_recent if classic else None,
        limit=lookup.candidates,
    )


def _decide_seen(url: str, seen: Seen, now: datetime, fresh_for_s: float) -> FetchDecision:
    age = (now - seen.last_seen).total_seconds()
    # a capture from the future was dated by a wrong clock: it proves nothing about how fresh it is
    if 0 <= age < fresh_for_s:
        if seen.url == url:
            return FetchDecision(FetchAction.SKIP, f"seen {_ago(age)}", same_as=seen.url)
        return FetchDecision(
            FetchAction.SKIP, f"the same page by its URL, seen {_ago(age)}", seen.url, rule="static key"
        )
    # validators belong to the URL that sent them
    if seen.url == url and (seen.etag or seen.last_modified):
        sent = {"If-None-Match": seen.etag, "If-Modified-Since": seen.last_modified}
        headers = {name: value for name, value in sent.items() if value}
        return FetchDecision(FetchAction.REVALIDATE, f"seen {_ago(age)}", seen.url, headers)
    return FetchDecision(FetchAction.FETCH, f"seen {_ago(age)}", seen.url)


def _ago(seconds: float) -> str:
    if seconds < 0:
        return "at a time that has not come yet"
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {name}{'s' if count != 1 else ''} ago"
    return "just now"

"""A page on its way from arrival to a verdict: read, fingerprinted, and what of the store could matter to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b

from sameish.fingerprint.schemes import fingerprint_of
from sameish.judging.verdict import History, judge
from sameish.models import Capture, Fingerprint, Page, State, Verdict
from sameish.reading.extract import ReadPage, read
from sameish.settings import Judging, Settings
from sameish.stores.base import Candidates, Query
from sameish.urls.keys import url_key
from sameish.urls.site import site_of

_SIMILAR = (State.CONTENT, State.PARTIAL)
_EXACT = (State.THIN, State.NOT_HTML)


@dataclass(frozen=True, slots=True)
class Walk:
    """A page on its way: as read, as it would be stored, and what to ask the store."""

    page: Page
    read: ReadPage
    capture: Capture
    query: Query
    judging: Judging
    half_life: timedelta | None = None

    def judge(self, found: Candidates) -> Verdict:
        """Return the verdict on the page, given what the store found."""
        others = {capture.id: capture for capture in (*found.equal, *found.near)}
        history = History(
            found.stored, found.last, tuple(others.values()), found.earlier, self.capture.fetched_at, self.half_life
        )
        extract = self.read.extract
        return judge(self.capture.fingerprint, extract.sentences, history, self.judging, state_reason=extract.reason)


def walk_of(page: Page, settings: Settings, scheme: str, now: datetime) -> Walk:
    """Read and fingerprint a page.

    Args:
        page: what the server answered; without a time it was fetched now.
        settings: for its site.
        scheme: name and version of the fingerprint's scheme, as `scheme_of` returns it.
        now: present time (aware).

    Raises:
        ReadingError: the page cannot be read.
    """
    content = read(page, settings.reading, settings.weights)
    capture = _capture(page, content, fingerprint_of(content, scheme), page.fetched_at or now)
    days = settings.lookup.half_life_days
    half_life = None if days is None else timedelta(days=days)
    return Walk(page, content, capture, _query(capture, settings, now), settings.judging, half_life)


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

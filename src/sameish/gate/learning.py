"""After the fetch: what the gate looks up before a page is remembered, and takes in once it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from sameish.gate.gate import Gate, host_of_url
from sameish.gate.lessons import lessons_of, same_as_canonical, teaches
from sameish.gate.notes import RedirectNote, SiteNote, UnchangedNote
from sameish.gate.outcome import Fetched, FetchNote
from sameish.gate.schedules import schedule_of
from sameish.gate.settling import row_of, settle
from sameish.gate.sites import Site, digest_hash, limits_of, policy_of
from sameish.models import Capture, HeaderPairs, Page
from sameish.revisit.after import Answer, doubt_about
from sameish.settings import Judging
from sameish.stores.gate_state import Visit, hash_key
from sameish.urls.keys import url_key
from sameish.urls.learner import Pair
from sameish.urls.links import languages
from sameish.urls.site import site_of
from sameish.urls.traps import suspicions


def note_of(
    gate: Gate,
    page: Page,
    capture: Capture,
    *,
    translations: Iterable[str] = (),
    sent: Mapping[str, str] | None = None,
    body: bytes | None = None,
) -> FetchNote:
    """Look up what a fetched page can teach, and return the note to be written with its capture.

    Args:
        gate: that learns.
        page: as it was fetched.
        capture: of it.
        translations: addresses that it names as itself in other languages.
        sent: headers of the request; None: they are not known.
        body: to be kept, content codings taken off; None where none is to be kept.
    """
    with gate.lock:
        site, settings = gate.sites.of(capture.site), gate.settings.for_site(capture.site)
        fetched = Fetched(
            capture=capture,
            now=gate.clock().timestamp(),
            headers=dict(_pairs(page)),
            sent=sent,
            body=body,
            host=host_of_url(capture.url),
            policy=policy_of(settings),
            holder=_holder(gate, site, capture),
            lastmod=gate.lastmod_of(capture.url),
            suspicions=suspicions(capture.key),
            linked_from=_referrer(capture.site, sent),
            languages=languages(capture.key, (url_key(url) for url in translations if site_of(url) == capture.site)),
            aliases=_aliases(page, capture),
        )
        if teaches(capture):
            fetched = _with_lessons(gate, fetched, site, settings.judging)
        return FetchNote(site=site, limits=limits_of(settings), fetched=fetched)


def absorb(gate: Gate, note: SiteNote) -> None:
    """Take in what was written, once it is; where other rules act now, put the pages of the site in their classes."""
    if note.memory is None:
        return
    with gate.lock:
        for visit in note.visits:
            gate.known.put(row_of(visit))
        if note.encoded is not None:
            note.site.take(note.memory, note.encoded, note.limits)
        if note.memory.unsettled:
            settle(gate.store, gate.known, note.site, note.limits)


def note_of_unchanged(
    gate: Gate, page: Page, holder: Visit, at: datetime, sent: Mapping[str, str] | None, size: int
) -> UnchangedNote:
    """Return the note to be written with a 304 for a page of which a visit is known, perhaps under another URL.

    `sent` are the headers of the request, None where they are not known; `size`: bytes of the body that it stands for.
    """
    settings, site = gate.settings.for_site(holder.site), gate.sites.of(holder.site)
    url = page.url or holder.url
    asked, answered = url_key(url), url_key(holder.url)
    is_by_rules = asked != answered and site.acting.class_key(asked)[0] == site.acting.class_key(answered)[0]
    now = gate.clock().timestamp()
    answer = Answer(url, at.timestamp(), 304, dict(_pairs(page)), sent=sent, lastmod=gate.lastmod_of(url), now=now)
    host, policy = host_of_url(holder.url), policy_of(settings)
    return UnchangedNote(
        holder=holder,
        site=site,
        host=host,
        limits=limits_of(settings),
        policy=policy,
        answer=answer,
        size=size,
        pair=Pair(asked, answered, agree=True) if is_by_rules else None,
        doubt=doubt_about(schedule_of(holder), site.memory.host(host), answer, policy),
    )


def note_of_redirect(gate: Gate, url: str, target: str) -> RedirectNote | None:
    """Return the note to be written about a redirect, None where its target is on another site or not known yet."""
    site_name, key, target_key = site_of(url), url_key(url), url_key(target)
    holder = gate.holder(target_key, site_name) if site_of(target) == site_name and key != target_key else None
    if holder is None or holder.digest is None:
        return None
    settings = gate.settings.for_site(site_name)
    return RedirectNote(
        site=gate.sites.of(site_name),
        limits=limits_of(settings),
        policy=policy_of(settings),
        url=url,
        key=key,
        target=holder,
        target_key=target_key,
        at=gate.clock(),
    )


def _holder(gate: Gate, site: Site, capture: Capture) -> Visit | None:
    """Return the page that stands for the class of a capture, None where that is the page itself or nothing good is known."""
    known = gate.known.get(hash_key(site.acting.class_key(capture.key)[0]))
    if known is None or known.page == hash_key(capture.key):
        return None
    visit = gate.store.visit(known.page)
    return None if visit is None or visit.digest is None else visit


def _with_lessons(gate: Gate, fetched: Fetched, site: Site, judging: Judging) -> Fetched:
    """Return a page with what it can teach, beside the pages of its site that were fetched before."""
    capture, recent = fetched.capture, gate.sites.recent(fetched.capture.site)
    content = digest_hash(capture.fingerprint.digest)
    recent.walls.see(content, capture.key, capture.fetched_at.timestamp(), site.acting)
    earlier = recent.pages.add(site.acting, capture.key, content)
    # what stands at unrelated addresses is a soft 404, a wall, an empty list: that it is the same proves nothing
    common = recent.common.seen(content, capture.key, site.acting)
    named = None if capture.canonical_url is None else url_key(capture.canonical_url)
    if named is None or named == capture.key or site_of(capture.canonical_url) != capture.site:
        named = None
    return replace(
        fetched,
        lessons=tuple(
            lessons_of(capture, () if common else earlier, fetched.holder, gate.store, judging, recent.walls)
        ),
        is_wall=recent.walls.is_one(content, capture.fetched_at.timestamp()),
        canonical=named,
        same_as_canonical=None
        if named is None
        else same_as_canonical(capture, named, gate.store, judging, recent.walls),
        shares_etag=recent.shares_etag(fetched.host, capture.etag, capture.url, content),
        own_etags=not common and recent.has_own_etags(fetched.host, capture.etag, capture.url, content),
        distrust_links=named is not None and recent.targets.names_too_many(named, content),
    )


def _aliases(page: Page, capture: Capture) -> tuple[tuple[str, str], ...]:
    """Return key and URL of the addresses on the same site that were redirected to a page."""
    led = [url for url in (page.requested_url, *page.redirects) if url is not None and site_of(url) == capture.site]
    keys = {url_key(url): url for url in led}
    keys.pop(capture.key, None)
    return tuple(keys.items())


def _referrer(site: str, sent: Mapping[str, str] | None) -> str | None:
    """Return the key of the page of a site that a request came from, as its headers say (RFC 9110, 10.1.3)."""
    named = next((value for name, value in (sent or {}).items() if name.lower() == "referer"), None)
    return url_key(named) if named is not None and site_of(named) == site else None


def _pairs(page: Page) -> HeaderPairs:
    pairs: HeaderPairs = page.headers  # type: ignore[assignment]  # a Page holds them in this form
    return pairs

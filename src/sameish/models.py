"""The values that travel through the house: frozen, without I/O, built once and handed on."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeAlias

from sameish.errors import ReadingError

HeaderPairs: TypeAlias = tuple[tuple[str, str], ...]
HeadersLike: TypeAlias = Mapping[Any, Any] | Iterable[tuple[Any, Any]] | None


class State(StrEnum):
    """What kind of answer a page is."""

    CONTENT = "content"
    PARTIAL = "partial"
    """A teaser, or a login or pay wall with some text."""
    THIN = "thin"
    """Too little text to compare by similarity; compared exactly."""
    EMPTY = "empty"
    BLOCKED = "blocked"
    """A challenge, captcha, consent or login wall instead of the page."""
    ERROR = "error"
    """An HTTP error or a page that says it is missing (soft 404)."""
    NOT_HTML = "not_html"
    """Bytes of another kind; compared exactly."""


class ComparisonKind(StrEnum):
    """How two pages relate."""

    IDENTICAL = "identical"
    NEAR_DUPLICATE = "near_duplicate"
    DIFFERENT = "different"
    UNDETERMINED = "undetermined"


class VerdictKind(StrEnum):
    """What a page is to a store."""

    NEW = "new"
    UNCHANGED = "unchanged"
    UPDATED = "updated"
    DUPLICATE = "duplicate"
    NEAR_DUPLICATE = "near_duplicate"
    UNDETERMINED = "undetermined"


class FetchAction(StrEnum):
    """What to do with a URL before the fetch."""

    FETCH = "fetch"
    REVALIDATE = "revalidate"
    AUDIT = "audit"
    SKIP = "skip"


def _text_of(part: object, what: str) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, bytes):
        return part.decode("latin-1")  # RFC 9110, section 5.5: field values are octets, ISO-8859-1 by tradition
    raise ReadingError(f"headers: a {what} is {type(part).__name__}, expected str or bytes")


def normal_headers(headers: HeadersLike) -> HeaderPairs:
    """Return headers as (lower-case name, value) pairs in their order.

    Takes a mapping or pairs; names and values may be str or bytes, a value also a list of them (as in Scrapy).

    Raises:
        ReadingError: the argument has another shape.
    """
    if headers is None:
        return ()
    try:
        pairs = list(headers.items() if isinstance(headers, Mapping) else headers)
    except TypeError as error:
        raise ReadingError(f"headers: {type(headers).__name__} is neither a mapping nor pairs") from error
    return tuple(one for pair in pairs for one in _normal_pair(pair))


def _normal_pair(pair: object) -> HeaderPairs:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise ReadingError(f"headers: {pair!r:.60} is not a (name, value) pair")
    name = _text_of(pair[0], "name").strip().lower()
    values = pair[1] if isinstance(pair[1], tuple | list) else (pair[1],)
    return tuple((name, _text_of(value, "value").strip()) for value in values)


@dataclass(frozen=True, slots=True)
class Page:
    """One answer of a server, or a document from elsewhere.

    Args:
        body: the document; bytes are decoded as browsers do, str is taken as it is. A content coding (`gzip`, `deflate`,
            `br`, `zstd`) may still be on it; the framing of a transfer coding is taken off by every HTTP client.
        url: the address the body came from, after redirects.
        headers: of the answer; a mapping or pairs, str or bytes. Kept as lower-case (name, value) pairs.
        status: the HTTP status code. 304 needs no body and means unchanged.
        fetched_at: an aware datetime, kept in UTC; None means now, by the clock of whoever asks.
        requested_url: the address that was asked for, if it differs.
        redirects: the addresses between, in order.

    Raises:
        ReadingError: an argument has a wrong type, or `fetched_at` has no time zone.
    """

    body: bytes | str = b""
    url: str | None = None
    headers: HeadersLike = field(default=())
    status: int = 200
    fetched_at: datetime | None = None
    requested_url: str | None = None
    redirects: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        given: Any = self  # callers in untyped code pass anything
        for name in ("url", "requested_url"):
            value = getattr(given, name)
            if value is not None and not isinstance(value, str):
                raise ReadingError(f"{name} is {type(value).__name__}, expected str or None")
        object.__setattr__(self, "body", _normal_body(given.body))
        object.__setattr__(self, "status", _normal_status(given.status))
        object.__setattr__(self, "fetched_at", None if given.fetched_at is None else _utc(given.fetched_at))
        object.__setattr__(self, "headers", normal_headers(given.headers))
        object.__setattr__(self, "redirects", _normal_redirects(given.redirects))

    def header(self, name: str) -> str | None:
        """Return the first value of a header, or None; the name in any case."""
        wanted = name.lower()
        pairs: Any = self.headers
        return next((value for key, value in pairs if key == wanted), None)


def require_page(page: object) -> None:
    """Refuse what is no page.

    Raises:
        ReadingError: it is something else, such as the HTML of one.
    """
    if not isinstance(page, Page):
        raise ReadingError(f"{type(page).__name__} is no page; build a sameish.Page from it")


_HIGHEST_STATUS = 999


def _normal_body(body: Any) -> bytes | str:
    if body is None:
        return b""
    if isinstance(body, bytearray | memoryview):
        return bytes(body)
    if not isinstance(body, bytes | str):
        raise ReadingError(f"body is {type(body).__name__}, expected bytes or str")
    return body


def _normal_status(status: Any) -> int:
    if status is None:
        return 200
    if not isinstance(status, int):
        raise ReadingError(f"status is {type(status).__name__}, expected int")
    if not 0 <= status <= _HIGHEST_STATUS:
        raise ReadingError(f"status is {status!r:.30}, expected 0..{_HIGHEST_STATUS}")
    return int(status)


def _normal_redirects(redirects: Any) -> tuple[str, ...]:
    if redirects is None:
        return ()
    if not isinstance(redirects, list | tuple) or not all(isinstance(one, str) for one in redirects):
        raise ReadingError("redirects is not a list of addresses")
    return tuple(redirects)


def _utc(moment: Any) -> datetime:
    if not isinstance(moment, datetime):
        raise ReadingError(f"fetched_at is {type(moment).__name__}, expected datetime")
    if moment.tzinfo is None:
        raise ReadingError("fetched_at has no time zone; use an aware datetime, such as datetime.now(timezone.utc)")
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ReadingError(f"fetched_at is {moment.isoformat()}, which has no equal in UTC") from error


@dataclass(frozen=True, slots=True)
class IgnoredNoise:
    """A sentence that was left out as noise, and the pattern that recognised it.

    The pattern is `weight 0` where the settings leave out the part of the page that the sentence stands in.
    """

    text: str
    pattern: str


@dataclass(frozen=True, slots=True)
class Extract:
    """What a page says, without what stands around it.

    `.markdown`: the main content as GitHub-flavoured Markdown. `.sentences`: the calmed sentences that are compared,
    in reading order. `.encoding`: the WHATWG name in lower case, None where the body was str; `.encoding_source` says
    what decided: `bom`, `header`, `meta`, `detected` (nothing was declared), `overruled` (a declaration gave garbage
    and detection was sure), `default`, `str` (nothing to decide). `.removed`: how many elements each rule took out.
    `.translations`: addresses that the page names as itself in other languages (`hreflang`), absolute, at most 50.
    `.noise`: what was ignored. `.reason`: why the page has its state.
    """

    markdown: str = ""
    sentences: tuple[str, ...] = ()
    title: str = ""
    encoding: str | None = None
    state: State = State.EMPTY
    canonical_url: str | None = None
    language: str | None = None
    translations: tuple[str, ...] = ()
    removed: Mapping[str, int] = field(default_factory=dict)
    encoding_source: str = "default"
    noise: tuple[IgnoredNoise, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What is kept of a page's content, and enough to compare it.

    `.simhash`: unsigned 64-bit int, None without content. `.structure`: 64-bit simhash of the DOM's shape, None without
    elements. `.digest`: 16 bytes over the calmed sentences, over the body for `not_html`, sixteen zero bytes without
    content. `.sketch`: the sentence hashes (`fingerprint/sketch.py` says how they are packed). `.words`: of the content.
    `.scheme`: `name:version` with what else changes the values. Fingerprints of two schemes are never compared.
    """

    simhash: int | None
    structure: int | None
    digest: bytes
    sketch: bytes
    words: int
    state: State
    scheme: str

    def to_bytes(self) -> bytes:
        """Return the fingerprint as bytes: a versioned header of fixed size, then scheme and sketch. Little-endian."""
        scheme = self.scheme.encode()
        flags = (self.simhash is not None) | (self.structure is not None) << 1
        head = _HEAD.pack(
            _MAGIC, _VERSION, _STATES.index(self.state), flags, len(scheme), self.simhash or 0, self.structure or 0,
            self.digest, self.words, len(self.sketch),
        )  # fmt: skip
        return head + scheme + self.sketch

    @classmethod
    def from_bytes(cls, data: bytes) -> Fingerprint:
        """Rebuild a fingerprint from `to_bytes`.

        Raises:
            ReadingError: the bytes are no fingerprint, are of a newer version, or have a wrong length.
        """
        if len(data) < _HEAD.size or data[:2] != _MAGIC:
            raise ReadingError(f"{len(data)} bytes that are no fingerprint (it begins with {_MAGIC!r})")
        _, version, state, flags, scheme_size, simhash, structure, digest, words, sketch_size = _HEAD.unpack_from(data)
        if version != _VERSION:
            raise ReadingError(f"a fingerprint of format {version}; this program reads format {_VERSION}")
        expected = _HEAD.size + scheme_size + sketch_size
        if len(data) != expected:
            raise ReadingError(f"a fingerprint of {len(data)} bytes that should have {expected}")
        if state >= len(_STATES) or flags > 3:
            raise ReadingError(f"a damaged fingerprint: state {state}, flags {flags}")
        try:
            scheme = data[_HEAD.size : _HEAD.size + scheme_size].decode()
        except UnicodeDecodeError as error:
            raise ReadingError("a damaged fingerprint: its scheme is not UTF-8") from error
        return cls(
            simhash=simhash if flags & 1 else None,
            structure=structure if flags & 2 else None,
            digest=digest,
            sketch=bytes(data[_HEAD.size + scheme_size :]),
            words=words,
            state=_STATES[state],
            scheme=scheme,
        )


NO_DIGEST = bytes(16)
_MAGIC, _VERSION = b"SF", 1
_HEAD = struct.Struct("<2sBBBBQQ16sII")
# the order is part of the stored format: append, never reorder
_STATES = (State.CONTENT, State.PARTIAL, State.THIN, State.EMPTY, State.BLOCKED, State.ERROR, State.NOT_HTML)


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two pages relate, and what decided.

    `.distance`: Hamming distance of the simhashes, 0..64, None where one has none. `.similarity`: share of the content
    in common, 0..1. `.confidence`: 0..1. `.reason`: the step that decided, in words. `.signals`: the measured values.
    """

    kind: ComparisonKind
    distance: int | None
    similarity: float
    confidence: float
    reason: str
    signals: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Change:
    """A sentence that one capture has and the other has not. `.kind` is `added` or `removed`."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Capture:
    """One page as it was at one moment, as a store keeps it.

    `.key` is the canonical key of `.url`; `.site` the registrable domain. `(key, fetched_at, body_digest)` identifies a
    capture. `.markdown` and `.sentences` are None where the store does not keep them or they were not asked for.
    `.id` is given by the store. `.verdict` and `.match_id` say what it was when it was observed.
    """

    key: str
    url: str
    site: str
    fetched_at: datetime
    body_digest: bytes
    body_bytes: int
    status: int
    fingerprint: Fingerprint
    title: str = ""
    canonical_url: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    markdown: str | None = None
    sentences: tuple[str, ...] | None = None
    id: int | None = None
    verdict: VerdictKind | None = None
    match_id: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a page is to a store.

    `.match`: the stored capture that it equals or resembles; for `updated` another page that it now equals, if any.
    `.comparison`: with the last good capture of this URL, else with `.match`. `.changes`: sentences added and removed,
    where the earlier sentences are kept. `.earlier`: for `updated`, the stored capture of this URL from before the last
    good one that it says the same as again, if any: the page went back.
    """

    kind: VerdictKind
    match: Capture | None = None
    comparison: Comparison | None = None
    reason: str = ""
    changes: tuple[Change, ...] = ()
    earlier: Capture | None = None


@dataclass(frozen=True, slots=True)
class FetchDecision:
    """What to do with a URL before the fetch; `.same_as` names the stored URL that stands for it."""

    action: FetchAction
    reason: str
    same_as: str | None = None
    request_headers: Mapping[str, str] = field(default_factory=dict)
    rule: str | None = None

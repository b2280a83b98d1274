"""Requests and responses of httpx and httpx2, and sameish's pages and stored bodies: one into the other.

They are typed `Any`: they are of either library.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sameish.gate.journal import reason_of
from sameish.integrations.httpx import variants
from sameish.integrations.httpx.libraries import library_of
from sameish.models import FetchAction, FetchDecision, Page, Verdict, VerdictKind

if TYPE_CHECKING:
    from sameish.integrations.httpx.door import Plan
    from sameish.stores.gate_state import StoredBody

EXTENSION = "sameish"
"""Of a request: False opts it out. Of a response: the verdict."""
DECISION = "sameish_decision"
"""Of a response: what was decided before the fetch."""
_FROM = "sameish_from"
"""Of a response: the URL of the copy."""
_LED = "sameish_redirects"
"""Of a request: the URLs that led to it. Clients hand the extensions of a request on to the one that follows a redirect."""
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_CHANGES_NOTHING = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_OF_THE_CALLER = (
    "if-none-match",
    "if-modified-since",
    "if-match",
    "if-unmodified-since",
    "if-range",
    "range",
    "upgrade",
)
"""Headers that ask for something else than the page as it is."""
_NOT_OF_A_COPY = frozenset(
    "cache-status connection content-encoding content-length content-location content-range content-type keep-alive "
    f"proxy-connection te trailer transfer-encoding upgrade {variants.NOTE}".split()
)
"""What a 304 says only of itself: all else that it says replaces what a copy says (RFC 9111, section 3.2)."""
_ENDLESS = ("text/event-stream", "multipart/x-mixed-replace")


def is_concerned(request: Any) -> bool:
    """Tell whether sameish may have an opinion on a request: a plain GET for a page, without a body."""
    headers = request.headers
    return (
        request.method == "GET"
        and request.url.scheme in {"http", "https"}
        and not is_opted_out(request)
        and not any(name in headers for name in _OF_THE_CALLER)
        and headers.get("content-length", "0") == "0"
        and "transfer-encoding" not in headers
        and "text/event-stream" not in headers.get("accept", "")
    )


def is_opted_out(request: Any) -> bool:
    """Tell whether the caller wants sameish to leave a request alone."""
    return request.extensions.get(EXTENSION) is False


def asks_not_to_be_stored(request: Any) -> bool:
    """Tell whether nothing may be remembered of the answer to a request (RFC 9111, section 5.2.1.5)."""
    return "no-store" in _directives(request)


def asks_for_a_fresh_one(request: Any) -> bool:
    """Tell whether a request wants an answer of the server (RFC 9111, sections 5.2.1.1, 5.2.1.4 and 5.4)."""
    told = _directives(request)
    pragma = "cache-control" not in request.headers and "no-cache" in request.headers.get("pragma", "").lower()
    return pragma or bool(told & {"no-cache", "max-age=0"})


def _directives(request: Any) -> set[str]:
    values = request.headers.get_list("cache-control", split_commas=True)
    return {value.strip().lower().replace(" ", "") for value in values}


def is_written(request: Any, response: Any) -> bool:
    """Tell whether a request may have changed the page that it was sent to (RFC 9110, section 9.2.1)."""
    return request.method not in _CHANGES_NOTHING and response.status_code < 400


def conditional(request: Any, headers: Mapping[str, str]) -> Any:
    """Return a request with more headers; the one given stays as it is."""
    if not headers:
        return request
    more = [(name.encode("ascii"), value.encode("latin-1")) for name, value in headers.items()]
    return library_of(request).Request(
        request.method,
        request.url,
        headers=[*request.headers.raw, *more],
        stream=request.stream,
        extensions=request.extensions,
    )


def why_not_judged(response: Any, plan: Plan) -> str | None:
    """Say why an answer is none to be judged, None for one that is."""
    if response.status_code == 304 and plan.copy is None:
        return "a 304 that nobody asked for"
    if location_of(response) is not None:
        return "a redirect"
    kind = response.headers.get("content-type", "").lower()
    if kind.startswith(_ENDLESS):
        return "a stream without end"
    return None if response.status_code >= 200 else "no answer yet"


def location_of(response: Any) -> str | None:
    """Return where a response redirects to, None for one that does not."""
    found: str | None = response.headers.get("location") if response.status_code in _REDIRECTS else None
    return found


def note_hop(request: Any) -> None:
    """Note the URL of a request that is redirected, for the request that follows."""
    url, before = str(request.url), led_to(request)
    # who sends the same request again starts anew
    request.extensions[_LED] = (*(before[: before.index(url)] if url in before else before), url)


def led_to(request: Any) -> tuple[str, ...]:
    """Return the URLs that were redirected to that of a request, in order."""
    return tuple(request.extensions.get(_LED, ()))


def page_of(request: Any, response: Any, body: bytes, *, is_raw: bool) -> Page:
    """Return an answer as a page; `is_raw`: content codings are still on the body."""
    led = led_to(request)
    headers = [(name, value) for name, value in response.headers.raw if is_raw or name.lower() != b"content-encoding"]
    return Page(
        body,
        url=str(request.url),
        headers=headers,
        status=response.status_code,
        requested_url=led[0] if led else None,
        redirects=led[1:],
    )


def is_fetched(response: Any) -> bool:
    """Tell whether an answer came over the network: hishel says of its copies whether it asked the server."""
    told = response.extensions.get("caching", {})
    return not told.get("from_cache", False) or told.get("revalidated", False)


def with_verdict(response: Any, plan: Plan, verdict: Verdict) -> Any:
    """Return a response that says what was decided before the fetch, and how it was judged."""
    response.extensions[DECISION] = plan.decision
    response.extensions[EXTENSION] = verdict
    return response


def unread(response: Any, plan: Plan, why: str) -> Any:
    """Return a response that is handed on as it came."""
    return with_verdict(response, plan, Verdict(VerdictKind.UNDETERMINED, reason=f"not read: {why}"))


def left_alone(response: Any, why: str) -> Any:
    """Return a response of which nothing is remembered."""
    response.extensions[DECISION] = FetchDecision(FetchAction.FETCH, why)
    response.extensions[EXTENSION] = Verdict(VerdictKind.UNDETERMINED, reason=f"not judged: {why}")
    return response


def copy_as_response(request: Any, plan: Plan, verdict: Verdict, answer: Any = None) -> Any:
    """Return the stored copy as a response that says so (`Cache-Status`, RFC 9211; `Content-Location` if it is another's).

    Args:
        request: to answer.
        plan: that says with which copy.
        verdict: to be told.
        answer: the 304 that said that the copy is good; None: none was asked for.
    """
    copy = plan.copy
    assert copy is not None  # noqa: S101  # asked for only where there is one
    library = library_of(request)
    detail = reason_of(plan.decision.rule) if plan.answers else "not_modified"
    headers = [
        *_headers_of(copy, () if answer is None else answer.headers.raw),
        (b"content-length", b"%d" % len(copy.body)),
        (b"cache-status", f"sameish; hit; detail={detail}".encode()),
    ]
    kind, extensions = library.Response, {}
    if copy.url != str(request.url):
        headers.append((b"content-location", copy.url.encode("utf-8", "replace")))
        kind, extensions = _response_from_elsewhere(library), {_FROM: copy.url}
    stream = library.ByteStream(copy.body)
    return with_verdict(kind(copy.status, headers=headers, stream=stream, extensions=extensions), plan, verdict)


def _headers_of(copy: StoredBody, fresh: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    told = [(name, value) for name, value in fresh if name.decode("latin-1").lower() not in _NOT_OF_A_COPY]
    newer = {name.decode("latin-1").lower() for name, _ in told} | {variants.NOTE}
    return told + [
        (name.encode("ascii", "replace"), value.encode("latin-1", "replace"))
        for name, value in copy.headers
        if name not in newer
    ]


@lru_cache
def _response_from_elsewhere(library: Any) -> type:
    """Return a kind of response whose `.url` is where its copy came from: links in it are relative to that."""

    def url(response: Any) -> Any:
        try:
            return library.URL(response.extensions[_FROM])
        except library.InvalidURL:  # a page that came through another door
            return response.request.url

    return type("Response", (library.Response,), {"__module__": __name__, "url": property(url)})

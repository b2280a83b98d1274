"""Requests and responses of httpx and httpx2, and sameish's pages and stored bodies: one into the other.

They are typed `Any`: they are of either library.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sameish.gate.journal import reason_of
from sameish.integrations.httpx.door import Plan
from sameish.integrations.httpx.libraries import library_of
from sameish.models import Page, Verdict, VerdictKind

EXTENSION = "sameish"
"""Of a request: False opts it out. Of a response: the verdict."""
DECISION = "sameish_decision"
"""Of a response: what was decided before the fetch."""
_LED = "sameish_redirects"
"""Of a request: the URLs that led to it. Clients hand the extensions of a request on to the one that follows a redirect."""
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
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
_ENDLESS = ("text/event-stream", "multipart/x-mixed-replace")


def is_concerned(request: Any) -> bool:
    """Tell whether sameish may have an opinion on a request: a plain GET for a page, without a body."""
    headers = request.headers
    return (
        request.method == "GET"
        and request.url.scheme in {"http", "https"}
        and request.extensions.get(EXTENSION) is not False
        and not any(name in headers for name in _OF_THE_CALLER)
        and headers.get("content-length", "0") == "0"
        and "transfer-encoding" not in headers
        and "text/event-stream" not in headers.get("accept", "")
    )


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


def why_not_judged(response: Any) -> str | None:
    """Say why an answer is none to be judged, None for one that is."""
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


def copy_as_response(request: Any, plan: Plan, verdict: Verdict) -> Any:
    """Return the stored copy as a response that says so (`Cache-Status`, RFC 9211; `Content-Location` if it is another's)."""
    copy = plan.copy
    assert copy is not None  # noqa: S101  # asked for only where there is one
    library = library_of(request)
    detail = reason_of(plan.decision) if plan.answers else "not_modified"
    headers = [(name.encode("ascii", "replace"), value.encode("latin-1", "replace")) for name, value in copy.headers]
    headers += [
        (b"content-length", b"%d" % len(copy.body)),
        (b"cache-status", f"sameish; hit; detail={detail}".encode()),
    ]
    if copy.url != str(request.url):
        headers.append((b"content-location", copy.url.encode("utf-8", "replace")))
    stream = library.ByteStream(copy.body)
    return with_verdict(library.Response(copy.status, headers=headers, stream=stream), plan, verdict)

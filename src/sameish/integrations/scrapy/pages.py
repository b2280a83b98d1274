"""Scrapy's requests and responses, and sameish's pages and stored bodies: one into the other."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.http import Headers, Response
from scrapy.http.request import NO_CALLBACK
from scrapy.responsetypes import responsetypes

from sameish.models import Page
from sameish.revisit.dates import http_date
from sameish.stores.gate_state import StoredBody

META = "sameish"
"""Key of `meta`: False opts a request out; in a response it holds the verdict."""
_VISITOR = "sameish-visitor"
"""Header beside a stored copy that says whom it was sent to; nothing where nobody in particular asked."""
COPY = "sameish: stored copy"
"""Flag of a response that was not fetched."""
_LATENCY = "download_latency"
"""Key of `meta` that Scrapy sets where something was sent."""
_CACHED = "cached"
"""Scrapy's own flag for the same: its HTTP cache does not take in what has it."""


def is_concerned(request: Request) -> bool:
    """Tell whether sameish may have an opinion on a request: a GET for a whole page, by its URL, that goes to the spider."""
    return (
        request.method == "GET"
        and not request.body
        and "Range" not in request.headers
        and request.meta.get(META) is not False
        and request.callback is not NO_CALLBACK
        and urlsplit(request.url).scheme in {"http", "https"}
    )


def is_retry(request: Request) -> bool:
    """Whether a request is sent again since its answer was an error: that the page is not due now was said of that answer."""
    return request.dont_filter and bool(request.meta.get("retry_times"))


def wants_status(request: Request, response: Response) -> bool:
    """Whether a request says that its callback handles the status of a response."""
    listed = request.meta.get("handle_httpstatus_list", ())
    return bool(request.meta.get("handle_httpstatus_all")) or response.status in listed


def page_of(request: Request, response: Response, visitor: str = "") -> Page:
    """Return a response as a page that was sent to a visitor."""
    led = [str(url) for url in request.meta.get("redirect_urls", ())]
    headers = [(name, value) for name, values in response.headers.items() for value in values]
    if visitor:
        headers.append((_VISITOR.encode(), visitor.encode()))
    return Page(
        body=response.body,
        url=response.url,
        headers=headers,
        status=response.status,
        requested_url=led[0] if led else None,
        redirects=tuple(led[1:]),
        fetched_at=_when_cached(request, response),
    )


def _when_cached(request: Request, response: Response) -> datetime | None:
    """Return when the server made a response that Scrapy's cache held and did not ask about again; None for all others.

    It is no news: taken for a page of today it would speak against the rules that put it beside one that was edited since.
    """
    if not is_cached(response) or _LATENCY in request.meta:
        return None
    made = http_date((response.headers.get("Date") or b"").decode("latin-1"))
    return None if made is None else datetime.fromtimestamp(made, UTC)


def response_of(stored: StoredBody, request: Request) -> Response:
    """Return a stored body as a response to a request; links in it are relative to the URL that it came from."""
    headers = Headers()
    for name, value in stored.headers:
        if name != _VISITOR:
            headers.appendlist(name, value)
    kind = responsetypes.from_args(headers=headers, url=stored.url, body=stored.body)
    flags = [COPY, _CACHED]
    return kind(url=stored.url, status=stored.status, headers=headers, body=stored.body, flags=flags, request=request)


def visitor_of_copy(stored: StoredBody) -> str:
    """Return whom a stored body was sent to."""
    return dict(stored.headers).get(_VISITOR, "")


def is_cached(response: Response) -> bool:
    """Whether a response comes out of Scrapy's own cache."""
    return _CACHED in response.flags


def sent_headers(request: Request) -> Mapping[str, str]:
    """Return the headers of a request, the last one of each name."""
    return {name.decode("latin-1"): values[-1].decode("latin-1") for name, values in request.headers.items() if values}

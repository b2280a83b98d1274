"""A page that is due is asked for under the URL that its validators are of: that request stands in for the one of the spider."""

from __future__ import annotations

from scrapy import Request

_STANDS_IN = "sameish_stands_in"
"""Key of `meta`: the URL that the spider asked for, and the one that is asked for instead; both the same once that has failed."""


def stand_in(request: Request, url: str) -> Request:
    """Return a request for another URL of the page that a request is for, with the same callback."""
    return request.replace(url=url, dont_filter=True, meta={**request.meta, _STANDS_IN: [request.url, url]})


def first_choice(request: Request) -> Request | None:
    """Return the request that a request stands in for, redirected or not; None where it stands in for none."""
    first, second = request.meta.get(_STANDS_IN, (None, None))
    # a spider may copy `meta` to requests for other pages
    if first == second or second not in (request.url, *request.meta.get("redirect_urls", ())):
        return None
    kept = {name: value for name, value in request.meta.items() if not name.startswith(("redirect_", "retry_"))}
    return request.replace(url=first, dont_filter=True, meta={**kept, _STANDS_IN: [first, first]})


def is_tried(request: Request) -> bool:
    """Whether no other request is to stand in for a request: it stands in itself, or another did in vain."""
    return request.url in request.meta.get(_STANDS_IN, ())


def is_redirected(request: Request) -> bool:
    """Whether a request that stands in was redirected: it would bring another page."""
    return "redirect_urls" in request.meta and first_choice(request) is not None


def is_second_try(request: Request) -> bool:
    """Whether another request stood in for a request in vain: that the page is not due now was said of that answer."""
    return request.meta.get(_STANDS_IN) == [request.url, request.url]


def is_unfiltered(request: Request) -> bool:
    """Whether the spider wants a request to be sent in any case; one that stands in has that mark for Scrapy's filter only."""
    return request.dont_filter and not is_tried(request)

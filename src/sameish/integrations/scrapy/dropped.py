"""What was dropped because of a rule: how to make it again when the rule proves wrong."""

from __future__ import annotations

import json
import logging
from typing import Any, NoReturn

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.utils.request import request_from_dict

from sameish.gate.gate import STATIC_RULE, Gate
from sameish.gate.journal import Journal
from sameish.integrations.scrapy.pages import META
from sameish.integrations.scrapy.visitors import own_headers
from sameish.models import FetchDecision, Verdict
from sameish.stores.gate_state import Dropped

_MOST_HELD = 10_000
"""Dropped requests that are held as they are, some 30 MB; others are made anew from the store."""
_SPIDER = "spider"
_SECRET = ("auth", "cookie", "token", "key", "secret", "session", "csrf", "signature")
"""What is in the names of headers that do not belong into a file."""
_LOGGER = logging.getLogger("sameish.scrapy")


class Droppings:
    """The requests that a spider did not get to send, in this crawl and in earlier ones.

    Args:
        gate: whose rules they were.
        journal: remembers them in the store.
        crawler: of the spider whose requests they are; those of other spiders are left to them.
    """

    def __init__(self, gate: Gate, journal: Journal, crawler: Crawler) -> None:
        self._gate = gate
        self._journal = journal
        self._crawler = crawler
        self._held: dict[int, Request] = {}
        self._given_back: dict[int, Dropped] = {}
        self._looked = -1

    def described(self, request: Request, decision: FetchDecision) -> bytes | None:
        """Return what is needed to make a request again that is dropped; None where that is not to be had: it must not be."""
        if decision.rule in {None, STATIC_RULE}:
            return b""  # no rule that could prove wrong
        described = packed(request, self._spider)
        if described is not None and len(self._held) < _MOST_HELD:
            self._held[self._gate.number_of(request.url)] = request.copy()
        return described

    def given_back(self) -> list[Request]:
        """Return the requests whose rules do not act any more, each once; none where nothing was written since the last call."""
        self._journal.flush()
        revision = self._gate.store.revision()
        if revision == self._looked:
            return []
        self._looked = revision
        self._gate.refresh()  # other processes learn, too
        owed = [one for one in self._journal.owed() if one.key_hash not in self._given_back]
        made = [(one, request) for one in owed if (request := self._made_again(one)) is not None]
        self._given_back |= {one.key_hash: one for one, _ in made}
        return [request for _, request in made]

    def arrived(self, request: Request) -> None:
        """Forget what was given back, now that it was fetched: what is never answered, or cut short, is given back again."""
        if not self._given_back:
            return
        urls = (request.url, *request.meta.get("redirect_urls", ()))
        found = [self._given_back.pop(number, None) for number in map(self._gate.number_of, urls)]
        self._journal.restore([one for one in found if one is not None])

    @property
    def _spider(self) -> Spider:
        spider = self._crawler.spider
        assert spider is not None  # noqa: S101  # it is open: it made the request
        return spider

    def _made_again(self, dropped: Dropped) -> Request | None:
        told = json.loads(dropped.request) if dropped.request else {}
        if told.pop(_SPIDER, None) != self._spider.name:
            return None
        held = self._held.pop(dropped.key_hash, None)
        if held is not None:
            return held.replace(dont_filter=True)
        try:
            return request_from_dict({**told, "dont_filter": True}, spider=self._spider)
        except (ValueError, TypeError, AttributeError, NameError, ImportError) as error:
            _LOGGER.warning("%s is to be fetched, but the spider changed: %s", dropped.url, error)
            return None


def drop(request: Request, why: str) -> NoReturn:
    """Drop a request as Scrapy's own filter does: the spider is not told, by its errback neither.

    Raises:
        IgnoreRequest: always.
    """
    _LOGGER.debug("dropped %s: %s", request, why)
    request.errback = None
    raise IgnoreRequest(f"sameish: {why}")


def packed(request: Request, spider: Spider) -> bytes | None:
    """Return what is needed to make a request again, as JSON; None where something of it has no place there.

    That is a callback without a name in the spider, a value that JSON cannot hold, cookies and secret headers.
    """
    headers = own_headers(request)
    if request.cookies or any(part in name for name in headers for part in _SECRET):
        return None
    try:
        made = request.to_dict(spider=spider)
    except ValueError:
        return None
    made |= {"headers": headers, "meta": _without_verdict(made["meta"]), _SPIDER: spider.name}
    kept = {name: value for name, value in made.items() if name not in {"body", "cookies", "dont_filter"}}
    return json.dumps(kept).encode() if _is_plain(kept) else None


def _without_verdict(meta: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in meta.items() if name != META or not isinstance(value, Verdict)}


def _is_plain(value: object) -> bool:
    """Whether JSON gives back what it was given; tuples come back as lists."""
    try:
        return bool(json.loads(json.dumps(value)) == _with_lists(value))
    except (TypeError, ValueError, RecursionError):
        return False


def _with_lists(value: object) -> object:
    if isinstance(value, dict):
        return {name: _with_lists(one) for name, one in value.items()}
    return [_with_lists(one) for one in value] if isinstance(value, list | tuple) else value

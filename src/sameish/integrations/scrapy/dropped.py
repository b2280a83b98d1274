"""What was dropped because of a rule: how to make it again when the rule proves wrong."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from typing import Any

from scrapy import Request, Spider
from scrapy.utils.request import request_from_dict

from sameish.gate.gate import STATIC_RULE, Gate
from sameish.gate.journal import Journal
from sameish.models import FetchDecision
from sameish.stores.gate_state import Dropped

_MOST_HELD = 100_000
"""Dropped requests that are held as they are; others are made anew from the store."""
_SPIDER = "spider"
_LOGGER = logging.getLogger("sameish.scrapy")


class Droppings:
    """The requests that a spider did not get to send, in this crawl and in earlier ones.

    Args:
        gate: whose rules they were.
        journal: remembers them in the store.
        spider: whose requests they are; those of other spiders are left to them.
    """

    def __init__(self, gate: Gate, journal: Journal, spider: Spider) -> None:
        self._gate = gate
        self._journal = journal
        self._spider = spider
        self._held: dict[int, Request] = {}
        self._looked = -1

    def drop(self, request: Request, decision: FetchDecision) -> bool:
        """Remember a request; False where it could not be made again later, so that it must not be dropped."""
        may_come_back = decision.rule not in {None, STATIC_RULE}
        described = packed(request, self._spider) if may_come_back else b""
        if described is None:
            return False
        self._journal.skipped(request.url, decision, described)
        if may_come_back and len(self._held) < _MOST_HELD:
            self._held[self._gate.number_of(request.url)] = request
        return True

    def given_back(self) -> Iterator[Request]:
        """Yield the requests whose rules do not act any more, each once; none where nothing was learned since the last call."""
        self._journal.flush()
        if self._gate.store.revision() == self._looked:
            return
        owed = [(one, request) for one in self._journal.owed() if (request := self._made_again(one)) is not None]
        self._journal.restore([one for one, _ in owed])
        self._looked = self._gate.store.revision()
        yield from (request for _, request in owed)

    def _made_again(self, dropped: Dropped) -> Request | None:
        told = json.loads(dropped.request) if dropped.request else {}
        if told.pop(_SPIDER, None) != self._spider.name:
            return None
        held = self._held.pop(dropped.key_hash, None)
        if held is not None:
            return held.replace(dont_filter=True)
        try:
            return request_from_dict({**told, "dont_filter": True}, spider=self._spider)
        except (ValueError, TypeError) as error:
            _LOGGER.warning("%s is to be fetched, but the spider changed: %s", dropped.url, error)
            return None


def packed(request: Request, spider: Spider) -> bytes | None:
    """Return what is needed to make a request again, as JSON; None where its callback has no name in the spider.

    What JSON cannot hold of its `meta` and `cb_kwargs` is left out, and so are headers and cookies: they may be secret.
    """
    try:
        made = request.to_dict(spider=spider)
    except ValueError:
        return None
    kept = {name: made[name] for name in ("url", "callback", "errback", "priority")}
    parts = {name: _plain(made[name]) for name in ("cb_kwargs", "meta")}
    if len(parts["cb_kwargs"]) < len(made["cb_kwargs"]):
        return None  # the callback would miss them
    return json.dumps({**kept, **parts, _SPIDER: spider.name}).encode()


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if _is_plain(value)}


def _is_plain(value: object) -> bool:
    try:
        return bool(json.loads(json.dumps(value)) == value or isinstance(value, tuple))
    except (TypeError, ValueError, RecursionError):
        return False

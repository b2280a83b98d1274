"""How a crawler comes by a page with sameish: `decide` before the fetch, `observing` after it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sameish.demo.live.crawler import Client
from sameish.detector import Detector
from sameish.models import FetchAction, Page


class Sparing:
    """Fetches what the detector does not know better.

    Args:
        detector: that keeps bodies.
    """

    def __init__(self, detector: Detector) -> None:
        self._detector = detector
        self._turn = threading.Condition()
        self._under_way: set[int] = set()
        self.client = Client()

    def fetch(self, url: str) -> bytes | None:
        """Return the page, the stored copy where it is not due or has not changed; None where it is another one again."""
        with self._alone(url):
            decision = self._detector.decide(url)
            if decision.action is FetchAction.SKIP and decision.rule is not None:
                return None  # another URL brings it, or brought it
            copy = self._copy(decision.same_as or url)
            if decision.action is FetchAction.SKIP and copy is not None:
                return copy
            return self._fetched(url, {} if copy is None else dict(decision.request_headers), copy)

    def owed(self) -> list[str]:
        """Return what was left out by rules that proved wrong since."""
        return self._detector.given_back()

    def _fetched(self, url: str, headers: dict[str, str], copy: bytes | None) -> bytes | None:
        response = self.client.get(url, headers)
        page = Page(response.body, url, response.headers, response.status)
        with self._detector.observing(page, request_headers=headers):
            return copy if response.status == 304 else response.body if response.status == 200 else None

    def _copy(self, url: str) -> bytes | None:
        stored = self._detector.gate.copy_of(url)
        return None if stored is None else stored.body

    @contextmanager
    def _alone(self, url: str) -> Iterator[None]:
        """Let only one at a time go for a page: what the others learn from it may spare them their request."""
        gate = self._detector.gate
        with self._turn:
            while (page := gate.class_of(url)) in self._under_way:
                self._turn.wait(self._detector.settings.gate.wait_s)
            self._under_way.add(page)
        try:
            yield
        finally:
            with self._turn:
                self._under_way.discard(page)
                self._turn.notify_all()

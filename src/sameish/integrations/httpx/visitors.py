"""Whose request is it? What is meant for one visitor is answered by the server alone, and is not stored."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

_ASKS_ONLY = frozenset({"GET", "HEAD", "OPTIONS"})
_MOST = 100_000
"""Cookies that are remembered; one that is forgotten is taken for somebody's own."""


class Visitors:
    """Tells requests that say who asks from those that anybody could send.

    `Authorization` says so, and a cookie that came from elsewhere than an answer to nobody in particular: from the caller, or
    with a log-in. A cookie that was sent along with a form says so from then on. One transport has one of these.
    """

    def __init__(self) -> None:
        self._anybodys: dict[tuple[str, str], None] = {}
        self._lock = threading.Lock()

    def mark_of(self, request: Any) -> str | None:
        """Return the header by which a request says who asks, None where it does not."""
        if "authorization" in request.headers:
            return "Authorization"
        with self._lock:
            return None if all(cookie in self._anybodys for cookie in _sent(request)) else "Cookie"

    def answered(self, request: Any, response: Any, *, is_own: bool) -> None:
        """Take note of cookies.

        Args:
            request: as it was sent.
            response: to it.
            is_own: the caller says that it is meant for one visitor.
        """
        given = [_pair(value.partition(";")[0]) for value in response.headers.get_list("set-cookie")]
        own = is_own or request.method not in _ASKS_ONLY or self.mark_of(request) is not None
        with self._lock:
            for cookie in (*_sent(request), *given) if own else ():
                self._anybodys.pop(cookie, None)
            for cookie in () if own else given:
                self._anybodys[cookie] = None
            while len(self._anybodys) > _MOST:
                del self._anybodys[next(iter(self._anybodys))]


def _sent(request: Any) -> Iterable[tuple[str, str]]:
    return [_pair(piece) for value in request.headers.get_list("cookie") for piece in value.split(";") if piece.strip()]


def _pair(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name.strip(), value.strip()

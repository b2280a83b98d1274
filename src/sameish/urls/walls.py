"""What a site answers everywhere for a while, as a wall or a notice of repairs that no pattern knows: it is no page."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from sameish.urls.acting import Acting
from sameish.urls.differences import difference

_LAST = 5
_MOST_OF_THEM = 4
_UNRELATED = 3
_OTHERS = 8
"""Contents that a site must have shown: one that shows nothing else is no site with a wall."""
_AROUND_S = 3_600.0
_MOST_WALLS = 16


class _Answer(NamedTuple):
    content: int
    page: str
    rules: frozenset[str]


class Walls:
    """Notices, in memory, when four of the last five answers of a site are one content at unrelated addresses.

    What only URLs with some parameter show is none, where a rule takes that parameter away: there the rule is wrong.
    """

    def __init__(self) -> None:
        self._last: deque[_Answer] = deque(maxlen=_LAST)
        self._contents: set[int] = set()
        self._spans: dict[int, tuple[float, float]] = {}

    def see(self, content: int, key: str, at: float, rules: Acting) -> None:
        """Note an answer.

        Args:
            content: 64-bit hash of it.
            key: canonical key of the page.
            at: when it was fetched, POSIX seconds.
            rules: what is known about the site.
        """
        page, used = rules.class_key(key)
        self._last.append(_Answer(content, page, frozenset(used)))
        if len(self._contents) <= _OTHERS:
            self._contents.add(content)
        if self._is_everywhere(content):
            first, last = self._spans.pop(content, (at, at))
            self._spans[content] = min(first, at), max(last, at)
            if len(self._spans) > _MOST_WALLS:
                del self._spans[next(iter(self._spans))]

    def is_one(self, content: int, at: float) -> bool:
        """Tell whether a content, fetched at a time (POSIX seconds), was a wall within the hour before or after."""
        span = self._spans.get(content)
        return span is not None and span[0] - _AROUND_S <= at <= span[1] + _AROUND_S

    def _is_everywhere(self, content: int) -> bool:
        alike = [one for one in self._last if one.content == content]
        if len(alike) < _MOST_OF_THEM or len(self._contents) <= _OTHERS:
            return False
        unrelated: list[str] = []
        for one in alike:
            if all(difference(one.page, other) is None for other in unrelated):
                unrelated.append(one.page)
        return len(unrelated) >= _UNRELATED and not frozenset.intersection(*(one.rules for one in alike))

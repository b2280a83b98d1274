"""Why two keys of one site differ, in aspects."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from sameish.urls.anatomy import Anatomy, dissect
from sameish.urls.aspects import host_steps, query_values, take_away
from sameish.urls.path_aspects import path_parameters, path_variants, without_parameters

_DEPTH = 3
"""Most aspects of a path (path parameters apart) that one key holds more than the other: `/m/a/print/` against `/a`."""
_TRIED = 8
"""Most explanations of a path that are tried, smallest first."""


_MOST = 32
"""Most aspects in which two keys may differ: of more, a pair says hardly anything about any."""


class Difference(NamedTuple):
    """An aspect in which two keys differ, and its value in each: None where a key does not hold it."""

    aspect: str
    value_a: str | None
    value_b: str | None


def difference(a: str, b: str) -> tuple[Difference, ...] | None:
    """Return the smallest set of aspects that explains why two canonical keys differ, sorted by name.

    Taking these aspects away makes both keys equal. `()` if they are equal; None if no set of at most 32 explains it:
    other words in the path, another site, port or user. Two keys that both end (or both begin) with a segment of their own
    are different pages as far as one can see (`/news/a`, `/news/b`), not variants of a third.
    """
    if a == b:
        return ()
    x, y = dissect(a), dissect(b)
    if x is None or y is None or (x.user, x.port, x.tail) != (y.user, y.port, y.tail):
        return None
    hosts = _hosts(x.host, y.host)
    if hosts is None or (x.scheme != y.scheme and x.port):
        return None
    sure = [*_scheme(x, y), *hosts, *_valued("query", query_values(x.pieces), query_values(y.pieces)), *_bare(x, y)]
    sure += _valued("path_param", path_parameters(x.path), path_parameters(y.path))
    if len(sure) > _MOST:
        return None
    names = frozenset(one.aspect[len("path_param:") :] for one in sure if one.aspect.startswith("path_param:"))
    for path in _paths(without_parameters(x.path, names), without_parameters(y.path, names)):
        found = tuple(sorted([*sure, *path]))
        if _explained(a, b, found):
            return _needed(a, b, found)
    return None


def _explained(a: str, b: str, found: tuple[Difference, ...]) -> bool:
    aspects = [one.aspect for one in found]
    return take_away(a, aspects) == take_away(b, aspects)


def _needed(a: str, b: str, found: tuple[Difference, ...]) -> tuple[Difference, ...]:
    """Leave out what another aspect brings along: without `index:x`, `/a/x/x` loses both of its last segments."""
    if len(found) > 1:
        for one in found:
            fewer = tuple(other for other in found if other is not one)
            if _explained(a, b, fewer):
                return _needed(a, b, fewer)
    return found


def _scheme(x: Anatomy, y: Anatomy) -> list[Difference]:
    return [] if x.scheme == y.scheme else [_only("scheme", in_a=x.scheme == "http:")]


def _hosts(x: str, y: str) -> list[Difference] | None:
    if x == y:
        return []
    chain_x, chain_y = [("", x), *host_steps(x)], [("", y), *host_steps(y)]
    for i, (_, rest) in enumerate(chain_x):
        for j, (_, other) in enumerate(chain_y):
            if rest == other:
                labels_x, labels_y = (
                    {aspect for aspect, _ in chain[1:]} for chain in (chain_x[: i + 1], chain_y[: j + 1])
                )
                return [_only(one, in_a=one in labels_x) for one in labels_x ^ labels_y]
    return None


def _valued(kind: str, x: dict[str, str], y: dict[str, str]) -> list[Difference]:
    return [
        Difference(f"{kind}:{name}", x.get(name), y.get(name))
        for name in x.keys() | y.keys()
        if x.get(name) != y.get(name)
    ]


def _bare(x: Anatomy, y: Anatomy) -> list[Difference]:
    a, b = ({piece for piece in one.pieces if "=" not in piece} for one in (x, y))
    return [_only(f"bare:{piece}", in_a=piece in a) for piece in a ^ b]


def _paths(x: str, y: str) -> Iterator[list[Difference]]:
    """Yield explanations of two paths, the smallest first."""
    if x == y:
        yield []
        return
    of_x, of_y = _reductions(x), _reductions(y)
    both = [(of_x[path], of_y[path]) for path in of_x.keys() & of_y.keys()]
    fit = [(a, b) for a, b in both if not _own_segments(a, b)]
    fit.sort(key=lambda pair: (len(pair[0] | pair[1]), sorted(pair[0] | pair[1])))
    for a, b in islice(fit, _TRIED):
        yield [_only(aspect, in_a=aspect in a) for aspect in a ^ b]


def _reductions(path: str) -> dict[str, frozenset[str]]:
    """Return the paths that a path can be reduced to, each with the fewest aspects that lead there."""
    found = {path: frozenset[str]()}
    waiting = deque([path])
    while waiting:
        longer = waiting.popleft()
        if len(found[longer]) < _DEPTH:
            for aspect, shorter in path_variants(longer):
                if shorter not in found:
                    found[shorter] = found[longer] | {aspect}
                    waiting.append(shorter)
    return found


def _own_segments(a: frozenset[str], b: frozenset[str]) -> bool:
    ends = ("suffix:", "index:")
    return any(
        any(one.startswith(kind) for one in a - b) and any(one.startswith(kind) for one in b - a)
        for kind in (ends, "prefix:")
    )


def _only(aspect: str, *, in_a: bool) -> Difference:
    return Difference(aspect, "", None) if in_a else Difference(aspect, None, "")

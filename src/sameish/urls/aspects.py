"""In what two keys of one site may differ without differing in content.

An aspect is a short string: `query:NAME` (all occurrences of a parameter), `query:NAME=VALUE` (only with this value),
`bare:PIECE` (a piece of the query without "="), `path_param:NAME` (`;name=value` in any segment), `prefix:SEG`,
`suffix:SEG`, `index:SEG`, `extension:.html`, `case`, `slash` (see `path_variants`), `scheme` (http, not https) and
`host:LABEL` (the first label of a host that has more labels than its registrable domain). Whether one matters on a site
is learned; nothing here knows any name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from sameish.urls.anatomy import Anatomy, assemble, dissect
from sameish.urls.path_aspects import path_parameters, path_variants, reduced_path, without_parameters
from sameish.urls.site import site_of

_MOST_HELD = 64
"""Of an address with more, a look at each by itself would cost the square of them, and pages have hardly a dozen."""


class Held(NamedTuple):
    """An aspect that a key holds."""

    aspect: str
    value: str
    """Of a parameter, several joined by "&" (query) or ";" (path); "" for an aspect that is only there or not."""
    without: str
    """The key with this aspect taken away: a canonical key again."""


class Selection(NamedTuple):
    """Aspects, sorted by what they are about; see `selection`."""

    names: frozenset[str]
    values: Mapping[str, frozenset[str]]
    bares: frozenset[str]
    path_params: frozenset[str]
    path: frozenset[str]
    hosts: frozenset[str]
    scheme: bool


def aspects_of(key: str) -> tuple[Held, ...]:
    """Return the aspects that a canonical key holds, the first 64; none for a key that is no `http` or `https` URL."""
    parts = dissect(key)
    if parts is None:
        return ()
    return tuple(
        Held(aspect, value, assemble(without(parts, selection(frozenset((aspect,))))))
        for aspect, value in islice(_held(parts).items(), _MOST_HELD)
    )


def values_of(key: str) -> dict[str, str]:
    """Return the value of each aspect that a canonical key holds, however many; none for one that is no web address."""
    parts = dissect(key)
    return {} if parts is None else _held(parts)


def take_away(key: str, aspects: Collection[str]) -> str:
    """Return a canonical key without these aspects, all at once: a canonical key.

    The same whatever the order of the aspects, and idempotent: what comes to light when another is taken away is taken
    away too (`/a/print/print` without `suffix:print` is `/a`). Aspects that the key does not hold do nothing.
    """
    parts = dissect(key)
    return key if parts is None else assemble(without(parts, selection(frozenset(aspects))))


@lru_cache(maxsize=1024)
def selection(aspects: frozenset[str]) -> Selection:
    """Return aspects sorted by what they are about. Strings that are no aspects are ignored."""
    kinds: dict[str, set[str]] = {}
    values: dict[str, set[str]] = {}
    for aspect in aspects:
        kind, _, rest = aspect.partition(":")
        name, equals, value = rest.partition("=")
        if kind == "query" and equals:
            values.setdefault(name, set()).add(value)
        else:
            kinds.setdefault(kind, set()).add(rest)
    return Selection(
        names=frozenset(kinds.get("query", ())),
        values={name: frozenset(some) for name, some in values.items()},
        bares=frozenset(kinds.get("bare", ())),
        path_params=frozenset(kinds.get("path_param", ())),
        path=frozenset(one for one in aspects if is_of_path(one)),
        hosts=frozenset(kinds.get("host", ())),
        scheme="scheme" in aspects,
    )


def is_of_path(aspect: str) -> bool:
    """Tell whether an aspect is one that `path_variants` names."""
    return aspect.startswith(("prefix:", "suffix:", "index:", "extension:")) or aspect in {"case", "slash"}


def without(parts: Anatomy, chosen: Selection) -> Anatomy:
    """Return the members of a key without the chosen aspects; see `take_away`."""
    scheme, user, host, port, path, pieces, tail = parts
    if chosen.scheme and not port:  # a port belongs to one scheme
        scheme = "https:"
    if chosen.hosts:
        host = _host_without(host, chosen.hosts)
    if chosen.path_params:
        path = without_parameters(path, chosen.path_params)
    if chosen.path:
        path = reduced_path(path, chosen.path)
    if pieces:
        pieces = _pieces_without(pieces, chosen)
    return Anatomy(scheme, user, host, port, path, pieces, tail)


def query_values(pieces: Collection[str]) -> dict[str, str]:
    """Return the parameters of a query: name to value, several values of one name joined by "&"."""
    values: dict[str, str] = {}
    for piece in pieces:
        name, equals, value = piece.partition("=")
        if equals:
            values[name] = f"{values[name]}&{value}" if name in values else value
    return values


def host_steps(host: str) -> list[tuple[str, str]]:
    """Return (`host:LABEL`, host without it) for each label before the registrable domain, from the first on."""
    steps: list[tuple[str, str]] = []
    registrable = _registrable(host)
    while host != registrable and host.endswith(f".{registrable}"):
        label, _, host = host.partition(".")
        steps.append((f"host:{label}", host))
    return steps


def _held(parts: Anatomy) -> dict[str, str]:
    path = {f"path_param:{name}": value for name, value in path_parameters(parts.path).items()}
    query = {f"query:{name}": value for name, value in query_values(parts.pieces).items()}
    bare = {f"bare:{piece}": "" for piece in parts.pieces if "=" not in piece}
    others = {aspect: "" for aspect, _ in path_variants(parts.path)}
    hosts = {aspect: "" for aspect, _ in host_steps(parts.host)[:1]}
    scheme = {"scheme": ""} if parts.scheme == "http:" and not parts.port else {}
    return {**scheme, **hosts, **others, **path, **bare, **query}


def _pieces_without(pieces: tuple[str, ...], chosen: Selection) -> tuple[str, ...]:
    names, bares = chosen.names, chosen.bares
    if chosen.values:
        held = query_values(pieces)
        names = names | {name for name, values in chosen.values.items() if held.get(name) in values}
    kept = []
    for piece in pieces:
        name, equals, _ = piece.partition("=")
        if name not in (names if equals else bares):
            kept.append(piece)
    return tuple(kept)


def _host_without(host: str, labels: frozenset[str]) -> str:
    for aspect, rest in host_steps(host):
        if aspect[5:] not in labels:
            break
        host = rest
    return host


@lru_cache(maxsize=4096)
def _registrable(host: str) -> str:
    return site_of(f"http://{host}/")

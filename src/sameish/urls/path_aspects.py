"""What a path alone may hold without changing the content: variants of one page's address."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

_CAPITALS = re.compile(r"%[0-9A-F]{2}|[A-Z]+")
_EXTENSION = re.compile(r"(.+)(\.[A-Za-z][A-Za-z0-9]{0,4})", re.DOTALL)
_PARAMETER = re.compile(r";([^;=]+)(?:=([^;]*))?")
# A segment of dots alone is a step in a path, not a name (WHATWG URL standard, "dot segments").
_DOTS = frozenset({"", ".", ".."})


def path_variants(path: str) -> list[tuple[str, str]]:
    """Return (aspect, path without it) for each aspect that a path holds, path parameters left out.

    `case`, `index:SEG` (a last segment with a dot in it), `extension:.html`, `suffix:SEG` (a last segment, not the
    only one), `prefix:SEG` (a first segment, not the only one) and `slash`, in this order: the one in which
    `reduced_path` takes them away.
    """
    variants: list[tuple[str, str]] = []
    small = lowered(path)
    if small != path:
        variants.append(("case", small))
    slash = "/" if path[-1:] == "/" and path != "/" else ""
    body = path[:-1] if slash else path
    head, _, last = body.rpartition("/")
    if "." in last[1:] and not slash:
        variants.append((f"index:{last}", f"{head}/"))
        found = _EXTENSION.fullmatch(last)
        if found and found[1] not in _DOTS:
            variants.append((f"extension:{found[2]}", f"{head}/{found[1]}"))
    elif last and head:
        variants.append((f"suffix:{last}", head + slash))
    first, _, rest = body[1:].partition("/")
    if first and rest:
        variants.append((f"prefix:{first}", f"/{rest}{slash}"))
    if slash:
        variants.append(("slash", body or "/"))
    return variants


def reduced_path(path: str, aspects: AbstractSet[str]) -> str:
    """Return a path with these aspects taken away, again and again until none of them is left."""
    while True:
        for aspect, without in path_variants(path):
            if aspect in aspects:
                path = without
                break
        else:
            return path


def lowered(path: str) -> str:
    """Return a path in lower case; percent-encoded bytes keep their capital digits, as in every canonical key."""
    if "%" not in path:
        return path.lower()
    return _CAPITALS.sub(lambda found: found[0] if found[0][0] == "%" else found[0].lower(), path)


def path_parameters(path: str) -> dict[str, str]:
    """Return the parameters of the segments of a path (`/a;v=1/b`): name to values, each with its segment's number."""
    values: dict[str, str] = {}
    if ";" in path:
        for number, segment in enumerate(path.split("/")):
            for found in _parameters(segment):
                name, value = found[1], found[2]
                said = f"{number}" if value is None else f"{number}={value}"
                values[name] = f"{values[name]};{said}" if name in values else said
    return values


def without_parameters(path: str, names: AbstractSet[str]) -> str:
    """Return a path without the path parameters of these names."""
    return "/".join([_without(segment, names) for segment in path.split("/")]) if ";" in path else path


def _parameters(segment: str) -> list[re.Match[str]]:
    name, mark, _ = segment.partition(";")
    # without its parameters such a segment would be a step or nothing, and the key another path
    return list(_PARAMETER.finditer(segment)) if mark and name not in _DOTS else []


def _without(segment: str, names: AbstractSet[str]) -> str:
    for found in reversed(_parameters(segment)):
        if found[1] in names:
            segment = segment[: found.start()] + segment[found.end() :]
    return segment

"""The lines of an export: what each holds, and how it is written as JSON."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Annotated, TypeAlias, get_args

import msgspec

from sameish.models import VerdictKind

FORMAT = 1
Number = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
Moment = Annotated[datetime, msgspec.Meta(tz=True)]


class _Line(msgspec.Struct, frozen=True, tag_field="kind", kw_only=True, forbid_unknown_fields=True):
    """What all lines share: a name that is not known is an error."""


class HeadLine(_Line, frozen=True, tag="sameish-export"):
    """The first line: which format, of which store, how many captures of which schemes there were when it was begun."""

    format: Number
    made_by: str
    made_at: Moment
    store: str
    schema_version: Number
    schemes: dict[str, int]


class CaptureLine(_Line, frozen=True, tag="capture"):
    """A capture; `.id` and `.match_id` have a meaning within the file only."""

    id: Number
    key: str
    url: str
    site: str
    fetched_at: Moment
    body_digest: bytes
    body_bytes: Number
    status: Number
    fingerprint: bytes
    verdict: VerdictKind
    match_id: Number | None = None
    title: str = ""
    canonical_url: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    markdown: str | None = None
    sentences: tuple[str, ...] | None = None


class PageLine(_Line, frozen=True, tag="page"):
    """What is seen of a key."""

    key: str
    url: str
    site: str
    last_seen: Moment
    etag: str | None = None
    last_modified: str | None = None
    not_modified: Number = 0


class SiteLine(_Line, frozen=True, tag="site"):
    """The state of a site: its URL rules and what speaks for them, hosts, traps."""

    site: str
    state: bytes


class VisitLine(_Line, frozen=True, tag="visit"):
    """What is known of a key from fetching it; hashes in 16 hex digits."""

    key_hash: str
    class_hash: str
    site: str
    url: str
    due_at: Moment
    body_bytes: Number
    digest: bytes | None = None
    capture_id: Number | None = None
    state: bytes = b""


class LedgerLine(_Line, frozen=True, tag="ledger"):
    """A sum of the ledger."""

    site: str
    name: str
    requests: Number
    size_bytes: Number


class DroppedLine(_Line, frozen=True, tag="dropped"):
    """A URL that was not fetched because of a rule."""

    key_hash: str
    site: str
    url: str
    rule: str
    at: Moment
    request: bytes


class EndLine(_Line, frozen=True, tag="end"):
    """The last line: how many lines stand before it, the first included."""

    lines: Number


Line: TypeAlias = HeadLine | CaptureLine | PageLine | SiteLine | VisitLine | LedgerLine | DroppedLine | EndLine
_DECODER: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)
_MOMENTS = {kind: [one.name for one in msgspec.structs.fields(kind) if one.type == Moment] for kind in get_args(Line)}


def encoded(line: Line) -> bytes:
    """Return a line as JSON in UTF-8, its end included; a lone surrogate is written as the escape that JSON has for it."""
    try:
        return msgspec.json.encode(line) + b"\n"
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(line)).encode() + b"\n"


def decoded(data: bytes) -> Line:
    """Return the line in JSON.

    Raises:
        ValueError: it is none.
    """
    try:
        return _in_time(_read(data))
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _read(data: bytes) -> Line:
    try:
        return _DECODER.decode(data)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:  # perhaps only for a lone surrogate, which the other decoder takes
        line: Line = msgspec.convert(json.loads(data), Line)
        return line


def _in_time(line: Line) -> Line:
    """Return the line if a store can read its times back, which it gives in UTC."""
    for name in _MOMENTS[type(line)]:
        moment = getattr(line, name)
        try:
            moment.astimezone(UTC)
        except OverflowError as error:
            raise ValueError(f"{name} is {moment.isoformat()}, which has no equal in UTC") from error
    return line

"""JSON Lines: one page a line, as crawlers and data pipelines write them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, TypeAlias

import msgspec

from sameish.errors import ReadingError, SourceError
from sameish.models import Page
from sameish.sources.codings import Undecodable, without_coding_headers, without_codings
from sameish.sources.inputs import Input
from sameish.sources.job import Job
from sameish.sources.unpacked import BrokenInput, Unpacked

_Moment: TypeAlias = Annotated[datetime, msgspec.Meta(tz=True)] | float | None
_Value: TypeAlias = str | int | float | list[str] | None
_UTF8_BOM = b"\xef\xbb\xbf"
_LINE_EXTRA = 1 << 20  # bytes a line may have beside its body
_DEFAULT_TYPES = {"html": "text/html", "text": "text/plain"}


class _Line(msgspec.Struct, frozen=True):
    """One line; names that are not known are passed over."""

    url: Annotated[str, msgspec.Meta(min_length=1)]
    html: str | None = None
    text: str | None = None
    body_base64: bytes | None = None
    headers: dict[str, _Value] | list[tuple[str, _Value]] | None = None
    status: int | None = None
    fetched_at: _Moment = None
    requested_url: str | None = None
    redirects: tuple[str, ...] | None = None


_DECODER = msgspec.json.Decoder(_Line)


class _BadLine(Exception):
    """A line is no page; the message says why. `.cut`: it ends too early."""

    def __init__(self, reason: str, *, cut: bool = False) -> None:
        super().__init__(reason)
        self.cut = cut


def read_jsonl(source: Input, unpacked: Unpacked, job: Job) -> Iterator[Page]:
    """Yield a page for each line.

    A line is an object with `url` (str) and one of `html` (str), `text` (str: the page is `text/plain`) or
    `body_base64` (RFC 4648, section 4); optional are `headers` (an object or a list of pairs), `status` (int),
    `fetched_at` (ISO 8601 with a zone, or seconds since 1970), `requested_url` and `redirects` (list of str). A page of
    status 304 needs no body. Lines that are no page are reported with file, line and byte (of the unpacked text).
    """
    number = 0
    while True:
        number, offset = number + 1, unpacked.consumed
        try:
            line = _next_line(unpacked, job.limit)
            if not line:
                return
            if page := _page(line, source, job.limit, first=number == 1):
                yield page
        except _BadLine as bad:
            job.skip(source.name, offset, f"{bad}; skipped", at=f"line {number}", cut=bad.cut)
        except BrokenInput as broken:
            damage = broken.damage
            job.skip(source.name, damage.start, f"{damage.reason}; skipped", at=f"line {number}", cut=damage.cut)
        except SourceError as error:  # the system gives no more bytes
            job.on_skip(error)
            return


def _next_line(unpacked: Unpacked, limit: int) -> bytes:
    # a body in base64 is a third longer, and HTML in JSON has escapes
    bound = 2 * limit + _LINE_EXTRA
    line = unpacked.line(bound)
    if len(line) < bound or line.endswith(b"\n"):
        return line
    while (rest := unpacked.line(1 << 16)) and not rest.endswith(b"\n"):
        pass
    raise _BadLine(f"more than {bound:,} bytes")


def _page(line: bytes, source: Input, limit: int, *, first: bool) -> Page | None:
    text = (line.removeprefix(_UTF8_BOM) if first else line).strip()
    if not text:
        return None
    try:
        entry = _DECODER.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise _BadLine(str(error), cut=not line.endswith(b"\n")) from error
    try:
        return _page_of(entry, source, limit)
    except (ReadingError, Undecodable) as error:
        raise _BadLine(str(error)) from error


def _page_of(entry: _Line, source: Input, limit: int) -> Page:
    name, body = _body(entry)
    if len(body) > limit:
        raise _BadLine(f"a body of {len(body):,} bytes; reading.max_body_bytes allows {limit:,}")
    headers = _headers(entry)
    if isinstance(body, bytes):
        body, headers = without_codings(body, headers, limit)
    else:
        headers = without_coding_headers(headers)
    if name in _DEFAULT_TYPES and not any(key == "content-type" for key, _ in headers):
        headers = (*headers, ("content-type", _DEFAULT_TYPES[name]))
    return Page(
        body=body,
        url=entry.url,
        headers=headers,
        status=200 if entry.status is None else entry.status,
        fetched_at=_moment(entry.fetched_at) or source.modified,
        requested_url=entry.requested_url,
        redirects=entry.redirects or (),
    )


def _body(entry: _Line) -> tuple[str, bytes | str]:
    bodies = [(name, body) for name in ("html", "text", "body_base64") if (body := getattr(entry, name)) is not None]
    if not bodies and entry.status == 304:
        return "", b""
    if len(bodies) != 1:
        raise _BadLine(f"{'several' if bodies else 'none'} of html, text and body_base64; one is needed")
    return bodies[0]


def _headers(entry: _Line) -> tuple[tuple[str, str], ...]:
    given = entry.headers or ()
    pairs = given.items() if isinstance(given, dict) else given
    return tuple((name.lower(), str(value)) for name, values in pairs for value in _values(values))


def _values(value: _Value) -> list[str | int | float]:
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [value]


def _moment(value: _Moment) -> datetime | None:
    if value is None or isinstance(value, datetime):
        return value
    try:
        return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise _BadLine(f"fetched_at: {value} is no time in seconds since 1970") from error

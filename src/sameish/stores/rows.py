"""Captures as rows of the tables, and back."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from operator import index as whole
from typing import Any, NamedTuple, TypeAlias, TypeVar

import msgspec

from sameish.errors import ReadingError
from sameish.index.signed import to_signed
from sameish.models import Capture, Fingerprint, Verdict, VerdictKind
from sameish.settings import StoreSection
from sameish.stores.base import Seen, Sighting
from sameish.stores.gate_state import hash_key
from sameish.stores.values import from_micros, is_good, to_micros

SqlRow: TypeAlias = Sequence[Any]
_Row = TypeVar("_Row")
_LEVEL = 3  # 5 KB of English in 60 us; level 6 takes half as much time again to save 4 % more


class DamagedRow(Exception):
    """A row is not what this program wrote; the message says which and how."""


def text(value: object) -> str:
    """Return a text; raises TypeError where it is none: SQLite takes anything in any column."""
    if isinstance(value, str):
        return value
    raise TypeError(f"{value!r} is no text")


def text_or_none(value: object) -> str | None:
    """Return a text, or None; raises TypeError where it is neither."""
    return None if value is None else text(value)


def blob(value: bytes) -> bytes:
    """Return bytes; raises TypeError where they are none."""
    return memoryview(value).tobytes()  # `bytes` would take a number, too, and make as many zeros of it


def hash_of(key: object) -> int:
    """Return the hash of a stored key.

    Raises:
        DamagedRow: it is no text.
    """
    with reading("the key of a page"):
        return hash_key(text(key))


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Raise `DamagedRow`, which names `what`, where a value read in the block is none that this program writes."""
    try:
        yield
    except (zlib.error, ReadingError, ValueError, TypeError, OverflowError, AttributeError) as error:
        raise DamagedRow(f"{what} is damaged ({error})") from error


def onward(rows: list[_Row], before: Any, place_of: Callable[[_Row], Any]) -> list[_Row]:
    """Return the next rows of a walk.

    Args:
        rows: in the order of their places.
        before: the place behind which they were asked for.
        place_of: returns the place of a row.

    Raises:
        DamagedRow: they lead no further, as where a table or an index is out of order: the walk would never end.
    """
    with reading("the order of the rows"):
        if rows and not place_of(rows[-1]) > before:
            raise ValueError(f"{place_of(rows[-1])} does not stand behind {before}")
    return rows


class Texts(NamedTuple):
    """The texts of a capture as they are stored: zlib, None where not kept."""

    markdown: bytes | None = None
    sentences: bytes | None = None


def storable(text: str) -> str:
    """Return the text with U+FFFD for lone surrogates, which no database takes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def pack_texts(capture: Capture, settings: StoreSection) -> Texts:
    """Return what the settings keep of a capture's texts; lone surrogates survive."""
    markdown = capture.markdown if settings.keep_markdown else None
    sentences = capture.sentences if settings.keep_sentences else None
    return Texts(
        None if markdown is None else zlib.compress(_bytes(markdown), _LEVEL),
        None if sentences is None else zlib.compress(msgspec.msgpack.encode(list(map(_bytes, sentences))), _LEVEL),
    )


def unpack_markdown(packed: bytes | None) -> str | None:
    """Return the Markdown; raises zlib.error or ValueError where the bytes are damaged."""
    return None if packed is None else zlib.decompress(packed).decode("utf-8", "surrogatepass")


def unpack_sentences(packed: bytes | None) -> tuple[str, ...] | None:
    """Return the sentences; raises zlib.error or ValueError where the bytes are damaged."""
    if packed is None:
        return None
    encoded = msgspec.msgpack.decode(zlib.decompress(packed), type=list[bytes])
    return tuple(sentence.decode("utf-8", "surrogatepass") for sentence in encoded)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def row_of(capture: Capture, verdict: Verdict) -> dict[str, object]:
    """Return the columns of a capture but for the numbers of its page and scheme."""
    fingerprint = capture.fingerprint
    texts = {
        name: None if value is None else storable(value)
        for name, value in (
            ("url", capture.url),
            ("site", capture.site),
            ("title", capture.title),
            ("canonical_url", capture.canonical_url),
            ("etag", capture.etag),
            ("last_modified", capture.last_modified),
        )
    }
    return {
        **texts,
        "fetched_at": to_micros(capture.fetched_at),
        "good": is_good(capture),
        "state": str(fingerprint.state),
        "simhash": None if fingerprint.simhash is None else to_signed(fingerprint.simhash),
        "digest": fingerprint.digest,
        "fingerprint": fingerprint.to_bytes(),
        "verdict": str(verdict.kind),
        "match_id": None if verdict.match is None else verdict.match.id,
        "body_digest": capture.body_digest,
        "body_bytes": capture.body_bytes,
        "status": capture.status,
    }


def capture_of(row: SqlRow, *, markdown: bytes | None = None, sentences: bytes | None = None) -> Capture:
    """Return the capture of a row of the view `capture_row`, with texts as they are stored.

    Raises:
        DamagedRow: it is not what was written.
    """
    with reading(f"capture {row[0]}"):
        return _capture_of(row, unpack_markdown(markdown), unpack_sentences(sentences))


def _capture_of(row: SqlRow, markdown: str | None, sentences: tuple[str, ...] | None) -> Capture:
    number, key, url, site, fetched_at, body_digest, body_bytes, status, fingerprint, title = row[:10]
    canonical_url, etag, last_modified, verdict, match_id = row[10:15]
    return Capture(
        key=text(key),
        url=text(url),
        site=text(site),
        fetched_at=from_micros(whole(fetched_at)),
        body_digest=blob(body_digest),
        body_bytes=whole(body_bytes),
        status=whole(status),
        fingerprint=Fingerprint.from_bytes(fingerprint),
        title=text(title),
        canonical_url=text_or_none(canonical_url),
        etag=text_or_none(etag),
        last_modified=text_or_none(last_modified),
        markdown=markdown,
        sentences=sentences,
        id=number,
        verdict=VerdictKind(verdict),
        match_id=None if match_id is None else whole(match_id),
    )


def seen_of_row(row: SqlRow) -> Seen:
    """Return what is seen of a key from its row.

    Raises:
        DamagedRow: it is not what was written.
    """
    key, url, site, last_seen, etag, last_modified = row
    with reading(f"page {key}"):
        at = from_micros(whole(last_seen))
        return Seen(text(key), text(url), text(site), at, text_or_none(etag), text_or_none(last_modified))


def row_of_sighting(sighting: Sighting) -> dict[str, object]:
    """Return what is seen of a key by names of columns; the key as a text."""
    seen = sighting.seen
    texts = {
        "key": seen.key,
        "url": seen.url,
        "site": seen.site,
        "etag": seen.etag,
        "last_modified": seen.last_modified,
    }
    cleaned = {name: None if value is None else storable(value) for name, value in texts.items()}
    return {**cleaned, "last_seen": to_micros(seen.last_seen), "not_modified": sighting.not_modified}


def sighting_of_row(row: SqlRow) -> Sighting:
    """Return what is seen of a key, under its number, from its row.

    Raises:
        DamagedRow: it is not what was written.
    """
    with reading(f"page {row[1]}"):
        return Sighting(row[0], seen_of_row(row[1:-1]), whole(row[-1]))

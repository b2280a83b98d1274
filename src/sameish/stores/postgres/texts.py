"""How text travels: PostgreSQL takes neither NUL nor lone surrogates, the web has both."""

from __future__ import annotations

import psycopg
from psycopg import postgres
from psycopg.abc import Buffer
from psycopg.adapt import AdaptersMap, Dumper, Loader
from psycopg.pq import Format

from sameish.stores.rows import storable

_MARK = "\ufdd0"  # a noncharacter, "intended for process-internal uses": Unicode 16, section 23.7
_NUL, _ITSELF = f"{_MARK}0", f"{_MARK}1"


def escaped(text: str) -> str:
    """Return the text with a pair of characters for each NUL, and U+FFFD for lone surrogates."""
    if "\0" in text or _MARK in text:
        text = text.replace(_MARK, _ITSELF).replace("\0", _NUL)
    return storable(text)


def unescaped(text: str) -> str:
    """Return the text that was escaped."""
    return text.replace(_NUL, "\0").replace(_ITSELF, _MARK) if _MARK in text else text


class _TextDumper(Dumper):
    oid = postgres.types["text"].oid

    def dump(self, obj: str) -> bytes:
        return escaped(obj).encode()


class _BinaryTextDumper(_TextDumper):
    format = Format.BINARY


class _TextLoader(Loader):
    def load(self, data: Buffer) -> str:
        return unescaped(bytes(data).decode())


def _adapters() -> AdaptersMap:
    adapters = AdaptersMap(psycopg.adapters)
    for dumper in (_BinaryTextDumper, _TextDumper):
        adapters.register_dumper(str, dumper)
    adapters.register_loader("text", _TextLoader)
    return adapters


ADAPTERS = _adapters()
"""For connections: all text goes through this module on its way there and back."""

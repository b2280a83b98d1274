"""Values to JSON, one object a line: names as in the dataclasses, hashes and bytes in hex, times in ISO 8601."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any

import click
import msgspec

from sameish.models import Capture, Verdict

_HASHES = ("simhash", "structure")
_TEXTS = ("markdown", "sentences")


def print_json(value: Mapping[str, Any]) -> None:
    """Print one object on a line of its own, in UTF-8."""
    click.echo(msgspec.json.encode(plain(value)))


def plain(value: Any) -> Any:
    """Return a value as what JSON knows."""
    if is_dataclass(value):
        return {part.name: _part(part.name, getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, Mapping):
        return {str(plain(name)): plain(one) for name, one in value.items()}
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    return _writable(value) if isinstance(value, str) else value


def _part(name: str, value: Any) -> Any:
    return f"{value:016x}" if name in _HASHES and isinstance(value, int) else plain(value)


def _writable(text: str) -> str:
    """Half a surrogate pair, as from a file name that is no UTF-8, is written out; JSON has no place for it."""
    return text.encode("utf-8", "backslashreplace").decode()


def capture_fields(capture: Capture) -> dict[str, Any]:
    """Return a stored capture without its texts and its sketch, which are long and say nothing to a person."""
    found: dict[str, Any] = plain(capture)
    found["fingerprint"].pop("sketch")
    return {name: value for name, value in found.items() if name not in _TEXTS}


def verdict_fields(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict; of the captures that it names without the texts."""
    found: dict[str, Any] = plain(verdict)
    named = {"match": verdict.match, "earlier": verdict.earlier}
    return found | {name: None if one is None else capture_fields(one) for name, one in named.items()}

"""From a store into a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import BinaryIO, TypeAlias

from sameish._version import __version__
from sameish.stores.base import Store
from sameish.stores.transfer.frames import FrameWriter
from sameish.stores.transfer.lines import FORMAT, CaptureLine, EndLine, HeadLine, Line, encoded
from sameish.stores.transfer.values import (
    line_of_capture,
    line_of_dropped,
    line_of_entry,
    line_of_sighting,
    line_of_site,
    line_of_visit,
)

_AT_ONCE = 200  # captures with their texts in memory at a time; a few megabytes


@dataclass(frozen=True, slots=True)
class Exported:
    """How far an export is. `.total`: the captures there were when it began. `.size_bytes`: written by now."""

    captures: int = 0
    total: int = 0
    lines: int = 0
    size_bytes: int = 0


Told: TypeAlias = Callable[[Exported], object]


def export_store(store: Store, out: BinaryIO, now: datetime, told: Told | None = None) -> Exported:
    """Write all that a store holds, but for bodies and leases; others may read and write meanwhile.

    What is written or deleted while it runs may or may not be in the file.

    Args:
        store: from where.
        out: where to.
        now: noted in the file.
        told: is told how far it is.
    """
    writer, done = FrameWriter(out), Exported()
    info = store.info()
    head = HeadLine(
        format=FORMAT,
        made_by=__version__,
        made_at=now,
        store=info.kind,
        schema_version=info.schema_version,
        schemes=dict(info.schemes),
    )
    captures = 0
    for number, line in enumerate(chain((head,), _lines(store)), 1):
        writer.write(encoded(line))
        captures += isinstance(line, CaptureLine)
        done = Exported(captures, info.captures, number, writer.written)
        if told is not None and number % _AT_ONCE == 0:
            told(done)
    writer.write(encoded(EndLine(lines=done.lines)))
    writer.flush()
    return Exported(captures, info.captures, done.lines + 1, writer.written)


def _lines(store: Store) -> Iterator[Line]:
    """Yield lines in the order in which they can be imported: what others refer to stands first."""
    number = 0
    while captures := store.walk_captures(number, limit=_AT_ONCE):
        yield from map(line_of_capture, captures)
        number = captures[-1].id or 0
    number = 0
    while sightings := store.walk_sightings(number, limit=10 * _AT_ONCE):
        yield from map(line_of_sighting, sightings)
        number = sightings[-1].number
    yield from map(line_of_site, store.site_states(0))
    for batch in store.visit_rows(0)[1]:
        found = (store.visit(row[0]) for row in batch)
        yield from (line_of_visit(visit) for visit in found if visit is not None)
    yield from map(line_of_entry, store.ledger())
    yield from map(line_of_dropped, store.dropped())

"""Sums over a store."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from pathlib import Path

from sameish.stores.base import StoreInfo, StoreTotals
from sameish.stores.sqlite.opening import SCHEMA_VERSION
from sameish.stores.sqlite.rows import reading
from sameish.stores.sqlite.statements import SQL
from sameish.stores.values import from_micros


def totals(db: sqlite3.Connection) -> StoreTotals:
    """Return sums over the store."""
    pages, not_modified = db.execute(SQL["count_pages"]).fetchone()
    verdicts = db.execute(SQL["by_verdict"]).fetchall()
    return StoreTotals(
        captures=sum(count for _, count, _ in verdicts),
        pages=pages,
        sites=db.execute(SQL["count_sites"]).fetchone()[0],
        contents=db.execute(SQL["count_contents"]).fetchone()[0],
        not_modified=not_modified,
        by_verdict={verdict: count for verdict, count, _ in verdicts},
        bytes_by_verdict={verdict: size for verdict, _, size in verdicts},
    )


def info(db: sqlite3.Connection, path: Path) -> StoreInfo:
    """Return what the store is."""
    schemes = db.execute(SQL["by_scheme"]).fetchall()
    with reading("the time of a capture"):
        first, last = _span([(first, last) for _, _, first, last in schemes])
    return StoreInfo(
        kind="sqlite",
        target=str(path),
        schema_version=SCHEMA_VERSION,
        schemes={name: count for name, count, _, _ in schemes},
        captures=sum(count for _, count, _, _ in schemes),
        size_bytes=_size(path) + _size(path.with_name(f"{path.name}-wal")),
        first_fetched=first,
        last_fetched=last,
    )


def _span(times: list[tuple[int, int]]) -> tuple[datetime | None, datetime | None]:
    if not times:
        return None, None
    return from_micros(min(first for first, _ in times)), from_micros(max(last for _, last in times))


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0

"""Sums over a store."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from pathlib import Path

from sameish.stores.base import SiteCount, StoreInfo, StoreTotals
from sameish.stores.rows import reading
from sameish.stores.sqlite.opening import SCHEMA_VERSION
from sameish.stores.sqlite.statements import SQL
from sameish.stores.values import from_micros


def totals(db: sqlite3.Connection) -> StoreTotals:
    """Return sums over the store."""
    sites = db.execute(SQL["count_sites"]).fetchone()[0]
    contents = db.execute(SQL["count_contents"]).fetchone()[0]
    return _totals(db.execute(SQL["by_verdict"]).fetchall(), db.execute(SQL["count_pages"]).fetchone(), sites, contents)


def totals_of(db: sqlite3.Connection, site: str) -> StoreTotals:
    """Return sums over the captures of a site."""
    asked = {"site": site}
    verdicts = db.execute(SQL["by_verdict_of"], asked).fetchall()
    contents = db.execute(SQL["count_contents_of"], asked).fetchone()[0]
    return _totals(verdicts, db.execute(SQL["count_pages_of"], asked).fetchone(), int(bool(verdicts)), contents)


def sites(db: sqlite3.Connection) -> list[SiteCount]:
    """Return how much there is of each site, by name."""
    return [SiteCount(*row) for row in db.execute(SQL["by_site"])]


def _totals(verdicts: list[tuple[str, int, int]], pages: tuple[int, int], sites: int, contents: int) -> StoreTotals:
    return StoreTotals(
        captures=sum(count for _, count, _ in verdicts),
        pages=pages[0],
        sites=sites,
        contents=contents,
        not_modified=pages[1],
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

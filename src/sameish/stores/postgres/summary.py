"""Sums over a store."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import psycopg

from sameish.stores.base import SiteCount, StoreInfo, StoreTotals
from sameish.stores.postgres.opening import SCHEMA_VERSION
from sameish.stores.postgres.statements import SQL
from sameish.stores.rows import SqlRow, reading
from sameish.stores.values import from_micros


def totals(db: psycopg.Connection) -> StoreTotals:
    """Return sums over the store."""
    pages, not_modified = _row(db.execute(SQL["count_pages"]))
    (sites,), (contents,) = _row(db.execute(SQL["count_sites"])), _row(db.execute(SQL["count_contents"]))
    return _totals(db.execute(SQL["by_verdict"]).fetchall(), pages, not_modified, sites, contents)


def totals_of(db: psycopg.Connection, site: str) -> StoreTotals:
    """Return sums over the captures of a site."""
    asked = {"site": site}
    verdicts = db.execute(SQL["by_verdict_of"], asked).fetchall()
    pages, not_modified = _row(db.execute(SQL["count_pages_of"], asked))
    (contents,) = _row(db.execute(SQL["count_contents_of"], asked))
    return _totals(verdicts, pages, not_modified, int(bool(verdicts)), contents)


def sites(db: psycopg.Connection) -> list[SiteCount]:
    """Return how much there is of each site, by name."""
    return [SiteCount(*row) for row in db.execute(SQL["by_site"])]


def _row(cursor: psycopg.Cursor) -> SqlRow:
    row = cursor.fetchone()
    return () if row is None else row


def _totals(verdicts: Sequence[SqlRow], pages: int, not_modified: int, sites: int, contents: int) -> StoreTotals:
    return StoreTotals(
        captures=sum(count for _, count, _ in verdicts),
        pages=pages,
        sites=sites,
        contents=contents,
        not_modified=not_modified,
        by_verdict={verdict: count for verdict, count, _ in verdicts},
        bytes_by_verdict={verdict: size for verdict, _, size in verdicts},
    )


def info(db: psycopg.Connection, target: str) -> StoreInfo:
    """Return what the store is; `target` is as it may be shown."""
    schemes = db.execute(SQL["by_scheme"]).fetchall()
    with reading("the time of a capture"):
        first, last = _span([(first, last) for _, _, first, last in schemes])
    (size_bytes,) = _row(db.execute(SQL["size_bytes"]))
    return StoreInfo(
        kind="postgresql",
        target=target,
        schema_version=SCHEMA_VERSION,
        schemes={name: count for name, count, _, _ in schemes},
        captures=sum(count for _, count, _, _ in schemes),
        size_bytes=size_bytes,
        first_fetched=first,
        last_fetched=last,
    )


def _span(times: list[tuple[int, int]]) -> tuple[datetime | None, datetime | None]:
    if not times:
        return None, None
    return from_micros(min(first for first, _ in times)), from_micros(max(last for _, last in times))

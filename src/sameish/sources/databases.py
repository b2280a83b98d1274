"""SQLite files in folders, such as the store of the scan itself: no pages, and no reason to speak of them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from sameish.sources.kinds import kind_by_name

_BESIDE = ("-wal", "-shm", "-journal")


def is_database(path: Path) -> bool:
    """Is it an SQLite file, or one that SQLite keeps beside it? What has the name of a page or an archive is not asked."""
    beside = next((suffix for suffix in _BESIDE if path.name.endswith(suffix)), "")
    file = path.with_name(path.name.removesuffix(beside)) if path.name != beside else path
    return kind_by_name(file.name) is None and _has_magic(file)


def _has_magic(path: Path) -> bool:
    """Let SQLite itself look at the first bytes.

    After a plain `open()` the closing would drop the locks that this process holds on the file, if it is its store
    (sqlite.org/howtocorrupt.html, section 2.2). `immutable`: nothing is locked, recovered or created.
    """
    uri = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(uri, uri=True)) as db:
            pages = db.execute("PRAGMA page_count").fetchone()
    except (sqlite3.Error, ValueError):  # other magic, or not to be opened: whoever reads it says so
        return False
    return bool(pages[0])  # a file of a few bytes is to SQLite one without pages

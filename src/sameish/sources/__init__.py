"""Files, folders, standard input, WARC, WACZ and JSON Lines to pages, with a report of what was skipped and why."""

from __future__ import annotations

from sameish.sources.pages import read_pages

__all__ = ["read_pages"]

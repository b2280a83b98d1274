"""Pages to measure with: real ones where `SAMEISH_PAGES` names a folder of them, else those of the demo's crawl."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

import sameish
from sameish import Page
from sameish.demo import make_crawl


def sample(count: int) -> tuple[str, list[Page]]:
    """Return where the pages come from, and about `count` of them, spread evenly."""
    folder = os.environ.get("SAMEISH_PAGES")
    if folder:
        files = sorted(path for path in Path(folder).rglob("*.html") if path.is_file())
        step = max(1, len(files) // count)
        return folder, [page for path in islice(files, 0, None, step) for page in sameish.read_pages(path)]
    pages = [capture.page for capture in make_crawl().captures if capture.status == 200]
    return "the demo's crawl", pages[:count]

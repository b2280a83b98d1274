"""Is this page new, or just same-ish?

The calls that people need::

    sameish.extract(page)            what a page says
    sameish.fingerprint(page)        what is kept of it
    sameish.compare(a, b)            how two pages relate
    sameish.open("crawl.db")         a detector that remembers
    sameish.read_pages("crawl.warc") pages from files and archives
"""

from __future__ import annotations

from sameish import classic
from sameish._version import __version__
from sameish.assembly import open  # noqa: A004  # part of the public contract: callers write `sameish.open`
from sameish.detector import Detector
from sameish.errors import (
    ReadingError,
    SameishError,
    SchemaOutdated,
    SchemeMismatch,
    SettingsError,
    SourceError,
    StoreError,
    StoreUnavailable,
    TruncatedRecord,
)
from sameish.fingerprint.schemes import fingerprint
from sameish.fingerprint.simhash import bit_similarity, hamming_distance
from sameish.judging.compare import compare
from sameish.models import Capture, Comparison, Extract, FetchDecision, Fingerprint, Page, Verdict
from sameish.reading.extract import extract
from sameish.sources import read_pages
from sameish.urls.keys import url_key

__all__ = [
    "Capture", "Comparison", "Detector", "Extract", "FetchDecision", "Fingerprint", "Page", "ReadingError",
    "SameishError", "SchemaOutdated", "SchemeMismatch", "SettingsError", "SourceError", "StoreError", "StoreUnavailable",
    "TruncatedRecord", "Verdict", "__version__", "bit_similarity", "classic", "compare", "extract", "fingerprint",
    "hamming_distance", "open", "read_pages", "url_key",
]  # fmt: skip

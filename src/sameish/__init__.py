"""Is this page new, or just same-ish?

The calls that people need::

    sameish.extract(page)            what a page says
    sameish.fingerprint(page)        what is kept of it
    sameish.compare(a, b)            how two pages relate
    sameish.open("crawl.db")         a detector that remembers
    sameish.read_pages("crawl.warc") pages from files and archives

Names are loaded on first use, so that `import sameish` costs next to nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from sameish._version import __version__

if TYPE_CHECKING:
    from sameish import classic
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
    from sameish.fingerprint.simhash import bit_similarity, hamming_distance
    from sameish.models import Capture, Comparison, Extract, FetchDecision, Fingerprint, Page, Verdict
    from sameish.sources import read_pages
    from sameish.stateless import compare, extract, fingerprint
    from sameish.urls.keys import url_key

__all__ = [
    "Capture", "Comparison", "Detector", "Extract", "FetchDecision", "Fingerprint", "Page", "ReadingError",
    "SameishError", "SchemaOutdated", "SchemeMismatch", "SettingsError", "SourceError", "StoreError", "StoreUnavailable",
    "TruncatedRecord", "Verdict", "__version__", "bit_similarity", "classic", "compare", "extract", "fingerprint",
    "hamming_distance", "open", "read_pages", "url_key",
]  # fmt: skip

_HOMES = {
    "sameish.assembly": "open",
    "sameish.detector": "Detector",
    "sameish.errors": "ReadingError SameishError SchemaOutdated SchemeMismatch SettingsError SourceError StoreError "
    "StoreUnavailable TruncatedRecord",
    "sameish.fingerprint.simhash": "bit_similarity hamming_distance",
    "sameish.models": "Capture Comparison Extract FetchDecision Fingerprint Page Verdict",
    "sameish.sources": "read_pages",
    "sameish.stateless": "compare extract fingerprint",
    "sameish.urls.keys": "url_key",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

if not TYPE_CHECKING:  # a checker would take `__getattr__` as a promise that every name exists

    def __getattr__(name: str) -> object:
        """Load a public name on its first use."""
        if name == "classic":
            return import_module("sameish.classic")
        if name not in _HOME_OF:
            raise AttributeError(f"module 'sameish' has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(_HOME_OF[name]), name)
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


class _Face(ModuleType):
    """Keeps `sameish.fingerprint` the function: importing the package of that name would put the package there."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name == "fingerprint" and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Face

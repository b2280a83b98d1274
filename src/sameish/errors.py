"""Everything that `sameish` raises on purpose.

The tree::

    SameishError
    ├── SettingsError         a setting has a wrong name, type or value
    ├── ReadingError          a page cannot be read (too large, a body that does not decompress, a wrong argument)
    ├── StoreError            the store refuses
    │   ├── StoreUnavailable  it cannot be reached or written now; trying again later may help
    │   ├── SchemaOutdated    it was written by another version of the program
    │   └── SchemeMismatch    it holds fingerprints of another scheme
    ├── IndexDamaged          a file of a saved index is missing or not what was saved
    └── SourceError           an input file is damaged or of an unknown kind
        └── TruncatedRecord   an archive ends in the middle of a record

Errors carry their evidence as attributes, so that a caller need not take a message apart.
"""

from __future__ import annotations


class SameishError(Exception):
    """The base of every error raised on purpose."""


class SettingsError(SameishError, ValueError):
    """A setting has a wrong name, type or value; the message names the setting."""


class ReadingError(SameishError):
    """A page cannot be read at all."""


class StoreError(SameishError):
    """A store refuses; nothing in it was changed. `.target` names the store."""

    def __init__(self, message: str, *, target: str = "") -> None:
        super().__init__(message)
        self.target = target


class StoreUnavailable(StoreError):
    """A store cannot be reached or written now; what was not acknowledged was not stored."""


class SchemaOutdated(StoreError):
    """A store was written by another version of the program. `.found` and `.expected` are schema versions."""

    def __init__(self, message: str, *, target: str = "", found: int = 0, expected: int = 0) -> None:
        super().__init__(message, target=target)
        self.found = found
        self.expected = expected


class SchemeMismatch(StoreError):
    """A store holds fingerprints of another scheme. `.found` lists the schemes in it, `.expected` is the one asked for."""

    def __init__(self, message: str, *, target: str = "", found: tuple[str, ...] = (), expected: str = "") -> None:
        super().__init__(message, target=target)
        self.found = found
        self.expected = expected


class IndexDamaged(SameishError):
    """A file of a saved index is missing or not what was saved. `.path` names it."""

    def __init__(self, message: str, *, path: str = "") -> None:
        super().__init__(message)
        self.path = path


class SourceError(SameishError):
    """An input is damaged or of an unknown kind.

    `.path` names the file, `.offset` the byte where the record begins. `.reason` is the message without file and place, so
    that errors can be counted by it; the whole message where no reason is given.
    """

    def __init__(self, message: str, *, path: str = "", offset: int | None = None, reason: str = "") -> None:
        super().__init__(message)
        self.path = path
        self.offset = offset
        self.reason = reason or message


class TruncatedRecord(SourceError):
    """An archive ends in the middle of a record; the record was skipped."""

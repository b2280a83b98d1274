"""A store in one SQLite file, for any number of threads and processes on one machine."""

from sameish.stores.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]

"""A store in a PostgreSQL database, for any number of threads, processes and machines."""

from sameish.stores.postgres.migrating import migrate
from sameish.stores.postgres.store import PostgresStore

__all__ = ["PostgresStore", "migrate"]

"""The SQL of this store, by name."""

from importlib.resources import files

from sameish.stores.queries import named_queries

SQL = {name: query.encode() for name, query in named_queries(__package__, "queries.sql", "gate_queries.sql").items()}
"""As bytes: psycopg takes a `str` only where it is written in the source."""


def schema() -> bytes:
    """Return the script that makes an empty store."""
    return files(__package__).joinpath("schema.sql").read_bytes()


def migrations() -> dict[int, bytes]:
    """Return the scripts that lead from nothing to the schema, by number: each makes the format with its number."""
    scripts = files(__package__).joinpath("migrations").iterdir()
    named = sorted((script.name, script.read_bytes()) for script in scripts if script.name.endswith(".sql"))
    return {int(name.partition("_")[0]): script for name, script in named}

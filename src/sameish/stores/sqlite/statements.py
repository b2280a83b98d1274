"""The SQL of this store, by name."""

from importlib.resources import files

from sameish.stores.queries import named_queries

SQL = named_queries(__package__, "queries.sql", "gate_queries.sql")
SCHEMA = tuple(
    statement
    for statement in files(__package__).joinpath("schema.sql").read_text(encoding="utf-8").split(";\n")
    if statement.strip()
)
"""The statements that make an empty store."""

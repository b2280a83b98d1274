"""The SQL of this store, by name."""

from importlib.resources import files

from sameish.stores.queries import named_queries

SQL = named_queries(__package__, "queries.sql", "gate_queries.sql")


def schema() -> list[str]:
    """Return the statements that make an empty store."""
    script = files(__package__).joinpath("schema.sql").read_text(encoding="utf-8")
    return [statement for statement in script.split(";\n") if statement.strip()]

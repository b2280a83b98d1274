"""Reads `.sql` files in which every query has a name and a description."""

from __future__ import annotations

from importlib.resources import files


def named_queries(package: str, *names: str) -> dict[str, str]:
    """Return the queries of some files by name.

    A query begins with a line `-- name: its_name`, then comes a line `-- ` or more that says what it does, then the SQL.

    Raises:
        ValueError: a name is given twice, or a query has no description or no SQL.
    """
    queries: dict[str, str] = {}
    for file in names:
        _, *parts = files(package).joinpath(file).read_text(encoding="utf-8").split("-- name: ")
        for part in parts:
            name, described, sql = _split(part)
            if name in queries or not described or not sql:
                message = f"{package}/{file}: the query {name} is there twice, or has no description or no SQL"
                raise ValueError(message)
            queries[name] = sql
    return queries


def _split(part: str) -> tuple[str, bool, str]:
    name, *lines = part.splitlines()
    comments = sum(line.startswith("-- ") for line in lines)
    return name.strip(), comments > 0, "\n".join(line for line in lines if not line.startswith("-- ")).strip()

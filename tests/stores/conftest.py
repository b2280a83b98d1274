"""The stores that the contract is asked of: every kind, each new and empty."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from tests.postgres_server import Databases

from sameish.settings import StoreSection
from sameish.stores.base import Store
from sameish.stores.memory import MemoryStore
from sameish.stores.postgres import PostgresStore
from sameish.stores.sqlite import SqliteStore

TEXT = "text:1"
OpenStore = Callable[..., Store]
KINDS = ("memory", "postgres", "sqlite")


def _new_store(request: pytest.FixtureRequest, path: Path, settings: StoreSection) -> Store:
    if request.param == "memory":
        return MemoryStore(settings=settings)
    if request.param == "sqlite":
        return SqliteStore(path, scheme=TEXT, settings=settings)
    databases: Databases = request.getfixturevalue("databases")
    return PostgresStore(databases.new(), scheme=TEXT, settings=settings)


@pytest.fixture(params=KINDS)
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenStore]:
    """Opens new empty stores of each kind; the arguments are settings."""
    opened: list[Store] = []
    if request.param == "postgres":
        request.getfixturevalue("databases")  # first, so that it goes last

    def opening(**settings: bool | int) -> Store:
        opened.append(_new_store(request, tmp_path / f"{len(opened)}.db", msgspec.convert(settings, StoreSection)))
        return opened[-1]

    yield opening
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: OpenStore) -> Store:
    return open_store()

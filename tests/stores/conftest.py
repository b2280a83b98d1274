"""The stores that the contract is asked of: every kind, each new and empty."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from sameish.settings import StoreSection
from sameish.stores.base import Store
from sameish.stores.memory import MemoryStore
from sameish.stores.sqlite import SqliteStore

TEXT = "text:1"
OpenStore = Callable[..., Store]
KINDS: dict[str, Callable[[Path, StoreSection], Store]] = {
    "memory": lambda _, settings: MemoryStore(settings=settings),
    "sqlite": lambda path, settings: SqliteStore(path, scheme=TEXT, settings=settings),
}


@pytest.fixture(params=sorted(KINDS))
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenStore]:
    """Opens new empty stores of each kind; the arguments are settings."""
    opened: list[Store] = []

    def opening(**settings: bool | int) -> Store:
        opened.append(KINDS[request.param](tmp_path / f"{len(opened)}.db", msgspec.convert(settings, StoreSection)))
        return opened[-1]

    yield opening
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: OpenStore) -> Store:
    return open_store()

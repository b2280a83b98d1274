"""Options and fixtures of all tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from tests.postgres_server import Databases, PostgresServer, running_server

ROOT = Path(__file__).resolve().parent.parent

settings.register_profile("default", deadline=None, max_examples=100, derandomize=os.environ.get("CI") == "true")
settings.register_profile("soak", deadline=None, max_examples=2000)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run the heavy proofs in full (otherwise a tenth of each)")


def pytest_configure(config: pytest.Config) -> None:
    # Hypothesis reads its own `--hypothesis-profile` after this, so that option wins.
    settings.load_profile("soak" if config.getoption("--soak") else "default")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without --soak, skip the heavy proofs that have no small version (they do not ask for `rounds`)."""
    if config.getoption("--soak"):
        return
    for item in items:
        if item.get_closest_marker("soak") and "rounds" not in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.skip(reason="a heavy proof; run with --soak"))


@pytest.fixture(scope="session")
def rounds(pytestconfig: pytest.Config) -> Callable[[int], int]:
    """How many rounds a heavy proof does: all of them with --soak, else a tenth, at least one."""
    soak = bool(pytestconfig.getoption("--soak"))
    return lambda full: full if soak else max(1, full // 10)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with measured real data; tests that need it are skipped where it is absent."""
    folder = Path(os.environ.get("SAMEISH_SHARED") or ROOT / "../shared").resolve()
    if not folder.is_dir():
        pytest.skip("no ../shared here; set SAMEISH_SHARED")
    return folder


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A PostgreSQL server, one for each process that runs tests; it does not wait for the disk."""
    with running_server() as server:
        yield server


@pytest.fixture(scope="session")
def _databases(postgres_server: PostgresServer) -> Databases:
    return Databases(postgres_server)


@pytest.fixture
def databases(_databases: Databases) -> Iterator[Databases]:
    """Makes PostgreSQL databases with an empty store, which are dropped after the test."""
    yield _databases
    _databases.drop_all()

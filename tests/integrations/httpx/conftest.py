"""What all tests of the transports stand on: a clock that can be moved, a store in a file, a server on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crawling.clock import Clock
from tests.integrations.routes import Answer, Routes, article

import sameish


@pytest.fixture
def clock(tmp_path: Path) -> Clock:
    return Clock.starting(tmp_path / "clock")


@pytest.fixture
def detector(tmp_path: Path, clock: Clock) -> Iterator[sameish.Detector]:
    settings = {"gate": {"audit_share": 0.0}}
    with sameish.open(tmp_path / "crawl.db", settings=settings, clock=clock) as detector:
        yield detector


@pytest.fixture
def routes() -> Iterator[Routes]:
    with Routes({"/harbour": Answer(body=article("harbour"), headers={"ETag": '"h1"'})}) as routes:
        yield routes

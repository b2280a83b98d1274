"""`sameish demo`: the crawls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sameish.demo.live import rounds
from sameish.demo.live.contents import Volume
from sameish.demo.live.honesty import Honesty
from sameish.demo.live.sparing import Sparing
from sameish.urls.keys import url_key

SMALL = {
    "courier": (Honesty.HONEST, Volume(10, edited=30, archived=True)),
    "ticker": (Honesty.FROZEN, Volume(50, edited=90)),
}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "HOSTS", SMALL)


def test_the_whole_demo_ends_well_and_leaves_nothing_behind(start: Any, here: Path) -> None:
    before = set(here.iterdir())
    done = start("demo")
    assert (done.returncode, done.stderr) == (0, "")
    assert max(map(len, done.stdout.splitlines())) <= 80
    for words in (
        "requests",
        "contents",
        "edits",
        "new",
        "lost",
        "together",
        "first crawl",
        "2 days later",
        "a week later",
    ):
        assert words in done.stdout
    for words in (
        "USD per 1,000 requests",
        "lies: not sent back until",
        "useless: not sent back",
        "nothing to ask with",
    ):
        assert words in done.stdout
    assert "nothing was lost" in done.stdout
    assert "Read on: docs/" in done.stdout
    assert set(here.iterdir()) == before


@pytest.mark.usefixtures("small")
def test_the_crawls_in_json(call: Any, lines_of: Any) -> None:
    result = call("demo", "--json", "--seed", 4)
    assert result.exit_code == 0, result.stdout
    (found,) = lines_of(result.stdout)
    assert [(row["round"], row["way"]) for row in found["rows"]] == [
        (one.name, way) for one in rounds.ROUNDS for way in ("without", "with")
    ]
    assert found["sums"]["with"]["requests"] < found["sums"]["without"]["requests"]
    assert found["faults"] == []
    assert [one["host"] for one in found["findings"]] == list(SMALL)
    assert found["prices"]["currency"] == "USD"
    assert found["seconds"] > 0


@pytest.mark.usefixtures("small")
def test_keep_leaves_the_store(call: Any, here: Path) -> None:
    result = call("demo", "--keep", "kept")
    assert result.exit_code == 0
    assert [path.name for path in (here / "kept").iterdir()] == ["demo.db"]
    assert "sameish stats --store kept/demo.db" in result.stdout
    assert call("store", "verify", "--store", "kept/demo.db").exit_code == 0
    assert "holds demo.db already" in call("demo", "--keep", "kept").stderr


@pytest.mark.usefixtures("small")
def test_what_is_lost_makes_it_fail(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fetch = Sparing.fetch

    def forgetful(self: Sparing, url: str) -> bytes | None:
        body = fetch(self, url)
        return None if "/serial/" in url_key(url) else body

    monkeypatch.setattr(Sparing, "fetch", forgetful)
    result = call("demo")
    assert result.exit_code == 1
    assert "faults" in result.stdout
    assert "lost     courier /serial/" in result.stdout
    assert "nothing was lost" not in result.stdout

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings
from tests.crawling.scripted import PLAIN, Scripted, page

import sameish
from sameish.errors import SettingsError
from sameish.integrations.scrapy.options import Options

WRONG: list[tuple[str, Any]] = [
    ("SAMEISH_STORE", ""),
    ("SAMEISH_STORE", 5),
    ("SAMEISH_STORE", "/proc/nowhere/x.db"),
    ("SAMEISH_STORE", "gopher://x"),
    ("SAMEISH_SETTINGS", "nowhere.toml"),
    ("SAMEISH_SETTINGS", 5),
    ("SAMEISH_SETTINGS", "{gate"),
    ("SAMEISH_SETTINGS", {"gate": {"audit_share": 2}}),
    ("SAMEISH_SETTINGS", {"gaet": {}}),
    ("SAMEISH_SETTINGS", {"reading": {"remove": ["::::"]}}),
    ("SAMEISH_CLOCK", "nowhere"),
    ("SAMEISH_CLOCK", "tests.crawling.clock:nothing"),
    ("SAMEISH_CLOCK", "time:time"),
    ("SAMEISH_CLOCK", lambda: datetime(2026, 1, 1)),  # noqa: DTZ001
    ("SAMEISH_DUPLICATES", "keep"),
    ("SAMEISH_DUPLICATES", True),
    ("SAMEISH_NOT_DUE", "mark"),
    ("SAMEISH_DUPLICATE", "drop"),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_value_is_told_with_the_name_of_its_option(name: str, value: object, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=name):
        Options.of(Settings({"SAMEISH_STORE": str(tmp_path / "s.db"), name: value})).open().close()


def test_options_can_be_said_in_several_ways(tmp_path: Path) -> None:
    file = tmp_path / "sameish.toml"
    file.write_text("[gate]\naudit_share = 0.5\n")
    for said in (str(file), file, {"gate": {"audit_share": 0.5}}, '{"gate": {"audit_share": 0.5}}'):
        settings = Settings({"SAMEISH_SETTINGS": said, "SAMEISH_STORE": tmp_path / "deep" / "down" / "s.db"})
        with Options.of(settings).open() as detector:
            assert detector.settings.gate.audit_share == 0.5
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    assert Options.of(Settings({"SAMEISH_CLOCK": lambda: moment})).clock is not None


def test_a_crawl_with_a_wrong_option_does_not_begin(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        told = site.crawl(settings={"SAMEISH_NOT_DUE": "mark"})
        assert told.code == 1
        assert site.targets() == []
        assert "SAMEISH_NOT_DUE is 'mark'; it can be cached, drop" in told.log


def test_nothing_but_the_addon_is_needed(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        site.pages |= {"/": page("home", ["/a"]), "/a": page("a")}
        told = site.crawl(settings={"ADDONS": {"sameish.integrations.scrapy.SameishAddon": 500}, "SAMEISH_CLOCK": None})
        assert told.paths() == ["/", "/a"]
        with sameish.open(tmp_path / ".scrapy" / "sameish.db") as detector:
            assert detector.cached(site.base + "/a") is not None
        assert "Traceback" not in told.log


def test_the_store_of_a_project_is_in_its_data_folder(tmp_path: Path) -> None:
    below = tmp_path / "project" / "spiders"
    below.mkdir(parents=True)
    (tmp_path / "project" / "scrapy.cfg").write_text("[settings]\n")
    (tmp_path / "project" / "spiders" / "settings.py").touch()
    with Scripted(below) as site:
        site.pages["/"] = page("home")
        told = site.crawl(settings={"SAMEISH_CLOCK": None})
        assert told.paths() == ["/"], told.log
        assert (tmp_path / "project" / ".scrapy" / "sameish.db").exists()


def test_a_store_in_memory_forgets(tmp_path: Path) -> None:
    with Scripted(tmp_path) as site:
        site.pages["/"] = page("home")
        for _ in range(2):
            assert site.crawl(PLAIN, {"SAMEISH_STORE": ":memory:"}).pages[0]["verdict"] == "new"
            assert site.targets() == ["/"]

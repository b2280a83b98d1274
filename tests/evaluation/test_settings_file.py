"""Thresholds written into a settings file that somebody wrote by hand."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from sameish.errors import SettingsError
from sameish.evaluation.settings_file import with_thresholds, write_thresholds
from sameish.settings import load

BY_HAND = """\
# for the harbour crawl
preset = "news"   # mostly

[judging]
near_bits = 12          # measured in May
near_similarity = 0.5

[site."a.example".gate]
first_interval_s = 60        # their ticker

[site."b.example".judging]
near_bits = 9
"""


def test_everything_else_stays_as_it_was() -> None:
    written = with_thresholds(BY_HAND, {"": {"near_similarity": 0.35}})
    assert written == BY_HAND.replace("near_similarity = 0.5", "near_similarity = 0.35")


def test_sections_of_sites_are_added_or_amended() -> None:
    changes: dict[str, dict[str, float]] = {
        "a.example": {"near_similarity": 0.7},
        "b.example": {"near_bits": 14},
        "c.example": {"near_similarity": 0.2},
    }
    written = with_thresholds(BY_HAND, changes)
    for line in BY_HAND.splitlines():
        if line != "near_bits = 9":
            assert line in written.splitlines()
    path = {"a.example": (0.7, 12), "b.example": (0.5, 14), "c.example": (0.2, 12)}
    settings = load(tomllib.loads(written), {})
    for site, expected in path.items():
        judging = settings.for_site(site).judging
        assert (judging.near_similarity, judging.near_bits) == expected
    assert settings.for_site("a.example").gate.first_interval_s == 60


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing yet\n",
        "judging = {near_bits = 10}\n",
        "judging.near_bits = 10\n",
        "[site]\n[site.'x.example']\njudging = {near_bits = 9}\n",
        "[site.'a.example'.judging]\nnear_bits = 9\n[gate]\nfirst_interval_s = 1\n[site.'b.example'.gate]\nfirst_interval_s = 2\n",
    ],
)
def test_whatever_the_form_of_the_file(text: str) -> None:
    written = with_thresholds(text, {"": {"near_similarity": 0.3}, "x.example": {"near_similarity": 0.6}})
    before, after = load(tomllib.loads(text), {}), load(tomllib.loads(written), {})
    assert after.judging.near_similarity == 0.3
    assert after.for_site("x.example").judging.near_similarity == 0.6
    assert after.judging.near_bits == before.judging.near_bits
    assert after.for_site("x.example").judging.near_bits == before.for_site("x.example").judging.near_bits
    assert after.gate == before.gate
    assert after.for_site("b.example").gate == before.for_site("b.example").gate


def test_a_file_is_made_where_there_is_none(tmp_path: Path) -> None:
    path = tmp_path / "sameish.toml"
    write_thresholds(path, {"": {"near_similarity": 0.3, "near_bits": 12}})
    assert path.read_text("utf-8") == "[judging]\nnear_similarity = 0.3\nnear_bits = 12\n"
    assert [path.name for path in tmp_path.iterdir()] == ["sameish.toml"]


def test_a_link_stays_a_link_and_rights_stay(tmp_path: Path) -> None:
    real = tmp_path / "real.toml"
    real.write_bytes(b"[gate]\r\nfirst_interval_s = 5\r\n")
    real.chmod(0o640)
    (tmp_path / "link.toml").symlink_to(real)
    write_thresholds(tmp_path / "link.toml", {"": {"near_bits": 12}})
    assert (tmp_path / "link.toml").is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert real.read_bytes().startswith(b"[gate]\r\nfirst_interval_s = 5\r\n")


@pytest.mark.parametrize("text", ["[judging\n", "judging = 5\n", "site = 5\n", "[judging]\nnear_bitz = 5\n", "\udcff"])
def test_a_file_that_is_no_settings_file_is_refused_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "s.toml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    before = path.read_bytes()
    with pytest.raises(SettingsError, match=r"settings file .*s\.toml: "):
        write_thresholds(path, {"": {"near_bits": 12}, "a.example": {"near_bits": 3}})
    assert path.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["s.toml"]


def test_a_byte_order_mark_is_no_hindrance(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    path.write_bytes(b"\xef\xbb\xbf[gate]\r\nfirst_interval_s = 5\r\n")
    write_thresholds(path, {"": {"near_bits": 12}})
    assert (load(path, {}).judging.near_bits, load(path, {}).gate.first_interval_s) == (12, 5)


def test_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(
        SettingsError, match=r"settings file .*none/s\.toml: cannot be written \(No such file or directory\)$"
    ):
        write_thresholds(tmp_path / "none" / "s.toml", {"": {"near_bits": 12}})

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from benchmarks.__main__ import main

from benchmarks import neighbours


def test_the_recipe_on_pairs(pairs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recipe", str(pairs)]) == 0
    captured = capsys.readouterr()
    assert captured.err == "recipe: 5 pairs of 4 pages\n"
    assert "| scheme `text`" in captured.out
    assert "rhubarb" not in captured.out


def test_what_a_page_and_a_comparison_cost(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("SAMEISH_PAGES", raising=False)
    assert main(["fingerprinting"]) == 0
    printed = capsys.readouterr().out
    for line in (
        r"^  fingerprint +\d+\.\d{3} ms a page +\d+\.\d\d x bare parse$",
        r"^  compare two stored fingerprints: p50 \d+ us, p99 \d+ us$",
        r"^  a stored fingerprint: median \d+ bytes, most \d+$",
        r"^  (fingerprint is \d+\.\d times faster than trafilatura|trafilatura is not installed .+)$",
    ):
        assert re.search(line, printed, re.MULTILINE), line


def test_how_much_stores_observe(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("SAMEISH_PAGES", raising=False)
    assert main(["storing"]) == 0
    found = re.findall(r"^  (\w+) +\d+ observations a second, \d+\.\d\d ms", capsys.readouterr().out, re.MULTILINE)
    assert found == ["memory", "SQLite"]


def test_what_a_look_up_of_neighbours_costs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(neighbours, "_HASHES", 20_000)
    monkeypatch.setattr(neighbours, "_QUERIES", 100)
    monkeypatch.setitem(sys.modules, "faiss", None)  # as if it were not installed
    assert main(["neighbours"]) == 0
    printed = capsys.readouterr().out
    assert len(re.findall(r"^    sameish +p50 +\d+\.\d  p99 .+ 0 neighbours lost$", printed, re.MULTILINE)) == 2
    assert re.search(r"^    \d+\.\d bytes a hash with its id$", printed, re.MULTILINE)
    assert "faiss is not installed" in printed


def test_a_root_that_holds_no_pages(pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ablation", str(pairs), "--root", str(tmp_path / "elsewhere")]) == 2
    assert "--root names the folder of the pages" in capsys.readouterr().err


def test_an_unknown_benchmark(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["speed"]) == 2
    assert capsys.readouterr().err == (
        "no benchmark speed; there are fingerprinting, storing, deciding, neighbours, sharing, and on labelled pairs recipe, ablation, weighing\n"
    )


def test_pairs_must_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["recipe"])
    assert ended.value.code == 2
    assert "PAIRS.jsonl" in capsys.readouterr().err

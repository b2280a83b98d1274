"""The script that learns the confidence again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sameish.judging.confidence import model_of
from scripts import learn_confidence

STORY = (
    "<p>The ferry to the island leaves the harbour at six, and the crew sells tickets on board until it is there.</p>"
)
NEWS = "<p>A new lamp hangs at the end of the pier, which the boats see from afar when they come home in the dark.</p>"


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    for name, text in (("a", STORY), ("noise", f"{STORY}<p>1,204 views</p>"), ("b", NEWS), ("c", f"{STORY}{NEWS}")):
        (tmp_path / f"{name}.html").write_text(f"<main>{text}</main>", "utf-8")
    kinds = {"noise": "same", "b": "different", "c": "minor"}
    lines = [{"a": "a.html", "b": f"{name}.html", "kind": kind, "site": "a.example"} for name, kind in kinds.items()]
    path = tmp_path / "pairs.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return path


def test_it_writes_a_model_that_can_be_read(pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "out.toml"
    assert learn_confidence.main([str(pairs), "--source", "a harbour"], target) == 0
    text = target.read_text("utf-8")
    assert "# Learned from a harbour: 3 pairs of 1 sites." in text
    assert model_of(text).steps["exact"] == pytest.approx(2 / 3, abs=1e-4)
    assert any(step.startswith("classic_") for step in model_of(text).steps)
    assert "apart on average" in capsys.readouterr().out


@pytest.mark.parametrize("line", ['{"a": "gone.html", "b": "a.html", "kind": "same"}\n', "{\n"])
def test_it_writes_nothing_where_something_cannot_be_read(
    pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    pairs.write_text(pairs.read_text("utf-8") + line, "utf-8")
    assert learn_confidence.main([str(pairs), "--source", "a harbour"], tmp_path / "out.toml") == 1
    assert not (tmp_path / "out.toml").exists()
    assert capsys.readouterr().err.endswith("Nothing was written.\n")


@pytest.mark.parametrize("name", ["empty.jsonl", "gone.jsonl"])
def test_without_pairs_it_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    (tmp_path / "empty.jsonl").write_text("", "utf-8")
    assert learn_confidence.main([str(tmp_path / name), "--source", "a harbour"], tmp_path / "out.toml") == 1
    assert name in capsys.readouterr().err

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.labelled import Library
from benchmarks.weighing import VARIANTS, distances, run, simhashes

from sameish.settings import DEFAULT, load


def test_a_heavier_part_moves_the_simhash(pairs: Path) -> None:
    library = Library(pairs)
    plain, heavy = simhashes(library, DEFAULT), simhashes(library, load({"weights": {"title": 10}}, {}))
    assert plain.keys() == heavy.keys() == set(library.names)
    assert plain != heavy


def test_pairs_without_a_simhash_are_left_out(pairs: Path) -> None:
    (pairs.parent / "noise.html").write_bytes(b"\x1f\x8b")
    library = Library(pairs)
    hashes = simhashes(library, DEFAULT)
    assert "noise.html" not in hashes
    assert len(distances(library.pairs, hashes)) == 3
    assert distances(library.pairs[:1], {"a.html": 0b101, "noise.html": 0b11}) == [2]


def test_it_prints_a_row_for_each_variant(pairs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(Library(pairs))
    head, _, *rows = capsys.readouterr().out.splitlines()
    assert head.count("|") == 6
    assert [row.split("|")[1].strip() for row in rows] == [name for name, _ in VARIANTS]

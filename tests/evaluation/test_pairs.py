"""Labelled pairs from files: what is taken, and what is said of lines that are none."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sameish.errors import SourceError
from sameish.evaluation.pairs import Pair, read_pairs
from sameish.judging.labelled import Label


def write(folder: Path, *lines: object) -> str:
    path = folder / "pairs.jsonl"
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines), "utf-8")
    return str(path)


def read(path: str, root: str | None = None) -> tuple[list[Pair], list[str]]:
    errors: list[SourceError] = []
    return list(read_pairs(path, root, errors.append)), [str(error) for error in errors]


def test_a_line_with_all_that_a_pair_may_have(tmp_path: Path) -> None:
    line = {
        "a": "x/a.html", "b": "x/b.html", "kind": "minor", "site": "a.example", "sub": "edit", "id": 7, "undecidable": True,
        "url_a": "https://a.example/1", "url_b": "https://a.example/2", "why": "passed over", "changed_words": 3,
    }  # fmt: skip
    pairs, errors = read(write(tmp_path, line))
    assert errors == []
    assert pairs == [
        Pair(
            tmp_path / "x/a.html", tmp_path / "x/b.html", Label.MINOR, "a.example", "7", "edit",
            "https://a.example/1", "https://a.example/2", undecidable=True,
        )
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "label"),
    [(str(label), label) for label in Label] + [("identical", Label.SAME), ("near_duplicate", Label.MINOR)],
)
def test_kinds(tmp_path: Path, kind: str, label: Label) -> None:
    ((pair,), errors) = read(write(tmp_path, {"a": "a", "b": "b", "kind": kind}))
    assert (pair.label, errors) == (label, [])


def test_paths_are_relative_to_the_file_or_the_root(tmp_path: Path) -> None:
    path = write(tmp_path, {"a": "a.html", "b": "/abs/b.html", "kind": "same"})
    (beside,), _ = read(path)
    (below,), _ = read(path, "/pages")
    assert (beside.a, beside.b) == (tmp_path / "a.html", Path("/abs/b.html"))
    assert (below.a, below.b) == (Path("/pages/a.html"), Path("/abs/b.html"))


@pytest.mark.parametrize(
    ("fields", "site"),
    [
        ({"site": "given.example", "url_a": "https://www.a.example/"}, "given.example"),
        ({"url_a": "https://www.a.example/"}, "a.example"),
        ({"url_b": "https://b.example/"}, "b.example"),
        ({"site": None, "url_a": None}, ""),
    ],
)
def test_the_site_is_given_or_that_of_an_address_or_not_known(tmp_path: Path, fields: Any, site: str) -> None:
    (pair,), _ = read(write(tmp_path, {"a": "a", "b": "b", "kind": "same", **fields}))
    assert (pair.site, pair.name) == (site, "line 1")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "truncated"),
        ("[]", "Expected `object`"),
        ({"a": "a", "b": "b"}, "missing required field `kind`"),
        ({"a": "a", "b": "", "kind": "same"}, "$.b"),
        (
            {"a": "a", "b": "b", "kind": "sameish"},
            "kind 'sameish' is none of same, minor, changed, different, identical",
        ),
        ({"a": "a", "b": "b", "kind": "same", "undecidable": "no"}, "$.undecidable"),
    ],
)
def test_a_line_that_is_no_pair_is_named_and_the_others_are_read(tmp_path: Path, line: object, reason: str) -> None:
    good = {"a": "a", "b": "b", "kind": "same"}
    path = write(tmp_path, good, "", line, good)
    pairs, (error,) = read(path)
    assert [pair.name for pair in pairs] == ["line 1", "line 4"]
    assert error.startswith(f"{path}: line 3: ")
    assert reason in error


def test_a_line_that_is_no_utf8(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"a": "a", "b": "b", "kind": "same"}\r\n{"a": "\xff", "b": "b", "kind": "same"}\n')
    pairs, (error,) = read(str(path))
    assert len(pairs) == 1
    assert "line 2" in error


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (gzip.compress(b'{"a": "a", "b": "b", "kind": "same"}\n', mtime=0), "it is compressed; unpack it first"),
        ('{"a": "a"}\n'.encode("utf-16"), "it is UTF-16; JSON Lines are UTF-8"),
        (b"%PNG\0\0\n" * 9, "zero byte"),
    ],
)
def test_a_file_that_is_no_text_is_refused_as_a_whole(tmp_path: Path, data: bytes, reason: str) -> None:
    (tmp_path / "pairs.gz").write_bytes(data)
    with pytest.raises(SourceError, match=rf"pairs\.gz: .*{reason}"):
        list(read_pairs(str(tmp_path / "pairs.gz"), None, print))


def test_a_folder_is_no_file_of_pairs(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be read"):
        list(read_pairs(str(tmp_path), None, print))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"none\.jsonl: cannot be read \(No such file"):
        list(read_pairs(str(tmp_path / "none.jsonl"), None, print))


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    text = io.BytesIO(b'{"a": "a.html", "b": "b.html", "kind": "same"}\n5\n')
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=text))
    (pair,), (error,) = read("-")
    assert pair.a == Path("a.html")
    assert error.startswith("standard input: line 2: ")

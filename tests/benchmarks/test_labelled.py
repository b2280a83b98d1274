from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.labelled import Library, PairsError, load_pairs

LINE = '{"a": "one.html", "b": "two.html", "kind": "same", "url_a": "https://a.example/"}\n'


def test_pairs_that_nobody_could_decide_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(LINE + "\n" + LINE.replace("}", ', "undecidable": true}'), "utf-8")
    (pair,) = load_pairs(path)
    assert (pair.a, pair.b, pair.kind, pair.sub) == ("one.html", "two.html", "same", "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LINE + "nonsense\n", "pairs.jsonl: line 2: "),
        (LINE.replace("same", "akin"), "line 1: kind 'akin' is none of same, [^;]*$"),
        ('{"a": "one.html"}', "line 1: Object missing required field `b`"),
        ("\n", "there is no pair in it"),
    ],
)
def test_what_is_no_pair_is_named_by_its_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(PairsError, match=message):
        load_pairs(path)


def test_a_missing_file_of_pairs(tmp_path: Path) -> None:
    with pytest.raises(PairsError, match=r"none\.jsonl: cannot be read \(No such file"):
        load_pairs(tmp_path / "none.jsonl")


def test_pages_stand_beside_the_pairs_or_under_a_root(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "one.html").write_bytes(b"one")
    path = tmp_path / "pairs.jsonl"
    path.write_text(LINE, "utf-8")
    library = Library(path, tmp_path / "pages")
    assert library.names == ["one.html", "two.html"]
    page = library.page("one.html")
    assert (page.body, page.url) == (b"one", "https://a.example/")
    with pytest.raises(PairsError, match=r"two\.html: No such file or directory; --root names"):
        library.page("two.html")
    with pytest.raises(PairsError, match=r"one\.html"):
        Library(path).page("one.html")

"""Commands that look at pages and need no store: compare, explain, markdown, fingerprint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sameish


def test_compare_says_identical_with_0(call: Any) -> None:
    result = call("compare", "a.html", "noise.html")
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.stdout.splitlines()] == [
        "kind", "distance", "similarity", "confidence", "reason",
    ]  # fmt: skip
    assert "identical" in result.stdout
    assert "digest: the same sentences" in result.stdout


@pytest.mark.parametrize(("other", "kind"), [("edit.html", "near_duplicate"), ("other.html", "different")])
def test_compare_says_anything_else_with_1(call: Any, lines_of: Any, other: str, kind: str) -> None:
    result = call("compare", "a.html", other, "--json")
    assert result.exit_code == 1
    (found,) = lines_of(result.stdout)
    assert list(found) == ["kind", "distance", "similarity", "confidence", "reason", "signals"]
    assert found["kind"] == kind


def test_compare_reads_standard_input_on_either_side(start: Any, here: Path) -> None:
    text = (here / "noise.html").read_text("utf-8")
    for words in (("a.html", "-"), ("-", "a.html")):
        done = start("compare", *words, stdin=text)
        assert (done.returncode, done.stderr) == (0, "")


def test_compare_of_an_empty_page_is_undetermined(call: Any, here: Path) -> None:
    (here / "empty.html").write_text("<html></html>", "utf-8")
    result = call("compare", "a.html", "empty.html")
    assert result.exit_code == 1
    assert "undetermined" in result.stdout
    assert "none" in result.stdout


def test_a_file_with_several_pages_is_refused(call: Any, archive: Path) -> None:
    result = call("compare", "a.html", archive)
    assert result.exit_code == 2
    assert "holds several pages" in result.stderr


def test_markdown_writes_the_main_content(start: Any, here: Path) -> None:
    done = start("markdown", "a.html")
    assert done.returncode == 0
    assert done.stdout == sameish.extract(sameish.Page((here / "a.html").read_bytes())).markdown + "\n"
    assert start("markdown", "-", stdin=(here / "a.html").read_text("utf-8")).stdout == done.stdout


def test_markdown_takes_the_address(call: Any, here: Path, lines_of: Any) -> None:
    (here / "c.html").write_text("<link rel=canonical href=/one><p>Some words", "utf-8")
    (found,) = lines_of(call("markdown", "c.html", "--url", "https://a.example/two", "--json").stdout)
    assert found["canonical_url"] == "https://a.example/one"
    assert set(found) >= {"markdown", "sentences", "title", "encoding", "state", "language", "removed"}


def test_markdown_of_nothing_says_so(call: Any, here: Path) -> None:
    (here / "empty.html").write_text("<html></html>", "utf-8")
    result = call("markdown", "empty.html")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "no main content, the page is empty" in result.stderr


def test_markdown_survives_an_output_that_knows_ascii_only(start: Any, here: Path) -> None:
    (here / "u.html").write_text("<meta charset=utf-8><p>Größe 大きさ", "utf-8")
    assert "Größe 大きさ" in start("markdown", "u.html", PYTHONIOENCODING="ascii").stdout
    done = start("explain", "u.html", "a.html", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")


def test_fingerprint_in_hex(call: Any, lines_of: Any, here: Path) -> None:
    truth = sameish.fingerprint(sameish.Page((here / "a.html").read_bytes()))
    result = call("fingerprint", "a.html", "other.html")
    header, first, second = result.stdout.splitlines()
    assert header.split() == ["simhash", "structure", "digest", "words", "state", "scheme", "page"]
    assert first.split()[:3] == [f"{truth.simhash:016x}", f"{truth.structure:016x}", truth.digest.hex()]
    assert second.endswith("other.html")
    (found,) = lines_of(call("fingerprint", "a.html", "--json").stdout)
    assert found["sketch"] == truth.sketch.hex()
    assert found["simhash"] == f"{truth.simhash:016x}"
    assert found["words"] == truth.words


def test_fingerprint_of_nothing_has_no_simhash(call: Any, lines_of: Any) -> None:
    (found,) = lines_of(call("fingerprint", "-", "--json", stdin="<html></html>").stdout)
    assert found["simhash"] is None
    assert found["digest"] == "0" * 32
    assert call("fingerprint", "-", stdin="<html></html>").stdout.splitlines()[1].split()[0] == "-"


def test_fingerprint_goes_on_after_a_file_that_cannot_be_read(call: Any, lines_of: Any) -> None:
    result = call("fingerprint", "a.html", "nope.html", "other.html", "--json")
    assert result.exit_code == 3
    assert [found["page"] for found in lines_of(result.stdout)] == ["a.html", "other.html"]
    assert "nope.html" in result.stderr


def test_fingerprint_reads_archives(call: Any, archive: Path, lines_of: Any) -> None:
    found = lines_of(call("fingerprint", archive, "--json").stdout)
    assert len(found) > 120
    assert all(one["page"].startswith("http") for one in found)
    assert {len(one["simhash"]) for one in found if one["simhash"]} == {16}


def test_what_a_page_says_does_not_steer_the_terminal(call: Any, here: Path) -> None:
    (here / "evil.html").write_bytes(b"<title>\x1b]0;gotcha\x07</title><p>Red \x1b[31malert\x9b31m of a page")
    for words in (("explain", "evil.html", "a.html"), ("compare", "evil.html", "a.html"), ("scan", "evil.html")):
        result = call(*words)
        assert not set(result.stdout) & {"\x1b", "\x07", "\x9b"}

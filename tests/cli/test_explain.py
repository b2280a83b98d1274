"""`sameish explain` as its readers see it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from sameish.cli import paragraphs

LINES = [f"This is line number {number} of the long list and it says nothing of interest." for number in range(300)]


def page_of(*paragraphs: str) -> str:
    body = "".join(f"<p>{text}</p>" for text in paragraphs)
    return f"<!doctype html><meta charset=utf-8><title>T</title><main><h1>Ferry times</h1>{body}</main>"


def put(here: Path, before: list[str], after: list[str]) -> tuple[str, str]:
    (here / "one.html").write_text(page_of(*before), "utf-8")
    (here / "two.html").write_text(page_of(*after), "utf-8")
    return "one.html", "two.html"


def block(output: str, heading: str) -> list[str]:
    """Return the lines under a heading, up to an empty line."""
    return output.split(f"{heading}\n")[1].split("\n\n", maxsplit=1)[0].splitlines()


def test_an_edit_is_one_pair_with_its_words_marked(call: Any) -> None:
    result = call("explain", "a.html", "edit.html")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert [line for line in lines if line.startswith("* The")] == [
        "* The mayor cut a ribbon and said that the price of a crossing will be [-349-] {+299+} pounds, which nobody believed at first."
    ]
    assert "  ... 2 sentences in common" in lines
    assert block(result.stdout, "Sentences") == ["*     1 edited", "      3 in common"]
    assert any(line == "   encoding  utf-8 (meta)" for line in lines)
    assert lines[-1].startswith("reason")


def test_noise_has_its_reason_and_its_page(call: Any) -> None:
    result = call("explain", "a.html", "noise.html")
    assert block(result.stdout, "Noise: sentences that were ignored, and why") == [
        "~ counter: how often something was viewed, shared or answered; it grows by itself",
        "    A    1,234 views",
        "      B  9,876 views",
    ]


def test_boilerplate_is_counted_by_rule_on_both_pages(call: Any, here: Path) -> None:
    text = (here / "a.html").read_text("utf-8")
    (here / "b.html").write_text(text.replace("<article>", "<nav><a href=/>More</a></nav><article>"), "utf-8")
    rows = block(call("explain", "a.html", "b.html").stdout, "Boilerplate: elements that were removed, and the rule")
    assert [row.split(maxsplit=3) for row in rows] == [
        ["A", "B"],
        ["navigation", "1", "2", "menus, breadcrumbs, page numbers"],
        ["page-footer", "1", "1", "the foot of the whole page"],
    ]


def test_moved_removed_added_and_repeated(call: Any, here: Path) -> None:
    before = ["Boats leave at six.", "Tickets are sold on board.", "Dogs travel free.", "Call the office."]
    after = [
        "Dogs travel free.",
        "Boats leave at six.",
        "Nothing is sold in the harbour.",
        "Call the office.",
        "Call the office.",
    ]
    output = call("explain", *put(here, before, after)).stdout
    assert block(output, "Sentences") == [
        "-     1 only in A",
        "+     1 only in B",
        ">     1 moved; the order of sentences does not count",
        "      3 in common",
        "      1 repeated (0 in A, 1 in B); a repetition does not count",
    ]
    lines = output.splitlines()
    assert "- Tickets are sold on board." in lines
    assert "+ Nothing is sold in the harbour." in lines
    assert "> Boats leave at six.  [sentence 2 in A, 3 in B]" in lines
    assert block(output, "Repeated: a repetition does not count") == ["    1x in A,   2x in B  Call the office."]


def test_cut_elsewhere(call: Any, here: Path) -> None:
    before, after = ["Tickets on board.", "Dogs travel free."], ["Tickets", "on board. Dogs travel", "free."]
    output = call("explain", *put(here, before, after)).stdout
    assert "=     2 cut into other sentences; the same words, no change of the wording" in output
    assert "= Tickets / on board.  [1 sentence in A, 2 in B]" in output
    assert "= Dogs travel / free.  [1 sentence in A, 2 in B]" in output
    assert "identical" in output


def test_pages_without_anything_to_tell(call: Any, here: Path) -> None:
    (here / "empty.html").write_text("<html></html>", "utf-8")
    output = call("explain", "empty.html", "empty.html").stdout
    assert block(output, "Sentences") == ["      0 in common"]
    assert not re.search("Noise|Boilerplate|Repeated", output)
    assert "undetermined" in output


def test_a_long_output_is_bounded_and_says_how_to_see_all(call: Any, here: Path) -> None:
    places = range(0, 300, 3)
    after = [f"Wholly other words {n} stand here." if n in places else text for n, text in enumerate(LINES)]
    words = put(here, LINES, after)
    short, whole = call("explain", *words).stdout, call("explain", *words, "--all").stdout
    assert len(short.splitlines()) < 130
    assert re.search(r"\.\.\. [\d,]+ more differences below; --all prints everything", short)
    assert "--all" not in whole
    for text in {*LINES, *after}:
        assert text in whole


def test_a_long_run_of_one_kind_is_bounded(call: Any, here: Path) -> None:
    output = call("explain", *put(here, LINES[:9], [*LINES[:9], *(f"Added {n}." for n in range(100))])).stdout
    assert "+ ... 92 more only in B; --all prints everything" in output
    assert output.count("\n+ Added") == 8


def test_a_long_sentence_is_shown_around_its_change(call: Any, here: Path) -> None:
    words = [f"w{number}" for number in range(400)]
    before, after = " ".join(words), " ".join([*words[:200], "new", *words[200:]])
    output = call("explain", *put(here, [before], [after])).stdout
    (line,) = [line for line in output.splitlines() if line.startswith(("* w", "* ["))]
    assert "w199 {+new+} w200" in line
    assert len(line) < 200
    assert f"{' '.join(words[:200])} {{+new+}} " in call("explain", "one.html", "two.html", "--all").stdout


@pytest.mark.parametrize("text", ["渡轮六点离开港口，票在船上卖。", "تغادر العبارة الميناء في الساعة السادسة."])
def test_other_scripts(call: Any, here: Path, text: str) -> None:
    output = call("explain", *put(here, [text * 5, "One.", "Two."], [text * 5 + text[:8], "One.", "Two."])).stdout
    assert "{+" in output or "\n+ " in output


@pytest.mark.parametrize("width", ["60", "80", "120"])
def test_no_line_is_wider_than_the_terminal(here: Path, call: Any, monkeypatch: pytest.MonkeyPatch, width: str) -> None:
    before = ["渡轮六点离开港口，票在船上卖，" * 20, LINES[0] * 4, "https://a.example/" + "x" * 300]
    words = put(here, before, [before[0].replace("票", "书", 3), *before[2:]])
    monkeypatch.setattr(paragraphs, "on_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", width)
    shown = block(call("explain", *words, "--all").stdout, "in common\n")
    assert "[-票-]" in "".join(line.lstrip() for line in shown)
    assert len(shown) > 6
    assert max(map(cell_len, shown)) < int(width)


def test_json_carries_everything(call: Any, lines_of: Any) -> None:
    (found,) = lines_of(call("explain", "a.html", "edit.html", "--json").stdout)
    assert list(found) == ["comparison", "a", "b", "changes", "repeated", "noise", "boilerplate"]
    assert found["comparison"]["kind"] == "near_duplicate"
    (change,) = found["changes"]
    assert list(change) == ["kind", "text", "place_a", "place_b", "becomes", "words"]
    assert (change["kind"], change["place_a"], change["place_b"]) == ("edited", 3, 3)
    assert [part["text"] for part in change["words"] if part["kind"] == "removed"] == ["349 "]
    assert [part["text"] for part in change["words"] if part["kind"] == "added"] == ["299 "]
    assert found["a"]["path"] == "a.html"
    assert found["a"]["noise"] == [{"text": "1,234 views", "pattern": "counter"}]
    (noise,) = found["noise"]
    assert (noise["pattern"], noise["text"], noise["a"], noise["b"]) == ("counter", "1,234 views", 1, 1)
    assert [(one["rule"], one["a"], one["b"]) for one in found["boilerplate"]] == [
        ("navigation", 1, 1), ("page-footer", 1, 1),
    ]  # fmt: skip


def test_json_has_common_sentences_on_demand(call: Any, lines_of: Any) -> None:
    (found,) = lines_of(call("explain", "a.html", "noise.html", "--json").stdout)
    assert found["changes"] == []
    (found,) = lines_of(call("explain", "a.html", "noise.html", "--json", "--all").stdout)
    assert found["changes"][0] == {"kind": "common", "text": "Bridge opens", "place_a": 1, "place_b": 1}
    assert {change["kind"] for change in found["changes"]} == {"common"}


def test_json_of_a_new_cut_and_a_repetition(call: Any, lines_of: Any, here: Path) -> None:
    words = put(here, ["Tickets on board.", "End."], ["Tickets", "on board.", "End.", "End."])
    (found,) = lines_of(call("explain", *words, "--json").stdout)
    assert found["changes"] == [
        {"kind": "recut", "text": "Tickets on board.", "place_a": 2, "place_b": 2, "becomes": "Tickets\non board."}
    ]
    assert found["repeated"] == [{"text": "End.", "a": 1, "b": 2}]

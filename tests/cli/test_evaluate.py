"""Commands that learn from labelled pairs: evaluate and calibrate."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sameish.settings import load

WORDS = "ferry harbour island crew ticket winter council pier hospital bench storm school boat lamp roof gutter slate book".split()


def told(number: int, sentences: int) -> list[str]:
    """Write sentences that no other number's text has."""
    pick = [WORDS[(number * 7 + at * 5) % len(WORDS)] for at in range(6)]
    return [
        f"Report {number} part {at} says that the {' and the '.join(pick)} came {at} years ago."
        for at in range(sentences)
    ]


def write(path: Path, sentences: Sequence[str]) -> str:
    path.write_text(f"<main><h1>News</h1>{''.join(f'<p>{text}</p>' for text in sentences)}</main>", "utf-8")
    return path.name


def write_pairs(folder: Path, *, pairs: int, shared: float) -> None:
    """Write pairs of grown articles that share a part of their sentences, and as many of two articles."""
    lines = []
    for number in range(pairs):
        whole = told(number, 20)
        first = write(folder / f"{number}.html", whole[: round(20 * shared)])
        second = write(folder / f"{number}-grown.html", whole)
        other = write(folder / f"{number}-other.html", told(1000 + number, 20))
        site = f"site{number}.example"
        lines += [
            {"a": first, "b": second, "kind": "minor", "site": site},
            {"a": second, "b": other, "kind": "different", "site": site},
        ]
    (folder / "pairs.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")


@pytest.fixture
def few(here: Path) -> str:
    lines = [
        {"a": "a.html", "b": "noise.html", "kind": "same", "id": "s1", "url_a": "https://a.example/", "url_b": "https://a.example/"},
        {"a": "a.html", "b": "edit.html", "kind": "minor", "id": "m1", "sub": "price"},
        {"a": "a.html", "b": "copy.html", "kind": "same", "id": "wrong", "sub": "redesign"},
        {"a": "a.html", "b": "other.html", "kind": "different", "id": "d1", "why": "passed over"},
        {"a": "a.html", "b": "nowhere.html", "kind": "same", "undecidable": True},
    ]  # fmt: skip
    (here / "copy.html").write_bytes((here / "edit.html").read_bytes())
    (here / "few.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return "few.jsonl"


# evaluate


def test_evaluate_says_who_got_which_answer(call: Any, few: str) -> None:
    result = call("evaluate", few)
    assert result.exit_code == 0, result.stderr
    lines = [line.split() for line in result.stdout.splitlines()]
    assert "4 pairs of 1 site, 6 pages" in result.stdout
    assert "Of no known site: 3 pairs" in result.stdout
    assert "Left out as undecidable: 1 pair" in result.stdout
    assert ["same", "2", "1", "1", "0", "0", "50.0%", "-"] in lines
    assert ["redesign", "1", "0", "1", "0", "0", "0.0%", "-"] in lines
    assert ["near_duplicate", "2", "50.0%"] in lines
    assert "0.5 *" in result.stdout
    assert "Wrong with the most confidence: 1 pair" in result.stdout
    assert "wrong  same/redesign, answered near_duplicate" in result.stdout
    assert result.stdout.splitlines()[-2:] == ["    a.html", "    copy.html"]


def test_evaluate_as_json_is_one_object(call: Any, few: str, lines_of: Any) -> None:
    (found,) = lines_of(call("evaluate", few, "--json").stdout)
    assert (found["pairs"], found["sites"], found["right"], found["undecidable"], found["unreadable"]) == (
        4,
        1,
        0.75,
        1,
        0,
    )
    assert found["kinds"]["same"]["answers"] == {"identical": 1, "near_duplicate": 1}
    assert found["answers"]["near_duplicate"] == {"given": 2, "precision": 0.5}
    assert [row["value"] for row in found["near_similarity"]] == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    assert sum(one["answers"] for one in found["reliability"]) == 4
    assert found["folded"] == []
    (wrong,) = found["worst"]
    assert (wrong["id"], wrong["expected"], wrong["answer"]) == ("wrong", ["identical"], "near_duplicate")
    assert wrong["reason"].startswith("sketch:")


def test_evaluate_counts_loose_sub_kinds_as_right(call: Any, few: str, lines_of: Any) -> None:
    (found,) = lines_of(call("evaluate", few, "--json", "--loose", "redesign", "--worst", "0").stdout)
    assert (found["right"], found["worst"]) == (1.0, [])
    assert call("evaluate", few, "--loose", "redesing").stderr == (
        "sameish: --loose redesing: no pair has this sub-kind\n"
    )


def test_evaluate_uses_the_settings(call: Any, few: str, here: Path, lines_of: Any) -> None:
    (here / "s.toml").write_text("[judging]\nnear_similarity = 0.95\nnear_bits = 0\n", "utf-8")
    (found,) = lines_of(call("evaluate", few, "--json", "--settings", "s.toml").stdout)
    assert 0.95 in [row["value"] for row in found["near_similarity"]]


def test_evaluate_learns_confidence_on_other_sites_where_there_are_many(call: Any, here: Path, lines_of: Any) -> None:
    write_pairs(here, pairs=25, shared=0.9)
    (found,) = lines_of(call("evaluate", "pairs.jsonl", "--json", "--jobs", "2").stdout)
    assert sum(one["answers"] for one in found["folded"]) == 50
    assert "confidence learned on the other sites" in call("evaluate", "pairs.jsonl").stdout


def test_evaluate_reads_below_a_root_and_from_standard_input(call: Any, here: Path) -> None:
    (here / "lists").mkdir()
    line = json.dumps({"a": "a.html", "b": "noise.html", "kind": "same"})
    (here / "lists" / "p.jsonl").write_text(line, "utf-8")
    assert call("evaluate", "lists/p.jsonl").exit_code == 3
    assert call("evaluate", "lists/p.jsonl", "--root", ".").exit_code == 0
    assert call("evaluate", "-", stdin=line).exit_code == 0


def test_what_cannot_be_read_is_named_and_the_rest_is_measured(call: Any, few: str, here: Path) -> None:
    path = here / few
    path.write_text(path.read_text("utf-8") + '{"a": "gone.html", "b": "a.html", "kind": "same"}\n{"a": 5}\n', "utf-8")
    result = call("evaluate", few)
    assert result.exit_code == 3
    assert result.stderr.splitlines() == [
        "sameish: few.jsonl: line 7: Expected `str`, got `int` - at `$.a`; skipped",
        "sameish: gone.html: there is no such file or folder",
    ]
    assert "4 pairs of" in result.stdout
    assert "could not be used, each named on standard error: 2" in result.stdout


@pytest.mark.parametrize("command", ["evaluate", "calibrate"])
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "pairs.jsonl: there is no pair in it"),
        ("<p>", "pairs.jsonl: no line of it is a pair"),
        ('{"a": "x.html", "b": "a.html", "kind": "same"}', "its paths start from the folder of the file; --root names"),
        ('{"a": "x.html", "b": "a.html", "kind": "same", "undecidable": true}', "are marked as undecidable"),
    ],
)
def test_no_pairs_is_3_and_says_why(call: Any, here: Path, command: str, line: str, reason: str) -> None:
    (here / "pairs.jsonl").write_text(f"{line}\n", "utf-8")
    result = call(command, "pairs.jsonl")
    assert (result.exit_code, result.stdout) == (3, "")
    assert reason in result.stderr.splitlines()[-1]


def test_no_file_is_3_and_no_root_is_2(call: Any, few: str) -> None:
    gone = call("evaluate", "gone.jsonl")
    assert (gone.exit_code, gone.stderr) == (3, "sameish: gone.jsonl: cannot be read (No such file or directory)\n")
    assert call("evaluate", few, "--root", "gone").exit_code == 2


def test_pairs_that_are_named_again_are_counted_and_contradictions_left_out(
    call: Any, few: str, here: Path, lines_of: Any
) -> None:
    again = [
        {"a": "other.html", "b": "a.html", "kind": "different"},
        {"a": "a.html", "b": "copy.html", "kind": "minor"},
    ]
    path = here / few
    path.write_text(path.read_text("utf-8") + "".join(f"{json.dumps(line)}\n" for line in again), "utf-8")
    result = call("evaluate", few, "--json")
    assert result.exit_code == 3
    assert result.stderr == (
        "sameish: few.jsonl: line 7: labelled minor, but wrong labels the same two pages same; skipped\n"
    )
    (found,) = lines_of(result.stdout)
    assert (found["pairs"], found["repeated"], found["unreadable"]) == (5, 1, 1)
    assert "Named before with the same label, and counted again: 1 pair" in call("evaluate", few).stdout


def test_shares_of_nothing_are_not_printed_as_0(call: Any, few: str, lines_of: Any) -> None:
    (found,) = lines_of(call("evaluate", few, "--json").stdout)
    assert {row["changed_near"] for row in found["near_similarity"]} == {None}
    (row,) = [line.split() for line in call("evaluate", few).stdout.splitlines() if line.split()[:2] == ["0.5", "*"]]
    assert row[2:] == ["100.0%", "100.0%", "-"]


def test_the_recipe_knows_no_thresholds_to_sweep(call: Any, few: str, here: Path, lines_of: Any) -> None:
    (here / "s.toml").write_text('[fingerprint]\nscheme = "classic"\n', "utf-8")
    (found,) = lines_of(call("evaluate", few, "--settings", "s.toml", "--json").stdout)
    assert (found["near_similarity"], found["near_bits"]) == ([], [])
    assert "None of these answers depends on near_similarity" in call("evaluate", few, "--settings", "s.toml").stdout


# calibrate


def test_calibrate_writes_what_is_better_and_nothing_else(call: Any, here: Path) -> None:
    write_pairs(here, pairs=30, shared=0.25)
    by_hand = "# mine\n[gate]\nfirst_interval_s = 60 # a minute\n"
    (here / "s.toml").write_text(by_hand, "utf-8")
    result = call("calibrate", "pairs.jsonl", "--settings", "s.toml")
    assert result.exit_code == 0, result.stderr
    assert "0.5 -> 0." in result.stdout
    assert "100.0% -> 0.0%" in result.stdout
    assert result.stdout.splitlines()[-1] == "Written: s.toml"
    assert (here / "s.toml").read_text("utf-8").startswith(by_hand)
    assert load("s.toml", {}).judging.near_similarity < 0.4
    again = call("calibrate", "pairs.jsonl", "--settings", "s.toml")
    assert again.exit_code == 0
    assert "Nothing to write" in again.stdout


def test_calibrate_makes_the_file_unless_it_is_a_dry_run(call: Any, here: Path, lines_of: Any) -> None:
    write_pairs(here, pairs=30, shared=0.25)
    assert (
        "Would be written: new.toml" in call("calibrate", "pairs.jsonl", "--settings", "new.toml", "--dry-run").stdout
    )
    assert not (here / "new.toml").exists()
    assert "name the settings file with --settings" in call("calibrate", "pairs.jsonl").stdout
    (found,) = lines_of(call("calibrate", "pairs.jsonl", "--settings", "new.toml", "--json").stdout)
    assert found["written"] == "new.toml"
    assert list(found["changes"][""]) == ["near_similarity"]
    assert found["everywhere"]["error_before"]["torn"] == 1.0
    assert (here / "new.toml").exists()


def test_calibrate_writes_into_the_file_of_the_environment(start: Any, here: Path) -> None:
    write_pairs(here, pairs=25, shared=0.25)
    (here / "env.toml").write_text("", "utf-8")
    done = start("calibrate", "pairs.jsonl", SAMEISH_SETTINGS="env.toml")
    assert (done.returncode, done.stderr) == (0, "")
    assert "near_similarity" in (here / "env.toml").read_text("utf-8")
    done = start("calibrate", "pairs.jsonl", "--settings", "new.toml", SAMEISH_JUDGING__NEAR_SIMILARITY="0.9")
    assert done.stderr == "sameish: SAMEISH_JUDGING__NEAR_SIMILARITY is set and overrides what was written; unset it\n"


def test_calibrate_says_what_the_errors_were_held_out_from(call: Any, here: Path) -> None:
    write_pairs(here, pairs=30, shared=0.25)
    assert "without the sites that are judged." in call("calibrate", "pairs.jsonl").stdout
    text = (here / "pairs.jsonl").read_text("utf-8")
    (here / "one.jsonl").write_text(re.sub(r"site\d+\.", "site.", text), "utf-8")
    assert "without the pairs that are judged (of few sites" in call("calibrate", "one.jsonl").stdout


def test_calibrate_refuses_with_too_few_pairs(call: Any, few: str, here: Path) -> None:
    result = call("calibrate", few, "--settings", "s.toml")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "2 of one article that differ in some words and 1 of two articles; 20 of each are needed" in result.stderr
    assert not (here / "s.toml").exists()


def test_calibrate_learns_from_a_store(call: Any, here: Path, lines_of: Any) -> None:
    for day in range(3):
        lines = []
        for number in range(30):
            html = f"<main><h1>News</h1>{''.join(f'<p>{text}</p>' for text in told(number, 3 + 9 * day))}</main>"
            stamp = f"2026-05-0{1 + day}T12:00:00Z"
            lines.append({"url": f"https://site{number % 3}.example/{number}", "html": html, "fetched_at": stamp})
        (here / "day.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
        assert call("scan", "day.jsonl", "--store", "crawl.db", "-q").exit_code == 0
    (found,) = lines_of(call("calibrate", "--store", "crawl.db", "--settings", "s.toml", "--json").stdout)
    assert (found["everywhere"]["together"], found["everywhere"]["apart"]) == (60, 27)
    assert load("s.toml", {}).judging.near_similarity == found["changes"][""]["near_similarity"] < 0.5


@pytest.mark.parametrize("words", [(), ("pairs.jsonl", "--store", "crawl.db")])
def test_calibrate_learns_from_one_thing(call: Any, words: tuple[str, ...]) -> None:
    result = call("calibrate", *words)
    assert result.exit_code == 2
    assert "a file of pairs, or a store" in result.stderr
    assert "--root is for paths in PAIRS" in call("calibrate", "--store", "crawl.db", "--root", ".").stderr


def test_calibrate_leaves_the_recipe_alone(call: Any, few: str, here: Path) -> None:
    (here / "s.toml").write_text('[fingerprint]\nscheme = "classic"\n', "utf-8")
    result = call("calibrate", few, "--settings", "s.toml")
    assert result.exit_code == 2
    assert "the scheme classic" in result.stderr


def test_calibrate_makes_no_store(call: Any, here: Path) -> None:
    result = call("calibrate", "--store", "none.db")
    assert result.exit_code == 2
    assert "there is no store at none.db" in result.stderr
    assert not (here / "none.db").exists()


def test_calibrate_leaves_a_damaged_settings_file_alone(call: Any, few: str, here: Path) -> None:
    (here / "s.toml").write_text("[judging\n", "utf-8")
    result = call("calibrate", few, "--settings", "s.toml")
    assert result.exit_code == 2
    assert "s.toml" in result.stderr
    assert (here / "s.toml").read_text("utf-8") == "[judging\n"

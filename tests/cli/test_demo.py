"""`sameish demo --captures`, and the scores behind it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import sameish
from sameish.demo import Category, make_crawl
from sameish.demo.report import Answer, by_category, score
from sameish.models import Verdict, VerdictKind

CRAWL = make_crawl(1)


def perfect() -> list[Answer]:
    return [(one.page, Verdict(min(one.expected.kinds), reason="because")) for one in CRAWL.captures]


def test_the_captures_print_figures_a_table_and_every_mistake(start: Any, here: Path) -> None:
    before = set(here.iterdir())
    done = start("demo", "--captures")
    assert (done.returncode, done.stderr) == (0, "")
    for words in ("distinct articles", "duplicates recognised", "edits noticed", "noise ignored", "walls and errors"):
        assert words in done.stdout
    assert "bytes that were needless" in done.stdout
    assert " a second" in done.stdout
    assert set(here.iterdir()) == before


def test_the_captures_in_json(call: Any, lines_of: Any) -> None:
    (found,) = lines_of(call("demo", "--captures", "--json").stdout)
    assert found["captures"] == len(CRAWL.captures) >= 120
    assert found["right"] + len(found["mistakes"]) == found["captures"]
    assert sum(row["captures"] for row in found["variations"]) == found["captures"]
    assert all(one["answered"] not in one["expected"] for one in found["mistakes"])
    assert found["seconds"] > 0


def test_keep_leaves_the_archive_and_the_store(call: Any, here: Path) -> None:
    result = call("demo", "--captures", "--keep", "new/folder", "--details")
    assert result.exit_code == 0
    assert {path.name for path in (here / "new/folder").iterdir()} == {"demo.warc.gz", "demo.db"}
    assert "sameish scan new/folder/demo.warc.gz --store new/folder/demo.db" in result.stdout
    assert call("store", "verify", "--store", "new/folder/demo.db").exit_code == 0
    kept = (here / "new/folder/demo.db").read_bytes()
    again = call("demo", "--captures", "--keep", "new/folder")
    assert again.exit_code == 2
    assert "holds demo.warc.gz and demo.db already" in again.stderr
    assert (here / "new/folder/demo.db").read_bytes() == kept


def test_a_folder_that_cannot_be_made_is_a_message(call: Any) -> None:
    result = call("demo", "--keep", "a.html")
    assert result.exit_code == 3
    assert result.stderr == "sameish: a.html: File exists\n"


def test_right_answers_make_no_mistakes() -> None:
    report = score(CRAWL, perfect())
    assert report.mistakes == ()
    assert report.right == report.captures == len(CRAWL.captures)
    assert report.articles.right == report.articles.captures > 0
    for one in (report.duplicates, report.edits, report.noise, report.set_aside):
        assert one.captures == one.right > 0
        assert one.wrong == 0
    assert report.bytes == sum(len(one.body) for one in CRAWL.captures)
    assert report.needless_bytes >= report.truly_needless_bytes > 0
    assert set(by_category(report)) == set(Category)
    assert sum(row.right for row in report.variations) == report.right


def test_a_wrong_answer_is_named() -> None:
    answers = perfect()
    at = next(number for number, one in enumerate(CRAWL.captures) if one.expected.category is Category.EDIT)
    truth = CRAWL.captures[at]
    answers[at] = (truth.page, Verdict(VerdictKind.DUPLICATE, reason="a blunder"))
    report = score(CRAWL, answers)
    (mistake,) = report.mistakes
    assert (mistake.url, mistake.what, mistake.answered) == (truth.url, truth.expected.what, VerdictKind.DUPLICATE)
    assert mistake.expected == tuple(sorted(truth.expected.kinds))
    assert mistake.reason == "a blunder"
    assert report.edits.wrong == 1


def test_the_sentences_behind_a_wrong_match_are_shown() -> None:
    answers = perfect()
    at = next(number for number, one in enumerate(CRAWL.captures) if one.expected.category is Category.EDIT)
    page = answers[at][0]
    with sameish.open(":memory:") as detector:
        for earlier, _ in answers[:at]:
            detector.observe(earlier)
        match = detector.cached(str(page.url))
        verdict = detector.observe(page)
    assert verdict.changes
    answers[at] = (page, replace(verdict, kind=VerdictKind.NEAR_DUPLICATE, match=match, changes=()))
    (mistake,) = score(CRAWL, answers).mistakes
    assert mistake.changes == verdict.changes


def test_a_capture_that_was_not_read_is_a_mistake() -> None:
    report = score(CRAWL, perfect()[1:])
    (mistake,) = report.mistakes
    assert (mistake.url, mistake.answered) == (CRAWL.captures[0].url, None)
    assert "not read" in mistake.reason


def test_captures_are_told_apart_by_url_and_time() -> None:
    assert len({(one.url, one.fetched_at) for one in CRAWL.captures}) == len(CRAWL.captures)

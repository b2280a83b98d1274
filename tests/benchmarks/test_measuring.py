from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.labelled import Library
from benchmarks.measuring import Result, Way, measure, print_results
from benchmarks.scoring import DIFFERENT, IDENTICAL, UNDETERMINED

from sameish import Page, ReadingError
from sameish.models import ComparisonKind


def equal(a: bytes, b: bytes) -> ComparisonKind:
    return IDENTICAL if a == b else DIFFERENT


def bytes_of(page: Page) -> bytes:
    assert isinstance(page.body, bytes)
    return page.body


def refusing(page: Page) -> bytes:
    if b"rhubarb" in bytes_of(page):
        raise ReadingError("no cake")
    return b"mark"


def test_answers_times_and_sizes(pairs: Path) -> None:
    library = Library(pairs)
    whole, first = measure(
        [Way("whole", bytes_of, equal), Way("first", lambda page: bytes_of(page)[:4], equal)], library
    )
    assert set(whole.answers) == {DIFFERENT}
    assert set(first.answers) == {IDENTICAL}
    assert first.stored_bytes == 4 < whole.stored_bytes
    assert 0 <= whole.cpu_ms < 100


def test_a_page_that_cannot_be_read_is_undetermined(pairs: Path) -> None:
    (result,) = measure([Way("refusing", refusing, equal)], Library(pairs))
    assert result.answers == [IDENTICAL, IDENTICAL, UNDETERMINED, UNDETERMINED, UNDETERMINED]
    assert result.stored_bytes == 4


def test_the_table_is_markdown(pairs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    library = Library(pairs)
    answers = [IDENTICAL, DIFFERENT, DIFFERENT, IDENTICAL, DIFFERENT]
    print_results([Result("way", answers, 1.234, 1186)], library)
    head, rule, counts, row = capsys.readouterr().out.splitlines()
    assert len({len(line) for line in (head, rule, counts, row)}) == 1
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells == ["way", "100.0 %", "100.0 %", "100.0 %", "0.0 %", "100.0 %", "50.0 %", "50.0 %", "1.23", "1,186"]
    assert [cell.strip() for cell in counts.strip("|").split("|")] == [
        "pairs",
        "1",
        "1",
        "1",
        "1",
        "1",
        "2",
        "2",
        "",
        "",
    ]

"""Runs ways of telling pages apart over labelled pairs, side by side, and prints one row for each."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from benchmarks.labelled import Library
from benchmarks.scoring import QUESTIONS, UNDETERMINED, share_right
from sameish import Page, SameishError
from sameish.models import ComparisonKind

Judge: TypeAlias = Callable[[bytes, bytes], ComparisonKind]
"""Says how two pages relate, from what is stored of them."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way of telling pages apart: what it stores of a page, and what it says of two that are stored."""

    name: str
    mark: Callable[[Page], bytes]
    judge: Judge


@dataclass(frozen=True, slots=True)
class Result:
    """What came out: an answer a pair, mean CPU milliseconds and median stored bytes a page."""

    name: str
    answers: Sequence[ComparisonKind]
    cpu_ms: float
    stored_bytes: int


def measure(ways: Sequence[Way], library: Library) -> list[Result]:
    """Mark every page of a library once in every way, and judge its pairs from what is stored.

    For each page the ways run in a new random order, so that what else the machine does hits all alike.

    Raises:
        PairsError: a page cannot be read.
    """
    marks: dict[str, dict[str, bytes | None]] = {way.name: {} for way in ways}
    spent = dict.fromkeys(marks, 0.0)
    shuffler = random.Random(1)
    for way in ways:  # tables are built on first use
        _marked(way, library.page(library.names[0]))
    for name in library.names:
        page = library.page(name)
        for way in shuffler.sample(ways, len(ways)):
            start = time.thread_time()
            marks[way.name][name] = _marked(way, page)
            spent[way.name] += time.thread_time() - start
    return [_result(way, library, marks[way.name], spent[way.name]) for way in ways]


def _marked(way: Way, page: Page) -> bytes | None:
    try:
        return way.mark(page)
    except SameishError:
        return None  # a page that cannot be read has no mark; its pairs are undetermined


def _result(way: Way, library: Library, marks: Mapping[str, bytes | None], spent: float) -> Result:
    answers = [_answer(way, marks[pair.a], marks[pair.b]) for pair in library.pairs]
    sizes = [len(mark) for mark in marks.values() if mark is not None]
    return Result(way.name, answers, 1000 * spent / len(marks), statistics.median_low(sizes) if sizes else 0)


def _answer(way: Way, a: bytes | None, b: bytes | None) -> ComparisonKind:
    return UNDETERMINED if a is None or b is None else way.judge(a, b)


def print_results(results: Iterable[Result], library: Library) -> None:
    """Print a Markdown table: shares of right answers in percent, CPU time, bytes."""
    counts = [sum(question.concerns(pair) for pair in library.pairs) for question in QUESTIONS]
    rows = [("", *(question.name for question in QUESTIONS), "CPU, ms a page", "stored bytes")]
    rows.append(("pairs", *(f"{count:,}" for count in counts), "", ""))
    rows += [_row(result, library) for result in results]
    print_table(rows)


def print_table(rows: Sequence[tuple[str, ...]]) -> None:
    """Print rows of equal length as a Markdown table; the first is its head, the first column stands left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    first, *others = (f"| {_padded(row, widths)} |" for row in rows)
    rule = "|".join(["-" * (widths[0] + 2), *("-" * (width + 1) + ":" for width in widths[1:])])
    print("\n".join((first, f"|{rule}|", *others)))


def _row(result: Result, library: Library) -> tuple[str, ...]:
    shares = (share_right(question, library.pairs, result.answers) for question in QUESTIONS)
    told = ("-" if share is None else f"{100 * share:.1f} %" for share in shares)
    return (result.name, *told, f"{result.cpu_ms:.2f}", f"{result.stored_bytes:,}")


def _padded(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
    return " | ".join((row[0].ljust(widths[0]), *cells))

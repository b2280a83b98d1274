"""From pairs to answers: each page once, in one process or several."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sameish.evaluation.judge import Printed, jobs_for, judge_pairs, pages_of, print_pages, repeats_of
from sameish.evaluation.pairs import Pair
from sameish.judging.labelled import Judged, Label
from sameish.settings import Settings, load

TOLD = "The harbour office has a new timetable for the ferry that links the pier with the island in the north."
MORE = "From the first Monday in November the boat leaves every fifty minutes, and the last one goes at nine."


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    for name, end in (("a", "Price: 5 EUR."), ("noise", "Price: 5 EUR.</p><p>1,204 views"), ("edit", "Price: 6 EUR.")):
        (tmp_path / f"{name}.html").write_text(
            f"<main><h1>Ferry</h1><p>{TOLD}</p><p>{MORE}</p><p>{end}</p></main>", "utf-8"
        )
    line = '{"url": "https://a.example/%d", "html": "<p>x</p>"}\n'
    (tmp_path / "two.jsonl").write_text(line % 1 + line % 2, "utf-8")
    return tmp_path


def pair(folder: Path, a: str, b: str, label: Label = Label.SAME, site: str = "a.example", sub: str = "") -> Pair:
    return Pair(folder / a, folder / b, label, site, f"{a} {b}", sub)


def answers(pairs: list[Pair], settings: Settings, jobs: int = 1) -> tuple[list[Judged], list[str]]:
    faults: list[str] = []
    printed = print_pages(pages_of(pairs), settings, jobs)
    return judge_pairs(pairs, printed, settings, loose=("redesign",), on_fault=faults.append), faults


def test_pairs_are_answered(pages: Path) -> None:
    known = [pair(pages, "a.html", "noise.html"), pair(pages, "a.html", "edit.html", Label.MINOR, sub="redesign")]
    judged, faults = answers(known, load({}, {}))
    assert [(str(one.answer), one.right, one.loose) for one in judged] == [
        ("identical", True, False), ("near_duplicate", True, True),
    ]  # fmt: skip
    assert (judged[0].a, judged[0].words > 30, faults) == (str(pages / "a.html"), True, [])


def test_every_page_is_read_once() -> None:
    folder = Path("x")
    known = [pair(folder, "a", "b"), pair(folder, "b", "a"), pair(folder, "a", "c")]
    assert [path.name for path, _ in pages_of(known)] == ["a", "b", "c"]


def test_repeats_are_found_in_either_order_and_by_address() -> None:
    folder = Path("x")
    first, again, other = pair(folder, "a", "b"), pair(folder, "b", "a", Label.MINOR), pair(folder, "a", "c")
    elsewhere = replace(first, url_a="https://a.example/")
    assert repeats_of([first, other, again, elsewhere]) == [(again, first)]


def test_what_cannot_be_read_is_said_once_and_the_others_are_answered(pages: Path) -> None:
    known = [
        pair(pages, "none.html", "a.html"),
        pair(pages, "a.html", "none.html"),
        pair(pages, "a.html", "two.jsonl"),
        pair(pages, "a.html", "a.html"),
    ]
    judged, faults = answers(known, load({}, {}))
    assert [one.name for one in judged] == ["a.html a.html"]
    assert [fault.removeprefix(f"{pages}/").split(":")[0] for fault in faults] == ["none.html", "two.jsonl"]
    assert "there are several pages in it" in faults[1]


def test_a_page_over_the_limit_is_named(pages: Path) -> None:
    _, faults = answers([pair(pages, "a.html", "a.html")], load({"reading": {"max_body_bytes": 9}}, {}))
    assert len(faults) == 1
    assert str(pages / "a.html") in faults[0]
    assert "reading.max_body_bytes" in faults[0]


def test_thresholds_and_selectors_of_a_site_hold(pages: Path) -> None:
    known = [pair(pages, "a.html", "edit.html"), pair(pages, "a.html", "edit.html", site="b.example")]
    settings = load({"site": {"b.example": {"judging": {"near_similarity": 1.0, "near_bits": 0}}}}, {})
    judged, _ = answers(known, settings)
    assert [one.comparison.reason.partition(":")[0] for one in judged] == ["sketch", "simhash"]
    removed = load({"site": {"b.example": {"reading": {"remove": ["p"]}}}}, {})
    with_url = Pair(pages / "a.html", pages / "a.html", Label.SAME, "b.example", "x", url_a="https://b.example/")
    (there,) = print_pages([(with_url.a, with_url.url_a)], removed)
    (elsewhere,) = print_pages([(with_url.a, None)], removed)
    assert there.data != elsewhere.data


def test_several_processes_give_what_one_gives(pages: Path) -> None:
    known = pages_of([pair(pages, "a.html", "noise.html"), pair(pages, "edit.html", "none.html")])
    settings = load({"preset": "shop"}, {})
    assert list(print_pages(known, settings, 2)) == list(print_pages(known, settings, 1))


def test_processes_are_started_where_they_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 6)
    assert [jobs_for(pages, None) for pages in (0, 199, 200)] == [1, 1, 6]
    assert jobs_for(5000, 3) == 3


def test_a_page_without_a_fingerprint_has_a_fault() -> None:
    faults: list[str] = []
    page = (Path("a"), None)
    known = [Pair(Path("a"), Path("a"), Label.SAME, "s", "n")]
    assert judge_pairs(known, [Printed(page, None, "a: gone")], load({}, {}), on_fault=faults.append) == []
    assert faults == ["a: gone"]

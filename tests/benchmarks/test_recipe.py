from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.labelled import Library
from benchmarks.measuring import Result, measure
from benchmarks.recipe import WAYS
from benchmarks.scoring import DIFFERENT, IDENTICAL, NEAR

from sameish import Page, classic

BY_NAME = {way.name: way for way in WAYS}


@pytest.fixture
def results(pairs: Path) -> dict[str, Result]:
    return {result.name: result for result in measure(WAYS, Library(pairs))}


def test_md5_calls_every_reload_a_change(results: dict[str, Result]) -> None:
    assert results["MD5 of the HTML"].answers == [DIFFERENT] * 5
    assert results["MD5 of the HTML"].stored_bytes == 16


def test_the_recipe_does_not_see_a_small_edit(results: dict[str, Result]) -> None:
    for name in ("simhash of the HTML", "simhash of all text", "simhash of the Markdown", "scheme `classic`"):
        assert results[name].answers[1] is IDENTICAL, name


def test_the_default_scheme_tells_all_apart(results: dict[str, Result]) -> None:
    assert results["scheme `text`"].answers == [IDENTICAL, NEAR, DIFFERENT, DIFFERENT, DIFFERENT]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("simhash of the HTML", "<nav>home menu</nav><script>let hidden</script><main><h1>ferry</h1></main>"),
        ("simhash of all text", "home menu\nferry"),
    ],
)
def test_what_is_hashed(name: str, text: str) -> None:
    page = Page("<nav>home menu</nav><script>let hidden</script><main><h1>ferry</h1></main>")
    assert int.from_bytes(BY_NAME[name].mark(page)) == classic.simhash(classic.tokens(text))


def test_the_markdown_is_without_the_menu() -> None:
    prose = "<p>The first ferry leaves at six and the last one comes back at midnight, on all days but Sunday.</p>" * 2
    with_menu, without = Page(f"<nav>home menu</nav><main>{prose}</main>"), Page(f"<main>{prose}</main>")
    way = BY_NAME["simhash of the Markdown"]
    assert way.mark(with_menu) == way.mark(without) != bytes(8)


@pytest.mark.parametrize(("bits", "kind"), [(0, IDENTICAL), (3, IDENTICAL), (4, NEAR), (8, NEAR), (9, DIFFERENT)])
def test_the_bands_are_those_of_the_recipe(bits: int, kind: object) -> None:
    other = ((1 << bits) - 1).to_bytes(8)
    assert BY_NAME["simhash of the HTML"].judge(bytes(8), other) is kind
    exact = BY_NAME["the same, identical at 0 bits only"].judge(bytes(8), other)
    assert exact is (NEAR if 0 < bits <= 3 else kind)

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from benchmarks.ablation import VARIANTS, Variant, every_option, ways
from benchmarks.labelled import Library
from benchmarks.measuring import measure
from benchmarks.scoring import DIFFERENT, NEAR

from benchmarks import ablation
from sameish.errors import SettingsError
from sameish.settings import DEFAULT


def test_a_variant_is_read_and_judged_under_its_settings(pairs: Path) -> None:
    variants: list[Variant] = [
        ("as it is", {}),
        ("read otherwise", {"reading": {"thin_words": 10_000}}),
        ("judged otherwise", {"judging": {"near_similarity": 0.0}}),
    ]
    plain, all_thin, all_near = measure(ways(variants), Library(pairs))
    assert (plain.answers[1], plain.answers[2]) == (NEAR, DIFFERENT)
    assert all_thin.answers[1] is DIFFERENT
    assert all_near.answers[2] is NEAR


def test_every_listed_variant_has_settings_that_exist() -> None:
    names = [way.name for way in ways()]
    assert names == [name for name, _ in VARIANTS]
    assert len(set(names)) == len(names)
    assert VARIANTS[0] == ("as it is", {})


def test_a_setting_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(SettingsError, match="nonsense"):
        ways([("wrong", {"judging": {"nonsense": 1}})])


def test_every_option_of_a_section() -> None:
    names = [field.name for field in msgspec.structs.fields(DEFAULT.judging)]
    assert every_option("judging", 1) == [(f"judging.{name} = 1", {"judging": {name: 1}}) for name in names]
    assert every_option("no such section", 1) == []


def test_it_prints_a_row_for_each_variant(pairs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ablation.run(Library(pairs))
    rows = capsys.readouterr().out.splitlines()[3:]
    assert [row.split("|")[1].strip() for row in rows] == [name for name, _ in VARIANTS]

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sameish import SettingsError
from sameish.settings import Settings, load


def write(folder: Path, text: str) -> Path:
    path = folder / "sameish.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_nothing_given_is_the_defaults() -> None:
    assert load(None, {}) == Settings()


def test_an_object_is_taken_as_it_is() -> None:
    settings = Settings()
    assert load(settings) is settings


def test_a_file_and_the_environment_over_it(tmp_path: Path) -> None:
    path = write(tmp_path, "[lookup]\nwithin = 5\ncandidates = 9\n")
    settings = load(
        path, {"SAMEISH_LOOKUP__WITHIN": "6", "SAMEISH_STORE__KEEP_MARKDOWN": "false", "SAMEISH_STORE": "x.db"}
    )
    assert (settings.lookup.within, settings.lookup.candidates, settings.store.keep_markdown) == (6, 9, False)


def test_the_file_named_by_the_environment(tmp_path: Path) -> None:
    path = write(tmp_path, "[gate]\nfirst_interval_s = 60\n")
    assert load(None, {"SAMEISH_SETTINGS": str(path)}).gate.first_interval_s == 60.0


def test_a_site_says_only_what_differs() -> None:
    settings = load({"judging": {"near_bits": 4}, "site": {"a.example": {"judging": {"near_similarity": 0.7}}}}, {})
    there, elsewhere = settings.for_site("a.example"), settings.for_site("b.example")
    assert (there.judging.near_similarity, there.judging.near_bits) == (0.7, 4)
    assert elsewhere is settings


def test_weights_of_a_site() -> None:
    settings = load({"weights": {"code": 3}, "site": {"a.example": {"weights": {"lists": 0}}}}, {})
    weights = settings.for_site("a.example").weights
    assert (weights.code, weights.lists, weights.title, settings.weights.lists) == (3, 0, 1, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[lookup]\nwithn = 5\n", "unknown field `withn`"),
        ("[lookup]\nwithin = 65\n", r"\$.lookup.within"),
        ("[lookup]\nscope = 'galaxy'\n", r"\$.lookup.scope"),
        ("[judging]\nnear_similarity = 1.5\n", r"\$.judging.near_similarity"),
        ("[fingerprint]\nscheme = 'md5'\n", r"\$.fingerprint.scheme"),
        ("[weights]\ntitle = 11\n", r"\$.weights.title"),
        ("[weights]\ncode = -1\n", r"\$.weights.code"),
        ("[weights]\nheading = 2\n", "unknown field `heading`"),
        ("[site.'a.example']\nstore = 1\n", "unknown field `store`"),
        ("lookup = 5\n", r"\$.lookup"),
        ("[lookup]\nmax_age_days = -1\n", r"\$.lookup.max_age_days"),
        ("[lookup]\nmax_age_days = 1e7\n", r"\$.lookup.max_age_days"),
        ("reading = 5\n[site.'a.example'.reading]\nthin_words = 3\n", r"\$.reading"),
        ("site = 5\n", r"\$.site"),
        ("[lookup\n", "sameish.toml"),
    ],
)
def test_a_wrong_setting_is_named_with_its_file(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message) as caught:
        load(write(tmp_path, text), {})
    assert "sameish.toml" in str(caught.value)


def test_a_wrong_setting_of_a_site_is_named_with_the_site() -> None:
    fine = {"judging": {"near_bits": 9}}
    with pytest.raises(SettingsError, match=r'^settings: .* at `\$\.site\."b\.example"\.judging\.near_bits`$'):
        load({"site": {"a.example": fine, "b.example": {"judging": {"near_bits": 99}}}}, {})
    with pytest.raises(SettingsError, match=r'"b\.example"`$'):
        load({"site": {"a.example": fine, "b.example": 5}}, {})


@pytest.mark.parametrize("tree", [{"preset": "blog"}, {"site": {"a.example": {"preset": "blog"}}}], ids=str)
def test_a_wrong_preset_is_answered_with_those_there_are(tree: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match=r"'blog' .*\.preset`; there are news, documentation, forum, shop$"):
        load(tree, {})


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    assert load(write(tmp_path, "\ufeff[judging]\nnear_bits = 9\n"), {}).judging.near_bits == 9


def test_a_missing_file_is_named() -> None:
    with pytest.raises(SettingsError, match=r"settings file nowhere\.toml: No such file"):
        load("nowhere.toml", {})


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / "binary.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match=r"binary\.toml"):
        load(path, {})


def test_a_wrong_environment_variable_is_named() -> None:
    with pytest.raises(SettingsError, match=r"^settings and environment: .*\$.lookup.within"):
        load(None, {"SAMEISH_LOOKUP__WITHIN": "many"})


def test_what_is_no_settings_is_refused() -> None:
    with pytest.raises(SettingsError, match="int is neither Settings, a mapping nor the path of a file"):
        load(5)  # type: ignore[arg-type]  # wrong on purpose

"""The prose of the demo, and the edits made to it."""

from __future__ import annotations

import difflib
import re
import unicodedata

import pytest

from sameish.demo.article import Code, Figure, Items, Prose, Table, parse, sources
from sameish.demo.edits import EDITS, Edit, article_on

LONG = [slug for slug in sources() if slug not in {"meadow-path-closed", "planning-notice-141", "planning-notice-142"}]


def words(text: str) -> list[str]:
    return re.findall(r"[^\W\d]|\d+" if re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", text) else r"\w+", text)


def test_there_are_enough_articles_in_enough_languages() -> None:
    languages = [article_on(slug, 9).language for slug in LONG]
    assert len(LONG) >= 15
    assert languages.count("en") >= 8
    assert {"de", "ru", "zh", "ja", "ar"} <= set(languages)


def test_articles_are_in_five_scripts() -> None:
    letters = {letter for slug in LONG for letter in article_on(slug, 9).wording if letter.isalpha()}
    scripts = {unicodedata.name(letter).split()[0] for letter in letters}
    assert {"LATIN", "CYRILLIC", "CJK", "HIRAGANA", "ARABIC"} <= scripts


@pytest.mark.parametrize("slug", LONG)
def test_an_article_has_real_length(slug: str) -> None:
    article = article_on(slug, 9)
    size = len(words(article.wording))
    low, high = (700, 1800) if article.language in {"zh", "ja"} else (350, 900)
    assert low <= size <= high


def test_blocks_of_every_kind_are_read() -> None:
    source = (
        'title: A\nauthor: B\npublished: 2026-03-01\nsection: news\nlanguage: en\n---\nOne *two* `three`.\n\n## Four\n\n'
        '- a\n- b\n\n1. c\n2. d\n\n> e\n\n```\nf\n\ng\n```\n\n| h | i |\n|---|---|\n| j | k |\n\n![l](m.jpg "n")\n'
    )  # fmt: skip
    article = parse("slug", source)
    assert article.body == (
        Prose("p", "One *two* `three`."),
        Prose("h2", "Four"),
        Items("ul", ("a", "b")),
        Items("ol", ("c", "d")),
        Prose("blockquote", "e"),
        Code("f\n\ng"),
        Table((("h", "i"), ("j", "k"))),
        Figure("m.jpg", "l", "n"),
    )
    assert article.wording == "A\nB\nOne two three.\nFour\na\nb\nc\nd\ne\nf\n\ng\nh | i\nj | k\nn"


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: f"{edit.day}-{edit.slug}")
def test_an_edit_changes_the_words_it_names_and_no_others(edit: Edit) -> None:
    before, after = (words(article_on(edit.slug, day).wording) for day in (edit.day - 1, edit.day))
    lost, gained = _differences(before, after)
    old = words(" ".join(old for old, _ in edit.passages))
    new = words(" ".join(new for _, new in edit.passages))
    assert lost + gained
    assert set(lost) <= set(old)
    assert set(gained) <= set(new)
    assert len(before) - len(lost) == len(after) - len(gained)


@pytest.mark.parametrize(
    ("slug", "day", "lost", "gained"),
    [
        ("tarn-40-dehumidifier", 2, ["349"], ["299"]),
        ("council-school-meals", 2, [], ["not"]),
        ("council-school-meals", 5, ["not"], []),
        ("footbridge-reopens", 3, ["14"], ["21"]),
        ("jiushudian", 5, ["三"], ["四"]),
        ("sento-matsunoyu", 5, ["火"], ["月"]),
        ("planetariy", 6, ["90"], ["120"]),
        ("rhubarb-tray-bake", 7, ["200"], ["250"]),
        ("backup-photos-rsync", 7, [], ["checksum"]),
        ("nachtausleihe", 8, ["Freitag", "13"], ["Samstag", "14"]),
        ("nakhla-suq", 8, ["سيغلق"], ["لن", "يغلق"]),
        ("rechnoy-tramvay", 8, ["4"], ["11"]),
        ("gongjiao-shikebiao", 9, [], ["不"]),
    ],
)
def test_small_edits_to_the_word(slug: str, day: int, lost: list[str], gained: list[str]) -> None:
    before, after = (words(article_on(slug, at).wording) for at in (day - 1, day))
    assert _differences(before, after) == (lost, gained)


def test_an_edit_that_no_longer_fits_is_refused() -> None:
    with pytest.raises(ValueError, match="0 times"):
        Edit(1, "tarn-40-dehumidifier", "nothing", (("no such words", ""),)).apply("text")


def _differences(before: list[str], after: list[str]) -> tuple[list[str], list[str]]:
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    steps = [step for step in matcher.get_opcodes() if step[0] != "equal"]
    lost = [word for _, start, end, _, _ in steps for word in before[start:end]]
    gained = [word for _, _, _, start, end in steps for word in after[start:end]]
    return lost, gained

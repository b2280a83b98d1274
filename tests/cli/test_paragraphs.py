from __future__ import annotations

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from sameish.cli import paragraphs
from sameish.cli.paragraphs import shortened, without_end, without_start, wrapped


def test_short_texts_stay() -> None:
    assert shortened("a b", 3) == without_end("a b", 3) == without_start("a b", 3) == "a b"


def test_long_texts_lose_their_middle_between_words() -> None:
    text = " ".join(f"word{number}" for number in range(100))
    short = shortened(text, 80)
    assert short.startswith("word0 word1 ")
    assert short.endswith(" word98 word99")
    assert " [...] " in short
    assert len(short) <= 80 + len(" [...] ")
    assert without_start(text, 20) == "[...] word97 word98 word99"
    assert without_end(text, 20) == "word0 word1 word2 [...]"


def test_texts_without_spaces_are_cut_anywhere() -> None:
    assert shortened("語" * 100, 8) == "語" * 6 + " [...] " + "語" * 2


def test_lines_are_as_wide_as_the_terminal_shows_them() -> None:
    assert wrapped("one two three", 8) == ["one two", "three"]
    assert wrapped("語" * 9, 8) == ["語" * 4, "語" * 4, "語"]
    assert wrapped("19. 我们有权", 8) == ["19. 我们", "有权"]


def test_colours_take_no_room() -> None:
    text = click.style("one", fg="red") + " two"
    assert wrapped(text, 7) == [text]


@given(st.text("abc 語\x1b", max_size=200), st.integers(30, 50))
def test_wrapping_keeps_every_word(text: str, width: int) -> None:
    clean = text.replace("\x1b", click.style("x", fg="red"))
    lines = wrapped(clean, width)
    assert "".join("".join(lines).split()) == "".join(clean.split())
    assert all(cell_len(click.unstyle(line).rstrip()) <= width for line in lines)


def test_without_a_terminal_a_sentence_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    paragraphs.say_under("- ", "word " * 100)
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_on_a_terminal_it_hangs_under_its_sign(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paragraphs, "on_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "50")
    paragraphs.say_under(click.style("- ", fg="red"), "word " * 20)
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.startswith("- word")
    assert all(line.startswith("  word") for line in rest)
    assert len(rest) == 2
